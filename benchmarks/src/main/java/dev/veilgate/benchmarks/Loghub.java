package dev.veilgate.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A log of the loghub collection (Zhu et al., "Loghub", ISSRE 2023): its lines, the messages without their headers, and which
 * of the log's templates each message is of.
 *
 * <p>The collection's files give the templates, not the template of each line; that is found here. A message is of a template
 * if the template's fixed pieces are in it in order, the first at its start and the last at its end, what is between being
 * anything, also nothing; runs of blanks count as one. Of several the one with the most fixed characters is taken, of
 * these the one with the fewest variables, then the first of the file. A message of no template is left out of every count of accuracy.
 *
 * @param name     the log's name
 * @param lines    lines without line ends
 * @param messages what follows the header of each line; the line itself if it has no header
 * @param events   index of each line's template, -1 if there is none
 */
public record Loghub(String name, List<String> lines, List<String> messages, int[] events) {
    /** The header of each log up to its message. */
    private static final Map<String, Pattern> HEADERS = headers();

    private static Map<String, Pattern> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Android", "\\S+ +\\S+ +\\d+ +\\d+ +\\w +.*?: ");
        headers.put("Apache", "\\[.*?\\] +\\[.*?\\] ");
        headers.put("BGL", "(?:\\S+ +){9}");
        headers.put("HDFS", "(?:\\S+ +){4}.*?: ");
        headers.put("HPC", "(?:\\S+ +){6}");
        headers.put("Hadoop", "\\S+ +\\S+ +\\S+ +\\[.*?\\] +.*?: ");
        headers.put("HealthApp", "[^|]*\\|[^|]*\\|[^|]*\\|");
        headers.put("Linux", "(?:\\S+ +){4}.*?(?:\\[\\d+\\])?: ");
        headers.put("Mac", "(?:\\S+ +){4}.*?\\[\\d+\\](?: \\(.*?\\))?: ");
        headers.put("OpenSSH", "(?:\\S+ +){4}sshd\\[\\d+\\]: ");
        headers.put("OpenStack", "(?:\\S+ +){6}\\[.*?\\] ");
        headers.put("Proxifier", "\\[.*?\\] +.*? - ");
        headers.put("Spark", "\\S+ +\\S+ +\\S+ +.*?: ");
        headers.put("Thunderbird", "(?:\\S+ +){8}.*?(?:\\[\\d+\\])?: ");
        headers.put("Windows", "\\S+ +\\S+, +\\S+ +\\S+ +");
        headers.put("Zookeeper", "\\S+ +\\S+ +- +\\S+ +\\[.*?@\\d+\\] +- ");
        Map<String, Pattern> patterns = new LinkedHashMap<>();
        headers.forEach((name, header) -> patterns.put(name, Pattern.compile(header)));
        return patterns;
    }

    /** The logs of a folder, by name: in {@code loghub/NAME/NAME_2k.log} and {@code ..._templates.csv}. */
    public static List<Loghub> readAll(Path data) throws IOException {
        List<Path> folders;
        try (Stream<Path> files = Files.list(data.resolve("loghub"))) {
            folders = files.filter(Files::isDirectory).sorted().toList();
        }
        List<Loghub> logs = new ArrayList<>();
        for (Path folder : folders) {
            String name = folder.getFileName().toString();
            String log = Files.readString(folder.resolve(name + "_2k.log"), StandardCharsets.ISO_8859_1);
            String templates =
                    Files.readString(folder.resolve(name + "_2k.log_templates.csv"), StandardCharsets.ISO_8859_1);
            List<String> patterns =
                    csv(templates).stream().skip(1).map(row -> row.get(1)).toList();
            logs.add(of(name, log.split("\r?\n"), patterns));
        }
        return logs;
    }

    /** A log of these lines. */
    public static Loghub of(String name, String[] lines, List<String> templates) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < templates.size(); i++) {
            events.add(Event.of(i, templates.get(i)));
        }
        events.sort(Comparator.comparingInt(Event::fixed).reversed().thenComparingInt(e -> e.pieces.length));
        Pattern header = HEADERS.get(name);
        List<String> messages = new ArrayList<>();
        int[] ofLine = new int[lines.length];
        for (int i = 0; i < lines.length; i++) {
            Matcher matcher = header == null ? null : header.matcher(lines[i]);
            String message = matcher != null && matcher.lookingAt() ? lines[i].substring(matcher.end()) : lines[i];
            messages.add(message);
            String blanks = oneBlank(message);
            ofLine[i] = events.stream()
                    .filter(event -> event.matches(blanks))
                    .mapToInt(Event::index)
                    .findFirst()
                    .orElse(-1);
        }
        return new Loghub(name, List.of(lines), messages, ofLine);
    }

    private static String oneBlank(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** A template: fixed pieces with anything between them. */
    private record Event(int index, String[] pieces, int fixed) {
        static Event of(int index, String template) {
            String[] pieces = oneBlank(template).split("<\\*>", -1);
            return new Event(
                    index, pieces, Stream.of(pieces).mapToInt(String::length).sum());
        }

        /** Taking each piece as early as it comes finds a match if there is one. */
        boolean matches(String message) {
            if (pieces.length == 1) {
                return message.equals(pieces[0]);
            }
            String last = pieces[pieces.length - 1];
            if (!message.startsWith(pieces[0]) || !message.endsWith(last)) {
                return false;
            }
            int at = pieces[0].length();
            for (int i = 1; i < pieces.length - 1; i++) {
                at = message.indexOf(pieces[i], at);
                if (at < 0) {
                    return false;
                }
                at += pieces[i].length();
            }
            return at <= message.length() - last.length();
        }
    }

    /** Rows of a CSV with quoted cells. */
    private static List<List<String>> csv(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                    cell.append(text.charAt(++i));
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && (c == ',' || c == '\n')) {
                row.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    rows.add(row);
                    row = new ArrayList<>();
                }
            } else if (quoted || c != '\r') {
                cell.append(c);
            }
        }
        row.add(cell.toString());
        if (row.size() > 1) {
            rows.add(row);
        }
        return rows;
    }
}
