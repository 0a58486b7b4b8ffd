-- Highest number that each key of a sender was ever seen to have signed, whatever a gateway says later.
CREATE TABLE chain_seen (
    sender     VARCHAR(255)             NOT NULL,
    sender_key VARCHAR(64)              NOT NULL, -- fingerprint
    highest    BIGINT                   NOT NULL,
    sealed     TIMESTAMP WITH TIME ZONE NOT NULL, -- of that one
    heartbeat  INT                      NOT NULL, -- seconds within which it promises the next; 0 for no promise
    PRIMARY KEY (sender, sender_key)
);

-- When some of the numbers were sealed, as their signed envelopes say: at most one for each hour.
CREATE TABLE chain_mark (
    sender     VARCHAR(255)             NOT NULL,
    sender_key VARCHAR(64)              NOT NULL,
    hours      BIGINT                   NOT NULL, -- since 1970
    number     BIGINT                   NOT NULL,
    sealed     TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (sender, sender_key, hours)
);

-- What a gateway kept back. Nothing here is deleted by the console.
CREATE TABLE chain_alarm (
    id           UUID                     NOT NULL PRIMARY KEY,
    kind         VARCHAR(16)              NOT NULL, -- hidden, missing, shortened
    sender       VARCHAR(255)             NOT NULL,
    sender_key   VARCHAR(64)              NOT NULL,
    number       BIGINT                   NOT NULL,
    reason       VARCHAR(32)              NOT NULL,
    first_raised TIMESTAMP WITH TIME ZONE NOT NULL,
    last_raised  TIMESTAMP WITH TIME ZONE NOT NULL,
    times        BIGINT                   NOT NULL,
    search       UUID                     NOT NULL, -- in which it was raised first
    envelope     BYTEA,                             -- as its sender signed it
    digest       VARCHAR(64),                       -- SHA-256 of it
    request      VARCHAR(64),                       -- that it matches: of chain_alarm_request
    UNIQUE (kind, sender, sender_key, number)
);

-- Searches of which something was kept back, with their trapdoors.
CREATE TABLE chain_alarm_request (
    digest  VARCHAR(64) NOT NULL PRIMARY KEY, -- SHA-256
    request BYTEA       NOT NULL
);
