package dev.veilgate.ese;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.elgamal.ElGamalUnderTest;
import dev.veilgate.ese.ntru.NtruUnderTest;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;

/** An instance with two pairs of keys, as its tests see it. */
public record EseUnderTest<P extends EsePublicKey, S extends EseSecretKey<P>>(
        SeededKem<P, S> kem,
        EncryptWithHash<P, S> ese,
        KeyPair<P, S> keys,
        KeyPair<P, S> otherKeys,
        Decoder<P> publicKeys,
        Decoder<S> secretKeys) {
    /** Of most messages. */
    public static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");

    /** Reads a key. */
    @FunctionalInterface
    public interface Decoder<T> {
        /** The key of an encoding. */
        T decode(byte[] encoded) throws MalformedEncodingException;
    }

    /** With fresh keys. */
    public static <P extends EsePublicKey, S extends EseSecretKey<P>> EseUnderTest<P, S> of(
            SeededKem<P, S> kem, SecureRandom random, Decoder<P> publicKeys, Decoder<S> secretKeys) {
        EncryptWithHash<P, S> ese = new EncryptWithHash<>(kem, random);
        return new EseUnderTest<>(kem, ese, ese.keyGen(), ese.keyGen(), publicKeys, secretKeys);
    }

    /** All instances, with keys of a test class. */
    static List<EseUnderTest<?, ?>> all(TestSeed seed) {
        return List.of(
                ElGamalUnderTest.of(new ReplayableRandom(seed.coins("elgamal"))),
                NtruUnderTest.of(new ReplayableRandom(seed.coins("ntru"))));
    }

    /** Coins that never change. */
    public static SecureRandom frozen(int first) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        seed[0] = (byte) first;
        return new ReplayableRandom(CoinStream.ofSeed(seed));
    }

    /** A message. */
    public static byte[] message(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A ciphertext of {@link #DOMAIN} under the first key. */
    public Ciphertext encrypt(String text) {
        return encrypt(DOMAIN, message(text));
    }

    /** A ciphertext under the first key. */
    public Ciphertext encrypt(KeywordDomain domain, byte[] message) {
        return ese.encrypt(keys.publicKey(), domain, message);
    }

    /** Its message under the first key. */
    public byte[] decrypt(KeywordDomain domain, Ciphertext ciphertext) throws RefusedCiphertextException {
        return ese.decrypt(keys.secretKey(), domain, ciphertext);
    }

    @Override
    public String toString() {
        return kem.id();
    }
}
