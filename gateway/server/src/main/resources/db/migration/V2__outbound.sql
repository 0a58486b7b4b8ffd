-- Mail on its way out.
CREATE TABLE outbound_mail (
    id UUID PRIMARY KEY,
    reverse_path VARCHAR(320) NOT NULL,
    created TIMESTAMP WITH TIME ZONE NOT NULL
);

-- The message in pieces: H2 takes at most 1 MiB in a BYTEA, and PostgreSQL has no BLOB.
CREATE TABLE outbound_piece (
    mail UUID NOT NULL REFERENCES outbound_mail (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (mail, ordinal)
);

-- Who has not got it yet. A gateway that works on a row writes its name into it and when its lease ends into due: after that the row is
-- anybody's again.
CREATE TABLE outbound_recipient (
    mail UUID NOT NULL REFERENCES outbound_mail (id) ON DELETE CASCADE,
    recipient VARCHAR(320) NOT NULL,
    domain VARCHAR(255) NOT NULL,
    attempts INTEGER NOT NULL,
    due TIMESTAMP WITH TIME ZONE NOT NULL,
    lease_owner VARCHAR(36),
    PRIMARY KEY (mail, recipient)
);
CREATE INDEX outbound_recipient_by_due ON outbound_recipient (due);
