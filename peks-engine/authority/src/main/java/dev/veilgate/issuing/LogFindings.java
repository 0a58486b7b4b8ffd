package dev.veilgate.issuing;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Findings in order, runs of one kind united, at most {@link LogVerifier#MAX_FINDINGS} of a kind. */
final class LogFindings {
    private final List<LogVerifier.Finding> findings = new ArrayList<>();
    private final Map<LogProblem, Integer> kept = new EnumMap<>(LogProblem.class);
    private long omitted;

    void add(LogProblem problem, long first, long last, String detail) {
        LogVerifier.Finding before = findings.isEmpty() ? null : findings.getLast();
        if (before != null && before.problem() == problem && first > 0 && before.last() + 1 == first) {
            findings.set(findings.size() - 1, new LogVerifier.Finding(problem, before.first(), last, before.detail()));
        } else if (kept.merge(problem, 1, Integer::sum) <= LogVerifier.MAX_FINDINGS) {
            findings.add(new LogVerifier.Finding(problem, first, last, detail));
        } else {
            omitted++;
        }
    }

    List<LogVerifier.Finding> all() {
        List<LogVerifier.Finding> all = new ArrayList<>(findings);
        if (omitted > 0) {
            all.add(new LogVerifier.Finding(LogProblem.OMITTED, 0, 0, omitted + " more findings"));
        }
        return all;
    }
}
