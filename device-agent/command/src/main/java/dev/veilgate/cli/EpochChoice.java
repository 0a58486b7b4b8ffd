package dev.veilgate.cli;

import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Some epochs of those that a reader's file has. The file does not say how long epochs are; their names are ordered as their times are. */
final class EpochChoice implements Predicate<String> {
    /** A name alone is a range from it to itself. */
    private record Range(String first, String last) {
        boolean has(String epoch) {
            return first.compareTo(epoch) <= 0 && epoch.compareTo(last) <= 0;
        }

        @Override
        public String toString() {
            return first.equals(last) ? first : first + ".." + last;
        }
    }

    private final List<Range> ranges;

    private EpochChoice(List<Range> ranges) {
        this.ranges = ranges;
    }

    /** @param text {@code 2026-11}, {@code 2026-11,2026-12}, {@code 2026-11..2027-01}; null for all */
    static EpochChoice parse(@Nullable String text) throws CommandFailure {
        List<Range> ranges = new ArrayList<>();
        for (String part : text == null ? new String[0] : text.split(",", -1)) {
            int dots = part.indexOf("..");
            String first = (dots < 0 ? part : part.substring(0, dots)).strip();
            String last = dots < 0 ? first : part.substring(dots + 2).strip();
            if (first.isEmpty() || last.isEmpty() || first.length() != last.length() || first.compareTo(last) > 0) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--epoch: epochs are written as in the file: 2026-11, a list 2026-11,2026-12, or a range 2026-11..2027-01");
            }
            ranges.add(new Range(first, last));
        }
        return new EpochChoice(ranges);
    }

    boolean isGiven() {
        return !ranges.isEmpty();
    }

    @Override
    public boolean test(String epoch) {
        return ranges.isEmpty() || ranges.stream().anyMatch(range -> range.has(epoch));
    }

    /** Refuses an epoch or a range of which the file has none. */
    void requireIn(List<ReaderKey> held) throws CommandFailure {
        SortedSet<String> there = new TreeSet<>();
        held.forEach(key -> there.addAll(key.label().epochs()));
        for (Range range : ranges) {
            if (there.stream().noneMatch(range::has)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--epoch: the file has no keys for " + Printable.of(range.toString()) + ", but for "
                                + Printable.of(String.join(", ", there)));
            }
        }
    }
}
