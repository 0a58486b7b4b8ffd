package dev.veilgate.peks.pairing.bdop04;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingPeksLawsTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import org.junit.jupiter.api.Test;

/** The equations of the paper, and the life of a key. */
class Bdop04LawsTest extends PairingPeksLawsTest {
    private static final TestSeed SEED = TestSeed.of(Bdop04LawsTest.class);
    private static final Bdop04UnderTest SCHEME = Bdop04UnderTest.of(new ReplayableRandom(SEED.coins("keys")));
    private static final KeyPair KEYS = SCHEME.keys();

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }

    @Test
    void bothSidesFindTheSameSecretForTheSameKeywordOnly() throws MalformedEncodingException {
        try (CoinStream coins = SEED.coins("laws")) {
            for (int i = 0; i < 4; i++) {
                Zr r = Zr.random(coins);
                Trapdoor trapdoor =
                        Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(i)).bytes());
                G1 hash = Bdop04.hash(KEYS.publicKey().id(), DOMAIN, word(i));
                G1 other = Bdop04.hash(KEYS.publicKey().id(), DOMAIN, word(i + 1));
                G2 hToR = KEYS.publicKey().h().times(r);
                assertThat(Bdop04.tested(trapdoor, G2.GENERATOR.times(r)))
                        .isEqualTo(Bdop04.sealed(hash, hToR))
                        .isEqualTo(Bdop04.sealed(hash.times(r), KEYS.publicKey().h()))
                        .isNotEqualTo(Bdop04.sealed(other, hToR));
            }
        }
    }

    @Test
    void keysAreErasedAndComparedByValue() throws MalformedEncodingException {
        SecretKey key = SecretKey.decode(SCHEME.secretKey());
        SecretKey same = SecretKey.decode(SCHEME.secretKey());
        assertThat(key)
                .isEqualTo(same)
                .hasSameHashCodeAs(same)
                .isNotEqualTo(new Bdop04(new ReplayableRandom(SEED.coins("other")))
                        .keyGen()
                        .secretKey());
        assertThat(key.publicKey()).isEqualTo(PublicKey.decode(SCHEME.publicKey()));
        key.close();
        assertThat(key)
                .isNotEqualTo(same)
                .isEqualTo(key)
                .hasToString("SecretKey[hidden, " + key.publicKey().id() + "]");
        assertThatThrownBy(key::encode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Bdop04.withDefaults().trapdoor(key, DOMAIN, word(1)))
                .isInstanceOf(IllegalStateException.class);
        byte[] zero = new byte[33];
        zero[0] = 1;
        assertThatThrownBy(() -> SecretKey.decode(zero)).isInstanceOf(MalformedEncodingException.class);
    }
}
