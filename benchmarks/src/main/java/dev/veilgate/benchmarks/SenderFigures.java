package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.EnvelopeVerifier;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.files.DurableFiles;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What many registered senders cost: the authority, by the installed command as its launcher starts it, to register them and to make bundle and registry; a gateway, to take a registry up and to look senders up; an agent,
 * the bundle. Writes {@code senders.csv}. Keys are random bytes but for those of {@value #SIGNING} senders, who sign.
 */
public final class SenderFigures {
    private static final int AT_ONCE = 200_000;
    private static final int SIGNING = 200;
    private static final String PASSPHRASE = "correct horse battery";
    /** Used before a collection, in a line of Java's log. */
    private static final Pattern USED = Pattern.compile("(\\d+)M->\\d+M\\(");

    private final Path folder;
    private final int count;
    private final List<String> table;

    private SenderFigures(Path folder, int count, List<String> table) {
        this.folder = folder;
        this.count = count;
        this.table = table;
    }

    /** @param args the output folder, and how many senders (100,000), perhaps several times */
    public static void main(String[] args) throws Exception {
        if (args.length < 1) {
            throw new IllegalArgumentException("arguments: OUTPUT-FOLDER [SENDERS...]");
        }
        int[] counts = args.length == 1
                ? new int[] {100_000}
                : Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray();
        Path work = Files.createTempDirectory(Path.of(args[0]).toAbsolutePath().getParent(), "senders~");
        try {
            List<String> table = table(work, counts);
            Files.write(Files.createDirectories(Path.of(args[0])).resolve("senders.csv"), table);
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            table.forEach(out::println);
        } finally {
            try (var files = Files.walk(work)) {
                for (Path path : files.sorted(Collections.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** The figures, as CSV with a head. */
    static List<String> table(Path work, int... counts) throws Exception {
        List<String> table = new ArrayList<>();
        table.add("work,senders,measured,unit,conditions");
        for (int count : counts) {
            new SenderFigures(Files.createDirectory(work.resolve("of-" + count)), count, table).measure();
        }
        return table;
    }

    private void row(String work, double measured, String unit, String conditions) {
        table.add(String.format(Locale.ROOT, "%s,%d,%.3f,%s,%s", work, count, measured, unit, conditions));
    }

    private void measure() throws Exception {
        String authority = init();
        List<SigningKey> signing = signing();
        addAll(signing);
        Files.writeString(folder.resolve("one.pub"), SenderKeyText.write(key("zzz", new Random(9))));
        row("add one more", timed("keys", "add-sender", "one.pub"), "s", "keys add-sender; -Xmx1g");
        row("keys bundle", timed("keys", "bundle", "-o", "acme.vgb"), "s", "with its registry; -Xmx1g");
        row("size of the bundle", Files.size(folder.resolve("acme.vgb")), "bytes", "what agents get");
        Path registry = folder.resolve("acme.senders");
        row("size of the registry", Files.size(registry), "bytes", "what gateways get");
        row("size of the key file", Files.size(folder.resolve("keys/keys.vgk")), "bytes", "sealed anew at each change");
        seal(signing);
        takeUp(registry, authority);
    }

    private String init() throws Exception {
        String said = edge("keys", "init", "--tenant", "acme", "--memory", "64");
        Matcher authority = Pattern.compile("authority ([0-9a-f]{64})").matcher(said);
        if (!authority.find()) {
            throw new IOException("keys init: " + said);
        }
        return authority.group(1);
    }

    private static List<SigningKey> signing() {
        List<SigningKey> keys = new ArrayList<>();
        for (int i = 0; i < SIGNING; i++) {
            keys.add(SigningKey.generate("signing-%03d".formatted(i), new SecureRandom()));
        }
        return keys;
    }

    private static SenderPublicKey key(String name, Random random) {
        byte[] ed25519 = new byte[32];
        byte[] mlDsa65 = new byte[1952];
        random.nextBytes(ed25519);
        random.nextBytes(mlDsa65);
        return new SenderPublicKey(name, ed25519, mlDsa65);
    }

    private void addAll(List<SigningKey> signing) throws Exception {
        double seconds = 0;
        long most = 0;
        for (int from = 0; from < count; from += AT_ONCE) {
            Path file = folder.resolve("many.pub");
            try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
                Random random = new Random(from);
                for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
                    boolean signs = i < SIGNING;
                    out.write(SenderKeyText.write(
                            signs ? signing.get(i).publicKey() : key("device-%07d".formatted(i), random)));
                }
            }
            seconds += timed("keys", "add-sender", "many.pub");
            most = Math.max(most, mostUsed());
        }
        row("add all", seconds, "s", "keys add-sender; at most " + AT_ONCE + " at once; -Xmx1g");
        row("heap to add all", most, "MB", "most in use before a collection");
    }

    /** Seconds of a command, with its start and the passphrase's Argon2id. */
    private double timed(String... arguments) throws Exception {
        Files.deleteIfExists(folder.resolve("gc.log"));
        long begin = System.nanoTime();
        edge(arguments);
        return (System.nanoTime() - begin) / 1e9;
    }

    private long mostUsed() throws IOException {
        long most = 0;
        for (String line : Files.readAllLines(folder.resolve("gc.log"))) {
            Matcher used = USED.matcher(line);
            most = used.find() ? Math.max(most, Long.parseLong(used.group(1))) : most;
        }
        return most;
    }

    private String edge(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", Programs.command()));
        command.addAll(List.of(arguments));
        return run(
                command,
                Map.of(
                        "VEILGATE_PASSPHRASE",
                        PASSPHRASE,
                        "VEILGATE_KEYS",
                        folder.resolve("keys").toString(),
                        "VEILGATE_JAVA_OPTS",
                        "-Xlog:gc:file=" + folder.resolve("gc.log")));
    }

    private String run(List<String> command, Map<String, String> environment) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
        return said;
    }

    private void seal(List<SigningKey> signing) throws Exception {
        Instant now = Instant.now();
        EnvelopeDraft draft =
                new EnvelopeDraft("plant-7", "2026", now, now, "text/plain", List.of(), List.of(), List.of(), 600);
        for (SigningKey key : signing) {
            try (EnvelopeSealer sealer = new EnvelopeSealer(
                    "acme",
                    List.of(),
                    KemSecretKey.generate(new SecureRandom()).publicKey(),
                    key,
                    Clock.systemUTC(),
                    new SecureRandom())) {
                Files.write(
                        folder.resolve(key.publicKey().sender() + ".vge"),
                        sealer.seal(draft, ChainPosition.first()).bytes());
            }
        }
    }

    private void takeUp(Path registry, String authority) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap(count),
                "-XX:+UseSerialGC",
                "-cp",
                classPath(),
                Gateway.class.getName(),
                registry.toString(),
                authority,
                String.valueOf(count)));
        for (String line : run(command, Map.of()).lines().toList()) {
            String[] parts = line.split(";");
            row(parts[0], Double.parseDouble(parts[1]), parts[2], parts[3]);
        }
    }

    /** Of 100,000 the goal; of more, room for two registries. */
    private static String heap(int count) {
        return count <= 100_000 ? "-Xmx64m" : "-Xmx128m";
    }

    /** The child runs in another folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The part of a gateway that has to do with senders, in a process with little memory. */
    static final class Gateway {
        private static final int LOOKED_UP = 20_000;

        private Gateway() {}

        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0]);
            Path own = DurableFiles.folderOf(file);
            SenderRegistry.Expected expected = new SenderRegistry.Expected(args[1], "acme", 0);
            String heap = heap(Integer.parseInt(args[2]));
            long before = used();
            long begin = System.nanoTime();
            SenderRegistry registry = SenderRegistry.copied(file, own, expected);
            say("take-up", seconds(begin), "s", "verified and copied; " + heap);
            say("heap after take-up", (used() - before) / 1e6, "MB", "beside an empty process; " + heap);
            begin = System.nanoTime();
            SenderRegistry next = SenderRegistry.copied(file, own, expected);
            say("take-up of the next", seconds(begin), "s", "while the first is in use; " + heap);
            registry.close();
            lookUp(next, Integer.parseInt(args[2]));
            verify(next, own);
            next.close();
        }

        private static void lookUp(SenderRegistry registry, int count) throws IOException {
            Random random = new Random(1);
            for (int round = 0; round < 2; round++) { // the first warms the compiler up
                long begin = System.nanoTime();
                for (int i = 0; i < LOOKED_UP; i++) {
                    String name = "device-%07d".formatted(SIGNING + random.nextInt(count - SIGNING));
                    if (registry.keysOf(name).size() != 1) {
                        throw new IOException(name + " is not there");
                    }
                }
                if (round == 1) {
                    say("look-up", seconds(begin) * 1e6 / LOOKED_UP, "us", "of random senders");
                }
            }
            long begin = System.nanoTime();
            for (int i = 0; i < LOOKED_UP; i++) {
                if (!registry.keysOf("nobody-" + i).isEmpty()) {
                    throw new IOException("somebody is there");
                }
            }
            say("look-up of nobody", seconds(begin) * 1e6 / LOOKED_UP, "us", "names that are not registered");
        }

        private static void verify(SenderRegistry registry, Path folder) throws Exception {
            List<Envelope> envelopes = new ArrayList<>();
            for (int i = 0; i < SIGNING; i++) {
                envelopes.add(Envelope.decode(Files.readAllBytes(folder.resolve("signing-%03d.vge".formatted(i)))));
            }
            verify(new EnvelopeVerifier(registry), envelopes); // warms the compiler up
            EnvelopeVerifier verifier = new EnvelopeVerifier(registry);
            say("signature of a sender heard first", verify(verifier, envelopes), "us", "look-up and verification");
            say("signature of a sender heard before", verify(verifier, envelopes), "us", "verification");
        }

        private static double verify(EnvelopeVerifier verifier, List<Envelope> envelopes) throws IOException {
            long begin = System.nanoTime();
            for (Envelope envelope : envelopes) {
                if (!verifier.signed(envelope)) {
                    throw new IOException("a signature does not hold");
                }
            }
            return seconds(begin) * 1e6 / envelopes.size();
        }

        private static double seconds(long begin) {
            return (System.nanoTime() - begin) / 1e9;
        }

        private static long used() {
            System.gc();
            return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }

        private static void say(String work, double measured, String unit, String conditions) {
            System.out.println(String.format(Locale.ROOT, "%s;%.6f;%s;%s", work, measured, unit, conditions));
        }
    }
}
