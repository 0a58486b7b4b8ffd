package dev.veilgate.abe.kem;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.Optional;

/**
 * A scheme whose pairings a server can do for a reader without learning what it decrypts: Green, Hohenberger, Waters, <i>Outsourcing the Decryption
 * of ABE Ciphertexts</i>, USENIX Security 2011.
 *
 * <pre>
 *   reader, once       z random;  TK = every element of the key to the power 1/z, for the server;  z stays
 *   server             T = decapsulation with TK                  = K^(1/z)
 *   reader             K = T^z
 * </pre>
 *
 * It is right for every scheme whose decapsulation is a product of pairings with exactly one element of the key in each.
 *
 * <p>Security: TK is distributed as a key of an authority of the server's own making, which has nothing to do with the real one but for what is
 * public; so the server, and whoever it colludes with, learns of K what an outsider does, who cannot decrypt: indistinguishability against chosen
 * plaintexts, as of the scheme. Not given: that T is right. A server can answer anything, and a reader who then acts on a wrong K tells it something
 * of z: pass K through {@link ChosenCiphertextKem#open}. Not hidden from the server: which of the reader's ciphertexts it asks for, and the reader's
 * attributes or policy. {@code docs/spec/abe-outsourcing.md} has the argument.
 */
@Secret
public interface OutsourcedKem<P, S, D, C> extends CpaKem<P, S, D, C> {
    /**
     * A key in two halves.
     *
     * @param transformKey for the server
     * @param retrievalKey for the reader, secret
     * @param <S>          key of a reader
     */
    record Blinded<S>(TransformKey<S> transformKey, RetrievalKey retrievalKey) {}

    /** Whether decapsulation takes pairings for each attribute that is used; if not, a server saves its reader little. */
    boolean pairingsGrow();

    /** The key with each of its elements to the power of the exponent: where the key finds K, it finds K^exponent. */
    S raised(S key, Zr exponent);

    /**
     * Takes a key apart, with a fresh z.
     *
     * @param coins z; 48 bytes are drawn
     */
    default Blinded<S> blind(S key, CoinStream coins) {
        Zr z = Zr.random(coins);
        return new Blinded<>(new TransformKey<>(raised(key, z.inverse())), new RetrievalKey(z));
    }

    /**
     * The server's part: {@code T = K^(1/z)}.
     *
     * @return empty if the key does not satisfy the policy
     */
    default Optional<Gt> transform(TransformKey<S> key, C ciphertext) {
        return decapsulate(key.blinded(), ciphertext);
    }

    /**
     * The reader's part: {@code K = T^z}.
     *
     * @param partial T, which came through {@link Gt#decode}: an element of small order would tell who sent it z modulo that order
     */
    default Gt recover(RetrievalKey key, Gt partial) {
        return partial.power(key.z());
    }

    /** Canonical: version, {@code 'T'}, the blinded key as {@link #encodeKey} has it. No secret of the reader's, but a server need not pass it on. */
    default byte[] encodeTransformKey(TransformKey<S> key) {
        byte[] blinded = encodeKey(key.blinded());
        return new ByteWriter(2 + blinded.length)
                .uint8(TransformKey.VERSION)
                .uint8(TransformKey.KIND)
                .bytes(blinded)
                .toByteArray();
    }

    /** @throws MalformedEncodingException unless it is such an encoding; a reader's key is none */
    default TransformKey<S> decodeTransformKey(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("transform-key", bytes);
        in.expect("version", TransformKey.VERSION);
        in.expect("kind", TransformKey.KIND);
        return new TransformKey<>(decodeKey(Arrays.copyOfRange(bytes, in.position(), bytes.length)));
    }
}
