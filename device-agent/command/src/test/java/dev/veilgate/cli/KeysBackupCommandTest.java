package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup under shares by command, and what restores it. */
class KeysBackupCommandTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private Path backup;
    private Path restored;

    @BeforeEach
    void makeBackup() throws Exception {
        site = new Site(temporary);
        run = site.run;
        backup = temporary.resolve("backup");
        restored = temporary.resolve("restored");
        Result made = run.ok("keys", "backup", "--shares", "2-of-3", "-o", backup);
        assertThat(made.out()).contains("any 2 of 3 shares");
        assertThat(made.err()).contains("delete");
    }

    private Result restore(int... shares) {
        List<Object> arguments = new ArrayList<>(
                List.of("keys", "restore", backup.resolve("keys.vgbackup"), "--keys", restored, "--memory", "8"));
        for (int share : shares) {
            arguments.add("--share");
            arguments.add(backup.resolve("share-" + share + ".txt"));
        }
        return run.run(arguments.toArray());
    }

    @Test
    void anyTwoSharesBringTheKeysBackUnderANewPassphrase() throws Exception {
        Path sealed = site.seal("day", "pump overheat", "all well");
        run.environment.put("VEILGATE_PASSPHRASE", "another long passphrase");
        Result result = restore(3, 1);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).contains("keys of acme as they were at 2026-11-21T12:00:00Z");
        assertThat(run.ok("keys", "show", "--keys", restored).out()).contains(site.authority);
        assertThat(run.ok("search", "--keys", restored, "--scope", "plant-7", "overheat", sealed)
                        .out())
                .contains("pump overheat");
    }

    @Test
    void tooFewMixedAndMistypedSharesAreRefused() throws Exception {
        Result one = restore(2);
        assertThat(one.code()).isEqualTo(ExitCode.KEY);
        assertThat(one.err()).contains("needs 2 different shares, and 1 were given");
        run.ok("keys", "backup", "--shares", "2-of-3", "-o", temporary.resolve("second"));
        Files.copy(
                temporary.resolve("second/share-2.txt"),
                backup.resolve("share-2.txt"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(restore(1, 2).err()).contains("share 2 is of another backup");
        String text = Files.readString(backup.resolve("share-3.txt"));
        // the last digit of the check itself: of slips elsewhere, one in 65,536 passes its line
        int last = text.indexOf('\n', text.indexOf("\n3: ") + 1) - 1;
        Files.writeString(
                backup.resolve("share-3.txt"),
                text.substring(0, last) + (text.charAt(last) == 'A' ? 'B' : 'A') + text.substring(last + 1));
        Result mistyped = restore(1, 3);
        assertThat(mistyped.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(mistyped.err()).contains("share-3.txt").contains("line 3");
        assertThat(restored).doesNotExist();
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        assertThat(run.run("keys", "backup", "--shares", "2-of-3", "-o", backup).code())
                .isEqualTo(ExitCode.IO);
        assertThat(restore(1, 2).code()).isZero();
        assertThat(restore(1, 2).code()).isEqualTo(ExitCode.KEY);
    }

    @Test
    void sharesAreWrittenAsTOfN() {
        for (String wrong : List.of("3", "1-of-3", "4-of-3", "2-of-17", "a-of-b", "2of3")) {
            assertThat(run.run("keys", "backup", "--shares", wrong, "-o", temporary.resolve("x"))
                            .code())
                    .as(wrong)
                    .isEqualTo(ExitCode.USAGE);
        }
        assertThat(temporary.resolve("x")).doesNotExist();
    }
}
