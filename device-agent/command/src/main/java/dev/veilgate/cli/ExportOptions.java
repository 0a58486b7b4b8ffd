package dev.veilgate.cli;

import dev.veilgate.cli.ExportVerifier.Finding;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What was exported from the audit console instead of senders' chains. */
final class ExportOptions {
    @Option(
            names = "--export",
            paramLabel = "FILE",
            description =
                    "Verify hits that were exported from the audit console instead of envelopes; --authority is enough. Can be given several times.")
    private List<Path> files = new ArrayList<>();

    boolean given() {
        return !files.isEmpty();
    }

    /** Prints findings, or what was verified; the exit code. */
    int verify(Terminal terminal, String fingerprint, boolean json)
            throws IOException, CommandFailure, MalformedEncodingException {
        long findings = 0;
        for (Path file : files) {
            long found = verify(terminal, file, fingerprint, json);
            if (!json) {
                terminal.err().println(file + ": " + found + " findings");
            }
            findings += found;
        }
        return findings == 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    /** How many findings were printed. */
    private static long verify(Terminal terminal, Path file, String fingerprint, boolean json)
            throws IOException, CommandFailure, MalformedEncodingException {
        ExportArchive opened;
        try {
            opened = ExportArchive.open(file);
        } catch (CommandFailure e) {
            ExportLayout.Difference much = ExportLayout.muchBehindTheEnd(file).orElseThrow(() -> e);
            print(terminal, file, new Finding("layout", much.file(), much.detail()), json);
            return 1;
        }
        try (ExportArchive archive = opened) {
            ExportVerifier verifier = new ExportVerifier(archive, fingerprint);
            Optional<ExportManifest> manifest = verifier.verify();
            verifier.findings().forEach(finding -> print(terminal, file, finding, json));
            if (verifier.findings().isEmpty() && manifest.isPresent()) {
                print(terminal, file, manifest.get(), json);
            }
            return verifier.findings().size();
        }
    }

    private static void print(Terminal terminal, Path file, Finding finding, boolean json) {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("problem", finding.problem());
            line.put("export", file.toString());
            line.put("file", finding.file());
            line.put("detail", finding.detail());
            terminal.out().println(Json.of(line));
            return;
        }
        terminal.out()
                .printf(
                        "%s %s %s %s%n",
                        finding.problem(),
                        Printable.of(file.toString()),
                        Printable.of(finding.file()),
                        Printable.of(finding.detail()));
    }

    /** Only what was verified whole is said to be so. */
    private static void print(Terminal terminal, Path file, ExportManifest manifest, boolean json)
            throws MalformedEncodingException {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("export", file.toString());
            line.put("verified", true);
            line.put("manifest", manifest.fields().fields());
            terminal.out().println(Json.of(line));
            return;
        }
        manifest.described().forEach(line -> terminal.out().println(Printable.of(line)));
    }
}
