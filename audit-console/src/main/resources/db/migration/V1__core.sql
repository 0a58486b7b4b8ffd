-- Times are UTC. Text that may hold keywords (queries) is here in clear: the database is within the authority's domain of trust.

CREATE TABLE rule_set (
    version    BIGINT                   NOT NULL PRIMARY KEY,
    changed    TIMESTAMP WITH TIME ZONE NOT NULL,
    changed_by VARCHAR(255)             NOT NULL,
    rules      TEXT                     NOT NULL -- JSON, in their order
);

CREATE TABLE approval (
    id          UUID                     NOT NULL PRIMARY KEY,
    purpose     VARCHAR(10)              NOT NULL,
    requester   VARCHAR(255)             NOT NULL,
    requested   TIMESTAMP WITH TIME ZONE NOT NULL,
    expires     TIMESTAMP WITH TIME ZONE NOT NULL,
    state       VARCHAR(10)              NOT NULL, -- pending, approved, refused, expired; expired follows from the time too
    rule        VARCHAR(100)             NOT NULL,
    hours       INT                      NOT NULL, -- how long an approval holds
    intent      TEXT                     NOT NULL, -- JSON: query, scope, times, epochs, senders, what it is for
    intent_id   VARCHAR(64)              NOT NULL, -- digest of it but the times, of which an approval is good for a part too
    log_number  BIGINT                   NOT NULL, -- of the entry in the issuing log that tells of the request
    reason      VARCHAR(1000)            NOT NULL,
    decided_by  VARCHAR(255),
    decided     TIMESTAMP WITH TIME ZONE,
    decision    VARCHAR(1000)
);
CREATE INDEX approval_of_intent ON approval (requester, intent_id);
CREATE INDEX approval_by_time ON approval (requested);

CREATE TABLE saved_search (
    id      UUID                     NOT NULL PRIMARY KEY,
    owner   VARCHAR(255)             NOT NULL,
    name    VARCHAR(100)             NOT NULL,
    created TIMESTAMP WITH TIME ZONE NOT NULL,
    query   TEXT                     NOT NULL, -- JSON
    UNIQUE (owner, name)
);

-- For limits by hour.
CREATE TABLE authorised (
    actor VARCHAR(255)             NOT NULL,
    rule  VARCHAR(100)             NOT NULL,
    at    TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE INDEX authorised_by_actor ON authorised (actor, rule, at);

-- What was issued to readers last, to be shown.
CREATE TABLE reader_issue (
    name   VARCHAR(255)             NOT NULL PRIMARY KEY,
    issued TIMESTAMP WITH TIME ZONE NOT NULL,
    epochs TEXT                     NOT NULL
);

-- Routes that were installed here: the gateway keeps their trapdoors, but does not say what they are for.
CREATE TABLE installed_route (
    name   VARCHAR(100)  NOT NULL PRIMARY KEY,
    scope  VARCHAR(255)  NOT NULL,
    epochs TEXT          NOT NULL
);
