package dev.veilgate.peks.pairing.zi07;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingPeksLawsTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The equations of Gentry's scheme, and the life of a key. */
class Zi07LawsTest extends PairingPeksLawsTest {
    private static final TestSeed SEED = TestSeed.of(Zi07LawsTest.class);
    private static final Zi07UnderTest SCHEME = Zi07UnderTest.of(new ReplayableRandom(SEED.coins("keys")));
    private static final PublicKey KEY = SCHEME.keys().publicKey();

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }

    @Test
    void bothSidesFindTheSameSecretForTheSameKeywordOnly() throws MalformedEncodingException {
        try (CoinStream coins = SEED.coins("laws")) {
            for (int i = 0; i < 4; i++) {
                Zr s = Zr.random(coins);
                Zr w = Zi07.hash(KEY.id(), DOMAIN, word(i));
                Share share = Zi07.share(KEY, w, s);
                Trapdoor trapdoor =
                        Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(i)).bytes());
                Trapdoor other =
                        Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(i + 1)).bytes());
                assertThat(Zi07.tested(trapdoor, share))
                        .isEqualTo(Zi07.sealed(KEY, s))
                        .isEqualTo(Gt.pairing(G1.GENERATOR.times(s), KEY.h()))
                        .isNotEqualTo(Zi07.tested(other, share));
            }
        }
    }

    /** d_w^(alpha - w)·g2^r_w = h: seen through the pairing, with X for alpha. */
    @Test
    void trapdoorsAreWhatTheyShouldBe() throws MalformedEncodingException {
        Trapdoor trapdoor = Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(1)).bytes());
        Zr w = Zi07.hash(KEY.id(), DOMAIN, word(1));
        G1 alphaMinusW = KEY.x().minus(G1.GENERATOR.times(w));
        assertThat(Gt.pairing(alphaMinusW, trapdoor.d())
                        .times(Gt.pairing(G1.GENERATOR, G2.GENERATOR.times(trapdoor.r()))))
                .isEqualTo(KEY.mask());
    }

    @Test
    void sharesComeBackInBothForms() throws MalformedEncodingException {
        try (CoinStream coins = SEED.coins("shares")) {
            Share share = Zi07.share(KEY, Zr.random(coins), Zr.random(coins));
            assertThat(Share.decode(share.encode(), 0)).isEqualTo(share);
            assertThat(Share.trusted(share.encodeWide(), 0)).isEqualTo(share);
            assertThat(share.encode()).hasSize(Share.BYTES);
            assertThat(share.encodeWide()).hasSize(Share.WIDE_BYTES);
        }
    }

    @Test
    void keysAreErasedAndComparedByValue() throws MalformedEncodingException {
        SecretKey key = SecretKey.decode(SCHEME.secretKey());
        SecretKey same = SecretKey.decode(SCHEME.secretKey());
        byte[] otherSeed = SCHEME.secretKey();
        otherSeed[40]++;
        assertThat(key)
                .isEqualTo(same)
                .hasSameHashCodeAs(same)
                .isNotEqualTo(SecretKey.decode(otherSeed))
                .isNotEqualTo(new Zi07(new ReplayableRandom(SEED.coins("other")))
                        .keyGen()
                        .secretKey());
        assertThat(key.publicKey()).isEqualTo(PublicKey.decode(SCHEME.publicKey()));
        key.close();
        assertThat(key)
                .isNotEqualTo(same)
                .isEqualTo(key)
                .hasToString("SecretKey[hidden, " + key.publicKey().id() + "]");
        assertThatThrownBy(key::encode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Zi07.withDefaults().trapdoor(key, DOMAIN, word(1)))
                .isInstanceOf(IllegalStateException.class);
        byte[] zero = SCHEME.secretKey();
        Arrays.fill(zero, 1, 33, (byte) 0);
        assertThatThrownBy(() -> SecretKey.decode(zero)).isInstanceOf(MalformedEncodingException.class);
    }
}
