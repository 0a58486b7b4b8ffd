package dev.veilgate.extract.template;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One template that a miner knows: Drain's log group. Its tokens change, its name never. */
final class Template {
    /** Place in the order of birth, unique in a miner. */
    final long id;

    final TemplateName name;
    /** Leaf that it hangs in. */
    final Node leaf;

    /** Tokens masked as in {@link MaskedMessage#text}, one blank between them. */
    byte[] text;

    /** Hashes of the tokens. */
    final long[] hashes;

    /** Tokens that have no fixed part. */
    int wildcards;

    long count;
    long firstSeenMillis;
    long lastSeenMillis;

    /** The template that this one has become the same as. */
    @Nullable
    Template same;

    /** Templates whose {@link #same} is this one. */
    int stubs;

    /** The miner's version when a catalogue was last owed this template. */
    long version;

    /** The miner's count of messages when this one was last used. */
    long used;

    /** Where it is in the miner's order of use. */
    @Nullable
    Template older;

    @Nullable
    Template newer;

    boolean tried;

    Template(long id, TemplateName name, long firstSeenMillis, Node leaf, byte[] text, long[] hashes) {
        this.id = id;
        this.name = name;
        this.firstSeenMillis = firstSeenMillis;
        this.lastSeenMillis = firstSeenMillis;
        this.leaf = leaf;
        this.text = text;
        this.hashes = hashes;
        for (long hash : hashes) {
            wildcards += hash == MaskedMessage.WILDCARD ? 1 : 0;
        }
    }

    /** The template whose name its messages have now. */
    Template current() {
        Template current = this;
        for (Template next = same; next != null; next = current.same) {
            current = next;
        }
        return current;
    }

    /**
     * How well a message of as many tokens fits, of 1000: equal tokens as a share of those that are no variable on both sides.
     * Drain (section III-D, simSeq) divides by all tokens; then a message that is mostly variables fits not even itself.
     */
    int similarity(long[] message) {
        int equal = 0;
        int neutral = 0;
        for (int i = 0; i < hashes.length; i++) {
            long hash = hashes[i];
            if (hash == message[i]) {
                if (hash == MaskedMessage.WILDCARD) {
                    neutral++;
                } else {
                    equal++;
                }
            }
        }
        int compared = hashes.length - neutral;
        return compared == 0 ? 1000 : equal * 1000 / compared;
    }

    /** Whether the message has all tokens that are no variable. */
    boolean fits(long[] message) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] != message[i] && hashes[i] != MaskedMessage.WILDCARD) {
                return false;
            }
        }
        return true;
    }

    /** Makes a variable of each token that the message has otherwise. */
    void generalise(long[] message) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] != message[i] && hashes[i] != MaskedMessage.WILDCARD) {
                hashes[i] = MaskedMessage.WILDCARD;
                wildcards++;
            }
        }
        ByteArrayOutputStream rewritten = new ByteArrayOutputStream(text.length);
        int from = 0;
        for (int i = 0; i < hashes.length; i++) {
            int to = from;
            while (to < text.length && text[to] != ' ') {
                to++;
            }
            if (i > 0) {
                rewritten.write(' ');
            }
            if (hashes[i] == MaskedMessage.WILDCARD) {
                rewritten.write(MaskedMessage.MASK);
            } else {
                rewritten.write(text, from, to - from);
            }
            from = to + 1;
        }
        text = rewritten.toByteArray();
    }

    /** A hash of all tokens. */
    long tokensHash() {
        long h = hashes.length;
        for (long hash : hashes) {
            h = (h ^ hash) * 0xD6E8FEB86659FD93L;
            h ^= h >>> 32;
        }
        return h;
    }

    boolean sameTokens(Template other) {
        return Arrays.equals(hashes, other.hashes);
    }

    /** The template for people: variables are {@code <*>}; bytes that are no UTF-8 are replaced. */
    String display() {
        return new String(text, StandardCharsets.UTF_8).replace("\0", "<*>");
    }

    /** The hashes of the tokens of such a text. */
    static long[] hashesOf(byte[] text) {
        if (text.length == 0) {
            return new long[0];
        }
        int tokens = 1;
        for (byte b : text) {
            tokens += b == ' ' ? 1 : 0;
        }
        long[] hashes = new long[tokens];
        int from = 0;
        for (int i = 0; i < tokens; i++) {
            int to = from;
            while (to < text.length && text[to] != ' ') {
                to++;
            }
            hashes[i] = MaskedMessage.hash(text, from, to);
            from = to + 1;
        }
        return hashes;
    }
}
