package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.query.Digest;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of the authority leave in the issuing log of the key folder. */
class CommandLogTest {
    private static final byte[] PASSPHRASE = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
    }

    @FunctionalInterface
    private interface Reading<T> {
        T of(KeyFolder folder, IssuingLog log) throws Exception;
    }

    private <T> T read(Path keys, byte[] passphrase, Reading<T> reading) throws Exception {
        try (KeyFolder folder = KeyFolder.open(keys, passphrase, KeyFolder.Access.READ, new SecureRandom());
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            return reading.of(folder, log);
        }
    }

    private List<LogEntry> entries() throws Exception {
        return read(
                site.keys,
                PASSPHRASE,
                (folder, log) -> log.newestFirst(Long.MAX_VALUE, 100).reversed());
    }

    @Test
    void withoutALogNothingIsBegun() throws Exception {
        run.ok("trapdoor", "--scope", "plant-7", "-o", temporary.resolve("a.search"), "overheat");
        assertThat(site.keys.resolve(AuthorityLog.FOLDER)).doesNotExist();
        Result none = run.run("keys", "log", "-o", temporary.resolve("x"));
        assertThat(none.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(none.err()).contains("--begin");
        assertThat(run.ok("keys", "log", "--begin").out()).contains("has 0 entries");
        run.ok("trapdoor", "--scope", "plant-7", "-o", temporary.resolve("a.search"), "overheat");
        assertThat(entries()).hasSize(1);
        assertThat(run.ok("keys", "log", "--begin").out()).contains("has 1 entries");
    }

    @Test
    void trapdoorsAndTheirGrantAreThereBeforeTheyLeave() throws Exception {
        run.ok("keys", "log", "--begin");
        Path file = temporary.resolve("a.search");
        run.ok("trapdoor", "--scope", "plant-7", "--grant-to", "ada", "-o", file, "salary user:root");
        SearchRequest request = SearchRequest.decode(Files.readAllBytes(file));
        List<LogEntry> entries = entries();
        assertThat(entries)
                .extracting(LogEntry::kind)
                .containsExactly(EntryKind.TRAPDOOR, EntryKind.TRAPDOOR, EntryKind.GRANT);
        assertThat(entries.subList(0, 2))
                .extracting(entry -> entry.details().get("trapdoor"))
                .containsExactlyInAnyOrderElementsOf(
                        request.digests().stream().map(Digest::toString).toList());
        assertThat(request.grant().orElseThrow().logIndex()).isEqualTo(3);
        assertThat(entries.getLast().details()).containsEntry("holder", "ada").containsEntry("count", "2");
        assertThat(entries.getFirst().actor()).startsWith("command ");
        assertThat(new String(entries.getFirst().encode(), StandardCharsets.ISO_8859_1))
                .doesNotContain("salary");
        assertThat(read(site.keys, PASSPHRASE, (folder, log) -> AuthorityLog.unseal(folder.keys(), entries.getFirst()))
                        .orElseThrow())
                .containsEntry("keyword", "salary");
    }

    @Test
    void searchesKeysAndChangesAreThere() throws Exception {
        Path sealed = site.seal("day", "pump overheat");
        run.ok("keys", "log", "--begin");
        run.ok("search", "--scope", "plant-7", "overheat", sealed);
        run.ok("keys", "rotate", "--wrap");
        run.ok("keys", "add-scope", "plant-8");
        run.ok("keys", "bundle", "-o", temporary.resolve("next.vgb"));
        assertThat(entries())
                .extracting(LogEntry::kind)
                .containsExactly(EntryKind.TRAPDOOR, EntryKind.KEY_CHANGE, EntryKind.SENDER_CHANGE, EntryKind.BUNDLE);
        assertThat(entries().get(1).details())
                .containsEntry("action", "rotated")
                .containsEntry("name", "wrap");
        assertThat(entries().get(2).details()).containsEntry("name", "scope plant-8");
    }

    @Test
    void aRestoredLogGoesOnAndSaysSo() throws Exception {
        run.ok("keys", "log", "--begin");
        Path backup = temporary.resolve("backup");
        run.ok("keys", "backup", "--shares", "2-of-2", "-o", backup);
        Path restored = temporary.resolve("restored");
        run.ok(
                "keys",
                "restore",
                backup.resolve("keys.vgbackup"),
                "--keys",
                restored,
                "--memory",
                "8",
                "--share",
                backup.resolve("share-1.txt"),
                "--share",
                backup.resolve("share-2.txt"));
        List<LogEntry> entries = read(restored, PASSPHRASE, (folder, log) -> log.newestFirst(Long.MAX_VALUE, 100));
        assertThat(entries).extracting(LogEntry::kind).containsExactly(EntryKind.BACKUP, EntryKind.BACKUP);
        assertThat(entries.getFirst().details()).containsEntry("action", "restored");
        assertThat(entries.getLast().details()).containsEntry("action", "made");
    }

    @Test
    void whileAConsoleHoldsItASearchIsWarnedOf() throws Exception {
        Path sealed = site.seal("day", "pump overheat");
        run.ok("keys", "log", "--begin");
        Result result;
        try (KeyFolder folder = KeyFolder.open(site.keys, PASSPHRASE, KeyFolder.Access.CHANGE, new SecureRandom());
                IssuingLog _ = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            result = run.ok("search", "--scope", "plant-7", "overheat", sealed);
        }
        assertThat(result.out()).contains("pump overheat");
        assertThat(result.err()).contains("warning: a console has the issuing log open");
        assertThat(entries()).isEmpty();
    }

    @Test
    void whileAnotherCommandHoldsItNothingIsIssued() throws Exception {
        run.ok("keys", "log", "--begin");
        Path file = temporary.resolve("a.search");
        Result result = read(
                site.keys,
                PASSPHRASE,
                (folder, log) -> run.run("trapdoor", "--scope", "plant-7", "-o", file, "overheat"));
        assertThat(result.code()).isEqualTo(ExitCode.IO);
        assertThat(result.err()).contains("another command has the issuing log open");
        assertThat(file).doesNotExist();
        assertThat(entries()).isEmpty();
    }

    @Test
    void aLongPolicyIsIssuedAndItsEntryIsCut() throws Exception {
        run.environment.put("VEILGATE_READER_PASSPHRASE", "another horse battery");
        run.ok("keys", "rotate", "--policy", "--policy-scheme", "kp-fabeo22");
        run.ok("keys", "log", "--begin");
        String policy = IntStream.range(0, 400)
                .mapToObj(i -> "department:d%06d".formatted(i))
                .collect(Collectors.joining(" or "));
        run.ok("keys", "issue", "--memory", "8", "ada", "--policy", policy, "-o", temporary.resolve("ada.vgr"));
        assertThat(entries().getLast().details().get("label"))
                .hasSizeLessThan(4096)
                .endsWith("…");
    }

    @Test
    void aDamagedLogStopsTheCommand() throws Exception {
        run.ok("keys", "log", "--begin");
        run.ok("trapdoor", "--scope", "plant-7", "-o", temporary.resolve("a.search"), "overheat");
        Path log = site.keys.resolve(AuthorityLog.FOLDER).resolve("entries.vgl");
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length - 100] ^= 1;
        Files.write(log, bytes);
        Path second = temporary.resolve("b.search");
        Result refused = run.run("trapdoor", "--scope", "plant-7", "-o", second, "pump");
        assertThat(refused.code()).isEqualTo(ExitCode.IO);
        assertThat(second).doesNotExist();
    }
}
