-- Mails of a day (UTC) that named a sender of a domain of this site whom nothing proved. Each gateway has rows of its own, which it alone writes, and those of a week are kept.
CREATE TABLE unproven_sender (
    on_day DATE NOT NULL,
    gateway VARCHAR(36) NOT NULL,
    kind VARCHAR(16) NOT NULL,
    mails BIGINT NOT NULL,
    PRIMARY KEY (on_day, gateway, kind)
);
-- Since when they are counted.
CREATE TABLE unproven_sender_since (since TIMESTAMP WITH TIME ZONE NOT NULL);
INSERT INTO unproven_sender_since (since) VALUES (CURRENT_TIMESTAMP);
