package dev.veilgate.abe.kem;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * Security against chosen ciphertexts for any {@link CpaKem} (Fujisaki, Okamoto 1999; the modular analysis of Hofheinz, Hövelmanns, Kiltz, TCC 2017,
 * transformations T and U with explicit rejection):
 *
 * <pre>
 *   m       32 random bytes                         pk      SHA-256 of the scheme's id and public key
 *   (ct, K) = encapsulate(label; coins H(0, pk, label, m))
 *   c2      = m xor H(1, pk, K, ct)
 *   secret  = H(2, pk, m, ct, c2)                   the ciphertext is c2 || ct
 * </pre>
 *
 * Decapsulation finds K and m, encapsulates again with m's coins and refuses unless all of ct and K come out the same.
 *
 * <p>Security: indistinguishability of the secret against chosen ciphertexts and any number of colluding readers, adaptive where the scheme below is,
 * with H as a random oracle. It needs of the scheme that encapsulation has no other coins, that ct has much entropy (an element g^s with fresh s),
 * and that every key which satisfies the policy finds the same K. Whether a ciphertext is accepted then depends on no key, and a reader's answer
 * tells nothing: docs/spec/abe-kem.md. Not given: secrecy of the label; the rejection is explicit, for only the reader sees it, and the AEAD behind
 * it would refuse as visibly.
 */
@Secret
public final class ChosenCiphertextKem<P, S, D, C> {
    /** Length of a secret. */
    public static final int SECRET_BYTES = 32;

    private static final byte[] DOMAIN = "veilgate/abe/fo/1".getBytes(StandardCharsets.US_ASCII);

    private enum Use {
        COINS,
        PAD,
        SECRET,
        PUBLIC_KEY
    }

    /**
     * What {@link #encapsulate} makes.
     *
     * @param ciphertext to be sent
     * @param secret     32 bytes; the caller wipes them
     */
    public record Encapsulated(byte[] ciphertext, byte[] secret) {}

    /** What {@link #decapsulate} finds. */
    public sealed interface Opening {
        /**
         * What was encapsulated.
         *
         * @param bytes 32 of them; the caller wipes them
         */
        record Secret(byte[] bytes) implements Opening {}

        /** The reader's key does not satisfy the policy. */
        record Unsatisfied() implements Opening {}

        /** Nobody made this ciphertext by {@link #encapsulate} for this public key. */
        record Refused() implements Opening {}
    }

    private final CpaKem<P, S, D, C> kem;
    private final Function<D, byte[]> label;

    /** @param label canonical encoding of whom a ciphertext is for */
    public ChosenCiphertextKem(CpaKem<P, S, D, C> kem, Function<D, byte[]> label) {
        this.kem = kem;
        this.label = label;
    }

    /**
     * A secret and its ciphertext.
     *
     * @param random 32 bytes are drawn
     */
    public Encapsulated encapsulate(P publicKey, D descriptor, SecureRandom random) {
        byte[] m = new byte[SECRET_BYTES];
        random.nextBytes(m);
        try {
            byte[] pk = digest(publicKey);
            CpaKem.Encapsulated<C> inner = encapsulate(publicKey, pk, descriptor, m);
            byte[] ct = kem.encodeCiphertext(inner.ciphertext());
            byte[] c2 = masked(m, inner.key(), pk, ct);
            byte[] ciphertext =
                    new ByteWriter(c2.length + ct.length).bytes(c2).bytes(ct).toByteArray();
            return new Encapsulated(ciphertext, hash(Use.SECRET, pk, m, ct, c2));
        } finally {
            Arrays.fill(m, (byte) 0);
        }
    }

    /**
     * The inverse.
     *
     * @throws MalformedEncodingException if the bytes are no ciphertext of this scheme
     */
    public Opening decapsulate(P publicKey, S key, byte[] ciphertext) throws MalformedEncodingException {
        C inner = inner(ciphertext);
        Optional<Gt> found = kem.decapsulate(key, inner);
        return found.isEmpty() ? new Opening.Unsatisfied() : open(publicKey, found.get(), inner, ciphertext);
    }

