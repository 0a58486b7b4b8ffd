package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.benchmarks.TemplateAccuracy.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The grouping accuracy of the template miner does not become less. Floors are a little under what is reached. */
class TemplateAccuracyTest {
    /** Least accuracy with the message part given, and with whole lines. */
    private record Floor(double messages, double wholeLines) {}

    private static final Map<String, Floor> FLOORS = Map.ofEntries(
            Map.entry("Android", new Floor(0.89, 0.61)),
            Map.entry("Apache", new Floor(0.99, 0.99)),
            Map.entry("BGL", new Floor(0.98, 0.93)),
            Map.entry("HDFS", new Floor(0.98, 0.98)),
            Map.entry("HPC", new Floor(0.89, 0.68)),
            Map.entry("Hadoop", new Floor(0.98, 0.67)),
            Map.entry("HealthApp", new Floor(0.99, 0.98)),
            Map.entry("Linux", new Floor(0.74, 0.72)),
            Map.entry("Mac", new Floor(0.77, 0.23)),
            Map.entry("OpenSSH", new Floor(0.98, 0.91)),
            Map.entry("OpenStack", new Floor(0.89, 0.25)),
            Map.entry("Proxifier", new Floor(0.04, 0.00)),
            Map.entry("Spark", new Floor(0.91, 0.91)),
            Map.entry("Thunderbird", new Floor(0.95, 0.66)),
            Map.entry("Windows", new Floor(0.68, 0.67)),
            Map.entry("Zookeeper", new Floor(0.97, 0.94)),
            Map.entry("average", new Floor(0.86, 0.70)));

    /** Real logs, from the folder that -Dveilgate.data names; without it the sample below is all there is. */
    @Test
    void realLogsAreGroupedAsWellAsBefore() throws IOException {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            System.out.println("TemplateAccuracyTest: no -Dveilgate.data, sample log only");
            assertThat(System.getenv("CI")).as("CI has the real logs").isNull();
            return;
        }
        List<Loghub> logs = Loghub.readAll(Path.of(data));
        assertThat(logs).extracting(Loghub::name).hasSize(16);
        List<Row> rows = TemplateAccuracy.measure(logs, 0);
        TemplateAccuracy.table(rows).forEach(System.out::println);
        for (Row row : rows) {
            Floor floor = FLOORS.get(row.log());
            assertThat(floor).as(row.log()).isNotNull();
            assertThat(row.messages()).as(row.log()).isGreaterThanOrEqualTo(floor.messages);
            assertThat(row.wholeLines()).as(row.log() + ", whole lines").isGreaterThanOrEqualTo(floor.wholeLines);
            if (row.log().equals("average")) {
                assertThat(row.sameName()).as("names that two devices share").isGreaterThanOrEqualTo(0.93);
                assertThat(row.sameEvent()).as("events that two devices share").isGreaterThanOrEqualTo(0.98);
            }
            assertThat(row.unmatched()).as(row.log() + ", lines of no template").isLessThanOrEqualTo(20);
        }
    }

    @Test
    void sampleLogIsGroupedRight() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            switch (i % 3) {
                case 0 -> lines.add("Connection from 10.0.0." + i % 250 + " port " + i + " closed");
                case 1 -> lines.add("Took " + i + ".5 seconds to write /var/lib/data/" + i);
                default -> lines.add("Sensor at zone " + (char) ('a' + i % 26) + " is too hot now");
            }
        }
        Loghub log = Loghub.of(
                "sample",
                lines.toArray(String[]::new),
                List.of(
                        "Connection from <*> port <*> closed",
                        "Took <*> seconds to write <*>",
                        "Sensor at zone <*> is too hot now",
                        "<*>"));
        assertThat(log.events()).startsWith(0, 1, 2, 0, 1, 2);
        assertThat(TemplateAccuracy.measure(log, 0).messages()).isEqualTo(1);
    }

    /** Worked by hand: of five lines those of event 1 are together and alone; event 2 is split; the last is of no event. */
    @Test
    void accuracyCountsWholeGroupsOnly() {
        int[] events = {1, 1, 2, 2, 3, -1};
        assertThat(TemplateAccuracy.accuracy(events, new String[] {"a", "a", "b", "c", "d", "d"}))
                .isEqualTo(0.6);
        assertThat(TemplateAccuracy.accuracy(events, new String[] {"a", "a", "b", "b", "a", "x"}))
                .isEqualTo(0.4);
    }

    @Test
    void mostSpecificTemplateIsTheTrueOne() {
        Loghub log = Loghub.of(
                "sample", new String[] {"a b  c", "a x c", "x", "ab c"}, List.of("<*>", "a <*> c", "a b c", "a<*> c"));
        assertThat(log.events()).containsExactly(2, 1, 0, 3);
        assertThat(Loghub.of("sample", new String[] {"a", "ab"}, List.of("a<*>ab"))
                        .events())
                .containsExactly(-1, -1);
    }
}
