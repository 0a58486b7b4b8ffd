package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.HiddenKey;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The owner's key of one archive, 32 bytes. Whoever has it can search and read the index. Each use has a key of its
 * own:
 *
 * <pre>
 *   derive(label) = HKDF-SHA-256(salt = "", key, info = "veilgate/sse/1/" || label, 32)
 * </pre>
 */
@Secret
public final class ArchiveKey extends HiddenKey {
    /** Bytes of a key. */
    public static final int BYTES = 32;

    private final byte[] key;
    private boolean destroyed;

    private ArchiveKey(byte[] key) {
        this.key = key;
    }

    /** A new key. */
    public static ArchiveKey random(SecureRandom random) {
        byte[] key = new byte[BYTES];
        random.nextBytes(key);
        return new ArchiveKey(key);
    }

    /** The inverse of {@link #encode}: all values of {@value #BYTES} bytes are keys. The caller wipes the array. */
    public static ArchiveKey decode(byte[] encoded) throws MalformedEncodingException {
        if (encoded.length != BYTES) {
            throw new MalformedEncodingException("archive-key", "must have " + BYTES + " bytes");
        }
        return new ArchiveKey(encoded.clone());
    }

    @Override
    public synchronized byte[] encode() {
        requireAlive(destroyed);
        return key.clone();
    }

    /**
     * The key of one use, 32 bytes, which the caller wipes.
     *
     * @param label of the use: the scheme's id, a slash, and what the key is for
     * @throws IllegalStateException after {@link #destroy}
     */
    public synchronized byte[] derive(String label) {
        requireAlive(destroyed);
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(key)
                            .thenExpand(("veilgate/sse/1/" + label).getBytes(StandardCharsets.UTF_8), BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        }
    }

    /** The pseudorandom function of one use. */
    public Prf prf(String label) {
        byte[] derived = derive(label);
        try {
            return Prf.of(derived);
        } finally {
            Arrays.fill(derived, (byte) 0);
        }
    }

    @Override
    public synchronized void destroy() {
        destroyed = true;
        Arrays.fill(key, (byte) 0);
    }
}
