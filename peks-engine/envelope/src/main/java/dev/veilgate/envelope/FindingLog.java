package dev.veilgate.envelope;

import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.ChainVerifier.Problem;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Findings in order, runs of one kind united, at most {@link ChainVerifier#MAX_FINDINGS} of a kind: whoever floods the verifier with
 * garbage, which anybody can make, must not hide a fork by it.
 */
final class FindingLog {
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Problem, Integer> kept = new EnumMap<>(Problem.class);
    private long omitted;

    void add(Problem problem, String sender, long sequence, String detail) {
        add(new Finding(problem, sender, sequence, sequence, detail));
    }

    void add(Finding finding) {
        Finding last = findings.isEmpty() ? null : findings.getLast();
        if (last != null
                && unites(finding.problem())
                && last.problem() == finding.problem()
                && last.sender().equals(finding.sender())
                && last.lastSequence() + 1 == finding.firstSequence()) {
            findings.set(
                    findings.size() - 1,
                    new Finding(
                            last.problem(),
                            last.sender(),
                            last.firstSequence(),
                            finding.lastSequence(),
                            last.detail()));
        } else if (kept.getOrDefault(finding.problem(), 0) < ChainVerifier.MAX_FINDINGS) {
            kept.merge(finding.problem(), 1, Integer::sum);
            findings.add(finding);
        } else {
            omitted++;
        }
    }

    /** The detail of a run is that of its first; where each has its own story, each stays. */
    private static boolean unites(Problem problem) {
        return switch (problem) {
            case MISSING, REPEATED, REORDERED, ALTERED, BAD_SIGNATURE, UNKNOWN_SENDER -> true;
            default -> false;
        };
    }

    List<Finding> findings() {
        return findings;
    }

    long omitted() {
        return omitted;
    }
}
