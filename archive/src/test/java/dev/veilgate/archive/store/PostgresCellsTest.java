package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.CellStore;
import dev.veilgate.testing.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;

/** Cells in a table of a real PostgreSQL. */
final class PostgresCellsTest extends CellStoreContractTest {
    private static PostgresServer server;
    private static String address;
    private static JdbcConnectionPool source;
    private int tables;

    @BeforeAll
    static void startServer() throws Exception {
        server = new PostgresServer();
        address = server.newDatabase();
        source = JdbcConnectionPool.create(at(new PGConnectionPoolDataSource()));
    }

    private static <S extends BaseDataSource> S at(S source) {
        source.setURL(address);
        source.setUser(server.user());
        return source;
    }

    @AfterAll
    static void stopServer() {
        source.dispose();
        server.close();
    }

    @Override
    CellStore open() throws Exception {
        return JdbcCells.open(source, "archive_" + tables++);
    }

    @Override
    CellStore reopen(CellStore cells) throws Exception {
        cells.close();
        return JdbcCells.open(source, "archive_" + (tables - 1));
    }

    /** As two processes have them. */
    @Test
    void twoStoresOfOneArchiveTakeTurns() throws Exception {
        CellStore other = JdbcCells.open(source, "archive_" + (tables - 1));
        List<Thread> threads = new ArrayList<>();
        for (CellStore each : List.of(store, other)) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 20; i++) {
                    each.transact(cells -> {
                        byte[] former = cells.get("a", bytes(1));
                        cells.put("a", bytes(1), bytes(former == null ? 1 : former[0] + 1));
                        return 0;
                    });
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(store.<byte[], RuntimeException>transact(cells -> cells.get("a", bytes(1))))
                .containsExactly(40);
    }

    @Test
    void archivesOfOneDatabaseAreApart() throws Exception {
        CellStore other = JdbcCells.open(source, "apart");
        other.transact(cells -> {
            cells.put("a", bytes(1), bytes(1));
            return 0;
        });
        assertThat(store.<Long, RuntimeException>transact(cells -> cells.count("a")))
                .isZero();
    }

    @Test
    void aCrashOfTheDatabaseIsSaidAndLosesNothing() throws Exception {
        PGSimpleDataSource unpooled = at(new PGSimpleDataSource());
        CellStore cells = JdbcCells.open(unpooled, "crash");
        cells.transact(its -> {
            its.put("a", bytes(1), bytes(10));
            return 0;
        });
        assertThatThrownBy(() -> cells.transact(its -> {
                    its.put("a", bytes(1), bytes(20));
                    server.stop();
                    return 0;
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the archive's database failed");
        assertThatThrownBy(() -> JdbcCells.open(unpooled, "crash")).isInstanceOf(IOException.class);
        server.start();
        assertThat(cells.<byte[], RuntimeException>transact(its -> its.get("a", bytes(1))))
                .containsExactly(10);
        source.dispose();
        source = JdbcConnectionPool.create(at(new PGConnectionPoolDataSource()));
    }
}
