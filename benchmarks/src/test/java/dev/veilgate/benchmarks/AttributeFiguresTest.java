package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the attribute-based schemes' figures runs, and its files have what they should; what it says of time is not looked at. */
class AttributeFiguresTest {
    private static final List<String> SCHEMES = List.of("cp-fabeo22", "kp-fabeo22", "cp-bsw07", "kp-gpsw06");

    @TempDir
    static Path folder;

    @BeforeAll
    static void measure() throws Exception {
        AttributeFigures.main(new String[] {"--quick", folder.toString()});
    }

    @Test
    void everyOperationOfEverySchemeHasItsPoints() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("attributes.csv"));
        for (String scheme : SCHEMES) {
            for (AttributeWork.Operation operation : AttributeWork.Operation.values()) {
                assertThat(rows)
                        .filteredOn(row -> row.startsWith(scheme + "," + operation.label() + ","))
                        .hasSize(AttributeFigures.Plan.QUICK.attributes().size());
            }
        }
        assertThat(rows).anyMatch(row -> row.startsWith("bls12-381,pairing,0,"));
        assertThat(rows.stream().skip(1)).allSatisfy(row -> {
            String[] cells = row.split(",");
            double lower = Double.parseDouble(cells[3]);
            double median = Double.parseDouble(cells[4]);
            assertThat(lower).isPositive().isLessThanOrEqualTo(median);
            assertThat(median).isLessThanOrEqualTo(Double.parseDouble(cells[5]));
            assertThat(Integer.parseInt(cells[6])).isPositive();
            assertThat(Long.parseLong(cells[7])).isPositive();
        });
        String json = Files.readString(folder.resolve("attributes.json"));
        assertThat(json.lines().filter(line -> line.contains("\"median_ms\""))).hasSize(rows.size() - 1);
        assertThat(json).contains("\"scheme\": \"none\", \"operation\": \"baseline\", \"attributes\": 0");
    }

    /** Of fabeo22, whose elements docs/spec/fabeo22.md counts: 48 bytes more for each attribute, beside its name. */
    @Test
    void sizesAreThoseOfTheSpecification() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("attribute-sizes.csv"));
        assertThat(rows)
                .hasSize(1
                        + SCHEMES.size()
                                * AttributeFigures.Plan.QUICK.attributes().size());
        int perKeyAttribute = bytes(rows, "cp-fabeo22,30,", 2) - bytes(rows, "cp-fabeo22,10,", 2);
        assertThat(perKeyAttribute).isEqualTo(20 * (48 + "site".length() + "plant-00".length() + 4));
        assertThat(bytes(rows, "cp-bsw07,30,", 6)).isEqualTo(576);
    }

    @Test
    void everySchemeHasItsResidentMemoryAboveTheBaseline() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("attribute-memory.csv"));
        ResidentMemory.Plan plan = AttributeStudy.Plan.QUICK.memory();
        assertThat(rows.getFirst())
                .isEqualTo("scheme,operation,attributes,repetitions,before_mb,resident_mb,above_baseline_mb");
        assertThat(rows.get(1)).startsWith("none,baseline,0,0,");
        double baseline = Double.parseDouble(rows.get(1).split(",")[5]);
        List<String> points = rows.subList(2, rows.size());
        for (String scheme : SCHEMES) {
            assertThat(points)
                    .filteredOn(row -> row.startsWith(scheme + ","))
                    .hasSize(plan.operations().size() * plan.attributes().size());
        }
        assertThat(points).allSatisfy(row -> {
            String[] cells = row.split(",");
            double resident = Double.parseDouble(cells[5]);
            assertThat(Integer.parseInt(cells[3])).isPositive();
            assertThat(Double.parseDouble(cells[4])).isGreaterThan(5).isLessThanOrEqualTo(resident);
            assertThat(Double.parseDouble(cells[6])).isCloseTo(resident - baseline, within(0.011));
        });
    }

    @Test
    void processorTimeIsCountedForEveryOperation() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("attribute-processor.csv"));
        assertThat(rows).hasSize(1 + SCHEMES.size() * AttributeWork.Operation.OF_PAPERS.size());
        assertThat(rows.stream().skip(1)).allSatisfy(row -> {
            String[] cells = row.split(",");
            assertThat(SCHEMES).contains(cells[0]);
            assertThat(cells[2]).isEqualTo("30");
            assertThat(Double.parseDouble(cells[3])).isPositive();
            assertThat(Double.parseDouble(cells[4])).isNotNegative(); // counted in ticks of 10 ms
            assertThat(Integer.parseInt(cells[6])).isPositive();
        });
        double milliseconds = rows.stream()
                .skip(1)
                .mapToDouble(row -> Double.parseDouble(row.split(",")[4]))
                .sum();
        assertThat(milliseconds).isPositive();
    }

    @Test
    void nativeCodeStandsBesidePlainJavaAndTheStudysOwn() throws Exception {
        List<String> rows = Files.readAllLines(folder.resolve("attribute-native.csv"));
        assertThat(rows)
                .hasSize(1 + 3 * AttributeStudy.Plan.QUICK.plain().size() + 3)
                .startsWith("by,operation,attributes,native_ms,plain_java_ms,ratio")
                .endsWith(
                        "andraben-paper,keygen,25,25000,360000,14.40",
                        "andraben-paper,encrypt,25,26000,340000,13.08",
                        "andraben-paper,decrypt,25,19000,172000,9.05");
        assertThat(rows).filteredOn(row -> row.startsWith("veilgate,")).allSatisfy(row -> {
            String[] cells = row.split(",");
            double ofNative = Double.parseDouble(cells[3]);
            double ofPlain = Double.parseDouble(cells[4]);
            assertThat(ofNative).isPositive();
            assertThat(ofPlain).isPositive();
            assertThat(Double.parseDouble(cells[5])).isCloseTo(ofPlain / ofNative, withinPercentage(1));
        });
    }

    private static int bytes(List<String> rows, String beginning, int column) {
        String row = rows.stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow();
        return Integer.parseInt(row.split(",")[column]);
    }

    @Test
    void theReportHasGoalsOthersAndTheLineAboutSecurity() throws Exception {
        assertThat(Files.readAllLines(folder.resolve("attributes.md")))
                .contains("| goal, cp-fabeo22 | <= 12 | <= 15 | <= 3 | | |")
                .contains("| circl tkn20 (BLS12-381) | 267 | 142 | 16.8 | | |")
                .contains("| ANDRABEN (paper, laptop) | < 2,000 | < 2,000 | about 1,500 | | |")
                .contains("| rabe, FAME KP (BN254) | 4,132 | 131 | 22 | | |")
                .contains("| ANDRABEN (paper, phone) | 1 to 30 | 13.5 to 14.5 |")
                .contains("| ANDRABEN (paper, phone of two cores) | 1 | 1 | 1 |")
                .contains("| ANDRABEN (paper, phone), keygen | 25 | about 25,000 | about 360,000 | 14.4 |")
                .anyMatch(line -> line.contains("phones, their energy in joules, ARM processors and Android's heap"))
                .anyMatch(line -> line.startsWith("**Levels of security differ.** BLS12-381 has about 120 to 128 bits"))
                .noneMatch(line -> line.contains("not measured |"));
    }

    @Test
    void picturesAreDrawn() {
        for (String name : List.of(
                "attributes-cp.png",
                "attributes-kp.png",
                "attributes-memory.png",
                "attributes-resident.png",
                "attributes-native.png")) {
            assertThat(folder.resolve(name)).isNotEmptyFile();
        }
    }

    @Test
    void quartilesLieBetweenTheNearestRepetitions() {
        Sample sample = Sample.of(new long[] {50, 10, 40, 20, 30}, 7);
        assertThat(sample).isEqualTo(new Sample(20, 30, 40, 5, 7));
        assertThat(Sample.of(new long[] {20, 10}, 0).medianNanos()).isEqualTo(15);
    }
}
