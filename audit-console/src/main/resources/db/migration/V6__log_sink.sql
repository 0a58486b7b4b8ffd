-- How far the issuing log has come at a receiver. A batch that is begun keeps its end until it is acknowledged, so that
-- it is repeated as it was.
CREATE TABLE log_sink (
    receiver VARCHAR(500) NOT NULL PRIMARY KEY,
    number   BIGINT       NOT NULL, -- of the last entry that is acknowledged; 0 before the first
    sending  BIGINT       NOT NULL, -- of the last entry of the batch that is begun; that of before if none is
    secret   VARCHAR(64)  NOT NULL  -- key of the marks of entries, hex
);

-- Entries that were acknowledged, the older the fewer: the highest that the log still has is where it goes on.
CREATE TABLE log_sink_mark (
    receiver VARCHAR(500) NOT NULL,
    number   BIGINT       NOT NULL,
    digest   VARCHAR(64)  NOT NULL,
    PRIMARY KEY (receiver, number)
);
