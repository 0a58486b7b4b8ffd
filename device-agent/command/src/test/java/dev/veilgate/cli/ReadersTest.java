package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content that attributes open: sealed, found by its keyword on a gateway, and read by whom the policy names and by nobody else. */
class ReadersTest {
    private static final String POLICY = "(role:auditor AND site:plant-7) OR role:dpo";
    private static final String LINE = "2026-11-21T10:00:05Z press-4 pump[9]: overheat";

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        site = new Site(temporary);
        run = site.run;
        gateway = new FakeGateway();
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_SCOPE", "plant-7");
        run.environment.put("VEILGATE_READER_PASSPHRASE", "another horse battery");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private Path seal(String... options) throws Exception {
        Path log = temporary.resolve("day.log");
        Files.writeString(log, LINE + "\n");
        Path sealed = temporary.resolve("day.vge");
        Object[] arguments = new Object[options.length + 6];
        arguments[0] = "seal";
        arguments[1] = "--identity";
        arguments[2] = site.identity;
        System.arraycopy(options, 0, arguments, 3, options.length);
        arguments[options.length + 3] = "-o";
        arguments[options.length + 4] = sealed;
        arguments[options.length + 5] = log;
        run.ok(arguments);
        return sealed;
    }

    private Path issue(String reader, String attributes, String... more) {
        Path file = temporary.resolve(reader + ".vgr");
        Object[] arguments = new Object[more.length + 9];
        arguments[0] = "keys";
        arguments[1] = "issue";
        arguments[2] = "--memory";
        arguments[3] = "8";
        arguments[4] = reader;
        arguments[5] = "--attributes";
        arguments[6] = attributes;
        arguments[7] = "-o";
        arguments[8] = file;
        System.arraycopy(more, 0, arguments, 9, more.length);
        run.ok(arguments);
        return file;
    }

    private CommandRun.Result searchAs(Path readerKey) {
        return run.run("search", "--reader-key", readerKey, "overheat");
    }

