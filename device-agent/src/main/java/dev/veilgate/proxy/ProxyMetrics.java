package dev.veilgate.proxy;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** What the proxy counts. Numbers only. */
final class ProxyMetrics {
    final LongAdder accepted = new LongAdder();
    final LongAdder refusedRecipients = new LongAdder();
    final LongAdder refusedMessages = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder delivered = new LongAdder();
    final LongAdder deferred = new LongAdder();
    final LongAdder bounced = new LongAdder();
    volatile boolean relayReachable = true;
    volatile int waiting;

    /** In the text format of Prometheus. */
    String text() {
        var out = new StringBuilder();
        counter(out, "accepted_total", "Messages sealed and on disk.", accepted);
        counter(out, "refused_recipients_total", "Recipients refused for want of a key.", refusedRecipients);
        counter(out, "refused_messages_total", "Messages refused.", refusedMessages);
        counter(out, "repeated_total", "Messages submitted twice, and sent once.", repeated);
        counter(out, "delivered_total", "Copies taken by the relay, by recipient.", delivered);
        counter(out, "deferred_total", "Attempts to be repeated.", deferred);
        counter(out, "bounced_total", "Recipients given up.", bounced);
        gauge(out, "waiting", "Mails in the spool.", waiting);
        gauge(out, "relay_reachable", "Whether the last connection to the relay worked.", relayReachable ? 1 : 0);
        return out.toString();
    }

    private static void counter(StringBuilder out, String name, String help, LongAdder value) {
        line(out, name, help, "counter", value.sum());
    }

    private static void gauge(StringBuilder out, String name, String help, long value) {
        line(out, name, help, "gauge", value);
    }

    private static void line(StringBuilder out, String name, String help, String type, long value) {
        out.append(String.format(
                Locale.ROOT,
                "# HELP veilgate_mail_%1$s %2$s%n# TYPE veilgate_mail_%1$s %3$s%nveilgate_mail_%1$s %4$d%n",
                name,
                help,
                type,
                value));
    }
}
