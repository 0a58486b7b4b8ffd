package dev.veilgate.gateway.database;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where operational state is kept.
 *
 * @param url           of PostgreSQL, as jdbc:postgresql://host/name; without it H2 in the data folder
 * @param user          of PostgreSQL
 * @param passwordFile  holds the password of PostgreSQL in its first line
 * @param connections   most connections at a time
 * @param socketTimeout a connection on which PostgreSQL says nothing for longer, while it is asked, is given up: more than its longest statement takes. 0s: none is
 */
@ConfigurationProperties("veilgate.database")
public record DatabaseSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable Path passwordFile,
        @DefaultValue("10") int connections,
        @DefaultValue("5m") Duration socketTimeout) {
    /** @throws IllegalArgumentException naming the key */
    public DatabaseSettings {
        if (url != null && !url.startsWith("jdbc:postgresql:") && !url.startsWith("jdbc:h2:")) {
            throw new IllegalArgumentException("veilgate.database.url must begin with jdbc:postgresql: or jdbc:h2:");
        }
        if (connections < 2 || connections > 200) {
            throw new IllegalArgumentException("veilgate.database.connections must be 2 to 200");
        }
        boolean none = socketTimeout.isZero();
        if (!none && (socketTimeout.toSeconds() < 10 || socketTimeout.toDays() > 1)) {
            throw new IllegalArgumentException("veilgate.database.socket-timeout must be 0s or 10s to 1d");
        }
    }
}
