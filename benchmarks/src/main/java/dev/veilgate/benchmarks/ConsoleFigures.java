package dev.veilgate.benchmarks;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.benchmarks.gateway.Console;
import dev.veilgate.benchmarks.gateway.EnvelopeFile;
import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.HttpEnvelopes;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The console in front of a gateway, both as they are installed: start, authorisation with trapdoors, and how soon the first row of a search is there to be shown. The gateway holds
 * the real logs as often as makes the wanted number of lines. Clients run on the same cores. Writes {@code console.csv}.
 */
public final class ConsoleFigures {
    private static final String TENANT = "bench";
    /** Of {@link LogSealing}. */
    private static final String SCOPE = "plant-7";

    private static final String PASSPHRASE = "a passphrase for figures";
    private static final int SENDERS = 2;
    private static final int WORDS = 12;
    private static final int STARTS = 5;
    /** Rows of a large result. */
    private static final int LARGE = 100_000;

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final Path folder;
    private final List<EdgeLog> logs;
    private final int passes;

    private ConsoleFigures(Path folder, List<EdgeLog> logs, int passes) {
        this.folder = folder;
        this.logs = logs;
        this.passes = passes;
    }

    /** @param args a folder for what is sealed, which can be used again, the output folder, and how many lines (1,000,000) */
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER [LINES]");
        }
        int lines = args.length > 2 ? Integer.parseInt(args[2]) : 1_000_000;
        int passes = Math.max(1, Math.round((float) lines / EdgeLog.LINES));
        List<String> table = table(Path.of(args[0]).toAbsolutePath(), EdgeLog.readAll(), passes, STARTS);
        Files.write(Files.createDirectories(Path.of(args[1])).resolve("console.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    /** The figures, as CSV with a head. */
    static List<String> table(Path data, List<EdgeLog> logs, int passes, int starts) throws Exception {
        String epoch = EpochPolicy.MONTHLY.at(Instant.now()).name();
        ConsoleFigures figures = new ConsoleFigures(data.resolve("console-" + epoch + "-" + passes), logs, passes);
        figures.makeUnlessThere();
        return figures.measure(starts);
    }

    private void makeUnlessThere() throws Exception {
        if (Files.exists(folder.resolve("authority"))) {
            return;
        }
        Files.createDirectories(folder);
        SecureRandom random = new SecureRandom();
        Instant now = Instant.now();
        byte[] profile = ExtractorProfile.defaults().encode();
        try (Programs programs = new Programs(folder);
                TenantKeys keys = TenantKeys.generate(TENANT, EpochPolicy.MONTHLY, profile, random, now);
                KeyFolder made = KeyFolder.create(
                        folder.resolve("keys"),
                        keys,
                        PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        PassphraseCost.DEFAULT,
                        random)) {
            List<SigningKey> senders = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                senders.add(SigningKey.generate("sender-" + i, random));
                keys.putSender(senders.get(i).publicKey());
            }
            byte[] encoded = keys.nextBundle(now, Duration.ofDays(40));
            made.save();
            keys.senders().publish(SenderRegistry.beside(folder.resolve("bundle")));
            Files.write(folder.resolve("bundle"), encoded);
            Files.writeString(folder.resolve("passphrase"), PASSPHRASE);
            Files.writeString(
                    folder.resolve("token"),
                    programs.access(
                            folder.resolve("access"),
                            TENANT,
                            "token",
                            "figures",
                            "--right",
                            "ingest,search,routes,senders,status"));
            String authority = keys.authority().fingerprint();
            seal(PublicBundle.verify(encoded, authority, now), senders);
            Files.writeString(folder.resolve("authority"), authority); // the last: all is there
        }
    }

    private void seal(PublicBundle bundle, List<SigningKey> senders) throws Exception {
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            work.add(() -> {
                try (EnvelopeFile file = EnvelopeFile.create(log(sender));
                        LogSealing sealing = new LogSealing(new LogSealing.Sender(bundle, senders.get(sender)))) {
                    for (int pass = sender; pass < passes; pass += SENDERS) {
                        for (EdgeLog log : logs) {
                            for (List<byte[]> batch : log.batches()) {
                                file.add(batch.size(), sealing.seal(batch).bytes());
                            }
                        }
                    }
                }
                return null;
            });
        }
        SealedSet.inParallel(SENDERS, work);
    }

    private Path log(int sender) {
        return folder.resolve("log-" + sender);
    }

    private List<String> measure(int starts) throws Exception {
        List<String> table = new ArrayList<>(List.of("work,measured,unit,goal,conditions"));
        Path run = Files.createDirectories(
                folder.resolve("run-" + ProcessHandle.current().pid()));
        try (Programs programs = new Programs(run)) {
            Gateway gateway = new Gateway(
                    programs,
                    run.resolve("gateway"),
                    folder.resolve("bundle"),
                    Files.readString(folder.resolve("authority")),
                    Files.readString(folder.resolve("token")),
                    List.of(
                            "veilgate.access-file=" + folder.resolve("access"),
                            "veilgate.smtp.listeners[0].tls=none",
                            "veilgate.search.grants=required", // which the console's searches carry
                            "veilgate.ingest.envelopes-per-minute=1000000",
                            "veilgate.ingest.bytes-per-minute=100GB"));
            long lines = send(gateway);
            List<String> settings = List.of(
                    "veilgate.keys.folder=" + folder.resolve("keys"),
                    "veilgate.keys.passphrase-file=" + folder.resolve("passphrase"),
                    "veilgate.gateway.url=http://127.0.0.1:" + gateway.http,
                    "veilgate.gateway.token-file=" + folder.resolve("token"));
            List<Double> seconds = new ArrayList<>();
            Console console = new Console(programs, "console-0", run.resolve("console"), settings);
            for (int i = 1; i <= starts; i++) { // the first writes the archive of classes
                console.process.destroy();
                console.process.waitFor();
                console = new Console(programs, "console-" + i, run.resolve("console"), settings);
                seconds.add(console.startNanos / 1e9);
            }
            table.add(GatewayFigures.row(
                    "start", median(seconds), "s", "<= 8", "median of %d starts until ready with keys opened", starts));
            console.login("ada");
            table.addAll(searches(console, lines));
            table.addAll(largeTable(console, lines));
        }
        return table;
    }

    /** Orders, fields and values of a search of about {@value #LARGE} rows; each asked for once, so that nothing is kept. */
    private List<String> largeTable(Console console, long lines) throws Exception {
        Map.Entry<String, Integer> word = counts().entrySet().stream()
                .min(Comparator.comparingInt(each -> Math.abs(each.getValue() * passes - LARGE)))
                .orElseThrow();
        List<String> table = new ArrayList<>();
        long start = System.nanoTime();
        String search = start(console, word.getKey());
        long rows = 0;
        while (rows == 0 || console.get(search).body().contains("\"state\":\"running\"")) {
            rows = (long) number(console.get(search).body(), "rows");
            Thread.sleep(5);
        }
        rows = (long) number(console.get(search).body(), "rows");
        String of = String.format(Locale.ROOT, "one search; %d stored lines; %d rows", lines, rows);
        table.add(GatewayFigures.row("all rows are opened", millis(start), "ms", "<= 4000", "%s", of));
        for (String column : List.of("-time", "text", "sender", "-level", "origin", "field-0", "field-1")) {
            String request = search + "/rows?count=50&sort=" + column;
            table.add(timed(console, "rows sorted by " + column.replace("-time", "time"), request, of));
        }
        table.add(timed(console, "rows sorted by text once more", search + "/rows?count=50&sort=text", of));
        table.add(timed(console, "fields counted", search + "/fields", of));
        for (int field : new int[] {0, 1}) {
            table.add(timed(console, "top values of field " + field, search + "/fields/field-" + field, of));
        }
        return table;
    }

    private static String timed(Console console, String work, String request, String of) throws Exception {
        long start = System.nanoTime();
        HttpResponse<String> answer = console.get(request);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(request + " is answered with " + answer.statusCode());
        }
        return GatewayFigures.row(work, millis(start), "ms", "<= 300", "%s", of);
    }

    private long send(Gateway gateway) throws Exception {
        String token = Files.readString(folder.resolve("token"));
        long[] lines = new long[SENDERS];
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            int sender = i;
            work.add(() -> {
                try (EnvelopeFile file = EnvelopeFile.open(log(sender));
                        HttpEnvelopes connection = new HttpEnvelopes(gateway.http, TENANT, token)) {
                    lines[sender] = connection.send(file, Integer.MAX_VALUE);
                }
                return null;
            });
        }
        SealedSet.inParallel(SENDERS, work);
        return Arrays.stream(lines).sum();
    }

    /**
     * Times of one search, in milliseconds from the request on.
     *
     * @param issued  authorisation and trapdoors, as the console says
     * @param started the answer with the search's id
     * @param first   the first row was read
     * @param all     it was complete
     */
    private record Times(double issued, double started, double first, double all, double rows) {}

    private List<String> searches(Console console, long lines) throws Exception {
        List<String> rows = new ArrayList<>();
        time(console, "warming"); // both programs
        for (Map.Entry<Integer, Map<String, Integer>> wanted : words().entrySet()) {
            List<Times> times = new ArrayList<>();
            for (Map.Entry<String, Integer> word : wanted.getValue().entrySet()) {
                Times taken = time(console, word.getKey());
                if (taken.rows != (double) word.getValue() * passes) {
                    throw new IllegalStateException(
                            "a search found " + taken.rows + " rows, and there are " + word.getValue() * passes);
                }
                times.add(taken);
            }
            String of = String.format(
                    Locale.ROOT,
                    "median of %d words; %d stored lines; %.0f rows each",
                    times.size(),
                    lines,
                    median(times.stream().map(Times::rows).toList()));
            String name = "a word of " + wanted.getKey() + " lines in "
                    + logs.stream().mapToInt(log -> log.lines().size()).sum();
            rows.add(row(
                    "authorisation and trapdoor; " + name,
                    times.stream().map(Times::issued).toList(),
                    "<= 20",
                    of));
            rows.add(row(
                    "search has an id; " + name,
                    times.stream().map(Times::started).toList(),
                    "",
                    of));
            rows.add(row(
                    "first row is there; " + name,
                    times.stream().map(Times::first).toList(),
                    "<= 1000",
                    of));
            rows.add(row(
                    "all rows are there; " + name,
                    times.stream().map(Times::all).toList(),
                    "",
                    of));
        }
        return rows;
    }

    private static String row(String work, List<Double> times, String goal, String conditions) {
        return GatewayFigures.row(work, median(times), "ms", goal, "%s", conditions);
    }

    /** Words of the real logs, by how many of their lines have them. */
    private Map<Integer, Map<String, Integer>> words() throws IOException {
        Map<String, Integer> count = counts();
        Map<Integer, Map<String, Integer>> chosen = new TreeMap<>();
        for (int wanted : new int[] {1, 30, 1000}) {
            chosen.put(
                    wanted,
                    count.keySet().stream()
                            .sorted()
                            .sorted((x, y) -> Integer.compare(
                                    Math.abs(count.getOrDefault(x, 0) - wanted),
                                    Math.abs(count.getOrDefault(y, 0) - wanted)))
                            .limit(WORDS)
                            .collect(Collectors.toMap(Function.identity(), count::get)));
        }
        return chosen;
    }

    private Map<String, Integer> counts() throws IOException {
        Map<String, Integer> count = new HashMap<>();
        LogExtractor extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
        for (EdgeLog log : logs) {
            for (byte[] line : log.lines()) {
                for (Keyword keyword : extractor.extract(line).keywords()) {
                    if (keyword.field().equals("word") && keyword.value().matches("[a-z]{4,12}")) {
                        count.merge(keyword.value(), 1, Integer::sum);
                    }
                }
            }
        }
        return count;
    }

    private static Times time(Console console, String word) throws Exception {
        long start = System.nanoTime();
        String path = start(console, word);
        double started = millis(start);
        double first = Double.NaN;
        while (true) {
            String state = console.get(path).body();
            boolean running = state.contains("\"state\":\"issuing\"") || state.contains("\"state\":\"running\"");
            double rows = number(state, "rows");
            if (Double.isNaN(first) && rows > 0) {
                console.get(path + "/rows?from=0&count=50");
                first = millis(start);
            }
            if (!running) {
                if (!state.contains("\"state\":\"complete\"")) {
                    throw new IllegalStateException("a search did not complete: " + state);
                }
                double all = millis(start);
                return new Times(number(state, "issueMillis"), started, rows > 0 ? first : all, all, rows);
            }
            Thread.sleep(5); // more often, and it would take what it measures from two cores
        }
    }

    /** Path of a search that has been accepted. */
    private static String start(Console console, String word) throws Exception {
        HttpResponse<String> answer =
                console.post("/api/searches", "{\"query\":\"" + word + "\",\"scope\":\"" + SCOPE + "\"}");
        if (answer.statusCode() != 201) {
            throw new IllegalStateException("a search is answered with " + answer.statusCode() + ": " + answer.body());
        }
        Matcher id = ID.matcher(answer.body());
        if (!id.find()) {
            throw new IllegalStateException("a search has no id");
        }
        return "/api/searches/" + id.group(1);
    }

    private static double number(String json, String field) {
        Matcher matcher = Pattern.compile("\"" + field + "\":(\\d+)").matcher(json);
        if (!matcher.find()) {
            throw new IllegalStateException("the console does not say " + field);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static double millis(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
