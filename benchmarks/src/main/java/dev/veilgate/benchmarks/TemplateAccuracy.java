package dev.veilgate.benchmarks;

import dev.veilgate.extract.template.TemplateEntry;
import dev.veilgate.extract.template.TemplateListing;
import dev.veilgate.extract.template.TemplateMiner;
import dev.veilgate.extract.template.TemplateName;
import dev.veilgate.extract.template.TemplateSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Grouping accuracy of the template miner on the loghub logs (Zhu et al., "Tools and Benchmarks for Automated Log Parsing",
 * ICSE-SEIP 2019, section IV): the share of lines whose group, the lines of the same name, is exactly the set of lines of
 * the same true template. One configuration for every log. With the message part given (a header parser went before), and with
 * whole lines. Writes {@code template-accuracy.csv} into the folder that it is given.
 */
public final class TemplateAccuracy {
    private static final int PASSES = 30;

    /**
     * One log.
     *
     * @param log            its name
     * @param lines          its lines
     * @param unmatched      lines of none of its templates, left out of the accuracies
     * @param events         true templates that occur
     * @param names          names that the messages were given
     * @param messages       accuracy with the message part given
     * @param wholeLines     accuracy with whole lines
     * @param sameName       of two devices, one with the first half of the log and one with the second: share of the second's
     *                       messages that have a name that the first gave to the same true template, of those messages
     *                       whose template the first has seen
     * @param sameEvent      the same when names of one event in the listing of both catalogues count as one
     * @param linesPerSecond messages learned a second by a miner that has seen the log, median of the passes
     */
    public record Row(
            String log,
            int lines,
            int unmatched,
            int events,
            int names,
            double messages,
            double wholeLines,
            double sameName,
            double sameEvent,
            double linesPerSecond) {}

    private TemplateAccuracy() {}

