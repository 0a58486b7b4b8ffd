package dev.veilgate.proxy;

import dev.veilgate.program.NativeLibrary;
import dev.veilgate.service.Health;
import dev.veilgate.service.Monitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What the proxy says of itself. Not able to take mail, or its disk failed at the last write: a problem. A relay that
 * is away is one too, though mail is still taken, and so is mail that was acknowledged, refused by the relay, and could
 * not be reported.
 */
record ProxyHealth(MailSubmission submission, OutboundSpool spool, ProxyMetrics counts) implements Monitor.Subject {

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        String bundle = submission.bundleProblem();
        if (!bundle.isEmpty()) {
            problems.add("bundle: " + bundle);
        }
        String signer = submission.signerProblem();
        if (!signer.isEmpty()) {
            problems.add("signing key: " + signer);
        }
        if (counts.diskFailed) {
            problems.add("spool: the last write failed");
        }
        int failed = failed();
        if (failed > 0) {
            problems.add(
                    "delivery: " + failed + " mails were refused for good, and so were the reports to their senders;"
                            + " they are in the spool's folder failed");
        }
        if (!counts.relayReachable) {
            problems.add("smtp: the next server cannot be reached");
        }
        return problems;
    }

    @Override
    public Health health() {
        SequencedMap<String, Object> more = new LinkedHashMap<>();
        more.put("waiting", counts.waiting);
        more.put("setAside", failed());
        more.put("postQuantum", NativeLibrary.inUse());
        return new Health(problems(), more);
    }

    @Override
    public String metrics() {
        return counts.text(problems().isEmpty(), failed());
    }

    private int failed() {
        try {
            return spool.failed();
        } catch (IOException e) {
            return -1;
        }
    }
}
