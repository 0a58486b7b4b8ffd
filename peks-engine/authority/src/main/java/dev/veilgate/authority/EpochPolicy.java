package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.query.Filter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long an epoch is; all in UTC. A trapdoor opens one epoch: shorter ones expire sooner, and a search over a long time takes more trapdoors.
 */
public enum EpochPolicy {
    /** 2026-11-21. */
    DAILY,
    /** 2026-11. */
    MONTHLY,
    /** 2026. */
    YEARLY;

    /** Most epochs of a range. */
    public static final int MAX_RANGE = 1024;

    /** The epoch of a time. */
    public Epoch at(Instant time) {
        return startingAt(firstDay(LocalDate.ofInstant(time, ZoneOffset.UTC)));
    }

    /** All epochs that overlap a time. */
    public List<Epoch> between(Instant from, Instant to) {
        List<Epoch> epochs = new ArrayList<>();
        for (Epoch epoch = at(from); epoch.from().isBefore(to) && epochs.size() < MAX_RANGE; epoch = at(epoch.to())) {
            epochs.add(epoch);
        }
        return epochs;
    }

    /**
     * The epochs of a text: one name, a list {@code 2026-09,2026-11}, a range {@code 2026-09..2026-11} with both ends, or lists of them.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    public List<String> parse(String text) {
        List<String> names = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf("..");
            Epoch first = named(dots < 0 ? part : part.substring(0, dots));
            Epoch last = dots < 0 ? first : named(part.substring(dots + 2));
            if (last.from().isBefore(first.from())) {
                throw new IllegalArgumentException("a range of epochs goes from the earlier to the later one");
            }
            for (Epoch epoch : between(first.from(), last.to())) {
                if (!names.contains(epoch.name())) {
                    names.add(epoch.name());
                }
            }
            if (names.size() >= MAX_RANGE) {
                throw new IllegalArgumentException("at most " + (MAX_RANGE - 1) + " epochs at once");
            }
        }
        return names;
    }

    /**
     * The epochs that a search has to ask: those of its time that have begun, up to the present if it names no end, or the present one. There is nothing to be found in later ones, and trapdoors for them would
     * find what comes long after the search.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_RANGE}
     */
    public List<String> searched(Filter filter, Instant now) {
        Instant end = filter.from().isEmpty()
                ? now
                : filter.to()
                        .map(to -> to.minusMillis(1))
                        .filter(to -> to.isBefore(now))
                        .orElse(now);
        return names(filter, now, at(end));
    }

    /**
     * The epochs of a route, which finds what comes: those of a search, or as far as its time goes, and more.
     *
     * @param ahead how many more behind the last
     * @throws IllegalArgumentException if there are more than {@link #MAX_RANGE}
     */
    public List<String> routed(Filter filter, Instant now, int ahead) {
        Instant end = filter.from().isEmpty()
                ? now
                : filter.to().map(to -> to.minusMillis(1)).orElse(now);
        Epoch last = at(end);
        for (int i = 0; i < ahead; i++) {
            last = at(last.to());
        }
        return names(filter, now, last);
    }

    private List<String> names(Filter filter, Instant now, Epoch last) {
        Instant first = filter.from().filter(from -> from.isBefore(now)).orElse(now);
        List<String> names = between(first, last.to()).stream().map(Epoch::name).toList();
        if (names.size() == MAX_RANGE && !names.getLast().equals(last.name())) {
            throw new IllegalArgumentException("at most " + MAX_RANGE + " epochs at once; choose a shorter time");
        }
        return names;
    }

    /**
     * The epoch of a name.
     *
     * @throws IllegalArgumentException if it is none of this policy
     */
    public Epoch named(String name) {
        try {
            LocalDate day = switch (this) {
                case DAILY -> LocalDate.parse(name.strip());
                case MONTHLY -> YearMonth.parse(name.strip()).atDay(1);
                case YEARLY -> Year.parse(name.strip()).atDay(1);
            };
            Epoch epoch = startingAt(day);
            if (!epoch.name().equals(name.strip())) {
                throw new IllegalArgumentException("epochs are written like " + example());
            }
            return epoch;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("epochs are written like " + example(), e);
        }
    }

    private String example() {
        return switch (this) {
            case DAILY -> "2026-11-21";
            case MONTHLY -> "2026-11";
            case YEARLY -> "2026";
        };
    }

    private LocalDate firstDay(LocalDate day) {
        return switch (this) {
            case DAILY -> day;
            case MONTHLY -> day.withDayOfMonth(1);
            case YEARLY -> day.withDayOfYear(1);
        };
    }

    private Epoch startingAt(LocalDate first) {
        LocalDate next = switch (this) {
            case DAILY -> first.plusDays(1);
            case MONTHLY -> first.plusMonths(1);
            case YEARLY -> first.plusYears(1);
        };
        String name = switch (this) {
            case DAILY -> first.toString();
            case MONTHLY -> YearMonth.from(first).toString();
            case YEARLY -> Year.from(first).toString();
        };
        return new Epoch(
                name,
                first.atStartOfDay().toInstant(ZoneOffset.UTC),
                next.atStartOfDay().toInstant(ZoneOffset.UTC));
    }

    /** Its name in formats and options. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static EpochPolicy byId(String id) throws MalformedEncodingException {
        for (EpochPolicy policy : values()) {
            if (policy.id().equals(id)) {
                return policy;
            }
        }
        throw new MalformedEncodingException("keys.epochs", "must be daily, monthly or yearly");
    }
}
