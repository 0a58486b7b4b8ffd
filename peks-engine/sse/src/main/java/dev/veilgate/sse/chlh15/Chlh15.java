package dev.veilgate.sse.chlh15;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseExpression;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The algorithms of wildcard search by filters of letters.
 *
 * <pre>
 *   pairs of a word    (i, c) for its i-th letter c; (-i, c) for its i-th letter from the end; (i, end) behind the last
 *   Trapdoor           x = F(k, field, pair) for each pair that the pattern fixes
 *   BuildIndex         of word n of document id: a filter of 256 bits, with the 7 positions H(x, id, n) of each pair,
 *                      and random ones up to {@value #PAIRS} pairs
 *   Search             the documents with a filter that has all positions of all x
 * </pre>
 *
 * <p>Letters are code points; the first and the last {@value #LETTERS} count. F is HMAC-SHA-256; H is SHA-256, each
 * of its first 7 bytes a position.
 *
 * <p><b>Exactness.</b> Nothing that matches is missing. A filter has about half of its bits set, so that a pattern of
 * one letter is found in a word that has it not once in some 136 words, one of two letters once in 18,000.
 *
 * <p><b>Security.</b> A filter that was not searched looks like any other, whatever its word's length. A trapdoor shows
 * which of its letters and places another trapdoor had, for all documents, and those that come later.
 *
 * <p>Source: C. Hu, L. Han, Efficient wildcard search over encrypted data, IJIS 14(5), 2015, of which only the
 * abstract could be had: reconstructed from it, from the study of mobile devices, section 4.3, and from Goh's secure
 * indexes (ePrint 2003/216), whose codewords these are. One filter a word is ours: the paper has one for all
 * documents, the study one a document, which is full after a few words. docs/spec/chlh15.md. For one thread.
 */
@Secret
public final class Chlh15 {
    /** Letters from each end that count. */
    static final int LETTERS = 12;

    /** Pairs of every filter: of a word of {@value #LETTERS} letters or more. */
    static final int PAIRS = 2 * LETTERS + 1;

    /** Bytes of a filter. */
    public static final int FILTER_BYTES = 32;

    /** Bytes of an x. */
    public static final int TOKEN_BYTES = Prf.BYTES;

    private static final int POSITIONS = 7;
    private static final int END = -1;

    private final Prf f;
    private final Sha256 h = new Sha256();
    private final SecureRandom random;

    /** Draws from {@code random} to fill filters. */
    public Chlh15(ArchiveKey key, SecureRandom random) {
        this.f = key.prf("chlh15/pair");
        this.random = random;
    }

    /** x = F(k, field, pair) for each pair that a question fixes. */
    public List<byte[]> trapdoor(SseExpression question) {
        return switch (question) {
            case SseExpression.Word word -> whole(word.word());
            case SseExpression.Prefix prefix -> {
                Keyword beginning = prefix.beginning();
                yield pairs(label(beginning), beginning.value(), "", false);
            }
            case SseExpression.Pattern pattern ->
                pairs(label(Keyword.text(pattern.field(), "x")), pattern.front(), pattern.end(), false);
            case SseExpression.AllOf _, SseExpression.Best _ ->
                throw new IllegalArgumentException("a question for one word");
        };
    }

    private List<byte[]> whole(Keyword word) {
        return pairs(label(word), word.value(), word.value(), true);
    }

    /** Encodes what a keyword is beside its value, so that the number 7 and the word 7 have other pairs. */
    private static byte[] label(Keyword word) {
        return new ByteWriter(64)
                .shortString(word.field())
                .uint8(word.isInterval() ? 1 : 0)
                .uint8(word.level())
                .toByteArray();
    }

    private List<byte[]> pairs(byte[] label, String front, String end, boolean whole) {
        List<byte[]> pairs = new ArrayList<>();
        int[] first = front.codePoints().toArray();
        int[] last = end.codePoints().toArray();
        for (int i = 0; i < Math.min(first.length, LETTERS); i++) {
            pairs.add(pair(label, i + 1, first[i]));
        }
        if (whole) {
            pairs.add(pair(label, first.length + 1, END));
        }
        for (int i = 0; i < Math.min(last.length, LETTERS); i++) {
            pairs.add(pair(label, -i - 1, last[last.length - 1 - i]));
        }
        return pairs;
    }

    private byte[] pair(byte[] label, int place, int letter) {
        return f.apply(
                label, ByteBuffer.allocate(8).putInt(place).putInt(letter).array());
    }

    /** The filter of word n of a document. */
    public byte[] buildIndex(DocumentId id, int n, Keyword word) {
        byte[] filter = new byte[FILTER_BYTES];
        List<byte[]> pairs = whole(word);
        for (byte[] x : pairs) {
            set(filter, positions(x, id.encode(), n, h));
        }
        byte[] more = new byte[POSITIONS];
        for (int i = pairs.size(); i < PAIRS; i++) {
            random.nextBytes(more);
            set(filter, more);
        }
        return filter;
    }

    private static void set(byte[] filter, byte[] positions) {
        for (int i = 0; i < POSITIONS; i++) {
            filter[(positions[i] & 0xff) >> 3] |= (byte) (1 << (positions[i] & 7));
        }
    }

    /** Whether the filter of word n of a document has all positions of all x. */
    public static boolean search(List<byte[]> trapdoor, byte[] id, int n, byte[] filters, int at, Sha256 h) {
        for (byte[] x : trapdoor) {
            byte[] positions = positions(x, id, n, h);
            for (int i = 0; i < POSITIONS; i++) {
                if ((filters[at + ((positions[i] & 0xff) >> 3)] & 1 << (positions[i] & 7)) == 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static byte[] positions(byte[] x, byte[] id, int n, Sha256 h) {
        return h.add(x).add(id).add(n).finish();
    }
}
