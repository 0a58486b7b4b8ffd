package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the chains of envelopes of several senders, offered in any order; names what is wrong.
 *
 * <p>A chain is whole when every sequence number from 1 to the highest seen is there once, signed, and names the digest of the one
 * before. What nobody can see is a tail that was dropped together with every later envelope, unless its sender promised one: {@link
 * Problem#SILENT_TAIL}.
 *
 * <p><b>Window.</b> Senders number their envelopes in order, but a shared subscription or several connections deliver them in
 * another. With a window of w, an envelope that is late by less than w of its sender's envelopes is in order, and a gap is declared only
 * after w later ones. Whoever verifies an archive that is complete takes 0: everything is named.
 *
 * <p><b>Memory.</b> 16 bytes an envelope (a digest under a key of this object, so that nobody can aim at a collision), some dozens for
 * each gap, and at most {@link #MAX_FINDINGS} findings of a kind: a million envelopes take about 18 MB.
 *
 * <p>Not safe for use by several threads.
 */
public final class ChainVerifier {
    /** Most findings of a kind that are kept; the rest is counted. */
    public static final int MAX_FINDINGS = 10_000;

    /** What can be wrong. */
    public enum Problem {
        /** No envelope of these numbers is there. */
        MISSING,
        /** The same envelope is there again, byte for byte. */
        REPEATED,
        /** It came after a later one of its sender, and by more than the window. */
        REORDERED,
        /** What stands at this place is not what the sender signed, and nothing that it signed is there. */
        ALTERED,
        /** The sender signed two envelopes of this number: a cloned or restored sender, or a stolen key. */
        FORKED,
        /** It carries a registered sender's name but not its signature, and its place is taken or outside the chain. */
        BAD_SIGNATURE,
        /** No key of its sender is known, or it is not signed and names nobody. */
        UNKNOWN_SENDER,
        /** The sender promised an envelope of this number by now. */
        SILENT_TAIL,
        /** It is not an envelope. */
        MALFORMED,
        /** The sender itself says that it dropped records. */
        LOSS_REPORTED,
        /** More was found than is kept. */
        OMITTED
    }

    /**
     * One line of a report.
     *
     * @param sender        empty if not known
     * @param firstSequence first number concerned; 0 if there is none
     * @param lastSequence  last number concerned
     * @param detail        for people, with the source's name; never what is inside an envelope
     */
    public record Finding(Problem problem, String sender, long firstSequence, long lastSequence, String detail) {}

    private final Map<String, SenderChain> chains = new HashMap<>();
    private final FindingLog log = new FindingLog();
    private final RegisteredSenders senders;
    private final int window;
    private final byte[] key = new byte[32];
    private long accepted;

    /** Names everything; for archives. */
    public ChainVerifier(List<SenderPublicKey> senders) {
        this(senders, 0);
    }

    /**
     * @param senders the keys of registered senders; of one name several, when a sender has had several
     * @param window  by how many of its sender's envelopes one may be late
     */
    public ChainVerifier(List<SenderPublicKey> senders, int window) {
        this(RegisteredSenders.of(senders), window);
    }

    /**
     * @param senders asked for a sender's key when its first envelope comes
     * @param window  by how many of its sender's envelopes one may be late
     */
    public ChainVerifier(RegisteredSenders senders, int window) {
        if (window < 0) {
            throw new IllegalArgumentException("a window is not negative");
        }
        this.senders = senders;
        this.window = window;
        new SecureRandom().nextBytes(key);
    }

    private @Nullable SenderChain chain(String sender) {
        SenderChain known = chains.get(sender);
        if (known != null) {
            return known;
        }
        List<SenderPublicKey> keys;
        try {
            keys = senders.keysOf(sender);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (keys.isEmpty()) {
            return null;
        }
        SenderChain chain = new SenderChain(sender, window, key, log);
        keys.forEach(one -> chain.addKey(new SenderPublicKey.Verifier(one)));
        chains.put(sender, chain);
        return chain;
    }

    /**
     * Offers the next stored envelope (arrival order).
     *
     * @param sourceName where it was found, for findings: a file, a message id
     * @throws UncheckedIOException if the key of its sender cannot be read
     */
    public void add(String sourceName, byte[] envelope) {
        Envelope decoded;
        try {
            decoded = Envelope.decode(envelope);
        } catch (MalformedEncodingException e) {
            log.add(Problem.MALFORMED, "", 0, sourceName + ": " + e.getMessage());
            return;
        }
        SenderChain chain = chain(decoded.sender());
        if (chain == null) {
            String detail =
                    sourceName + (decoded.sequence() == 0 ? ": not signed" : ": no key of this sender is known");
            log.add(Problem.UNKNOWN_SENDER, decoded.sender(), decoded.sequence(), detail);
        } else if (chain.add(sourceName, decoded)) {
            accepted++;
        }
    }

    /** How many different signed envelopes of known senders there were. */
    public long accepted() {
        return accepted;
    }

    /** What is wrong so far, in the order in which it was noticed, then what is missing at {@code now}. */
    public List<Finding> findings(Instant now) {
        List<Finding> all = new ArrayList<>(log.findings());
        FindingLog open = new FindingLog();
        chains.values().stream()
                .sorted((a, b) -> a.sender().compareTo(b.sender()))
                .forEach(chain -> chain.report(now, open));
        all.addAll(open.findings());
        long omitted = log.omitted() + open.omitted();
        if (omitted > 0) {
            all.add(new Finding(Problem.OMITTED, "", 0, 0, omitted + " more findings"));
        }
        return all;
    }
}
