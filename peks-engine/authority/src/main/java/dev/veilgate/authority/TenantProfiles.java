package dev.veilgate.authority;

import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundleContent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * By which extractor profiles a tenant's keywords are made and were made. Former ones are kept, since envelopes name
 * the profile of their keywords for as long as they are kept. Immutable;
 * nothing secret. Profiles are opaque here.
 */
public final class TenantProfiles {
    /** Most former profiles; a change that would lose one is refused. */
    public static final int MAX_FORMER = 1024;

    /** Most bytes of all profiles after a change: a quarter of a key file. */
    public static final int MAX_BYTES = 16 << 20;

    private final byte[] first;
    private final @Nullable NextProfile next;
    private final List<byte[]> former;

    /**
     * Profiles that were never changed.
     *
     * @param first encoded, of rules 1
     */
    TenantProfiles(byte[] first) {
        this(first, null, List.of());
    }

    /** @throws IllegalArgumentException for more or longer ones than are kept */
    TenantProfiles(byte[] first, @Nullable NextProfile next, List<byte[]> former) {
        if (first.length > PublicBundleContent.MAX_PROFILE_BYTES
                || former.stream().anyMatch(each -> each.length > PublicBundleContent.MAX_PROFILE_BYTES)) {
            throw new IllegalArgumentException(
                    "a profile has at most " + PublicBundleContent.MAX_PROFILE_BYTES + " bytes");
        }
        if (former.size() > MAX_FORMER) {
            throw new IllegalArgumentException(
                    "the profile was changed " + MAX_FORMER + " times, and no more former ones are kept");
        }
        this.first = first.clone();
        this.next = next;
        this.former = former.stream().map(byte[]::clone).toList();
    }

    /** The encoded profile of rules 1. */
    public byte[] first() {
        return first.clone();
    }

    /** The profile of later rules, if there is one. */
    public Optional<NextProfile> next() {
        return Optional.ofNullable(next);
    }

    /** Encoded profiles that are not used any more, oldest first. */
    public List<byte[]> former() {
        return former.stream().map(byte[]::clone).toList();
    }

    /**
     * The profile that an envelope names.
     *
     * @return encoded; empty if it was never one of this tenant
     */
    public Optional<byte[]> named(IndexRules rules) {
        return all().filter(
                        each -> IndexRules.of(Math.max(1, rules.rules()), each).equals(rules))
                .findFirst()
                .map(byte[]::clone);
    }

    /** The same profiles with another of rules 1; the one before is kept. */
    public TenantProfiles withFirst(byte[] encoded) {
        return new TenantProfiles(encoded, next, formerWithout(encoded, next)).withinBounds();
    }

    /**
     * The same profiles with another of later rules, or none; the one before is kept.
     *
     * @param later null for none
     */
    public TenantProfiles withNext(@Nullable NextProfile later) {
        return new TenantProfiles(first, later, formerWithout(first, later)).withinBounds();
    }

    private TenantProfiles withinBounds() {
        if (bytes() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the present profiles and all former ones have at most " + (MAX_BYTES >> 20) + " MiB together");
        }
        return this;
    }

    /** All that there are now and that are not used then. */
    private List<byte[]> formerWithout(byte[] newFirst, @Nullable NextProfile newNext) {
        List<byte[]> kept = new ArrayList<>();
        Stream.concat(former.stream(), used()).forEach(each -> {
            boolean isUsed = Arrays.equals(each, newFirst) || newNext != null && Arrays.equals(each, newNext.encoded());
            if (!isUsed && each.length > 0 && kept.stream().noneMatch(other -> Arrays.equals(other, each))) {
                kept.add(each);
            }
        });
        return kept;
    }

    private Stream<byte[]> used() {
        return next == null ? Stream.of(first) : Stream.of(first, next.encoded());
    }

    private Stream<byte[]> all() {
        return Stream.concat(used(), former.stream());
    }

    /** Whether there is more to it than one profile of rules 1. */
    boolean hasMore() {
        return next != null || !former.isEmpty();
    }

    /** Bytes that all profiles take, former ones too, as {@link #MAX_BYTES} counts them. */
    public int bytes() {
        return all().mapToInt(each -> each.length + 16).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TenantProfiles that
                && Arrays.equals(first, that.first)
                && Objects.equals(next, that.next)
                && Arrays.deepEquals(former.toArray(), that.former.toArray());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(first);
    }
}
