package dev.veilgate.console.rules;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asked approval for, as it is kept. An approval is good for the same question ({@link #id}) about the same time or a part of it ({@link #covers}): so "the last 24 hours"
 * stays approved while the hours go by, and a longer time does not.
 *
 * @param purpose label
 * @param epochs  that trapdoors are needed for
 * @param about   what is done with the trapdoors of a route; empty for searches
 */
record Asked(
        String purpose,
        String query,
        String scope,
        boolean mail,
        @Nullable Instant from,
        @Nullable Instant to,
        List<String> senders,
        List<String> epochs,
        String about) {
    /** Who asks for the time up to now asks for what comes while the approval holds, too. */
    private static final Duration NOW = Duration.ofMinutes(1);

    static Asked of(Intent intent, String about) {
        return new Asked(
                Rule.label(intent.purpose()),
                intent.text().query().strip(),
                intent.text().scope(),
                intent.text().mail(),
                intent.filter().from().orElse(null),
                intent.filter().to().orElse(null),
                List.copyOf(new TreeSet<>(intent.filter().senders())),
                intent.epochs(),
                about);
    }

    @Override
    public String toString() {
        return "Asked[hidden]";
    }

    /** Digest of everything but times and epochs. */
    String id() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            List<String> parts =
                    List.of(purpose, query, scope, mail ? "mail" : "", about, String.valueOf(senders.size()));
            for (String part : parts) {
                put(sha, part);
            }
            senders.forEach(sender -> put(sha, sender));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    private static void put(MessageDigest sha, String part) {
        byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
        sha.update((utf8.length + ":").getBytes(StandardCharsets.US_ASCII));
        sha.update(utf8);
    }

    /**
     * Whether the time of another request with this {@link #id} is within this one's. Epochs that began since this was asked count as long as something of its time can be sealed in them and they are not
     * ahead of the present by more than was asked for: a search may reach up to now, a route as far beyond as it did, and has no more epochs than it had.
     *
     * @param requested when this was asked
     * @param now       when the other is asked
     */
    boolean covers(Asked other, Instant requested, EpochPolicy policy, Instant now) {
        boolean isOpen = to == null || !to.isBefore(requested.minus(NOW));
        boolean begins = from == null || other.from != null && !other.from.isBefore(from);
        boolean ends = isOpen || other.to != null && !other.to.isAfter(to);
        boolean isRoute = purpose.equals(Rule.label(Purpose.ROUTE));
        boolean isNoLonger = !isRoute || other.epochs.size() <= epochs.size();
        String last = isRoute ? last(policy, now, ahead(policy.at(requested).name())) : last(policy, isOpen, now);
        return begins
                && ends
                && isNoLonger
                && other.epochs.stream()
                        .allMatch(epoch -> epochs.contains(epoch)
                                || (isOpen || !isRoute) && isLater(epoch) && !isAfter(epoch, last));
    }

    /** The last epoch of a search that is asked now: what is of its time may have been sealed later, in an epoch that has begun since. */
    private String last(EpochPolicy policy, boolean isOpen, Instant now) {
        Filter until = new Filter(Optional.empty(), isOpen ? Optional.empty() : Optional.ofNullable(to), Set.of());
        Instant sealed =
                EventTime.widened(until).to().map(end -> end.minusMillis(1)).orElse(now);
        return policy.at(sealed.isBefore(now) ? sealed : now).name();
    }

    /** How many of its epochs had not begun. */
    private long ahead(String present) {
        return epochs.stream().filter(epoch -> isAfter(epoch, present)).count();
    }

    private static String last(EpochPolicy policy, Instant now, long ahead) {
        var epoch = policy.at(now);
        for (long i = 0; i < ahead; i++) {
            epoch = policy.at(epoch.to());
        }
        return epoch.name();
    }

    private boolean isLater(String epoch) {
        return epochs.stream().allMatch(known -> isAfter(epoch, known));
    }

    /** Names of epochs are in the order of time. */
    private static boolean isAfter(String epoch, String other) {
        return epoch.compareTo(other) > 0;
    }
}
