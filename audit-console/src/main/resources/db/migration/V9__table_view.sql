-- Columns that a user has chosen for the records or the mails of a scope, as JSON.
CREATE TABLE table_view (
    owner   VARCHAR(255)             NOT NULL,
    scope   VARCHAR(255)             NOT NULL,
    mail    BOOLEAN                  NOT NULL,
    changed TIMESTAMP WITH TIME ZONE NOT NULL,
    shown   TEXT                     NOT NULL,
    PRIMARY KEY (owner, scope, mail)
);
