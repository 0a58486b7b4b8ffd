package dev.veilgate.application.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;

/** The database of an application: PostgreSQL, or a file of H2 in its data folder. */
public final class ApplicationDatabase {
    private static final int CONNECT_RETRIES = 30;
    private static final String SOCKET_TIMEOUT = "socketTimeout";

    private ApplicationDatabase() {}

    /**
     * Where it is.
     *
     * @param url          of PostgreSQL; null for H2
     * @param user         of PostgreSQL
     * @param passwordFile holds the password of PostgreSQL in its first line
     */
    public record Location(
            @Nullable String url,
            @Nullable String user,
            @Nullable Path passwordFile) {}

    /**
     * Connections, which are made when they are needed: {@link #migrate} waits for the database. One of H2 that closed itself since it could not write is opened
     * again, and is then as it was when it last could.
     *
     * @param dataDir     for H2, in its folder {@code database}
     * @param name        of H2's file
     * @param connections most at a time
     */
    public static HikariDataSource open(Location location, Path dataDir, String name, int connections)
            throws IOException {
        return open(location, dataDir, name, connections, Duration.ZERO);
    }

    /**
     * As {@link #open(Location, Path, String, int)}, with a limit for PostgreSQL.
     *
     * @param socketTimeout a connection on which PostgreSQL says nothing for longer while it is asked is given up; zero: none is. {@link #migrate} is not held to it
     */
    public static HikariDataSource open(
            Location location, Path dataDir, String name, int connections, Duration socketTimeout) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("database");
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        config.setInitializationFailTimeout(-1); // Flyway waits for it
        if (location.url() == null) {
            Path folder = dataDir.resolve("database");
            DurableFiles.createFolder(folder);
            config.setJdbcUrl("jdbc:h2:file:" + folder.toAbsolutePath().resolve(name)
                    + ";DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=20000");
            ReopenedDatabase reopened = new ReopenedDatabase();
            config.setExceptionOverride(reopened);
            HikariDataSource pool = new HikariDataSource(config);
            reopened.watch(pool);
            return pool;
        } else {
            config.setJdbcUrl(location.url());
            config.setUsername(location.user());
            if (location.url().startsWith("jdbc:postgresql:")) {
                config.addDataSourceProperty("logServerErrorDetail", "false"); // it quotes rows, with addresses of mail
                config.addDataSourceProperty("tcpKeepAlive", "true");
                config.addDataSourceProperty(SOCKET_TIMEOUT, String.valueOf(socketTimeout.toSeconds()));
            }
            if (location.passwordFile() != null) {
                config.setPassword(Files.readAllLines(location.passwordFile()).getFirst());
            }
        }
        return new HikariDataSource(config);
    }

    /** Makes or changes the tables, as {@code db/migration} of the application says. */
    public static void migrate(DataSource source) {
        if (source instanceof HikariDataSource pool
                && pool.getDataSourceProperties().containsKey(SOCKET_TIMEOUT)) {
            try (HikariDataSource patient = withoutTimeout(pool)) {
                run(patient);
            }
        } else {
            run(source);
        }
    }

    /** Changing a large table may take long, and says nothing meanwhile. */
    private static HikariDataSource withoutTimeout(HikariDataSource pool) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("migration");
        config.setMaximumPoolSize(2);
        config.setJdbcUrl(pool.getJdbcUrl());
        config.setUsername(pool.getUsername());
        config.setPassword(pool.getPassword());
        config.setConnectionTimeout(pool.getConnectionTimeout());
        config.setInitializationFailTimeout(pool.getInitializationFailTimeout());
        pool.getDataSourceProperties().forEach((name, value) -> config.addDataSourceProperty((String) name, value));
        config.getDataSourceProperties().remove(SOCKET_TIMEOUT);
        return new HikariDataSource(config);
    }

    private static void run(DataSource source) {
        Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .connectRetries(CONNECT_RETRIES)
                .connectRetriesInterval(2)
                .load()
                .migrate();
    }
}
