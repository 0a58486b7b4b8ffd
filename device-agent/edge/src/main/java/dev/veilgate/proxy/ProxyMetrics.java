package dev.veilgate.proxy;

import dev.veilgate.service.MetricsText;
import java.util.concurrent.atomic.LongAdder;

/** What the proxy counts. Numbers only. */
final class ProxyMetrics {
    final LongAdder accepted = new LongAdder();
    final LongAdder triedAgain = new LongAdder();
    final LongAdder cutShort = new LongAdder();
    final LongAdder refusedRecipients = new LongAdder();
    final LongAdder refusedMessages = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder deferred = new LongAdder();
    final LongAdder bounced = new LongAdder();
    final LongAdder diskErrors = new LongAdder();
    final LongAdder failedLogins = new LongAdder();
    volatile boolean relayReachable = true;
    volatile boolean diskFailed;
    volatile int waiting;

    /** A write that failed. */
    void diskFailed() {
        diskErrors.increment();
        diskFailed = true;
    }

    /** In the text format of Prometheus. */
    String text(boolean healthy, int failed) {
        return new MetricsText("veilgate_mail_")
                .counter("accepted", "Messages sealed and on disk.", accepted.sum())
                .counter(
                        "tried_again",
                        "Messages whose attachments could not be read in time and were tried once more.",
                        triedAgain.sum())
                .counter(
                        "cut_short",
                        "Messages sealed with an index that lacks what could not be read in time.",
                        cutShort.sum())
                .counter("refused_recipients", "Recipients refused for want of a key.", refusedRecipients.sum())
                .counter("refused_messages", "Messages refused.", refusedMessages.sum())
                .counter("repeated", "Messages submitted twice, and sent once.", repeated.sum())
                .counter("delivered", "Copies taken by the relay, by recipient.", delivered.sum())
                .counter("deferred", "Attempts to be repeated.", deferred.sum())
                .counter("bounced", "Recipients given up.", bounced.sum())
                .counter("disk_errors", "Failed writes.", diskErrors.sum())
                .counter("failed_logins", "Logins with a wrong password, or one too many.", failedLogins.sum())
                .gauge("waiting", "Mails in the spool.", waiting)
                .gauge(
                        "set_aside",
                        "Mails that were refused for good and could not be reported, in the spool's folder failed.",
                        failed)
                .gauge("relay_reachable", "1 if the last connection to the relay worked.", relayReachable ? 1 : 0)
                .gauge("healthy", "1 if there is no problem.", healthy ? 1 : 0)
                .toString();
    }
}
