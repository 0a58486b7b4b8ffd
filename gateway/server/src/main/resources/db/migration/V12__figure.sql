-- What was counted of a tenant in a minute, an hour and a day (UTC), by each gateway. No row: nobody measured. Rows without a tenant are of the machine. Their number is limited for each step.
CREATE TABLE figure (
    tenant VARCHAR(255) NOT NULL,
    step VARCHAR(8) NOT NULL,
    begins TIMESTAMP WITH TIME ZONE NOT NULL,
    gateway VARCHAR(36) NOT NULL,
    minutes INTEGER NOT NULL,
    lines BIGINT NOT NULL,
    mails BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    delivered BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    envelopes BIGINT,
    waiting BIGINT,
    backlog BIGINT,
    free BIGINT,
    PRIMARY KEY (tenant, step, begins, gateway)
);
