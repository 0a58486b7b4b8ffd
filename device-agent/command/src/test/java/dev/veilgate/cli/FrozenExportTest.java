package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.testing.FrozenSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Exports of each format, of an earlier version's console, are verified by the authority's fingerprint alone. */
class FrozenExportTest {
    static final List<String> FORMATS = List.of("jsonl", "csv", "mbox");

    /** Version 1 of the manifest. */
    private static final FrozenSet SET = new FrozenSet("009bb538", "2026-11-30T12:00:00Z");

    /** Version 3. */
    private static final FrozenSet ASKED = new FrozenSet("7058db64", "2026-11-30T21:00:00Z");

    /** Version 4. */
    private static final FrozenSet REASONS = new FrozenSet("manifest-4", "2026-11-30T21:00:00Z");

    private final CommandRun run = new CommandRun();

    private Result verify(Path export, String authority) {
        return run.run("verify", "--authority", authority, "--export", export);
    }

    @ParameterizedTest
    @FieldSource("FORMATS")
    void isVerified(String format) throws Exception {
        Result result = verify(SET.path(format + ".zip"), SET.text("authority"));
        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("complete");
    }

    @ParameterizedTest
    @FieldSource("FORMATS")
    void oneThatSaysWhatWasAskedIsVerifiedAsWhatItWas(String format) throws Exception {
        Result result = verify(ASKED.path(format + ".zip"), ASKED.text("authority"));
        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .contains("understood as word:overheated")
                .contains("asked of 2026-11; there were none before")
                .contains("complete, of what was asked: the search is complete");
    }

    @ParameterizedTest
    @FieldSource("FORMATS")
    void oneThatSaysWhyItIsNotCompleteIsVerifiedAsWhatItWas(String format) throws Exception {
        Result result = verify(REASONS.path(format + ".zip"), REASONS.text("authority"));
        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .contains("  under the index key 74bcc3592961dfc532f91520677f1dbe of ntru-peks: 2026-11\n")
                .contains(
                        format.equals("mbox")
                                ? "the gateway does not tell what else it has of scope plant-mail and these times\n"
                                        + "complete, of what was asked: "
                                : "\npartial: the search is complete, 1 of 1 envelopes seen\n  targets-not-asked: ");
    }

    @ParameterizedTest
    @FieldSource("FORMATS")
    void itsEntryIsAProofFromTheIssuingLog(String format, @TempDir Path folder) throws Exception {
        Path entry = folder.resolve("entry.vgp");
        try (var zip = new ZipFile(SET.path(format + ".zip").toFile())) {
            Files.write(entry, zip.getInputStream(zip.getEntry("entry.vgp")).readAllBytes());
        }
        Result result = run.run("verify", "--authority", SET.text("authority"), "--issuing-log", entry);
        assertThat(result.code()).as(result.out() + result.err()).isZero();
        assertThat(result.err()).contains("0 findings");
    }

    @Test
    void anotherAuthorityIsFound() throws Exception {
        Result result = verify(SET.path("jsonl.zip"), "0".repeat(64));
        assertThat(result.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out()).contains("foreign");
    }

    @Test
    void anAlteredByteIsFound(@TempDir Path folder) throws Exception {
        byte[] altered = SET.bytes("jsonl.zip");
        altered[200] ^= 1;
        assertThat(verify(Files.write(folder.resolve("altered.zip"), altered), SET.text("authority"))
                        .code())
                .isNotZero();
    }
}
