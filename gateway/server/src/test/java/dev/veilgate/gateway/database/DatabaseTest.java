package dev.veilgate.gateway.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.application.database.ApplicationDatabase.Location;
import dev.veilgate.testing.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class DatabaseTest {
    /** It would refuse names of senders that were acknowledged. */
    @Test
    void refusesPostgresThatDoesNotTakeEveryText() throws Exception {
        try (PostgresServer server = new PostgresServer()) {
            String url = server.newDatabase("encoding 'LATIN1' template template0");
            assertThatThrownBy(() -> new Database(new DriverManagerDataSource(url, server.user(), "")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("LATIN1");
        }
    }

    /** As one whose machine is gone does: no answer, and no end of the connection. */
    @Test
    void givesAConnectionUpOnWhichPostgresSaysNothing(@TempDir Path folder) throws Exception {
        try (PostgresServer server = new PostgresServer();
                HikariDataSource pool = open(server, folder, Duration.ofSeconds(10));
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_sleep(1)");
            long start = System.nanoTime();
            assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)")).isInstanceOf(SQLException.class);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
            try (Connection next = pool.getConnection()) {
                assertThat(next.isValid(10)).isTrue();
            }
        }
    }

    @Test
    void migratesForLongerThanTheTimeout(@TempDir Path folder) throws Exception {
        try (PostgresServer server = new PostgresServer();
                HikariDataSource pool = open(server, folder, Duration.ofSeconds(1));
                Connection other = DriverManager.getConnection(pool.getJdbcUrl(), server.user(), "");
                Statement lock = other.createStatement()) {
            ApplicationDatabase.migrate(pool);
            other.setAutoCommit(false);
            lock.execute("LOCK TABLE flyway_schema_history IN ACCESS EXCLUSIVE MODE");
            CompletableFuture<Void> again = CompletableFuture.runAsync(() -> ApplicationDatabase.migrate(pool));
            assertThatThrownBy(() -> again.get(4, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            other.rollback();
            again.get(60, TimeUnit.SECONDS);
        }
    }

    private static HikariDataSource open(PostgresServer server, Path folder, Duration timeout) throws IOException {
        Location location = new Location(server.newDatabase(), server.user(), null);
        return ApplicationDatabase.open(location, folder, "unused", 3, timeout);
    }
}
