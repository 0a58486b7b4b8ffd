package dev.veilgate.agent;

import dev.veilgate.agent.publish.Publisher;
import dev.veilgate.agent.publish.PublisherStatus;
import dev.veilgate.agent.spool.Spool;
import dev.veilgate.program.NativeLibrary;
import dev.veilgate.service.Health;
import dev.veilgate.service.MetricsText;
import dev.veilgate.service.Monitor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** What the agent says of itself: whether all is well, and numbers. No content, no keyword, no path. */
record HealthReport(Counters counters, Spool spool, Publisher publisher, SteadyClock clock) implements Monitor.Subject {

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

    @Override
    public Health health() {
        SequencedMap<String, Object> waiting = new LinkedHashMap<>();
        waiting.put("envelopes", spool.size());
        waiting.put("bytes", spool.bytes());
        SequencedMap<String, Object> more = new LinkedHashMap<>();
        more.put("sources", counters.sources);
        more.put("spool", waiting);
        more.put("nextSequence", spool.state().next().sequence());
        more.put("connected", publisher.status().connected());
        more.put("postQuantum", NativeLibrary.inUse());
        return new Health(problems(), more);
    }

    @Override
    public String metrics() {
        PublisherStatus status = publisher.status();
        return new MetricsText("veilgate_agent_")
                .counter("records_sealed", "Records in committed envelopes.", counters.records.get())
                .counter("plain_bytes_sealed", "Bytes of those records.", counters.plainBytes.get())
                .counter("envelopes_sealed", "Committed envelopes.", counters.envelopes.get())
                .counter("envelope_bytes", "Bytes of those envelopes.", counters.envelopeBytes.get())
                .counter("heartbeats", "Envelopes without records.", counters.heartbeats.get())
                .counter("catalogues", "Envelopes with changes of templates.", counters.catalogues.get())
                .counter("lost_records", "Records dropped or lost, as reported.", counters.lostRecords.get())
                .counter("lost_bytes", "Bytes of those, as far as known.", counters.lostBytes.get())
                .counter("files_left_out", "Rotated files that were not read.", counters.filesLeftOut.get())
                .counter(
                        "files_refused",
                        "Files that are not read, by the rule of links or as the agent's own.",
                        counters.filesRefused.get())
                .counter(
                        "files_copied",
                        "Files that begin as others that are followed, as copies do.",
                        counters.filesCopied.get())
                .counter("set_aside", "Envelopes that were refused for good and set aside.", counters.setAside.get())
                .counter("disk_errors", "Failed writes.", counters.diskErrors.get())
                .counter("clock_steps_back", "Times the clock went back by more than ten minutes.", clock.stepsBack())
                .counter("published", "Envelopes that the broker acknowledged.", status.acknowledged())
                .counter("refused", "Answers of the broker with a failure.", status.refused())
                .counter("connections", "Connections made.", status.connections())
                .gauge("connected", "1 if connected to the broker.", status.connected() ? 1 : 0)
                .gauge("spool_envelopes", "Envelopes that wait.", spool.size())
                .gauge("spool_bytes", "Bytes of the spool.", spool.bytes())
                .gauge("healthy", "1 if there is no problem.", problems().isEmpty() ? 1 : 0)
                .toString();
    }
}
