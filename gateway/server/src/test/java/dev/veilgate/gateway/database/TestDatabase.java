package dev.veilgate.gateway.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.testing.PostgresServer;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database of their own for tests: H2 in memory or PostgreSQL, migrated. */
public final class TestDatabase {
    private TestDatabase() {}

    /** A new one. */
    public static Database create() {
        return migrated(JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", ""));
    }

    /** A new one on a server, which closes it when it ends. */
    public static Database create(PostgresServer server) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.newDatabase());
        pool.setUsername(server.user());
        pool.setPassword("");
        pool.setMaximumPoolSize(6);
        server.closeFirst(pool);
        return migrated(pool);
    }

    private static Database migrated(DataSource pool) {
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration")
                .load()
                .migrate();
        return new Database(pool);
    }
}
