package dev.veilgate.console.senders;

import dev.veilgate.console.http.ProblemException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Some of all senders.
 *
 * @param known   whether the gateway said what it knows of them
 * @param total   of all
 * @param states  how many there are of each state, of all
 * @param found   how many are wanted, on all pages
 * @param senders of this page
 */
record SenderPage(boolean known, int total, Map<String, Integer> states, int found, List<Sender> senders) {
    private static final int MOST = 200;
    private static final int MAX_TEXT = 256;

    /** Which, in which order, and which part of them. */
    record Wanted(String part, String state, String order, int from, int count) {
        /** @throws ProblemException 400 saying what is wrong */
        Wanted {
            if (!order.equals("name") && !order.equals("heard")) {
                throw ProblemException.malformed("order must be name or heard");
            }
            if (from < 0 || count < 1 || count > MOST) {
                throw ProblemException.malformed("from must be 0 or more, count 1 to " + MOST);
            }
            if (part.length() > MAX_TEXT) {
                throw ProblemException.malformed("text has at most " + MAX_TEXT + " characters");
            }
        }

        private boolean holds(Sender sender) {
            String wanted = part.strip().toLowerCase(Locale.ROOT);
            boolean isNamed = sender.name().toLowerCase(Locale.ROOT).contains(wanted)
                    || sender.fingerprint() != null
                            && sender.fingerprint().toLowerCase(Locale.ROOT).contains(wanted);
            return isNamed && (state.isEmpty() || state.equals(sender.state()));
        }

        private Comparator<Sender> comparator() {
            Comparator<Sender> byName = Comparator.comparing(Sender::name);
            return order.equals("name")
                    ? byName
                    : Comparator.comparing(Sender::lastSeen, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
                            .thenComparing(byName);
        }
    }

    static SenderPage of(Collection<Sender> all, Wanted wanted, boolean isKnown) {
        Map<String, Integer> states = new TreeMap<>();
        all.forEach(sender -> states.merge(sender.state(), 1, Integer::sum));
        List<Sender> found =
                all.stream().filter(wanted::holds).sorted(wanted.comparator()).toList();
        List<Sender> page =
                found.stream().skip(wanted.from()).limit(wanted.count()).toList();
        return new SenderPage(isKnown, all.size(), states, found.size(), page);
    }
}
