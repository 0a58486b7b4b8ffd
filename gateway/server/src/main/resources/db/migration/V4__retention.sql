-- What must not be deleted: all envelopes of a scope, or one envelope.
CREATE TABLE hold (
    id UUID PRIMARY KEY,
    tenant VARCHAR(255) NOT NULL,
    scope VARCHAR(255),
    envelope UUID,
    reason VARCHAR(500) NOT NULL,
    placed TIMESTAMP WITH TIME ZONE NOT NULL,
    placed_by VARCHAR(255) NOT NULL
);
CREATE INDEX hold_by_tenant ON hold (tenant);

-- What is left of an envelope that was deleted. Until the store of this gateway has deleted it, deleted is not set.
CREATE TABLE tombstone (
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    gateway VARCHAR(36) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    sequence BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    why VARCHAR(500) NOT NULL,
    decided TIMESTAMP WITH TIME ZONE NOT NULL,
    deleted TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (tenant, envelope)
);
CREATE INDEX tombstone_by_sender ON tombstone (tenant, sender, sequence);
CREATE INDEX tombstone_by_gateway ON tombstone (gateway, deleted);