    /** @param args the folder that has loghub/, and the output folder */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER");
        }
        List<Row> rows = measure(Loghub.readAll(Path.of(args[0])), PASSES);
        Path folder = Files.createDirectories(Path.of(args[1]));
        List<String> table = table(rows);
        Files.write(folder.resolve("template-accuracy.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    /** A row a log, and one of averages. */
    public static List<Row> measure(List<Loghub> logs, int passes) {
        List<Row> rows = new ArrayList<>();
        for (Loghub log : logs) {
            rows.add(measure(log, passes));
        }
        rows.add(new Row(
                "average",
                rows.stream().mapToInt(Row::lines).sum(),
                rows.stream().mapToInt(Row::unmatched).sum(),
                rows.stream().mapToInt(Row::events).sum(),
                rows.stream().mapToInt(Row::names).sum(),
                rows.stream().mapToDouble(Row::messages).average().orElse(0),
                rows.stream().mapToDouble(Row::wholeLines).average().orElse(0),
                rows.stream().mapToDouble(Row::sameName).average().orElse(0),
                rows.stream().mapToDouble(Row::sameEvent).average().orElse(0),
                rows.stream().mapToDouble(Row::linesPerSecond).average().orElse(0)));
        return rows;
    }

    /** One log; no speed with 0 passes. */
    public static Row measure(Loghub log, int passes) {
        String[] names = names(log.messages(), TemplateSettings.DEFAULT);
        int unmatched = (int) Arrays.stream(log.events()).filter(e -> e < 0).count();
        int events =
                (int) Arrays.stream(log.events()).filter(e -> e >= 0).distinct().count();
        return new Row(
                log.name(),
                log.lines().size(),
                unmatched,
                events,
                (int) Arrays.stream(names).distinct().count(),
                accuracy(log.events(), names),
                accuracy(log.events(), names(log.lines(), TemplateSettings.DEFAULT)),
                twoDevices(log, false),
                twoDevices(log, true),
                linesPerSecond(log.messages(), passes));
    }

    /** The name of each line as an auditor sees it in the end: of names that became the same, the first. */
    static String[] names(List<String> lines, TemplateSettings settings) {
        TemplateMiner miner = new TemplateMiner(settings, InstantSource.system());
        String[] names = new String[lines.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = learn(miner, lines.get(i).getBytes(StandardCharsets.ISO_8859_1))
                    .value();
        }
        Map<String, String> same = new HashMap<>();
        for (TemplateEntry entry : miner.catalogue().entries()) {
            entry.sameAs().ifPresent(other -> same.put(entry.name().value(), other.value()));
        }
        for (int i = 0; i < names.length; i++) {
            while (same.containsKey(names[i])) {
                names[i] = same.get(names[i]);
            }
        }
        return names;
    }

    private static TemplateName learn(TemplateMiner miner, byte[] line) {
        return miner.learn(line, 0, line.length);
    }

    /** Share of the lines of known event whose name has exactly the lines of that event. */
    static double accuracy(int[] events, String[] names) {
        Map<Integer, Integer> ofEvent = new HashMap<>();
        Map<String, Integer> ofName = new HashMap<>();
        Map<List<Object>, Integer> ofBoth = new HashMap<>();
        for (int i = 0; i < events.length; i++) {
            if (events[i] >= 0) {
                ofEvent.merge(events[i], 1, Integer::sum);
                ofName.merge(names[i], 1, Integer::sum);
                ofBoth.merge(List.of(events[i], names[i]), 1, Integer::sum);
            }
        }
        int right = 0;
        int known = 0;
        for (int i = 0; i < events.length; i++) {
            if (events[i] >= 0) {
                int both = Objects.requireNonNull(ofBoth.get(List.of(events[i], names[i])));
                right += both == ofEvent.getOrDefault(events[i], 0) && both == ofName.getOrDefault(names[i], 0) ? 1 : 0;
                known++;
            }
        }
        return known == 0 ? 0 : (double) right / known;
    }

    /** Share of what the second of two devices sees that a search for the first one's names finds. */
    private static double twoDevices(Loghub log, boolean byListing) {
        int half = log.messages().size() / 2;
        TemplateListing listing = new TemplateListing();
        TemplateMiner first = new TemplateMiner(TemplateSettings.DEFAULT, InstantSource.system());
        TemplateMiner second = new TemplateMiner(TemplateSettings.DEFAULT, InstantSource.system());
        List<TemplateName> names = new ArrayList<>();
        for (String message : log.messages()) {
            names.add(learn(names.size() < half ? first : second, message.getBytes(StandardCharsets.ISO_8859_1)));
        }
        listing.add("first", first.catalogue());
        listing.add("second", second.catalogue());
        Map<TemplateName, Object> ids = new HashMap<>();
        if (byListing) {
            listing.events().forEach(event -> event.names().forEach(name -> ids.put(name, event)));
        }
        Map<Integer, Set<Object>> ofFirst = new HashMap<>();
        int found = 0;
        int seen = 0;
        for (int i = 0; i < names.size(); i++) {
            int event = log.events()[i];
            Object id = ids.getOrDefault(names.get(i), names.get(i));
            if (i < half) {
                ofFirst.computeIfAbsent(event, e -> new HashSet<>()).add(id);
            } else if (event >= 0 && ofFirst.containsKey(event)) {
                seen++;
                found += ofFirst.get(event).contains(id) ? 1 : 0;
            }
        }
        return seen == 0 ? 0 : (double) found / seen;
    }

    private static double linesPerSecond(List<String> lines, int passes) {
        TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, InstantSource.system());
        List<byte[]> bytes = lines.stream()
                .map(line -> line.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
        double[] rates = new double[passes];
        for (int pass = 0; pass < passes; pass++) {
            long start = System.nanoTime();
            for (byte[] line : bytes) {
                learn(miner, line);
            }
            rates[pass] = bytes.size() * 1e9 / (System.nanoTime() - start);
        }
        Arrays.sort(rates);
        return passes == 0 ? 0 : rates[passes / 2];
    }

    /** The rows as CSV with a head. */
    public static List<String> table(List<Row> rows) {
        List<String> table = new ArrayList<>();
        table.add(
                "log,lines,unmatched,events,names,accuracy_messages,accuracy_whole_lines,same_name,same_event,lines_per_second");
        for (Row row : rows) {
            table.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.0f",
                    row.log,
                    row.lines,
                    row.unmatched,
                    row.events,
                    row.names,
                    row.messages,
                    row.wholeLines,
                    row.sameName,
                    row.sameEvent,
                    row.linesPerSecond));
        }
        return table;
    }
}