    @Test
    void whatIsFoundOpensForTheTwoRightKeysAndForNoOther() throws Exception {
        Path sealed = seal("--readers", POLICY);
        gateway.store(sealed);
        assertThat(searchAs(issue("ada", "role:auditor, site:plant-7")).out()).isEqualTo(LINE + "\n");
        assertThat(searchAs(issue("carl", "role:dpo")).out()).isEqualTo(LINE + "\n");
        for (String attributes : new String[] {"role:auditor", "site:plant-7", "role:auditor, site:plant-8"}) {
            CommandRun.Result refused = searchAs(issue("eve", attributes));
            assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
            assertThat(refused.out()).isEmpty();
            assertThat(refused.err()).contains("role:auditor").contains("role:dpo");
        }
        CommandRun.Result ofBoth = run.run("open", "--reader-key", temporary.resolve("eve.vgr"), sealed);
        assertThat(ofBoth.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(ofBoth.out()).isEmpty();
        assertThat(run.ok("open", "--reader-key", temporary.resolve("ada.vgr"), sealed)
                        .out())
                .isEqualTo(LINE + "\n");
        assertThat(run.ok("open", sealed).out())
                .as("the authority could issue itself any key")
                .isEqualTo(LINE + "\n");
    }

    /** The auditor has a key, the trapdoors of one question, and what is public; the key folder is elsewhere. */
    @Test
    void anAuditorNeedsNoKeyFolder() throws Exception {
        Path sealed = seal("--readers", POLICY);
        gateway.store(sealed);
        Path key = issue("ada", "role:dpo");
        Path outsider = issue("eve", "role:auditor");
        Path request = temporary.resolve("overheat.search");
        run.ok("trapdoor", "-o", request, "overheat");
        run.environment.remove("VEILGATE_SCOPE");
        run.environment.put("VEILGATE_KEYS", temporary.resolve("elsewhere").toString());
        run.environment.remove("VEILGATE_PASSPHRASE");

        assertThat(run.ok("search", "--request", request, "--reader-key", key, "overheat")
                        .out())
                .isEqualTo(LINE + "\n");
        CommandRun.Result refused = run.run("search", "--request", request, "--reader-key", outsider, "overheat");
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.out()).isEmpty();
        assertThat(run.run("search", "--request", request, "--reader-key", key, "underheat")
                        .err())
                .as("trapdoors of another question")
                .contains("does not contain what it was found by");
        assertThat(run.ok("open", "--reader-key", key, sealed).out()).isEqualTo(LINE + "\n");
        assertThat(run.run("search", "--request", request, "overheat").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("search", "--request", request, "--reader-key", key, "--scope", "a", "overheat")
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aKeyIsGoodForItsEpochs() throws Exception {
        Path old = issue("ada", "role:dpo", "--epoch", "2026-10");
        Path sealed = seal("--readers", POLICY);
        assertThat(run.run("open", "--reader-key", old, sealed).code()).isEqualTo(ExitCode.REFUSED);
        Path folder = temporary.resolve("readers");
        String issued = run.ok("keys", "issue", "--memory", "8", "--again", "--epoch", "2026-11,2026-12", "-o", folder)
                .out();
        assertThat(issued).contains("ada, role:dpo, 2026-11, 2026-12, passphrase ");
        usePassphraseOf("ada", issued);
        assertThat(run.ok("open", "--reader-key", folder.resolve("ada.vgr"), sealed)
                        .out())
                .isEqualTo(LINE + "\n");
        assertThat(run.ok("keys", "show").out()).contains("ada  role:dpo  2026-10, 2026-11, 2026-12");
        assertThat(run.ok("keys", "remove-reader", "ada").out())
                .contains("stay good for what is sealed in 2026-10, 2026-11, 2026-12", "keys revoke")
                .doesNotContain("bundle");
        assertThat(run.ok("keys", "show").out())
                .containsSubsequence("former readers", "ada  2026-10, 2026-11, 2026-12");
        assertThat(run.run("keys", "issue", "--memory", "8", "--again", "--epoch", "2026-12", "-o", folder)
                        .code())
                .isEqualTo(ExitCode.NO_MATCH);
    }

    /** The one that was drawn for a reader and printed. */
    private void usePassphraseOf(String reader, String printed) {
        String line = printed.lines()
                .filter(each -> each.contains(reader + ".vgr: "))
                .findFirst()
                .orElseThrow();
        run.environment.put("VEILGATE_READER_PASSPHRASE", line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void eachReaderHasAPassphraseOfItsOwn() throws Exception {
        issue("ada", "role:dpo");
        issue("carl", "role:dpo");
        Path sealed = seal("--readers", POLICY);
        Path folder = temporary.resolve("readers");
        Object[] again = {"keys", "issue", "--memory", "8", "--again", "-o", folder};
        String issued = run.ok(again).out();
        usePassphraseOf("carl", issued);
        run.ok("open", "--reader-key", folder.resolve("carl.vgr"), sealed);
        assertThat(run.run("open", "--reader-key", folder.resolve("ada.vgr"), sealed)
                        .code())
                .as("with carl's")
                .isEqualTo(ExitCode.KEY);
        Path one = temporary.resolve("one.txt");
        Files.writeString(one, "one horse for them all\n");
        Object[] same = {"keys", "issue", "--memory", "8", "--again", "--reader-passphrase-file", one, "-o", folder};
        assertThat(run.run(same).code()).isEqualTo(ExitCode.USAGE);
        Path each = Files.createDirectory(temporary.resolve("each"));
        Files.writeString(each.resolve("ada.txt"), "a horse for ada alone\n");
        Object[] given = {"keys", "issue", "--memory", "8", "--again", "--reader-passphrases", each, "-o", folder};
        assertThat(run.run(given).code()).as("none for carl").isEqualTo(ExitCode.IO);
        Files.writeString(each.resolve("carl.txt"), "a horse for carl alone\n");
        assertThat(run.ok(given).out()).doesNotContain("horse");
        run.environment.put("VEILGATE_READER_PASSPHRASE", "a horse for ada alone");
        run.ok("open", "--reader-key", folder.resolve("ada.vgr"), sealed);
    }

    @Test
    void whoseKeysHaveLapsedIsNotIssuedThemAgain() {
        issue("guest", "role:dpo", "--epoch", "2026-05");
        issue("ada", "role:dpo", "--epoch", "2026-11");
        Path folder = temporary.resolve("readers");
        Object[] again = {"keys", "issue", "--memory", "8", "--again", "--epoch", "2026-12", "-o", folder};
        CommandRun.Result issued = run.ok(again);
        assertThat(issued.out()).contains("ada.vgr").doesNotContain("guest");
        assertThat(issued.err()).contains("not issued again: guest, whose last key is of 2026-05");
        assertThat(folder.resolve("guest.vgr")).doesNotExist();
        Object[] all = {"keys", "issue", "--memory", "8", "--again", "--lapsed", "--epoch", "2026-12", "-o", folder};
        assertThat(run.ok(all).out()).contains("ada.vgr", "guest.vgr");
    }

    /** One command in the middle of an epoch, and its next bundle. */
    @Test
    void revokesAReaderBeforeItsEpochsEnd() throws Exception {
        Path eve = issue("eve", "role:dpo", "--epoch", "2026-11..2027-01");
        issue("ada", "role:dpo", "--epoch", "2026-11,2026-12");
        issue("guest", "role:dpo", "--epoch", "2026-05");
        Path before = seal("--readers", POLICY);
        byte[] old = Files.readAllBytes(before);
        Path folder = temporary.resolve("readers");
        CommandRun.Result revoked = run.ok("keys", "revoke", "eve", "--memory", "8", "-o", folder);
        assertThat(revoked.out())
                .contains("revoked eve; 1 readers were issued keys", "ada, role:dpo, 2026-11, 2026-12")
                .contains("eve can still open", "sealed in 2026-11, 2026-12, 2027-01 under ");
        assertThat(revoked.err()).contains("guest, whose keys have lapsed");
        assertThat(folder.resolve("eve.vgr")).doesNotExist();
        site.newBundle();
        Path after = seal("--readers", POLICY);
        assertThat(run.run("open", "--reader-key", eve, after).code()).isEqualTo(ExitCode.REFUSED);
        Files.write(before = temporary.resolve("before.vge"), old);
        assertThat(run.ok("open", "--reader-key", eve, before).out())
                .as("a key cannot be called back, and it was said")
                .isEqualTo(LINE + "\n");
        usePassphraseOf("ada", revoked.out());
        assertThat(run.ok("open", "--reader-key", folder.resolve("ada.vgr"), after)
                        .out())
                .isEqualTo(LINE + "\n");
        assertThat(run.ok("keys", "show").out())
                .containsSubsequence("former readers", "eve  2026-11, 2026-12, 2027-01");
        assertThat(run.run("keys", "revoke", "nobody", "--memory", "8", "-o", folder)
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void numbersAreCompared() throws Exception {
        Path sealed = seal("--readers", "clearance >= 3 AND until > 2026-11-20");
        Path enough = issue("ada", "clearance = 3, until = 2026-12-31");
        Path tooLittle = issue("eve", "clearance = 2, until = 2026-12-31");
        assertThat(run.ok("open", "--reader-key", enough, sealed).out()).isEqualTo(LINE + "\n");
        assertThat(run.run("open", "--reader-key", tooLittle, sealed).code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void keysCanHavePoliciesInstead() throws Exception {
        run.ok("keys", "rotate", "--policy", "--policy-scheme", "kp-fabeo22");
        site.newBundle();
        Path sealed = seal("--attributes", "site:plant-7, level = 4");
        Path file = temporary.resolve("kp.vgr");
        run.ok("keys", "issue", "--memory", "8", "ada", "--policy", "site:plant-7 AND level >= 3", "-o", file);
        assertThat(run.ok("open", "--reader-key", file, sealed).out()).isEqualTo(LINE + "\n");
        run.ok("keys", "issue", "--memory", "8", "eve", "--policy", "site:plant-7 AND level >= 5", "-o", file);
        assertThat(run.run("open", "--reader-key", file, sealed).code()).isEqualTo(ExitCode.REFUSED);
    }

    private long count(String kind) {
        return run.ok("keys", "show")
                .out()
                .lines()
                .filter(line -> line.contains("  " + kind + "  "))
                .count();
    }

    /** Readers have no key of a scheme that was not there before. */
    @Test
    void aPairOfAnotherSchemeIsAllThatIsMadeAndDoesNotSealUnasked() throws Exception {
        Path key = issue("ada", "role:dpo");
        CommandRun.Result rotated = run.ok("keys", "rotate", "--policy-scheme", "cp-bsw07");
        assertThat(rotated.out()).contains("cp-bsw07 + x25519+ml-kem-768, does not seal");
        assertThat(count("wrap     ")).isEqualTo(1);
        assertThat(count("ntru-peks")).isEqualTo(1);
        assertThat(count("policy   ")).isEqualTo(2);
        site.newBundle();
        assertThat(run.ok("open", "--reader-key", key, seal("--readers", POLICY))
                        .out())
                .isEqualTo(LINE + "\n");
        run.ok("keys", "seal-with", "cp-bsw07");
        site.newBundle();
        Path sealed = seal("--readers", POLICY);
        assertThat(run.run("open", "--reader-key", key, sealed).code()).isEqualTo(ExitCode.REFUSED);
        Path again = issue("ada", "role:dpo");
        assertThat(run.ok("open", "--reader-key", again, sealed).out()).isEqualTo(LINE + "\n");
        assertThat(run.run("keys", "seal-with", "kp-gpsw06").code()).isEqualTo(ExitCode.USAGE);
        run.ok("keys", "rotate", "--index-scheme", "bdop04-peks");
        assertThat(count("wrap     ")).isEqualTo(1);
    }

    /** Settings know no scheme; the bundle does. */
    @Test
    void agentCheckSaysWhatTheBundlesSchemeHasNoRoomFor() {
        String hundreds = IntStream.range(0, 600).mapToObj(i -> "a:" + i).collect(Collectors.joining(" OR "));
        Object[] check = {
            "agent",
            "check",
            "--offline",
            "--bundle",
            site.bundle,
            "--authority",
            site.authority,
            "--identity",
            site.identity,
            "--state",
            temporary.resolve("state"),
            "--mqtt-url",
            "mqtt://127.0.0.1:1883",
            "--scope",
            "plant-7",
            "--readers",
            hundreds,
            "--file",
            temporary.resolve("a.log")
        };
        run.ok(check);
        run.ok("keys", "rotate", "--policy-scheme", "cp-bsw07");
        run.ok("keys", "seal-with", "cp-bsw07");
        site.newBundle();
        CommandRun.Result refused = run.run(check);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("readers: ", "cp-bsw07", "at most 65536");
    }

    /** Not "a bug": who wrote it can mend it. */
    @Test
    void saysWhatIsTooLarge() throws Exception {
        String thousands = IntStream.range(0, 2_000).mapToObj(i -> "a:" + i).collect(Collectors.joining(" OR "));
        Path log = temporary.resolve("day.log");
        Files.writeString(log, LINE + "\n");
        CommandRun.Result policy = run.run("seal", "--identity", site.identity, "--readers", thousands, "-o", "-", log);
        assertThat(policy.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(policy.err()).contains("at most 65536", "2000");
        Path file = temporary.resolve("ada.vgr");
        CommandRun.Result epochs = run.run(
                "keys",
                "issue",
                "--memory",
                "8",
                "ada",
                "--attributes",
                "a:x",
                "--epoch",
                "2000-01..2026-12",
                "-o",
                file);
        assertThat(epochs.code()).isEqualTo(ExitCode.USAGE);
        assertThat(epochs.err()).contains("at most 256 keys", "324");
        assertThat(file).doesNotExist();
        assertThat(run.ok("keys", "show").out()).contains("readers  none");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        CommandRun.Result policy = run.run(
                "seal", "--identity", site.identity, "--scope", "plant-7", "--readers", "role:auditor AND", "-o", "-");
        assertThat(policy.code()).isEqualTo(ExitCode.USAGE);
        assertThat(policy.err()).contains("character 17");
        Path key = issue("ada", "role:dpo");
        Path sealed = seal("--readers", POLICY);
        run.environment.put("VEILGATE_READER_PASSPHRASE", "wrong horse battery");
        CommandRun.Result passphrase = run.run("open", "--reader-key", key, sealed);
        assertThat(passphrase.code()).isEqualTo(ExitCode.KEY);
        byte[] damaged = Files.readAllBytes(key);
        damaged[damaged.length / 2] ^= 1;
        Files.write(key, damaged);
        assertThat(run.run("open", "--reader-key", key, sealed).err()).contains("damaged");
        assertThat(run.run("open", "--reader-key", temporary.resolve("none"), sealed)
                        .err())
                .contains("keys issue");
        assertThat(new String(Files.readAllBytes(sealed), StandardCharsets.ISO_8859_1))
                .doesNotContain("overheat");
    }
}
