package dev.veilgate.sse.segments;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says which segments are merged: eight of about the same size, so that each document is written again once for each
 * eightfold of documents, and one that is half dead. No merged segment is larger than a bound, and none has words of
 * different rules.
 */
record MergePolicy(long largest) {
    /** Segments that are merged at a time. */
    static final int TOGETHER = 8;

    private static final long SMALLEST = 1 << 16;
    private static final long TIERS = Long.SIZE; // more than there are

    /** Segments up to 2 GiB. */
    static final MergePolicy STANDARD = new MergePolicy(1L << 31);

    /** The next merge: one segment or more; empty if none is due. */
    Optional<List<Manifest.LiveSegment>> next(Manifest state) {
        SortedMap<Long, List<Manifest.LiveSegment>> tiers = new TreeMap<>();
        for (Manifest.LiveSegment segment : state.segments()) {
            if (segment.documents() <= segment.entry().layout().documents() / 2) {
                return Optional.of(List.of(segment));
            }
            tiers.computeIfAbsent(TIERS * rules(segment) + tier(segment.entry().bytes()), _ -> new ArrayList<>())
                    .add(segment);
        }
        for (List<Manifest.LiveSegment> tier : tiers.values()) {
            if (tier.size() >= TOGETHER) {
                List<Manifest.LiveSegment> first = tier.subList(0, TOGETHER);
                long bytes = first.stream()
                        .mapToLong(segment -> segment.entry().bytes())
                        .sum();
                if (bytes <= largest) {
                    return Optional.of(List.copyOf(first));
                }
            }
        }
        return Optional.empty();
    }

    /** Groups of all segments, none of which is larger than the bound; without those that would not change. */
    List<List<Manifest.LiveSegment>> all(Manifest state) {
        List<List<Manifest.LiveSegment>> groups = groups(state.segments());
        groups.removeIf(each -> each.size() == 1 && each.getFirst().dead() == null);
        return groups;
    }

    /** Groups of some segments in their order, none of which is larger than the bound but such as have one. */
    List<List<Manifest.LiveSegment>> groups(List<Manifest.LiveSegment> segments) {
        SortedMap<Long, List<Manifest.LiveSegment>> byRules = new TreeMap<>();
        segments.forEach(segment ->
                byRules.computeIfAbsent(rules(segment), _ -> new ArrayList<>()).add(segment));
        List<List<Manifest.LiveSegment>> groups = new ArrayList<>();
        byRules.values().forEach(each -> groups.addAll(ofOneRules(each)));
        return groups;
    }

    private List<List<Manifest.LiveSegment>> ofOneRules(List<Manifest.LiveSegment> segments) {
        List<List<Manifest.LiveSegment>> groups = new ArrayList<>();
        List<Manifest.LiveSegment> group = new ArrayList<>();
        long bytes = 0;
        for (Manifest.LiveSegment segment : segments) {
            if (!group.isEmpty() && bytes + segment.entry().bytes() > largest) {
                groups.add(group);
                group = new ArrayList<>();
                bytes = 0;
            }
            group.add(segment);
            bytes += segment.entry().bytes();
        }
        groups.add(group);
        groups.removeIf(List::isEmpty);
        return groups;
    }

    private static long rules(Manifest.LiveSegment segment) {
        return segment.entry().layout().rules();
    }

    private static int tier(long bytes) {
        int tier = 0;
        for (long size = SMALLEST; size < bytes; size *= TOGETHER) {
            tier++;
        }
        return tier;
    }
}
