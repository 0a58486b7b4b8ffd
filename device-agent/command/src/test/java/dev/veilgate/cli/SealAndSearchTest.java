package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.query.Grant;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.sender.BundleServer;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From lines to envelopes and back, and what is found between. */
class SealAndSearchTest {
    private static final String[] LINES = {
        "2026-11-21T11:00:00Z press-4 pump[7]: level=info started",
        "2026-11-21T11:00:01Z press-4 pump[7]: level=error overheat at 10.0.0.7, temperature=93",
        "2026-11-21T11:00:02Z press-4 pump[7]: level=error overheat again",
    };

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
    }

    @Test
    void recordsComeBackByteForByte() throws Exception {
        byte[] log = new byte[700_000];
        SplittableRandom random = new SplittableRandom(1);
        random.nextBytes(log); // line feeds, carriage returns, no UTF-8, no line feed at its end
        log[log.length - 1] = 'x';
        Path file = temporary.resolve("binary.log");
        Files.write(file, log);
        Path sealed = temporary.resolve("binary.vge");
        run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "-o", sealed, file);
        assertThat(run.ok("open", sealed).bytes()).isEqualTo(log);
        assertThat(run.ok("verify", sealed).err()).contains(" 0 findings");
    }

    @Test
    void theBundleMayBeAtTheConsolesAddress() throws Exception {
        Path log = Files.writeString(temporary.resolve("some.log"), "one line\n");
        Path sealed = temporary.resolve("some.vge");
        Object[] seal = {"seal", "--identity", site.identity, "--scope", "plant-7", "-o", sealed, log};
        byte[] old = Files.readAllBytes(site.bundle);
        try (BundleServer console = new BundleServer()) {
            console.bundle = old;
            run.environment.put("VEILGATE_BUNDLE", console.url());
            run.ok(seal);
            assertThat(run.run("verify", "--bundle", console.url(), sealed).err())
                    .contains("name it with --senders");
            Path senders = SenderRegistry.beside(site.bundle);
            assertThat(run.ok("verify", "--bundle", console.url(), "--senders", senders, sealed)
                            .err())
                    .contains(" 0 findings");
            site.newBundle();
            console.bundle = Files.readAllBytes(site.bundle);
            run.ok(seal);
            console.bundle = old;
            Result refused = run.run(seal);
            assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(refused.err()).contains(console.url(), "was seen before");
        }
        Result away = run.run(seal);
        assertThat(away.code()).isEqualTo(ExitCode.IO);
        assertThat(away.err()).contains("nobody answers there");
        run.environment.put("VEILGATE_BUNDLE", "http://audit.example.org/bundle");
        Result plain = run.run(seal);
        assertThat(plain.code()).isEqualTo(ExitCode.USAGE);
        assertThat(plain.err()).contains("the bundle must be a file, or an address such as https://");
    }

    @Test
    void aLineOfTenMegabytesComesBack() throws Exception {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        log.writeBytes("before\n".getBytes(StandardCharsets.UTF_8));
        byte[] line = new byte[10_000_000];
        Arrays.fill(line, (byte) 'a');
        log.writeBytes(line);
        log.writeBytes("\nafter\n\nlast\n".getBytes(StandardCharsets.UTF_8));
        run.input = log.toByteArray();
        Path sealed = temporary.resolve("long.vge");
        run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "-o", sealed);
        assertThat(run.ok("open", sealed).bytes()).isEqualTo(log.toByteArray());
    }

    @Test
    void whatOtherLanguagesWriteIsRefusedWithWhatToWrite() throws Exception {
        Path sealed = site.seal("some", LINES);
        Result refused = run.run("search", "--scope", "plant-7", "overheat -again", sealed);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("only NOT leaves something out", "; write: overheat NOT again");
        assertThat(run.ok("search", "--scope", "plant-7", "overheat NOT again", sealed)
                        .out())
                .isEqualTo(LINES[1] + "\n");
        Result mistake = run.run("search", "--scope", "plant-7", "hots:press-4", sealed);
        assertThat(mistake.err()).contains("warning: ", "nearest is host; write: host:press-4");
        Path secret = Files.writeString(temporary.resolve("query"), "overheat -again");
        Result fromFile = run.run("search", "--scope", "plant-7", "@" + secret, sealed);
        assertThat(fromFile.err()).contains("only NOT leaves something out").doesNotContain("again");
    }

    /** Beside NTRU, and alone. */
    @Test
    void pairingSchemesAreSearchedLikeTheDefault() throws Exception {
        Path before = site.seal("before", LINES);
        run.ok("keys", "rotate", "--index", "--index-scheme", "bdop04-peks");
        site.newBundle();
        Path both = site.seal("both", LINES);
        assertThat(run.ok("search", "--scope", "plant-7", "overheat", before, both)
                        .out())
                .isEqualTo((LINES[1] + "\n" + LINES[2] + "\n").repeat(2));
        Path keys = temporary.resolve("zi-keys");
        run.environment.put("VEILGATE_KEYS", keys.toString());
        run.ok("keys", "init", "--tenant", "umbrella", "--memory", "8", "--index-scheme", "zi07-peks");
        Path bundle = temporary.resolve("umbrella.vgb");
        String authority =
                run.ok("keys", "show", "--json").out().replaceAll("(?s).*\"authority\":\"([^\"]+)\".*", "$1");
        Path identity = temporary.resolve("press-5.identity");
        Path publicKey = temporary.resolve("press-5.pub");
        Files.write(
                publicKey,
                run.ok("identity", "init", identity, "--sender", "press-5").bytes());
        run.ok("keys", "add-sender", publicKey);
        run.ok("keys", "bundle", "-o", bundle);
        run.environment.put("VEILGATE_BUNDLE", bundle.toString());
        run.environment.put("VEILGATE_AUTHORITY", authority);
        Path log = temporary.resolve("alone.log");
        Files.writeString(log, String.join("\n", LINES) + "\n");
        Path alone = temporary.resolve("alone.vge");
        run.ok("seal", "--identity", identity, "--scope", "plant-7", "-o", alone, log);
        assertThat(run.ok("search", "--scope", "plant-7", "overheat 10.0.0.7", alone)
                        .out())
                .isEqualTo(LINES[1] + "\n");
    }

    @Test
    void searchFindsWhatGrepFinds() throws Exception {
        Path sealed = site.seal("day", LINES);
        assertThat(run.ok("search", "--scope", "plant-7", "overheat", sealed).out())
                .isEqualTo(LINES[1] + "\n" + LINES[2] + "\n");
        assertThat(run.ok("search", "--scope", "plant-7", "overheat 10.0.0.7", sealed)
                        .out())
                .isEqualTo(LINES[1] + "\n");
        assertThat(run.ok("search", "--scope", "plant-7", "--with-name", "started", sealed)
                        .out())
                .isEqualTo("press-4 " + temporary.resolve("day.log") + " 1:0: " + LINES[0] + "\n");
        assertThat(run.ok("search", "--scope", "plant-7", "--json", "again", sealed)
                        .out())
                .contains("\"record\":2");
        assertThat(run.run("search", "--scope", "plant-7", "nothing", sealed).code())
                .isEqualTo(ExitCode.NO_MATCH);
        assertThat(run.run("search", "--scope", "plant-8", "overheat", sealed).code())
                .isEqualTo(ExitCode.NO_MATCH);
        assertThat(run.run("search", "--scope", "plant-7", "--epoch", "2026-10", "overheat", sealed)
                        .code())
                .isEqualTo(ExitCode.NO_MATCH);
    }

    @Test
    void operatorsTimesAndSendersNarrowASearch() throws Exception {
        Path sealed = site.seal("day", LINES);
        assertThat(found("(started OR overheat) AND NOT again", sealed)).isEqualTo(LINES[0] + "\n" + LINES[1] + "\n");
        assertThat(found("overheat", "--sender", "press-4", "--from", "1h", sealed))
                .isEqualTo(LINES[1] + "\n" + LINES[2] + "\n");
        assertThat(found("overheat", "--sender", "press-5", sealed)).isEmpty();
        assertThat(found("overheat", "--to", "2026-11-21", sealed)).isEmpty();
        assertThat(found("overheat", "--from", "2026-09-30T23:59:59Z", "--to", "2026-12-01", sealed))
                .hasLineCount(2);
        for (String[] wrong : new String[][] {
            {"NOT overheat"},
            {"overheat", "--from", "yesterday"},
            {"overheat", "--from", "1h", "--to", "2h"},
            {"(overheat"}
        }) {
            Object[] arguments = Stream.concat(Stream.of("search", "--scope", "plant-7"), Stream.of(wrong))
                    .toArray();
            assertThat(run.run(arguments).code()).isEqualTo(ExitCode.USAGE);
        }
    }

    private String found(String query, Object... arguments) {
        Object[] all = Stream.concat(Stream.of("search", "--scope", "plant-7", query), Stream.of(arguments))
                .toArray();
        return run.run(all).out();
    }

    @Test
    void aGrantIsSignedByTheAuthority() throws Exception {
        Path file = temporary.resolve("granted.search");
        run.ok("trapdoor", "--scope", "plant-7", "--grant-to", "auditor", "--grant-days", "7", "-o", file, "overheat");
        SearchRequest request = SearchRequest.decode(Files.readAllBytes(file));
        Grant grant = request.grant().orElseThrow();
        SenderPublicKey authority = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now)
                .authority();
        grant.verify(authority, request, run.now.plus(Duration.ofDays(7)).minusSeconds(1));
        assertThat(grant.holder()).isEqualTo("auditor");
        assertThat(grant.expires()).isEqualTo(run.now.plus(Duration.ofDays(7)));
        assertThat(run.run("trapdoor", "--scope", "p", "--grant-to", "a", "--grant-days", "0", "-o", file, "overheat")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    /** Whoever has the public bundle can seal; a name without its registered key is not shown as if it were proven. */
    @Test
    void searchShowsNoNameThatNobodySignedFor() throws Exception {
        Path forger = temporary.resolve("forger.identity");
        IdentityFile.create(forger, "press-4", new SecureRandom()).close();
        Path log = temporary.resolve("forged.log");
        Files.writeString(log, LINES[0] + "\n");
        Path forged = temporary.resolve("forged.vge");
        run.ok("seal", "--identity", forger, "--scope", "plant-7", "-o", forged, log);
        Result found = run.ok("search", "--scope", "plant-7", "--with-name", "started", forged);
        assertThat(found.out()).isEqualTo("- " + log + " 1:0: " + LINES[0] + "\n");
        assertThat(found.err()).contains("warning: 1 records found are not signed by a registered sender");
        assertThat(run.ok("search", "--scope", "plant-7", "--json", "started", forged)
                        .out())
                .contains("\"sender\":\"\"");
    }

    @Test
    void testSeesOrdinalsOnlyAndNeedsNoSecret() throws Exception {
        Path sealed = site.seal("day", LINES);
        Path request = temporary.resolve("overheat.search");
        run.ok("trapdoor", "--scope", "plant-7", "--epoch", "2026-10..2026-12", "-o", request, "overheat error");
        assertThat(new String(Files.readAllBytes(request), StandardCharsets.ISO_8859_1))
                .doesNotContain("overheat");
        CommandRun gateway = new CommandRun();
        gateway.environment.clear();
        Result without = gateway.run("test", request, sealed);
        assertThat(without.code()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err()).contains("--bundle");
        gateway.environment.put("VEILGATE_BUNDLE", site.bundle.toString());
        gateway.environment.put("VEILGATE_AUTHORITY", site.authority);
        Result matches = gateway.ok("test", request, sealed);
        assertThat(matches.out()).endsWith(" 1 2\n").hasLineCount(1);
        assertThat(gateway.ok("test", "--count", request, sealed).out()).isEqualTo("2\n");
        assertThat(gateway.ok("test", "--json", request, sealed).out()).contains("\"records\":[1,2]");
        assertThat(gateway.ok("test", "--bundle", site.bundle, "--authority", site.authority, request, sealed)
                        .out())
                .isEqualTo(matches.out());
        run.input = "started".getBytes(StandardCharsets.UTF_8);
        Path none = temporary.resolve("none.search");
        run.ok("trapdoor", "--scope", "plant-8", "-o", none, "@-");
        assertThat(gateway.run("test", none, sealed).code()).isEqualTo(ExitCode.NO_MATCH);
    }

    @Test
    void searchesAndOpensAcrossARotation() throws Exception {
        Path before = site.seal("before", LINES);
        run.ok("keys", "rotate");
        site.newBundle();
        Path after = site.seal("after", LINES);
        assertThat(run.ok("search", "--scope", "plant-7", "started", before, after)
                        .out())
                .isEqualTo(LINES[0] + "\n" + LINES[0] + "\n");
        assertThat(run.ok("open", before, after).out()).isEqualTo((String.join("\n", LINES) + "\n").repeat(2));
    }

    /** Joined files, folders and pipes are the same sequence. */
    @Test
    void envelopesComeInFilesFoldersAndPipes() throws Exception {
        Path log = temporary.resolve("day.log");
        Files.writeString(log, String.join("\n", LINES) + "\n");
        Path spool = temporary.resolve("spool");
        run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "--batch", 1, "-o", spool + "/", log);
        List<Path> files;
        try (Stream<Path> list = Files.list(spool)) {
            files = list.sorted().toList();
        }
        assertThat(files).hasSizeGreaterThan(3); // and the catalogue
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Path file : files) {
            joined.writeBytes(Files.readAllBytes(file));
        }
        run.input = joined.toByteArray();
        byte[] whole = Files.readAllBytes(log);
        assertThat(run.ok("open").bytes()).isEqualTo(whole);
        assertThat(run.ok("open", "-").bytes()).isEqualTo(whole);
        assertThat(run.ok("open", spool).bytes()).isEqualTo(whole);
        List<Object> each = new ArrayList<>(List.of("open"));
        each.addAll(files);
        assertThat(run.ok(each.toArray()).bytes()).isEqualTo(whole);
        run.input = whole;
        byte[] piped = run.ok("seal", "--identity", site.identity, "--scope", "plant-7")
                .bytes();
        run.input = piped;
        assertThat(run.ok("open").bytes()).isEqualTo(whole);
    }

    @Test
    void verifyNamesWhatIsMissing() throws Exception {
        Path log = temporary.resolve("day.log");
        Files.writeString(log, String.join("\n", LINES) + "\n");
        Path spool = temporary.resolve("spool");
        run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "--batch", 1, "-o", spool + "/", log);
        run.ok("verify", spool);
        List<Path> files = new ArrayList<>();
        try (Stream<Path> list = Files.list(spool)) {
            list.sorted().forEach(files::add);
        }
        Files.delete(files.get(1));
        Result missing = run.run("verify", spool);
        assertThat(missing.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(missing.out()).startsWith("missing press-4 2 ");
        assertThat(run.run("verify", "--json", spool).out()).contains("\"problem\":\"missing\"");
        byte[] altered = Files.readAllBytes(files.get(2));
        altered[altered.length / 2] ^= 1;
        Files.write(files.get(2), altered);
        assertThat(run.run("verify", spool).code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(run.run("open", "--signed-only", spool).code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void damagedEnvelopesAreRefused() throws Exception {
        byte[] sealed = Files.readAllBytes(site.seal("day", LINES));
        run.input = Arrays.copyOf(sealed, sealed.length - 1);
        Result cut = run.run("open");
        assertThat(cut.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(cut.err()).contains("cut off");
        run.input = "not an envelope".getBytes(StandardCharsets.UTF_8);
        assertThat(run.run("open").code()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.run("open", temporary.resolve("absent")).code()).isEqualTo(ExitCode.IO);
    }

    @Test
    void bundlesAreRefused() throws Exception {
        Object[] seal = {"seal", "--identity", site.identity, "--scope", "plant-7", "-o", "-", "-"};
        byte[] old = Files.readAllBytes(site.bundle);
        site.newBundle();
        run.ok(seal);
        Files.write(site.bundle, old);
        Result rolledBack = run.run(seal);
        assertThat(rolledBack.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(rolledBack.err()).contains("was seen before");
        site.newBundle();
        run.now = run.now.plusSeconds(91 * 86_400);
        assertThat(run.run(seal).err()).contains("expired");
        run.environment.put("VEILGATE_AUTHORITY", "00".repeat(32));
        assertThat(run.run(seal).err()).contains("another authority");
        run.environment.put("VEILGATE_AUTHORITY", "zz");
        assertThat(run.run(seal).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void scopesOfTheBundleHold() throws Exception {
        run.ok("keys", "add-scope", "plant-8");
        site.newBundle();
        Result refused = run.run("seal", "--identity", site.identity, "--scope", "plant-7", "-o", "-");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("plant-8");
    }

    @Test
    void templatesAreListedAndFound() throws Exception {
        Path sealed = site.seal("day", LINES);
        String listed = run.ok("templates", sealed).out();
        assertThat(listed).contains("overheat");
        String name = listed.lines()
                .filter(line -> line.contains("started"))
                .findFirst()
                .orElseThrow()
                .strip()
                .split("\\s+")[1];
        assertThat(run.ok("search", "--scope", "plant-7", "template:" + name, sealed)
                        .out())
                .contains("started");
        assertThat(run.ok("templates", "--json", sealed).out()).contains("\"names\":[\"");
    }

    @Test
    void unsignedEnvelopesAreNamed() throws Exception {
        Path sealed = site.seal("day", LINES);
        run.ok("keys", "remove-sender", "press-4");
        assertThat(run.ok("open", sealed).err()).contains("not signed by a registered sender");
        assertThat(run.run("open", "--signed-only", sealed).code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void issuesNothingWithoutTheStore() throws Exception {
        Files.delete(site.keys.resolve("trapdoors/store-id"));
        Result refused = run.run("trapdoor", "--scope", "plant-7", "-o", "-", "overheat");
        assertThat(refused.code()).isEqualTo(ExitCode.KEY);
        assertThat(refused.err()).contains("--lost-trapdoors").hasLineCount(1);
        run.ok("keys", "rotate", "--lost-trapdoors");
        run.ok("trapdoor", "--scope", "plant-7", "-o", "-", "overheat");
    }
}
