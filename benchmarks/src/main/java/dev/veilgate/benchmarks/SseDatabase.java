package dev.veilgate.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.archive.store.JdbcCells;
import dev.veilgate.sse.CellStore;
import dev.veilgate.testing.PostgresServer;
import java.io.IOException;

/** A PostgreSQL of its own as it is when installed, which waits for the disk at each commit; a table an archive. */
final class SseDatabase implements SseStore, AutoCloseable {
    private final PostgresServer server;
    private final HikariDataSource connections;
    private int tables;

    SseDatabase() throws IOException {
        server = new PostgresServer();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.newDatabase());
        config.setUsername(server.user());
        config.setMaximumPoolSize(2);
        connections = new HikariDataSource(config);
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public CellStore open() throws IOException {
        return JdbcCells.open(connections, "archive_" + tables++);
    }

    @Override
    public void close() {
        connections.close();
        server.close();
    }
}
