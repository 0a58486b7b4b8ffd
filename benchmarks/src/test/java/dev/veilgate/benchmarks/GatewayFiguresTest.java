package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program behind the gateway's figures runs, on little data: everything that it sends is acknowledged, delivered and routed. Of logs over HTTP the console's figures send
 * more, of mails the acceptance tests, and starts are those of every acceptance test: each figure takes a fresh gateway, half a minute of a core.
 */
class GatewayFiguresTest {
    @TempDir
    Path data;

    @Test
    void everyFigureIsTaken() throws Exception {
        SealedSet.Size small = new SealedSet.Size(2, 2, 1, 5, 10, 3);
        List<String> rows = GatewayFigures.table(data, small, 1, Duration.ofMillis(1), List.of("mqtt", "routes"));
        assertThat(rows).hasSize(4).allSatisfy(row -> assertThat(row.split(",")).hasSize(5));
        assertThat(rows)
                .filteredOn(row -> row.startsWith("log lines over MQTT"))
                .singleElement()
                .asString()
                .contains("4000 lines in ");
        assertThat(rows.stream().skip(1).map(row -> Double.parseDouble(row.split(",")[1])))
                .allMatch(value -> value > 0);
    }
}
