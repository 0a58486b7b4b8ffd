package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed console in front of the installed gateway, with a log of its own. */
class ConsoleFiguresTest {
    @Test
    void everyFigureIsTaken(@TempDir Path data) throws Exception {
        List<String> table = ConsoleFigures.table(data, EdgeLog.readAll().subList(0, 1), 1, 1);
        assertThat(table).hasSize(1 + 1 + 3 * 4 + 12);
        assertThat(table.get(1)).startsWith("start,").contains(",s,<= 8,");
        assertThat(table.stream().skip(1).map(row -> Double.parseDouble(row.split(",")[1])))
                .as("the program itself compares what is found with what the logs have")
                .allMatch(value -> value >= 0);
    }
}
