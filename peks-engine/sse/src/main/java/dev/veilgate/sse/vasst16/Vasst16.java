package dev.veilgate.sse.vasst16;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Prf;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The algorithms of ranked search by term frequencies, as the study of mobile devices has them.
 *
 * <pre>
 *   BuildIndex   (tag, tf) for each word, tag = g^F(k, w) mod p
 *   Trapdoor     the tag
 *   Search       the score of a document is the sum of tf · ln(N / df) over the tags; N documents, df with the tag
 * </pre>
 *
 * <p>F is HMAC-SHA-256, p the prime of 2,048 bits of RFC 3526 (group 14), g = 4, which generates its quadratic
 * residues. The study's "second encryption" by big numbers is read so; without it the tag is F(k, w). Our reading:
 * the paper's index terms name homomorphic encryption, so its second level may act on scores.
 *
 * <p><b>Security.</b> Weak: at rest, a server sees which entries have the same word and how often each document has it,
 * and names common words by their frequencies.
 *
 * <p>Source: V. Arora, S. S. Tyagi, An efficient multi-keyword symmetric searchable encryption scheme for secure data
 * outsourcing, IJCNIS 8(11), 2016, of which only the abstract could be had: reconstructed from it and from the study,
 * section 4.2; docs/spec/vasst16.md. For one thread.
 */
@Secret
public final class Vasst16 {
    /** The prime of RFC 3526, group 14: 2^2048 - 2^1984 - 1 + 2^64 · (floor(2^1918 · pi) + 124476). */
    static final BigInteger P = new BigInteger(
            "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
                    + "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
                    + "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
                    + "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
                    + "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
                    + "15728E5A8AACAA68FFFFFFFFFFFFFFFF",
            16);

    private static final BigInteger G = BigInteger.valueOf(4);
    private static final int P_BYTES = 256;

    private final Prf f;
    private final boolean secondLevel;

    /** @param secondLevel whether tags are powers, which is what takes the study's time */
    public Vasst16(ArchiveKey key, boolean secondLevel) {
        this.f = key.prf("vasst16/tag");
        this.secondLevel = secondLevel;
    }

    /** Bytes of a tag. */
    static int tagBytes(boolean secondLevel) {
        return secondLevel ? P_BYTES : Prf.BYTES;
    }

    /** tag = g^F(k, w) mod p, or F(k, w). */
    public byte[] tag(byte[] word) {
        byte[] x = f.apply(word);
        if (!secondLevel) {
            return x;
        }
        byte[] power = G.modPow(new BigInteger(1, x), P).toByteArray();
        byte[] tag = new byte[P_BYTES];
        byte[] digits =
                power.length > P_BYTES ? Arrays.copyOfRange(power, power.length - P_BYTES, power.length) : power;
        System.arraycopy(digits, 0, tag, P_BYTES - digits.length, digits.length);
        return tag;
    }

    /** tf · ln(N / df). */
    public static double score(int tf, long documents, long withTheTag) {
        return tf * Math.log((double) documents / withTheTag);
    }
}
