package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the symmetric schemes' figures runs, and its files have what they should. */
class SseFiguresTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void measure() throws Exception {
        SseFigures.main(new String[] {"--quick", folder.toString()});
    }

    private static List<String> rows(String file) throws Exception {
        return Files.readAllLines(folder.resolve(file));
    }

    @Test
    void everyVariantOfTheStudyOfArticlesIsIndexedAndSearched() throws Exception {
        for (String variant : List.of("SUISE", "VASST16 without the second level", "codewords", "Aura")) {
            assertThat(rows("sse-articles.csv"))
                    .anyMatch(row -> row.contains("," + variant + ",memory,index a document,"))
                    .anyMatch(row -> row.contains("," + variant + ",memory,search,1,"));
        }
        for (String variant : List.of("SUISE", "VASST16 without the second level")) {
            assertThat(rows("sse-articles.csv")).anyMatch(row -> row.contains("," + variant + ",PostgreSQL,search,5,"));
        }
        for (String variant : List.of("SUISE2", "VASST16-2 without the second level", "CHLH15")) {
            assertThat(rows("sse-articles.csv"))
                    .anyMatch(row -> row.contains("," + variant + ",memory,search a prefix,1,"));
        }
    }

    @Test
    void searchesAfterDeletionsFindWhatIsLeft() throws Exception {
        assertThat(rows("sse-searches.csv").stream().skip(1)).isNotEmpty().allSatisfy(row -> {
            String[] cells = row.split(",");
            if (!cells[1].equals("15 bits")) {
                assertThat(cells[12]).isEqualTo(cells[2]);
                assertThat(cells[13]).isEqualTo("0");
            }
        });
        assertThat(rows("sse-updates.csv"))
                .filteredOn(row -> row.startsWith("aura,") && row.contains(",delete,"))
                .isNotEmpty()
                .allMatch(row -> row.contains(",0,0.0000,")); // no message, no turn
    }

    @Test
    void requestsToTheTableFindTheirRows() throws Exception {
        assertThat(rows("sse-rows.csv").stream().skip(1)).isNotEmpty().allSatisfy(row -> {
            String[] cells = row.split(",");
            assertThat(Integer.parseInt(cells[7])).isGreaterThanOrEqualTo(Integer.parseInt(cells[4]));
        });
    }

    @Test
    void everySchemeHasItsSizes() throws Exception {
        assertThat(rows("sse-sizes.csv").stream().skip(1)).hasSize(14).allSatisfy(row -> {
            String[] cells = row.split(",");
            assertThat(Long.parseLong(cells[cells.length - 7])).isGreaterThanOrEqualTo(300);
            assertThat(Long.parseLong(cells[cells.length - 5])).isGreaterThan(4_000);
        });
    }

    @Test
    void picturesAreThere() throws Exception {
        for (String name : List.of(
                "articles", "rows", "insertions", "search-sides", "search-0-ms", "search-103-ms", "search-197-ms")) {
            assertThat(Files.size(folder.resolve("sse-" + name + ".png"))).isGreaterThan(10_000);
        }
    }
}
