package dev.veilgate.console.audit;

import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.issuing.SignedTreeHead;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The log as pages show it. */
final class LogPages {
    /** Entries that are looked at for one page: a filter that matches little gives short pages, not long waits. */
    static final int MAX_SCANNED = 20_000;

    private static final int AT_ONCE = 200;

    private LogPages() {}

    record NamedValue(String name, String value) {
        static List<NamedValue> of(SortedMap<String, String> details) {
            return details.entrySet().stream()
                    .map(detail -> new NamedValue(detail.getKey(), detail.getValue()))
                    .toList();
        }

        @Override
        public String toString() {
            return "NamedValue[" + name + "]";
        }
    }

    record Entry(long number, Instant time, String actor, String kind, List<NamedValue> details, boolean sealed) {
        static Entry of(LogEntry entry) {
            return new Entry(
                    entry.number(),
                    entry.time(),
                    entry.actor(),
                    LogPages.kind(entry),
                    NamedValue.of(entry.details()),
                    entry.sealed().length > 0);
        }
    }

    record Page(
            long size,
            @Nullable String root,
            @Nullable Instant headTime,
            List<Entry> entries,
            @Nullable Long next) {}

    /** As the interface has it: attribute-key. What rules allowed by themselves nobody approved. */
    static String kind(LogEntry entry) {
        if (entry.kind() == EntryKind.APPROVED && !entry.details().containsKey(Entries.APPROVAL)) {
            return "allowed-by-rule";
        }
        if (entry.kind() == EntryKind.LOGIN
                && Entries.LOGGED_OUT.equals(entry.details().get(Entries.ACTION))) {
            return "logout";
        }
        return entry.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Entries from the newest down.
     *
     * @param before   a number
     * @param withHead signs a head if entries were written since the last one
     */
    static Page page(IssuingLog log, Predicate<LogEntry> wanted, long before, int limit, boolean withHead)
            throws IOException {
        Optional<SignedTreeHead> head = withHead ? Optional.of(log.head()) : Optional.empty();
        List<Entry> found = new ArrayList<>();
        long next = Math.min(before, log.size() + 1);
        for (int scanned = 0; scanned < MAX_SCANNED && found.size() < limit && next > 1; ) {
            for (LogEntry entry : log.newestFirst(next, AT_ONCE)) {
                scanned++;
                next = entry.number();
                if (wanted.test(entry)) {
                    found.add(Entry.of(entry));
                    if (found.size() == limit) {
                        break;
                    }
                }
            }
        }
        return new Page(
                log.size(),
                head.map(h -> HexFormat.of().formatHex(h.head().root())).orElse(null),
                head.map(h -> h.head().time()).orElse(null),
                found,
                next > 1 ? next : null);
    }
}
