package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where lines came from, in what the commands write. */
class OriginsCommandTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(Files.createDirectory(temporary.resolve("site")));
        run = site.run;
    }

    /** Seals as a sender that says of its records what it likes: a name and a text each. */
    private Path forged(String name, boolean signed, List<Posting> postings, String... namesAndTexts) throws Exception {
        List<String> origins = new ArrayList<>();
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            origins.add(namesAndTexts[i]);
            records.add(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        Instant now = run.now;
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, now, 0);
        Path file = temporary.resolve(name);
        try (SigningKey key = IdentityFile.read(site.identity);
                EnvelopeSealer sealer = sealer(bundle, signed ? key : null)) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    "plant-7", "2026-11", now, now, "text/plain", records, postings, List.of(), 0, Origin.of(origins));
            Files.write(file, sealer.seal(draft, ChainPosition.first()).bytes());
        }
        return file;
    }

    private EnvelopeSealer sealer(PublicBundle bundle, @Nullable SigningKey key) {
        return new EnvelopeSealer(bundle, key, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom());
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    @Test
    void everyFileComesBackByteForByteUnderItsName() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, String> expected = new TreeMap<>();
        List<Object> seal = new ArrayList<>(List.of("seal", "--identity", site.identity, "--scope", "plant-7", "-o"));
        Path sealed = temporary.resolve("all.vge");
        seal.add(sealed);
        for (int i = 0; i < 70; i++) { // more than are open at a time
            byte[] log = new byte[random.nextInt(3000)];
            random.nextBytes(log);
            Path file = Files.write(temporary.resolve("f" + i + ".log"), log);
            seal.add(file);
            if (log.length > 0) {
                expected.put("press-4" + file, new String(log, StandardCharsets.ISO_8859_1));
            }
        }
        seal.add("-");
        run.input = "piped\n".getBytes(StandardCharsets.UTF_8);
        expected.put("press-4/stdin", "piped\n");
        run.ok(seal.toArray());
        Path out = temporary.resolve("out");
        run.ok("open", "-o", out + "/", sealed);
        assertThat(files(out)).isEqualTo(expected);
    }

    @Test
    void whatIsSealedSaysInWhichFormatItWasRead() throws Exception {
        Path log = Files.writeString(temporary.resolve("a.log"), "user=eve\nuser=bob\n");
        for (String format : List.of("auto", "key_value")) {
            Path sealed = temporary.resolve(format + ".vge");
            run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "--format", format, "-o", sealed, log);
            Envelope envelope;
            try (InputStream in = Files.newInputStream(sealed)) { // the catalogue is behind it
                envelope = Envelope.decode(new CborSequence("envelope", in, Envelope.MAX_BYTES)
                        .next()
                        .orElseThrow());
            }
            byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
            try (KeyFolder folder = KeyFolder.open(site.keys, passphrase, KeyFolder.Access.READ, new SecureRandom());
                    UnlockedEnvelope unlocked = folder.keys().opener().unlock(envelope)) {
                assertThat(unlocked.formats())
                        .containsOnly(format.replace('_', '-'))
                        .hasSize(2);
            }
        }
    }

    @Test
    void recordsOfOneEnvelopeAreParted() throws Exception {
        Path one = forged("one.vge", true, List.of(), "/a", "a1", "/b", "b1", "/a", "a2");
        Path two = forged("two.vge", true, List.of(), "/b", "b2", "/a", "a3");
        Path out = Files.createDirectory(temporary.resolve("out"));
        run.ok("open", "-o", out, one, two);
        assertThat(files(out)).isEqualTo(Map.of("press-4/a", "a1\na2\na3\n", "press-4/b", "b1\nb2\n"));
        assertThat(run.ok("open", one, two).out()).isEqualTo("a1\nb1\na2\nb2\na3\n");
    }

    /** Anybody can seal in the name of nobody; it does not mix with what is signed. */
    @Test
    void unsignedLinesLieApart() throws Exception {
        Path good = forged("good.vge", true, List.of(), "/a", "good");
        Path bad = forged("bad.vge", false, List.of(), "/a", "bad");
        Path out = temporary.resolve("out");
        assertThat(run.ok("open", "-o", out + "/", good, bad).err()).contains("1 envelopes are not signed");
        assertThat(files(out)).isEqualTo(Map.of("press-4/a", "good\n", "~unsigned/a", "bad\n"));
        assertThat(run.run("open", "--signed-only", "-o", temporary + "/signed/", good, bad)
                        .code())
                .isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void namesNeverLeadOutOfTheFolder() throws Exception {
        Path precious = Files.writeString(temporary.resolve("precious"), "precious");
        String[] names = {
            "../precious",
            "../../precious",
            precious.toString(),
            "..",
            ".",
            "/",
            ".hidden",
            "a/../../../precious",
            "a\u0000b",
            "\u001b[2Jx",
            "x",
            "x/y",
            "X",
            "/x",
            "//x",
            "~/x",
            "C:\\x",
            "n".repeat(1000),
            "d/".repeat(500) + "e"
        };
        List<String> all = new ArrayList<>();
        for (String name : names) {
            all.addAll(List.of(name, "of " + name.hashCode()));
        }
        Path sealed = forged("bad.vge", true, List.of(), all.toArray(String[]::new));
        Map<String, String> before = files(temporary);
        Path out = Files.createDirectories(temporary.resolve("deep/out"));
        run.ok("open", "-o", out, sealed);
        Map<String, String> opened = files(out);
        assertThat(opened).hasSize(names.length);
        assertThat(opened.keySet()).allMatch(file -> file.startsWith("press-4/") && !file.contains("/."));
        for (String name : names) {
            assertThat(opened).containsValue("of " + name.hashCode() + "\n");
        }
        Map<String, String> after = files(temporary);
        after.keySet().removeIf(file -> file.startsWith("deep/out/"));
        after.keySet().removeIf(file -> file.contains("trapdoors"));
        before.keySet().removeIf(file -> file.contains("trapdoors"));
        assertThat(after).isEqualTo(before);
    }

    @Test
    void aFolderThatIsNotEmptyIsRefused() throws Exception {
        Path sealed = forged("one.vge", true, List.of(), "link/x", "a1");
        Path out = Files.createDirectory(temporary.resolve("out"));
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.createSymbolicLink(Files.createDirectory(out.resolve("press-4")).resolve("link"), elsewhere);
        Result refused = run.run("open", "-o", out, sealed);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("not empty");
        assertThat(files(elsewhere)).isEmpty();
    }

    @Test
    void searchSaysAndFindsWhereLinesCameFrom() throws Exception {
        Path a = Files.writeString(temporary.resolve("a.log"), "pump started\n");
        Path b = Files.writeString(temporary.resolve("b.log"), "pump started\n");
        Path sealed = temporary.resolve("day.vge");
        run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "-o", sealed, a, b);
        assertThat(run.ok("search", "--scope", "plant-7", "--with-name", "pump", sealed)
                        .out())
                .isEqualTo("press-4 " + a + " 1:0: pump started\npress-4 " + b + " 2:0: pump started\n");
        assertThat(run.ok("search", "--scope", "plant-7", "--with-name", "pump source:" + b, sealed)
                        .out())
                .isEqualTo("press-4 " + b + " 2:0: pump started\n");
        assertThat(run.ok("search", "--scope", "plant-7", "--json", "source:" + a, sealed)
                        .out())
                .hasLineCount(1)
                .contains("\"sender\":\"press-4\",\"origin\":\"" + a + "\",");
    }

    /** A sender that indexes another origin than it seals is found out. */
    @Test
    void aLieAboutAnOriginIsNotPrinted() throws Exception {
        List<Posting> lie = List.of(Posting.of(Keyword.text("source", "/var/log/auth.log"), 0));
        Path sealed = forged("lie.vge", true, lie, "/tmp/x\u001b[2J", "pump");
        Result lied = run.run("search", "--scope", "plant-7", "source:/var/log/auth.log", sealed);
        assertThat(lied.out()).isEmpty();
        assertThat(lied.err()).contains("its sender lies");
        List<Posting> word = List.of(Posting.of(Keyword.text("word", "pump"), 0));
        Path shown = forged("word.vge", true, word, "/tmp/x\u001b[2J", "pump");
        assertThat(run.ok("search", "--scope", "plant-7", "--with-name", "pump", shown)
                        .out())
                .isEqualTo("press-4 /tmp/x\\u001b[2J 1:0: pump\n");
    }
}