    /**
     * The inverse where a server did the pairings ({@link OutsourcedKem}), which may have lied: a wrong K is refused as a changed ciphertext is. The
     * reader encapsulates again himself, so what he saves is the pairings.
     *
     * @param key K, or what the server would have him believe
     * @throws MalformedEncodingException if the bytes are no ciphertext of this scheme
     */
    public Opening open(P publicKey, Gt key, byte[] ciphertext) throws MalformedEncodingException {
        return open(publicKey, key, inner(ciphertext), ciphertext);
    }

    private Opening open(P publicKey, Gt key, C inner, byte[] ciphertext) {
        byte[] c2 = Arrays.copyOf(ciphertext, SECRET_BYTES);
        byte[] ct = Arrays.copyOfRange(ciphertext, SECRET_BYTES, ciphertext.length);
        byte[] pk = digest(publicKey);
        byte[] m = masked(c2, key, pk, ct);
        try {
            CpaKem.Encapsulated<C> again = encapsulate(publicKey, pk, kem.descriptor(inner), m);
            // K as well: who makes both c2 and K would learn whether his K is what the reader's secret makes of his
            // answer
            if (!MessageDigest.isEqual(kem.encodeCiphertext(again.ciphertext()), ct)
                    || !again.key().equals(key)) {
                return new Opening.Refused();
            }
            return new Opening.Secret(hash(Use.SECRET, pk, m, ct, c2));
        } finally {
            Arrays.fill(m, (byte) 0);
        }
    }

    /**
     * Whom a ciphertext says it is for, without a key. Its elements are not looked at ({@link CpaKem#descriptorOf}).
     *
     * @throws MalformedEncodingException if the bytes do not begin as a ciphertext of this scheme, or do not have its length
     */
    public D descriptor(byte[] ciphertext) throws MalformedEncodingException {
        return kem.descriptorOf(ct(ciphertext));
    }

    /**
     * The scheme's own ciphertext in it: what a server transforms.
     *
     * @throws MalformedEncodingException if the bytes are no ciphertext of this scheme
     */
    public C inner(byte[] ciphertext) throws MalformedEncodingException {
        return kem.decodeCiphertext(ct(ciphertext));
    }

    private static byte[] ct(byte[] ciphertext) throws MalformedEncodingException {
        ByteReader in = new ByteReader("ciphertext", ciphertext);
        in.skip("c2", SECRET_BYTES);
        return in.bytes("ct", in.remaining());
    }

    private CpaKem.Encapsulated<C> encapsulate(P publicKey, byte[] pk, D descriptor, byte[] m) {
        byte[] seed = hash(Use.COINS, pk, label.apply(descriptor), m);
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            return kem.encapsulate(publicKey, descriptor, coins);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /** text xor H(1, pk, K, ct). */
    private byte[] masked(byte[] text, Gt key, byte[] pk, byte[] ct) {
        byte[] encoded = key.encode();
        byte[] pad = hash(Use.PAD, pk, encoded, ct);
        Arrays.fill(encoded, (byte) 0);
        for (int i = 0; i < pad.length; i++) {
            pad[i] ^= text[i];
        }
        return pad;
    }

    private byte[] digest(P publicKey) {
        return hash(Use.PUBLIC_KEY, kem.id().getBytes(StandardCharsets.US_ASCII), kem.encodePublicKey(publicKey));
    }

    /** SHA-256 of the domain, the use and the parts, each behind its length in 4 bytes. */
    private static byte[] hash(Use use, byte[]... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(DOMAIN);
            sha.update((byte) use.ordinal());
            for (byte[] part : parts) {
                sha.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
                sha.update(part);
            }
            return sha.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
