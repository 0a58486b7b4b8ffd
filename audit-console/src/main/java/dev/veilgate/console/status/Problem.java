package dev.veilgate.console.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong, or will be. The page says in words what it is and what to do.
 *
 * @param count how many, or how much; null where there is one
 * @param names of the first senders or routes, or what the gateway says; others wrote them
 * @param since since or until when; null if that is not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Problem(
        Kind kind,
        @Nullable Long count,
        List<String> names,
        @Nullable Instant since) {
    /** Most names. */
    private static final int NAMED = 3;

    Problem {
        names = List.copyOf(names.subList(0, Math.min(NAMED, names.size())));
    }

    static Problem of(Kind kind) {
        return new Problem(kind, null, List.of(), null);
    }

    static Problem at(Kind kind, Instant when) {
        return new Problem(kind, null, List.of(), when);
    }

    /** Kinds of problems, the worst first. */
    enum Kind {
        KEYS_LOCKED,
        GATEWAY_AWAY,
        NOT_STORING,
        DISK_FULL,
        CERTIFICATE_ENDING,
        BUNDLE_ENDING,
        SET_ASIDE,
        DELIVERIES_GIVEN_UP,
        DELIVERIES_FAILING,
        DELIVERIES_WAITING,
        SPOOL_GROWING,
        DISK_LOW,
        SENDERS_WITH_GAPS,
        SENDERS_SILENT,
        ROUTES_ENDING,
        CLOCKS_DIFFER;

        /** As in the interface. */
        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Sources of problems; of one that could not be asked nothing is known. */
    enum Source {
        GATEWAY,
        SENDERS,
        ROUTES,
        FIGURES,
        MACHINE;

        /** As in the interface. */
        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
