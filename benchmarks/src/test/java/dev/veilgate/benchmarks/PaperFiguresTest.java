package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the paper's table and figures runs with all three schemes, on few records; what it says of time is not looked at. */
class PaperFiguresTest {
    private static final List<String> SCHEMES =
            List.of("NTRU-PEKS,lambda 80 N 512", "NTRU-PEKS,lambda 192 N 1024", "BCO,BLS12-381", "ZI,BLS12-381");

    @TempDir
    static Path folder;

    @BeforeAll
    static void measure() throws Exception {
        PaperFigures.main(new String[] {"--quick", folder.toString()});
    }

    @Test
    void everySchemeHasEveryOperation() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("paper-table1.csv"));
        for (String scheme : SCHEMES) {
            for (String operation : List.of("Test (one slot)", "PEKS", "Trapdoor", "KeyGen")) {
                assertThat(rows)
                        .filteredOn(row -> row.startsWith(operation + "," + scheme + ","))
                        .singleElement()
                        .satisfies(row -> assertThat(Double.parseDouble(row.split(",")[5]))
                                .isPositive());
            }
        }
        assertThat(rows).hasSize(1 + 4 * SCHEMES.size() + 2);
        assertThat(rows)
                .anyMatch(row -> row.startsWith("Test (the paper's form),NTRU-PEKS,lambda 192 N 1024,1.23,,"))
                .anyMatch(row -> row.startsWith("Test (one slot),BCO,BLS12-381,40.00,0.80,"))
                .anyMatch(row -> row.startsWith("Trapdoor,BCO,BLS12-381,,0.30,"))
                .anyMatch(row -> row.startsWith("Test (one slot),ZI,BLS12-381,110.00,1.20,"));
    }

    /** N coefficients of 27 bits are 3,456 bytes: the paper's 27.2 kilobits, and a little that stands around them. */
    @Test
    void sizesAreThoseOfTheEncodings() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("paper-sizes.csv"));
        assertThat(rows).hasSize(1 + 4 * SCHEMES.size());
        assertThat(rows)
                .filteredOn(row -> row.startsWith("NTRU-PEKS,lambda 192 N 1024,public key,"))
                .singleElement()
                .satisfies(
                        row -> assertThat(Integer.parseInt(row.split(",")[3])).isBetween(3_456, 3_520));
        for (String scheme : SCHEMES) {
            for (String what : List.of("public key", "private key", "searchable ciphertext", "trapdoor")) {
                assertThat(rows).anyMatch(row -> row.startsWith(scheme + "," + what + ","));
            }
        }
    }

    @Test
    void whatComputingAheadSavesIsMeasured() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("paper-ahead.csv"));
        assertThat(rows).hasSize(1 + 2 * 2);
        assertThat(rows.stream().skip(1)).allSatisfy(row -> {
            String[] cells = row.split(",", -1);
            assertThat(Double.parseDouble(cells[3])).isPositive();
            assertThat(Double.parseDouble(cells[4])).isPositive();
        });
    }

    @Test
    void figuresSayWhatWasRun() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("paper-figures.csv"));
        assertThat(rows).contains("figure,scheme,parameters,count,paper_ms,veilgate_ms,passes");
        for (String scheme : SCHEMES) {
            assertThat(rows).filteredOn(row -> row.contains("," + scheme + ",")).hasSize(3 * 2);
            assertThat(rows)
                    .filteredOn(row -> row.startsWith("search," + scheme + ",40,"))
                    .singleElement()
                    .asString()
                    .endsWith(",1");
        }
    }

    @Test
    void reportComparesTheSearches() throws Exception {
        assertThat(Files.readAllLines(folder.resolve("paper.md")))
                .contains("| search of 40 records, one keyword each | paper | here | passes |")
                .anyMatch(line -> line.startsWith("| BCO, BLS12-381 | 1.6 s | "))
                .anyMatch(line -> line.startsWith("| ZI, BLS12-381 | 4.4 s | "))
                .anyMatch(line -> line.startsWith("**Levels of security differ.**"));
    }

    @Test
    void picturesAreDrawn() {
        for (String figure : List.of("search", "encryption", "trapdoor")) {
            assertThat(folder.resolve("paper-" + figure + ".png")).isNotEmptyFile();
        }
    }
}
