package dev.veilgate.ese.ntru;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.SeededKem;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** NTRU encryption of random bits: the equations of {@link NtruEse}. An encapsulation is c, packed at the bits of q. */
@Secret
final class NtruKem implements SeededKem<PublicKey, SecretKey> {
    private static final byte[] KEY =
            new ByteWriter(32).shortString("veilgate/ese/ntru/key/1").toByteArray();

    private final ParameterSet parameters;
    private final NegacyclicNtt ring;
    private final Modulus modulus;

    NtruKem(ParameterSet parameters) {
        this.parameters = Objects.requireNonNull(parameters);
        this.ring = parameters.ring();
        this.modulus = ring.modulus();
    }

    @Override
    public String id() {
        return "ese-ntru/" + parameters.name();
    }

    @Override
    public int code() {
        return parameters.code();
    }

    @Override
    public int encapsulationBytes() {
        return CoefficientPacking.bytes(parameters.n(), modulus.bits());
    }

    /** F, g ternary until both f = 2F + 1 and g are invertible: time tells how often they were drawn again, and nothing of what is kept. */
    @Override
    public SecretKey keyGen(byte[] seed) {
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            while (true) {
                int[] capitalF = new int[parameters.n()];
                int[] g = new int[parameters.n()];
                RingSampling.ternary(coins, capitalF);
                RingSampling.ternary(coins, g);
                Optional<SecretKey> key = SecretKey.of(parameters, capitalF, g);
                if (key.isPresent()) {
                    return key.get();
                }
            }
        }
    }

    /** Draws r, then m. */
    @Override
    public Encapsulated encapsulate(PublicKey publicKey, byte[] seed) {
        requireOwn(publicKey.parameters());
        int[] r = new int[parameters.n()];
        byte[] m = new byte[parameters.n() / 8];
        try (CoinStream coins = CoinStream.ofSeed(seed)) {
            RingSampling.ternary(coins, r);
            coins.nextBytes(m);
            byte[] c = packed(encrypt(publicKey, r, m));
            return new Encapsulated(c, key(c, m));
        } finally {
            Arrays.fill(r, 0);
            Arrays.fill(m, (byte) 0);
        }
    }

    @Override
    public byte[] decapsulate(SecretKey secretKey, byte[] encapsulation) {
        requireOwn(secretKey.publicKey().parameters());
        byte[] m = new byte[0];
        try {
            m = decrypt(secretKey, unpacked(encapsulation));
            return key(encapsulation, m);
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("not an encapsulation", e);
        } finally {
            Arrays.fill(m, (byte) 0);
        }
    }

    @Override
    public void check(byte[] encapsulation) throws MalformedEncodingException {
        unpacked(encapsulation);
    }

    /** c = 2·h·r + m mod q, in [0, q). */
    int[] encrypt(PublicKey publicKey, int[] r, byte[] m) {
        int q = modulus.q();
        int[] c = r.clone();
        for (int i = 0; i < c.length; i++) {
            c[i] += c[i] >> 31 & q;
        }
        ring.forwardInPlace(c);
        ring.multiplyHat(c, c, publicKey.hHatMont());
        ring.inverseInPlace(c);
        for (int i = 0; i < c.length; i++) {
            c[i] = modulus.add(modulus.add(c[i], c[i]), m[i >> 3] >> (i & 7) & 1);
        }
        return c;
    }

    /** m = (f·c mod q, in (-q/2, q/2)) mod 2. Overwrites c. */
    byte[] decrypt(SecretKey secretKey, int[] c) {
        ring.forwardInPlace(c);
        secretKey.multiplyByFHatInPlace(c);
        ring.inverseInPlace(c);
        byte[] m = new byte[parameters.n() / 8];
        for (int i = 0; i < c.length; i++) {
            m[i >> 3] |= (byte) ((modulus.centred(c[i]) & 1) << (i & 7));
        }
        Arrays.fill(c, 0);
        return m;
    }

    private byte[] packed(int[] c) {
        byte[] out = new byte[encapsulationBytes()];
        CoefficientPacking.pack(c, modulus.bits(), out, 0);
        return out;
    }

    private int[] unpacked(byte[] encapsulation) throws MalformedEncodingException {
        if (encapsulation.length != encapsulationBytes()) {
            throw new MalformedEncodingException("ciphertext.c", "must have " + encapsulationBytes() + " bytes");
        }
        int[] c = new int[parameters.n()];
        CoefficientPacking.unpack(encapsulation, 0, modulus.bits(), c, modulus.q(), "ciphertext.c");
        return c;
    }

    /** K = SHA-256(c, m). */
    private static byte[] key(byte[] c, byte[] m) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(KEY);
            sha.update(c);
            return sha.digest(m);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    private void requireOwn(ParameterSet others) {
        if (others != parameters) {
            throw new IllegalArgumentException("a key of " + others + ", not " + parameters);
        }
    }
}
