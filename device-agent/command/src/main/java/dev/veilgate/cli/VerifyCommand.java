package dev.veilgate.cli;

import dev.veilgate.envelope.ChainVerifier;
import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Verifies chains. */
@Command(
        name = "verify",
        header =
                "Verify chains of envelopes, an issuing log or an export: what is missing, reordered or altered; needs no secret",
        description = {
            "  Registered senders number their envelopes, sign them and name the digest of the one before. Prints a line for each",
            "  finding: the problem, the sender, the numbers concerned. Give the envelopes of a chain from its first on; a tail that was",
            "  dropped shows when the sender has promised to be heard from again. Where a file stops being envelopes is named on standard",
            "  error, and the exit status is 3 at the end.",
            "",
            "  With --issuing-log, verifies what an authority says it has issued (veilgate keys log): that no entry is missing or was altered since",
            "  it was signed, and that the log agrees with the signed heads that you kept. Prints the problem, the file and the",
            "  numbers of the entries.",
            "",
            "  With --export, verifies what an auditor took out of the audit console: that the authority signed its manifest, that the archive",
            "  has exactly those files as they were, and that the export is in the issuing log. Prints who exported what and when, or",
            "  the problem and the file.",
        },
        footer = {
            "  veilgate verify --bundle acme.vgb --authority 5f3c... day.vge",
            "  veilgate verify --window 100 archive/",
            "  veilgate verify --authority 5f3c... --issuing-log acme.vgl --head 2026-10.vgh",
            "  veilgate verify --authority 5f3c... --export export-2026-11-22.zip",
        })
final class VerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    @Mixin
    private SenderOptions senders = new SenderOptions();

    @Mixin
    private EnvelopeSource envelopes = new EnvelopeSource();

    @Mixin
    private IssuingLogOptions issuingLog = new IssuingLogOptions();

    @Mixin
    private ExportOptions export = new ExportOptions();

    @Option(
            names = "--window",
            paramLabel = "COUNT",
            defaultValue = "0",
            description = "How many of its sender's envelopes one may be late by; default 0, for archives.")
    private int window;

    @Option(names = "--json", description = "Print a JSON object a line for each finding.")
    private boolean json;

    @Mixin
    private Progress progress = new Progress();

    private long offered;

    VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (window < 0 || window > 1_000_000) {
            throw new CommandFailure(ExitCode.USAGE, "--window must be 0 to 1,000,000");
        }
        if (export.given()) {
            return verifyExport();
        }
        if (issuingLog.given()) {
            return verifyIssuingLog();
        }
        PublicBundle verified = bundle.read(terminal, 0);
        ChainVerifier verifier = new ChainVerifier(senders.require(terminal, bundle, verified), window);
        long refused;
        try {
            refused = envelopes.forEach(terminal, (source, bytes) -> {
                verifier.add(source, bytes);
                progress.at(terminal, "envelopes", ++offered);
            });
        } finally {
            progress.end(terminal);
        }
        List<Finding> findings = verifier.findings(terminal.clock().instant());
        findings.forEach(this::print);
        if (!json) {
            terminal.err().println(verifier.accepted() + " envelopes verified, " + findings.size() + " findings");
        }
        return refused > 0 ? ExitCode.REFUSED : findings.isEmpty() ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private int verifyIssuingLog() throws Exception {
        if (issuingLog.onlyHeads() || envelopes.isNamed()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "name envelopes, or a log with --issuing-log and heads of it with --head");
        }
        return issuingLog.verify(terminal, bundle.authority(terminal), json);
    }

    private int verifyExport() throws Exception {
        if (issuingLog.given() || envelopes.isNamed()) {
            throw new CommandFailure(ExitCode.USAGE, "name envelopes, a log or exports, one kind at a time");
        }
        return export.verify(terminal, bundle.authority(terminal), json);
    }

    private void print(Finding finding) {
        String problem = finding.problem().name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("problem", problem);
            line.put("sender", finding.sender());
            line.put("first", finding.firstSequence());
            line.put("last", finding.lastSequence());
            line.put("detail", finding.detail());
            terminal.out().println(Json.of(line));
            return;
        }
        String numbers = finding.firstSequence() == finding.lastSequence()
                ? String.valueOf(finding.firstSequence())
                : finding.firstSequence() + "-" + finding.lastSequence();
        terminal.out()
                .printf(
                        "%s %s %s %s%n",
                        problem,
                        finding.sender().isEmpty() ? "-" : Printable.of(finding.sender()),
                        numbers,
                        Printable.of(finding.detail()));
    }
}
