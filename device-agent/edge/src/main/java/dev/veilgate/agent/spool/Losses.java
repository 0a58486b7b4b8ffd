package dev.veilgate.agent.spool;

import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.LossReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Loss reports, one a reason, so that they stay few. */
public final class Losses {
    private Losses() {}

    /** The reports with one more. */
    public static List<LossReport> add(List<LossReport> reports, LossReport more) {
        List<LossReport> sum = new ArrayList<>();
        boolean merged = false;
        for (LossReport report : reports) {
            boolean same = report.reason().equals(more.reason());
            sum.add(same ? merge(report, more) : report);
            merged |= same;
        }
        if (!merged && sum.size() < EnvelopeDraft.MAX_LOSS_REPORTS) {
            sum.add(more);
        }
        return List.copyOf(sum);
    }

    private static LossReport merge(LossReport a, LossReport b) {
        Instant from = a.from().isBefore(b.from()) ? a.from() : b.from();
        Instant to = a.to().isAfter(b.to()) ? a.to() : b.to();
        return new LossReport(a.reason(), a.records() + b.records(), a.bytes() + b.bytes(), from, to);
    }
}
