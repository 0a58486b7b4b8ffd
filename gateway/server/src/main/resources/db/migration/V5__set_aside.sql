-- What had been set aside and was applied after all, for as long as its file may still be there: nothing is applied twice.
CREATE TABLE set_aside_applied (
    gateway VARCHAR(36) NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (gateway, position)
);
