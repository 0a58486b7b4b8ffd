package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.pq.EncapsulatedSecret;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.junit.jupiter.api.Test;

/**
 * The first test vector of draft-connolly-cfrg-xwing-kem, appendix C. Its seed and coins are the first 96 bytes of
 * SHAKE128 of nothing, as the draft's own generator draws them; of its outputs the shared secret is compared, which
 * depends on all others.
 */
class XWingKatTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void sharedSecretIsTheDrafts() {
        byte[] stream = new byte[96];
        new SHAKEDigest(128).doFinal(stream, 0, 96);
        byte[] seed = Arrays.copyOf(stream, 32);
        assertThat(HEX.formatHex(seed)).isEqualTo("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26");
        XWing.DecapsulationKey key = new XWing.DecapsulationKey(seed);
        assertThat(HEX.formatHex(key.publicKey(), 0, 32))
                .isEqualTo("e2236b35a8c24b39b10aa1323a96a919a2ced88400633a7b07131713fc14b2b5");
        EncapsulatedSecret kem = XWing.encapsulate(key.publicKey(), Arrays.copyOfRange(stream, 32, 96));
        assertThat(HEX.formatHex(kem.secret()))
                .isEqualTo("d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384");
        assertThat(key.decapsulate(kem.ciphertext())).isEqualTo(kem.secret());
    }
}
