package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.CellStore;
import java.nio.file.Path;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells in a table of H2. */
final class H2CellsTest extends CellStoreContractTest {
    @TempDir
    private static Path folder;

    private static JdbcConnectionPool source;
    private int tables;

    @BeforeAll
    static void openDatabase() {
        source = JdbcConnectionPool.create("jdbc:h2:" + folder.resolve("cells"), "sa", "");
    }

    @AfterAll
    static void closeDatabase() {
        source.dispose();
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

    @Test
    void namesThatAreNoPlainWordsAreRefused() {
        for (String name : new String[] {"", "A", "1a", "a; drop table b", "a\"", "a".repeat(49)}) {
            assertThatThrownBy(() -> JdbcCells.open(source, name)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
