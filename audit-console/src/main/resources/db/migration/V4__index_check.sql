-- What came of checks whether the indexes of opened records are complete, each record once; never its words.
CREATE TABLE index_check (
    envelope VARCHAR(64)              NOT NULL, -- SHA-256 of it, in hex
    ordinal  INT                      NOT NULL, -- of the record in it
    scope    VARCHAR(255)             NOT NULL,
    sender   VARCHAR(255)             NOT NULL, -- who answers for it; empty for nobody
    outcome  VARCHAR(16)              NOT NULL,
    lacking  INT                      NOT NULL,
    reasons  VARCHAR(255)             NOT NULL, -- labels with blanks between them
    checked  TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (envelope, ordinal, scope)
);
CREATE INDEX index_check_by_sender ON index_check (sender);

-- Senders that may give the keywords of their records themselves, by no rules.
CREATE TABLE index_caller (
    sender VARCHAR(255) NOT NULL PRIMARY KEY
);

-- What was drawn of each registered sender's chain to be checked.
CREATE TABLE index_sweep (
    sender       VARCHAR(255)             NOT NULL PRIMARY KEY,
    highest      BIGINT                   NOT NULL, -- number of its chain that was ever known
    drawn        BIGINT DEFAULT 0         NOT NULL,
    checked      BIGINT DEFAULT 0         NOT NULL,
    empty        BIGINT DEFAULT 0         NOT NULL,
    not_checked  BIGINT DEFAULT 0         NOT NULL,
    not_openable BIGINT DEFAULT 0         NOT NULL,
    not_given    BIGINT DEFAULT 0         NOT NULL,
    last_round   TIMESTAMP WITH TIME ZONE NOT NULL
);

-- Numbers that the gateway did not give when they were drawn last.
CREATE TABLE index_sweep_missing (
    sender VARCHAR(255) NOT NULL,
    number BIGINT       NOT NULL,
    PRIMARY KEY (sender, number)
);
