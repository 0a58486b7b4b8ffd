package dev.veilgate.agent;

import dev.veilgate.agent.publish.Publisher;
import dev.veilgate.agent.publish.PublisherStatus;
import dev.veilgate.agent.spool.Spool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the agent says of itself: whether all is well, and numbers. No content, no keyword, no path. */
record HealthReport(Counters counters, Spool spool, Publisher publisher, SteadyClock clock) {

    /** What is wrong; empty if all is well. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        PublisherStatus status = publisher.status();
        if (!status.problem().isEmpty()) {
            problems.add("mqtt: " + status.problem());
        }
        if (!counters.waitsFor.isEmpty()) {
            problems.add("waits: " + counters.waitsFor);
        }
        if (!counters.bundle.isEmpty()) {
            problems.add("bundle: " + counters.bundle);
        }
        if (counters.sources.contains("wait:")) {
            problems.add("sources: " + counters.sources);
        }
        return problems;
    }

    String json() {
        List<String> problems = problems();
        StringBuilder out = new StringBuilder("{\"status\":\"");
        out.append(problems.isEmpty() ? "up" : "degraded").append("\",\"problems\":[");
        for (int i = 0; i < problems.size(); i++) {
            out.append(i == 0 ? "" : ",").append(quoted(problems.get(i)));
        }
        out.append("],\"sources\":").append(quoted(counters.sources));
        out.append(",\"spool\":{\"envelopes\":").append(spool.size());
        out.append(",\"bytes\":").append(spool.bytes()).append('}');
        out.append(",\"nextSequence\":").append(spool.state().next().sequence());
        out.append(",\"connected\":").append(publisher.status().connected());
        return out.append("}\n").toString();
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    String metrics() {
        PublisherStatus status = publisher.status();
        StringBuilder out = new StringBuilder();
        counter(out, "records_sealed", "Records in committed envelopes.", counters.records.get());
        counter(out, "plain_bytes_sealed", "Bytes of those records.", counters.plainBytes.get());
        counter(out, "envelopes_sealed", "Committed envelopes.", counters.envelopes.get());
        counter(out, "envelope_bytes", "Bytes of those envelopes.", counters.envelopeBytes.get());
        counter(out, "heartbeats", "Envelopes without records.", counters.heartbeats.get());
        counter(out, "catalogues", "Envelopes with changes of templates.", counters.catalogues.get());
        counter(out, "lost_records", "Records dropped or lost, as reported.", counters.lostRecords.get());
        counter(out, "lost_bytes", "Bytes of those, as far as known.", counters.lostBytes.get());
        counter(out, "disk_errors", "Failed writes.", counters.diskErrors.get());
        counter(out, "clock_steps_back", "Times the clock went back by more than a day.", clock.stepsBack());
        counter(out, "published", "Envelopes that the broker acknowledged.", status.acknowledged());
        counter(out, "refused", "Answers of the broker with a failure.", status.refused());
        counter(out, "connections", "Connections made.", status.connections());
        gauge(out, "connected", "1 if connected to the broker.", status.connected() ? 1 : 0);
        gauge(out, "spool_envelopes", "Envelopes that wait.", spool.size());
        gauge(out, "spool_bytes", "Bytes of the spool.", spool.bytes());
        gauge(out, "healthy", "1 if there is no problem.", problems().isEmpty() ? 1 : 0);
        return out.toString();
    }

    private static void counter(StringBuilder out, String name, String help, long value) {
        metric(out, name + "_total", "counter", help, value);
    }

    private static void gauge(StringBuilder out, String name, String help, long value) {
        metric(out, name, "gauge", help, value);
    }

    private static void metric(StringBuilder out, String name, String type, String help, long value) {
        String full = "veilgate_agent_" + name;
        out.append("# HELP ").append(full).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(full).append(' ').append(type).append('\n');
        out.append(full).append(' ').append(value).append('\n');
    }
}
