package dev.veilgate.sse;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A pseudorandom function from bytes to 32 bytes, F(k, x) = HMAC-SHA-256(k, x). It is a random oracle as well, where a
 * scheme's proof needs that of it under a key that the server has.
 *
 * <p>For one thread.
 */
@Secret
public final class Prf {
    /** Bytes of an output. */
    public static final int BYTES = 32;

    private final Mac mac;

    private Prf(Mac mac) {
        this.mac = mac;
    }

    /** The function under a key of any length but 0, which the caller wipes. */
    public static Prf of(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return new Prf(mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        }
    }

    /** F(k, x). */
    public byte[] apply(byte[] x) {
        return mac.doFinal(x);
    }

    /** F(k, x || y), for an x of which all inputs of this function have the same length. */
    public byte[] apply(byte[] x, byte[] y) {
        mac.update(x);
        return mac.doFinal(y);
    }

    /** F(k, w), the word in its canonical encoding. */
    public byte[] apply(Keyword word) {
        return apply(word.encode());
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "Prf[hidden]";
    }
}
