package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the figures of post-quantum algorithms runs. Its numbers here mean nothing. */
class PostQuantumFiguresTest {
    private static final Path LIBRARY = Path.of("native/target/liboqs/liboqs.so");

    @TempDir
    private Path folder;

    @Test
    void measuresEveryOperationOfEveryLibrary() throws Exception {
        assertThat(LIBRARY).as("./verify makes it by native/install-liboqs").isRegularFile();
        PostQuantumFigures.measure(
                LIBRARY, folder, new PostQuantumFigures.Budget(Duration.ofMillis(2), Duration.ofMillis(1), 3));
        List<Map<String, String>> operations = StoredRows.read(folder.resolve("operations.csv"));
        assertThat(operations).hasSize(4 * 3 + 4 * 3 + 3 * 3 + 3 + 2);
        assertThat(operations)
                .allSatisfy(row -> assertThat(Double.parseDouble(String.valueOf(row.get("us"))))
                        .isPositive());
        assertThat(StoredRows.read(folder.resolve("factors.csv")))
                .hasSize(9)
                .allSatisfy(row -> assertThat(row.get("faster")).isIn("Bouncy Castle", "JDK"));
        assertThat(StoredRows.read(folder.resolve("arrival.csv")))
                .extracting(row -> row.get("step") + ", " + row.get("provider"))
                .containsExactly(
                        "decoding, both",
                        "index blocks, both",
                        "both signatures, platform",
                        "both signatures, native",
                        "all, platform",
                        "all, native");
    }
}
