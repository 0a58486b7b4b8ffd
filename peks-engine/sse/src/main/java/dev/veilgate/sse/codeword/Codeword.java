package dev.veilgate.sse.codeword;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The algorithms of codewords over rows.
 *
 * <pre>
 *   Keygen      k of F
 *   Trapdoor    t = F(k, field, w)
 *   BuildIndex  of row i: H(t, i) for each cell's t, in the order of their bytes
 *   Search      whether H(t, i) is in the index of row i
 * </pre>
 *
 * <p>F is HMAC-SHA-256, H is SHA-256 cut to 16 bytes. Corrected: the code that the study measured has MD5 and AES in
 * ECB mode, and no field in t, so that {@code city:Lima} finds {@code name:Lima}, and equal cells of a row are seen.
 *
 * <p><b>Security.</b> A row that was not searched shows how many words it has. A trapdoor works for all rows, those
 * that come later too.
 *
 * <p>Source: M. M. Silveira and others, Analyzing the Performance of Searchable Symmetric Encryption over Huawei Cloud,
 * section 2; docs/spec/codeword.md. For one thread.
 */
@Secret
public final class Codeword {
    /** Bytes of a trapdoor t. */
    public static final int TRAPDOOR_BYTES = Prf.BYTES;

    /** Bytes of a codeword H(t, i). */
    public static final int CODEWORD_BYTES = 16;

    private final Prf f;
    private final Sha256 h = new Sha256();

    /** The use of an archive's key. */
    public Codeword(ArchiveKey key) {
        this.f = key.prf("codeword/trapdoor");
    }

    /** t = F(k, field, w), {@value #TRAPDOOR_BYTES} bytes. */
    public byte[] trapdoor(Keyword word) {
        return f.apply(word);
    }

    /** The index of row i: H(t, i) for each word, in the order of their bytes. */
    public byte[] buildIndex(DocumentId i, Collection<Keyword> words) {
        SortedSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
        words.forEach(word ->
                sorted.add(Arrays.copyOf(h.add(trapdoor(word)).add(i.encode()).finish(), CODEWORD_BYTES)));
        byte[] index = new byte[sorted.size() * CODEWORD_BYTES];
        int at = 0;
        for (byte[] codeword : sorted) {
            System.arraycopy(codeword, 0, index, at, CODEWORD_BYTES);
            at += CODEWORD_BYTES;
        }
        return index;
    }

    /** Whether row i has the trapdoor's word. */
    public static boolean search(byte[] trapdoor, byte[] i, byte[] index, Sha256 h) {
        byte[] wanted = h.add(trapdoor).add(i).finish();
        int low = 0;
        int high = index.length / CODEWORD_BYTES - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int at = middle * CODEWORD_BYTES;
            int order = Arrays.compareUnsigned(index, at, at + CODEWORD_BYTES, wanted, 0, CODEWORD_BYTES);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }
}
