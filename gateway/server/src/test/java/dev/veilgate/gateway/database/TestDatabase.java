package dev.veilgate.gateway.database;

import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database of their own for tests: H2 in memory, migrated. */
public final class TestDatabase {
    private TestDatabase() {}

    /** A new one. */
    public static Database create() {
        JdbcConnectionPool pool =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
        Flyway.configure()
                .dataSource(pool)
                .locations("classpath:db/migration")
                .load()
                .migrate();
        return new Database(pool);
    }
}
