package dev.veilgate.console.database;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The database.
 *
 * @param url          JDBC URL of a PostgreSQL; without it a file in the data folder
 * @param user         who connects
 * @param passwordFile file whose first line is the password
 */
@ConfigurationProperties("veilgate.database")
record DatabaseSettings(
        @Nullable String url,
        @DefaultValue("veilgate") String user,
        @Nullable Path passwordFile) {}
