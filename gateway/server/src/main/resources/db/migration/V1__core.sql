-- How far each gateway's journal is applied here.
CREATE TABLE journal_position (
    gateway VARCHAR(36) PRIMARY KEY,
    position BIGINT NOT NULL
);

-- A registered sender's chain: whole up to contiguous, whose envelope has this digest.
CREATE TABLE chain (
    tenant VARCHAR(255) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    envelopes BIGINT NOT NULL,
    contiguous BIGINT NOT NULL,
    contiguous_digest BYTEA NOT NULL,
    highest BIGINT NOT NULL,
    last_sealed TIMESTAMP WITH TIME ZONE NOT NULL,
    last_arrived TIMESTAMP WITH TIME ZONE NOT NULL,
    promised_until TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (tenant, sender)
);

-- Envelopes beyond the first gap.
CREATE TABLE chain_link (
    tenant VARCHAR(255) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    sequence BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    previous BYTEA NOT NULL,
    arrived TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (tenant, sender, sequence)
);

-- What a chain says of its sender, or of who was between: forks, broken links, losses that the sender reports.
CREATE TABLE chain_finding (
    tenant VARCHAR(255) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    problem VARCHAR(32) NOT NULL,
    sequence BIGINT NOT NULL,
    detail VARCHAR(500) NOT NULL,
    noticed TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (tenant, sender, problem, sequence)
);

-- Sealed mails that were queued for a recipient, so that one that is submitted again is not sent again.
CREATE TABLE mail_seen (
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    recipient VARCHAR(320) NOT NULL,
    seen TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (tenant, envelope, recipient)
);
CREATE INDEX mail_seen_by_time ON mail_seen (seen);
