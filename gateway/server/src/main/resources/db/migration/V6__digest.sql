-- An envelope is known by its id and its digest (SHA-256, hexadecimal) together. A row without a digest is of an earlier version, and speaks of the envelope that the id alone means.
-- Both databases take this way to another primary key.

CREATE TABLE mail_seen_by_digest (
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    digest VARCHAR(64) DEFAULT '' NOT NULL,
    recipient VARCHAR(320) NOT NULL,
    seen TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (tenant, envelope, recipient, digest)
);
INSERT INTO mail_seen_by_digest (tenant, envelope, digest, recipient, seen)
    SELECT tenant, envelope, '', recipient, seen FROM mail_seen;
DROP TABLE mail_seen;
ALTER TABLE mail_seen_by_digest RENAME TO mail_seen;
CREATE INDEX mail_seen_by_time ON mail_seen (seen);

CREATE TABLE route_action_by_digest (
    route UUID NOT NULL,
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    digest VARCHAR(64) DEFAULT '' NOT NULL,
    sender VARCHAR(255) NOT NULL,
    records BYTEA NOT NULL,
    arrived TIMESTAMP WITH TIME ZONE NOT NULL,
    state VARCHAR(8) NOT NULL,
    attempts INTEGER NOT NULL,
    due TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (route, tenant, envelope, digest)
);
INSERT INTO route_action_by_digest (route, tenant, envelope, digest, sender, records, arrived, state, attempts, due)
    SELECT route, tenant, envelope, '', sender, records, arrived, state, attempts, due FROM route_action;
DROP TABLE route_action;
ALTER TABLE route_action_by_digest RENAME TO route_action;
CREATE INDEX route_action_due ON route_action (state, due);

-- Null: all envelopes of the id are held.
ALTER TABLE hold ADD COLUMN digest VARCHAR(64);

CREATE TABLE tombstone_by_digest (
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    gateway VARCHAR(36) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    sequence BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    why VARCHAR(500) NOT NULL,
    decided TIMESTAMP WITH TIME ZONE NOT NULL,
    deleted TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (tenant, envelope, digest)
);
INSERT INTO tombstone_by_digest (tenant, envelope, gateway, sender, sequence, digest, why, decided, deleted)
    SELECT tenant, envelope, gateway, sender, sequence, digest, why, decided, deleted FROM tombstone;
DROP TABLE tombstone;
ALTER TABLE tombstone_by_digest RENAME TO tombstone;
CREATE INDEX tombstone_by_sender ON tombstone (tenant, sender, sequence);
CREATE INDEX tombstone_by_gateway ON tombstone (gateway, deleted);
