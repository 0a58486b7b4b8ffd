package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the figures of what reads tell runs, and who sees and knows more names more. */
class CoAccessFiguresTest {
    @TempDir
    private Path folder;

    @Test
    void whoSeesMoreNamesMoreSearches() throws Exception {
        CoAccessFigures.main(new String[] {folder.toString(), "4000"});
        List<Map<String, String>> rows = StoredRows.read(folder.resolve("co-access.csv"));
        List<Double> all = named(rows, "all");
        List<Double> half = named(rows, "half");
        assertThat(all).hasSize(4).isSorted();
        assertThat(all.get(2)).isGreaterThan(all.get(1)).isGreaterThan(0.003);
        assertThat(all.get(3)).isGreaterThan(all.get(2)).isGreaterThan(0.02);
        assertThat(half).hasSize(4);
        for (int i = 0; i < 4; i++) {
            assertThat(half.get(i)).isBetween(0.0, all.get(i));
        }
    }

    private static List<Double> named(List<Map<String, String>> rows, String known) {
        return rows.stream()
                .filter(row -> row.get("known").equals(known))
                .map(row -> Double.valueOf(String.valueOf(row.get("named_words"))))
                .toList();
    }
}
