package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.chains.SeenChains.Seen;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of senders' chains in which a search found something, and the last of each chain that it saw. Only what a
 * registered sender signed has a number. Safe for use by several threads.
 */
final class FoundNumbers {
    /** Most hits that were named without being given, whose ids are kept. */
    private static final int MOST_NAMED = 100_000;

    private static final long[] NONE = {};

    private final Map<String, Chain> chains = new HashMap<>();
    private final Set<UUID> named = new HashSet<>();

    /** Numbers in the order in which they were found, and what the highest one says. */
    private static final class Chain {
        private long[] numbers = new long[4];
        private int count;
        private @Nullable Last last;

        private void add(Envelope envelope) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, count * 2);
            }
            numbers[count++] = envelope.sequence();
            if (last == null || last.number < envelope.sequence()) {
                last = new Last(envelope.sequence(), envelope.sealed(), envelope.heartbeatSeconds());
            }
        }
    }

    private record Last(long number, Instant sealed, int heartbeatSeconds) {}

    /** An envelope in which something was found, and that its sender signed. */
    synchronized void add(Envelope signed) {
        if (signed.sequence() > 0) {
            chains.computeIfAbsent(signed.sender(), _ -> new Chain()).add(signed);
        }
    }

    /** A hit whose envelope was not given: the gateway named it, so that it hid nothing. */
    synchronized void addNamed(SearchEvent.Hit hit) {
        if (named.size() < MOST_NAMED) {
            named.add(hit.envelope());
        }
    }

    /** Whether the gateway named an envelope as a hit, and did not give it. */
    synchronized boolean wasNamed(UUID envelope) {
        return named.contains(envelope);
    }

    /** Numbers of a sender in which something was found, each once, ascending. */
    synchronized long[] of(String sender) {
        Chain chain = chains.get(sender);
        return chain == null
                ? NONE
                : Arrays.stream(chain.numbers, 0, chain.count)
                        .sorted()
                        .distinct()
                        .toArray();
    }

    /** Sights of the chains of these keys. */
    synchronized List<Seen> seen(Map<String, SenderPublicKey> keys) {
        return chains.entrySet().stream()
                .filter(chain -> keys.containsKey(chain.getKey()) && chain.getValue().last != null)
                .map(chain -> {
                    SenderPublicKey key = Objects.requireNonNull(keys.get(chain.getKey()));
                    Last last = Objects.requireNonNull(chain.getValue().last);
                    return new Seen(
                            key.sender(), key.fingerprint(), last.number(), last.sealed(), last.heartbeatSeconds());
                })
                .toList();
    }

    @Override
    public synchronized String toString() {
        return "FoundNumbers[" + chains.size() + " chains]";
    }
}
