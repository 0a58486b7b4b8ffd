package dev.veilgate.abe.fabeo22;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.kem.ChosenCiphertextKem;
import dev.veilgate.abe.kem.CpaKem;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.math.pairing.Domains;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The paper's ciphertexts can be changed by anybody into others of the same key: that is what security against chosen ciphertexts is added for. Attackers here know everything but the
 * reader's key: the hash functions, the key in the ciphertext, m.
 */
class Fabeo22MalleabilityAttackTest {
    private static final TestSeed SEED = TestSeed.of(Fabeo22MalleabilityAttackTest.class);
    private static final Attribute A = Attribute.of("a", "x");
    private static final Policy POLICY = new Policy.Leaf(A);
    private static final String H = Domains.g1("CP-FABEO22", "ATTRIBUTE");
    private static final Fabeo22Cp SCHEME = new Fabeo22Cp();

    private final CoinStream coins = SEED.coins("scheme");
    private final KeyPair<PublicKey, MasterKey> authority = SCHEME.setup(coins);
    private final CpSecretKey reader = SCHEME.keyGen(authority.masterKey(), AttributeSet.of(List.of(A)), coins);

    /** {@code ct2' = ct2 · g2^d, ct3' = ct3 · H(a)^d}: the same key. */
    private CpCiphertext changed(CpCiphertext sent) {
        Zr d = Zr.random(coins);
        return new CpCiphertext(
                sent.policy(),
                sent.ct1(),
                List.of(sent.ct2().getFirst().plus(G2.GENERATOR.times(d))),
                List.of(sent.ct3().getFirst().plus(G1.hash(H, A.encode()).times(d))));
    }

    @Test
    void paperFormIsMalleable() {
        CpaKem.Encapsulated<CpCiphertext> sent = SCHEME.encapsulate(authority.publicKey(), POLICY, coins);
        CpCiphertext changed = changed(sent.ciphertext());
        assertThat(changed).isNotEqualTo(sent.ciphertext());
        assertThat(SCHEME.decapsulate(reader, changed)).contains(sent.key());
    }

    @Test
    void changedCiphertextWithItsMaskMadeAnewIsRefused() throws Exception {
        ChosenCiphertextKem<PublicKey, CpSecretKey, Policy, CpCiphertext> kem =
                new ChosenCiphertextKem<>(SCHEME, Policy::encode);
        ChosenCiphertextKem.Encapsulated sent =
                kem.encapsulate(authority.publicKey(), POLICY, new ReplayableRandom(SEED.coins("sender")));
        ByteReader in = new ByteReader("sent", sent.ciphertext());
        byte[] c2 = in.bytes("c2", 32);
        byte[] ct = in.bytes("ct", in.remaining());
        CpCiphertext inner = SCHEME.decodeCiphertext(ct);
        Gt key = SCHEME.decapsulate(reader, inner).orElseThrow();
        byte[] pk =
                hash(3, SCHEME.id().getBytes(StandardCharsets.US_ASCII), SCHEME.encodePublicKey(authority.publicKey()));
        byte[] m = xor(c2, hash(1, pk, key.encode(), ct));

        // what docs/spec/abe-kem.md says, written a second time: coins, mask and secret
        CoinStream again = CoinStream.ofSeed(hash(0, pk, POLICY.encode(), m));
        assertThat(SCHEME.encodeCiphertext(
                        SCHEME.encapsulate(authority.publicKey(), POLICY, again).ciphertext()))
                .isEqualTo(ct);
        assertThat(kem.decapsulate(authority.publicKey(), reader, sent.ciphertext()))
                .isInstanceOfSatisfying(
                        ChosenCiphertextKem.Opening.Secret.class,
                        secret -> assertThat(secret.bytes())
                                .isEqualTo(sent.secret())
                                .isEqualTo(hash(2, pk, m, ct, c2)));

        byte[] changed = SCHEME.encodeCiphertext(changed(inner));
        byte[] mask = hash(1, pk, key.encode(), changed);
        byte[] forged = new ByteWriter(600).bytes(xor(m, mask)).bytes(changed).toByteArray();
        assertThat(kem.decapsulate(authority.publicKey(), reader, forged))
                .isInstanceOf(ChosenCiphertextKem.Opening.Refused.class);
    }

    private static byte[] xor(byte[] a, byte[] b) {
        byte[] out = new byte[32];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (a[i] ^ b[i]);
        }
        return out;
    }

    private static byte[] hash(int use, byte[]... parts) {
        MessageDigest sha = sha256();
        sha.update("veilgate/abe/fo/1".getBytes(StandardCharsets.US_ASCII));
        sha.update((byte) use);
        for (byte[] part : parts) {
            sha.update(ByteBuffer.allocate(4).putInt(part.length).array());
            sha.update(part);
        }
        return sha.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
