package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed command and a gateway's part, with some hundred senders. */
class SenderFiguresTest {
    @Test
    void everyFigureIsTaken(@TempDir Path work) throws Exception {
        List<String> table = SenderFigures.table(work, 400);
        assertThat(table).hasSize(1 + 14);
        assertThat(table.stream().skip(1).map(row -> row.split(",")[0]))
                .contains("add all", "keys bundle", "size of the bundle", "take-up", "look-up");
        assertThat(table.stream().skip(1).map(row -> Double.parseDouble(row.split(",")[2])))
                .allMatch(value -> value >= 0);
    }
}
