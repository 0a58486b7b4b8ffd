package dev.veilgate.sse.suise;

import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that an owner sent, in their order, and a digest of each of its states that a server may be at.
 *
 * <pre>
 *   D_0 = 0^256,   D_n = SHA-256(D_(n-1) || t_n)      t_n: the token sent as the n-th
 * </pre>
 *
 * <p>A server keeps n and D_n of the last search that it has answered. An owner names the digests from the last that
 * she knows to be answered to that of all she has sent. So the server's is among them exactly if what it knows is the
 * beginning of her history, but for collisions of SHA-256: an owner whose cells were restored from a copy is told,
 * whatever she sends meanwhile.
 */
final class SuiseHistory {
    /** Bytes of a digest. */
    static final int DIGEST_BYTES = 32;

    /** Searches of new words that no server has answered. */
    static final int MAX_UNANSWERED = 1 << 12;

    private static final String SEARCHED = "searched";
    private static final String DIGESTS = "digests";
    private static final byte[] ALL = new byte[0];

    private SuiseHistory() {}

    /**
     * Consecutive states of a history.
     *
     * @param first   tokens in the first of them
     * @param digests of each, at least one
     */
    record States(long first, List<byte[]> digests) {
        /** Tokens in the last of them. */
        long last() {
            return first + digests.size() - 1;
        }

        /** Whether a state is one of these, or lies before them. */
        boolean follow(long tokens, byte[] digest) {
            return tokens < first
                    || tokens <= last() && Arrays.equals(digest, digests.get(Math.toIntExact(tokens - first)));
        }

        byte[] lastDigest() {
            return digests.getLast();
        }
    }

    /** How many were sent before a token, 8 bytes; null if it was not sent. */
    static byte @Nullable [] order(Cells cells, byte[] token) {
        return cells.get(SEARCHED, token);
    }

    /** Notes that a token is going to be sent. */
    static void send(Cells cells, byte[] token) throws SseException {
        if (cells.get(SEARCHED, token) != null) {
            return;
        }
        States states = states(cells);
        if (states.digests().size() > MAX_UNANSWERED) {
            throw new SseException("no server has answered the last " + MAX_UNANSWERED
                    + " searches of new words; search for one that was searched before until it does");
        }
        if (states.last() == 0) {
            cells.put(DIGESTS, number(0), states.lastDigest());
        }
        cells.put(SEARCHED, token, number(states.last()));
        cells.put(DIGESTS, number(states.last() + 1), after(states.lastDigest(), token));
    }

    /** From the last state that a server is known to have seen to the present one. */
    static States states(Cells cells) {
        SortedMap<Long, byte[]> digests = new TreeMap<>();
        cells.scan(
                DIGESTS,
                ALL,
                (number, digest) -> digests.put(ByteBuffer.wrap(number).getLong(), digest.clone()));
        return digests.isEmpty()
                ? new States(0, List.of(new byte[DIGEST_BYTES]))
                : new States(digests.firstKey(), List.copyOf(digests.values()));
    }

    /** A server has answered a search that was sent in the state of so many tokens. */
    static Done answered(Cells cells, long tokens) {
        for (long older = states(cells).first(); older < tokens; older++) {
            cells.remove(DIGESTS, number(older));
        }
        return Done.DONE;
    }

    /** The digest of a state with one token more. */
    static byte[] after(byte[] digest, byte[] token) {
        return new Sha256().add(digest).add(token).finish();
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
