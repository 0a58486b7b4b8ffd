package dev.veilgate.ese.elgamal;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.SeededKem;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Hashed ElGamal: the equations of {@link ElGamalEse}. An encapsulation is c, compressed. */
@Secret
final class ElGamalKem implements SeededKem<PublicKey, SecretKey> {
    static final String ID = "ese-elgamal/BLS12-381-G1";
    private static final byte[] KEY =
            new ByteWriter(32).shortString("veilgate/ese/elgamal/key/1").toByteArray();

    @Override
    public String id() {
        return ID;
    }

    @Override
    public int code() {
        return 1;
    }

    @Override
    public int encapsulationBytes() {
        return G1.BYTES;
    }

    @Override
    public SecretKey keyGen(byte[] seed) {
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            return new SecretKey(Zr.random(coins));
        }
    }

    /** c = k·g1, K = SHA-256(c, k·Y), k uniform in [1, r) but for 2^-128. */
    @Override
    public Encapsulated encapsulate(PublicKey publicKey, byte[] seed) {
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            Zr k = Zr.random(coins);
            byte[] c = G1.GENERATOR.times(k).encode();
            return new Encapsulated(c, key(c, publicKey.y().times(k)));
        }
    }

    /** K = SHA-256(c, y·c). */
    @Override
    public byte[] decapsulate(SecretKey secretKey, byte[] encapsulation) {
        try {
            return key(encapsulation, decoded(encapsulation).times(secretKey.y()));
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("not an encapsulation", e);
        }
    }

    @Override
    public void check(byte[] encapsulation) throws MalformedEncodingException {
        decoded(encapsulation);
    }

    private static G1 decoded(byte[] encapsulation) throws MalformedEncodingException {
        return G1.decode("ciphertext.c", encapsulation);
    }

    private static byte[] key(byte[] c, G1 shared) {
        byte[] point = shared.encode();
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(KEY);
            sha.update(c);
            return sha.digest(point);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        } finally {
            Arrays.fill(point, (byte) 0);
        }
    }
}
