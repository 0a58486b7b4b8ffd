package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The issuing log by command: handed out, verified by whoever has the fingerprint, tampered with and found. */
class IssuingLogCommandTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeLog() throws Exception {
        site = new Site(temporary);
        run = site.run;
        append(3);
        run.environment.remove("VEILGATE_BUNDLE"); // whoever verifies has the fingerprint alone
    }

    private void append(int entries) throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                        site.keys,
                        CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        KeyFolder.Access.READ,
                        new SecureRandom());
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            for (int i = 0; i < entries; i++) {
                log.append(LogDraft.of(EntryKind.TRAPDOOR, "ada").with("scope", "plant-7"));
            }
        }
    }

    private Path file(String name, Object... options) {
        Path file = temporary.resolve(name);
        Object[] all = new Object[options.length + 4];
        all[0] = "keys";
        all[1] = "log";
        System.arraycopy(options, 0, all, 2, options.length);
        all[options.length + 2] = "-o";
        all[options.length + 3] = file;
        run.ok(all);
        return file;
    }

    @Test
    void aWholeLogAndEveryProofVerify() throws Exception {
        Path head = file("old.vgh", "--signed-head");
        append(4);
        Path log = file("acme.vgl");
        Path entry = file("entry.vgp", "--entry", 5);
        Path grown = file("grown.vgp", "--since", head);
        Result result =
                run.ok("verify", "--issuing-log", log, "--issuing-log", entry, "--issuing-log", grown, "--head", head);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("acme.vgl: 7 entries verified, signed up to 7, 0 findings")
                .contains("entry.vgp: entry 5 in a log of 7 entries of acme")
                .contains("grown.vgp: a log of 3 entries of acme");
        assertThat(run.ok("verify", "--issuing-log", head).err()).contains("a log of 3 entries");
        assertThat(run.ok("verify", "--json", "--issuing-log", log).err()).isEmpty();
    }

    @Test
    void tamperingIsPrintedAndTheExitStatusSaysSo() throws Exception {
        Path log = file("acme.vgl");
        byte[] bytes = Files.readAllBytes(log);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Files.writeString(log, text.replaceFirst("plant-7", "plant-8"), StandardCharsets.ISO_8859_1);
        Result altered = run.run("verify", "--issuing-log", log);
        assertThat(altered.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(altered.out()).contains("altered " + log + " 1 is not the one that entry 2 names");
        assertThat(run.run("verify", "--json", "--issuing-log", log).out())
                .contains("\"problem\":\"altered\"", "\"first\":1");
    }

    @Test
    void aLogThatWasCutShowsByAKeptHead() throws Exception {
        Path cut = file("cut.vgl");
        append(2);
        Path head = file("later.vgh", "--signed-head");
        run.ok("verify", "--issuing-log", cut);
        Result result = run.run("verify", "--issuing-log", cut, "--head", head);
        assertThat(result.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out()).contains("missing " + cut + " 4-5");
    }

    /** A proof against a head of another size would hold in a forked log too. */
    @Test
    void aKeptHeadThatNothingIsComparedWithIsAFinding() throws Exception {
        Path kept = file("kept.vgh", "--signed-head");
        append(3);
        Path entry = file("entry.vgp", "--entry", 5);
        Result alone = run.run("verify", "--issuing-log", entry, "--head", kept);
        assertThat(alone.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(alone.out()).contains("not-proven " + kept).contains("nothing was compared with a log of 3 entries");
        Path grown = file("grown.vgp", "--since", kept);
        run.ok("verify", "--issuing-log", entry, "--issuing-log", grown, "--head", kept);
    }

    /** Who kept an export has kept a head. */
    @Test
    void aKeptProofIsAHeadToo() throws Exception {
        Path cut = file("cut.vgl");
        append(2);
        Path entry = file("entry.vgp", "--entry", 4);
        Result result = run.run("verify", "--issuing-log", cut, "--head", entry);
        assertThat(result.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out()).contains("missing " + cut + " 4-5");
        run.ok("verify", "--issuing-log", file("whole.vgl"), "--head", entry);
    }

    @Test
    void anotherAuthorityIsAFinding() {
        Path log = file("acme.vgl");
        Path entry = file("entry.vgp", "--entry", 1);
        String stranger = "0".repeat(64);
        assertThat(run.run("verify", "--authority", stranger, "--issuing-log", log)
                        .out())
                .startsWith("foreign ");
        Result proof = run.run("verify", "--authority", stranger, "--issuing-log", entry);
        assertThat(proof.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(proof.out()).contains("bad-head ", "not-proven ");
        assertThat(run.run("verify", "--authority", "xyz", "--issuing-log", log).code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void whatIsNoLogIsRefused() throws Exception {
        Path other = temporary.resolve("other");
        Files.writeString(other, "hello");
        assertThat(run.run("verify", "--issuing-log", other).code()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.run("verify", "--issuing-log", temporary.resolve("none")).code())
                .isEqualTo(ExitCode.IO);
        assertThat(run.run("verify", "--head", other).code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("verify", "--issuing-log", other, other).code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("keys", "log", "--entry", 99, "-o", other).code()).isEqualTo(ExitCode.REFUSED);
    }
}
