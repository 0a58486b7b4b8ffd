package dev.veilgate.sse.suise;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The algorithms of SUISE, without the structures that its parties keep.
 *
 * <pre>
 *   Gen           k1 of F
 *   SearchToken   t = F(k1, w)
 *   Add           c = H(t || r) || r      for each word w of a file, r random; sorted, so that their order says nothing
 *   Search        the files with a c = l || r such that H(t || r) = l
 * </pre>
 *
 * <p>F is HMAC-SHA-256, H is SHA-256, r has 16 bytes, so that H takes one block. The paper's second key encrypts files,
 * which an archive keeps elsewhere.
 *
 * <p><b>Security.</b> Dynamic CKA2 for the leakage that {@link SuiseScheme} names, in the random oracle model. Not
 * forward private: an addition names the words of the file that were searched before.
 *
 * <p>Source: F. Hahn, F. Kerschbaum, Searchable Encryption with Secure and Efficient Updates, CCS 2014, section 4;
 * docs/spec/suise.md. For one thread.
 */
@Secret
public final class Suise {
    /** Bytes of a token t. */
    public static final int TOKEN_BYTES = Prf.BYTES;

    /** Bytes of the random r. */
    static final int SALT_BYTES = 16;

    /** Bytes of a c. */
    public static final int CIPHERTEXT_BYTES = 32 + SALT_BYTES;

    private final Prf f;
    private final Sha256 h = new Sha256();
    private final SecureRandom random;

    /** Draws 16 bytes a word from {@code random}. */
    public Suise(ArchiveKey key, SecureRandom random) {
        this.f = key.prf("suise/token");
        this.random = random;
    }

    /** t = F(k1, w), {@value #TOKEN_BYTES} bytes. */
    public byte[] searchToken(byte[] word) {
        return f.apply(word);
    }

    /** c = H(t || r) || r, {@value #CIPHERTEXT_BYTES} bytes. */
    public byte[] encrypt(byte[] token) {
        byte[] r = new byte[SALT_BYTES];
        random.nextBytes(r);
        byte[] c = Arrays.copyOf(h.add(token).add(r).finish(), CIPHERTEXT_BYTES);
        System.arraycopy(r, 0, c, CIPHERTEXT_BYTES - SALT_BYTES, SALT_BYTES);
        return c;
    }

    /** Whether c is of the token's word: H(t || r) = l. */
    public static boolean matches(byte[] token, byte[] ciphertexts, int at, Sha256 h) {
        int salt = at + CIPHERTEXT_BYTES - SALT_BYTES;
        byte[] l = h.add(token).add(ciphertexts, salt, SALT_BYTES).finish();
        return Arrays.equals(l, 0, l.length, ciphertexts, at, salt);
    }
}
