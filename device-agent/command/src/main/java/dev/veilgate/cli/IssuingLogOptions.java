package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.issuing.ConsistencyProof;
import dev.veilgate.issuing.InclusionProof;
import dev.veilgate.issuing.LogDocument;
import dev.veilgate.issuing.LogProblem;
import dev.veilgate.issuing.LogVerifier;
import dev.veilgate.issuing.LogVerifier.Finding;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** An authority's issuing log instead of senders' chains. */
final class IssuingLogOptions {
    @Option(
            names = "--issuing-log",
            paramLabel = "FILE",
            description =
                    "Verify an authority's issuing log, or a proof from one, instead of envelopes; --authority is enough. Can be given several times.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--head",
            paramLabel = "FILE",
            description =
                    "With --issuing-log: a signed head that was kept from before, which the log must agree with; also a proof, such as the entry.vgp of an export,"
                            + " for the head in it. Can be given several times.")
    private List<Path> heads = new ArrayList<>();

    boolean given() {
        return !files.isEmpty() || !heads.isEmpty();
    }

    boolean onlyHeads() {
        return files.isEmpty();
    }

    /** What one file gave. */
    private record Result(String summary, List<Finding> findings) {}

    /** Sizes of the heads of what was verified: kept ones of the same sizes were compared with them. */
    private final Set<Long> compared = new HashSet<>();

    private boolean wholeLog;

    /** Prints findings; the exit code. */
    int verify(Terminal terminal, String fingerprint, boolean json) throws IOException, MalformedEncodingException {
        long findings = 0;
        for (Path file : files) {
            Result result = verify(file, fingerprint);
            result.findings.forEach(finding -> print(terminal, file, finding, json));
            findings += result.findings.size();
            if (!json) {
                terminal.err().println(file + ": " + result.summary + ", " + result.findings.size() + " findings");
            }
        }
        for (Path head : heads) {
            SignedTreeHead kept = head(read(head));
            long size = kept.head().size();
            if (!wholeLog && !compared.contains(size)) {
                String what = "nothing was compared with " + described(kept)
                        + ": give the log itself, or a proof of one entry or of growth that has a head of this size";
                print(terminal, head, new Finding(LogProblem.NOT_PROVEN, size, size, what), json);
                findings++;
            }
        }
        return findings == 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private Result verify(Path file, String fingerprint) throws IOException, MalformedEncodingException {
        LogVerifier verifier = new LogVerifier(fingerprint);
        for (Path head : heads) {
            verifier.expect(head.toString(), head(read(head)));
        }
        LogDocument document;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            in.mark(LogDocument.FIRST_BYTES);
            document = LogDocument.of(in.readNBytes(LogDocument.FIRST_BYTES));
            if (document == LogDocument.LOG) {
                in.reset();
                verifier.read(in);
                wholeLog = true;
                return new Result(
                        verifier.entries() + " entries verified, signed up to " + verifier.covered(),
                        verifier.findings());
            }
        }
        return switch (document) {
            case INCLUSION_PROOF -> inclusion(InclusionProof.decode(read(file)), file, fingerprint, verifier);
            case CONSISTENCY_PROOF -> consistency(ConsistencyProof.decode(read(file)), file, fingerprint, verifier);
            default -> {
                SignedTreeHead head = SignedTreeHead.decode(read(file));
                expect(verifier, file.toString(), head);
                yield new Result(described(head), verifier.findings());
            }
        };
    }

    /** Of whatever has one: who kept an export has kept a head, too. */
    private static SignedTreeHead head(byte[] bytes) throws MalformedEncodingException {
        byte[] first = Arrays.copyOf(bytes, Math.min(bytes.length, LogDocument.FIRST_BYTES));
        return switch (LogDocument.of(first)) {
            case INCLUSION_PROOF -> InclusionProof.decode(bytes).head();
            case CONSISTENCY_PROOF -> ConsistencyProof.decode(bytes).newer();
            default -> SignedTreeHead.decode(bytes);
        };
    }

    private Result inclusion(InclusionProof proof, Path file, String fingerprint, LogVerifier verifier) {
        expect(verifier, file.toString(), proof.head());
        String what = "entry " + proof.entry().number() + " in " + described(proof.head());
        return result(what, proof.holds(fingerprint), proof.entry().number(), verifier);
    }

    private Result consistency(ConsistencyProof proof, Path file, String fingerprint, LogVerifier verifier) {
        expect(verifier, file + " (older head)", proof.older());
        expect(verifier, file + " (newer head)", proof.newer());
        String what = described(proof.older()) + " inside " + described(proof.newer());
        return result(what, proof.holds(fingerprint), 0, verifier);
    }

    private void expect(LogVerifier verifier, String source, SignedTreeHead head) {
        verifier.expect(source, head);
        compared.add(head.head().size());
    }

    private static Result result(String what, boolean holds, long number, LogVerifier verifier) {
        List<Finding> findings = new ArrayList<>(verifier.findings());
        if (!holds) {
            findings.add(new Finding(LogProblem.NOT_PROVEN, number, number, what));
        }
        return new Result(what, findings);
    }

    private static String described(SignedTreeHead head) {
        return "a log of " + head.head().size() + " entries of "
                + Printable.of(head.head().tenant()) + " at " + head.head().time();
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LogDocument.MAX_BYTES + 1); // a longer one is refused
        }
    }

    private static void print(Terminal terminal, Path file, Finding finding, boolean json) {
        String problem = finding.problem().name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("problem", problem);
            line.put("log", file.toString());
            line.put("first", finding.first());
            line.put("last", finding.last());
            line.put("detail", finding.detail());
            terminal.out().println(Json.of(line));
            return;
        }
        String numbers = finding.first() == finding.last()
                ? String.valueOf(finding.first())
                : finding.first() + "-" + finding.last();
        terminal.out()
                .printf(
                        "%s %s %s %s%n",
                        problem, Printable.of(file.toString()), numbers, Printable.of(finding.detail()));
    }
}
