-- Links by which new users of mail get their files. Neither a link nor a passphrase is here: files are sealed under a key that only the link has.
CREATE TABLE mail_enrolment (
    id          UUID                     NOT NULL PRIMARY KEY,
    address     VARCHAR(255)             NOT NULL,
    scope       VARCHAR(255)             NOT NULL,
    certificate BYTEA                    NOT NULL, -- DER; in bundles once the files were handed over
    replaces    BYTEA,                             -- DER of the address's certificate when the link was made, if it had one
    created     TIMESTAMP WITH TIME ZONE NOT NULL,
    created_by  VARCHAR(255)             NOT NULL,
    expires     TIMESTAMP WITH TIME ZONE NOT NULL,
    lookup      VARCHAR(64)              NOT NULL UNIQUE, -- digest of the link's secret
    files       BYTEA,                             -- sealed; none once they were received, or the link is over
    browser     VARCHAR(64),                       -- digest of what the browser drew that used the link
    used        TIMESTAMP WITH TIME ZONE,
    received    TIMESTAMP WITH TIME ZONE,          -- whole, as the browser says
    cancelled   TIMESTAMP WITH TIME ZONE
);
CREATE INDEX mail_enrolment_by_address ON mail_enrolment (address, created);
