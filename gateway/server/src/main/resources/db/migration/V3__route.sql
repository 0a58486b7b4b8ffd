-- Goes up with every change of a route, so that each gateway sees when to read them again.
CREATE TABLE route_version (
    id INTEGER PRIMARY KEY,
    version BIGINT NOT NULL
);
INSERT INTO route_version (id, version) VALUES (1, 0);

-- A standing route. The id stays when its search or action is replaced.
CREATE TABLE route (
    id UUID PRIMARY KEY,
    version BIGINT NOT NULL,
    tenant VARCHAR(255) NOT NULL,
    name VARCHAR(64) NOT NULL,
    search BYTEA NOT NULL,
    kind VARCHAR(16) NOT NULL,
    target VARCHAR(2048) NOT NULL,
    secret VARCHAR(64) NOT NULL,
    installed TIMESTAMP WITH TIME ZONE NOT NULL,
    UNIQUE (tenant, name)
);

-- What a route found: to be done once. Rows that are done stay for a while, since the same envelope may come again.
CREATE TABLE route_action (
    route UUID NOT NULL,
    tenant VARCHAR(255) NOT NULL,
    envelope UUID NOT NULL,
    sender VARCHAR(255) NOT NULL,
    records BYTEA NOT NULL,
    arrived TIMESTAMP WITH TIME ZONE NOT NULL,
    state VARCHAR(8) NOT NULL,
    attempts INTEGER NOT NULL,
    due TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (route, tenant, envelope)
);
CREATE INDEX route_action_due ON route_action (state, due);
