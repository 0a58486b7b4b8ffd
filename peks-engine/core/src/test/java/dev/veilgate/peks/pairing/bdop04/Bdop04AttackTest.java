package dev.veilgate.peks.pairing.bdop04;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.PairingBlockAttackTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Forged points, forged trapdoors, and what a trapdoor's holder can do in any case. */
class Bdop04AttackTest extends PairingBlockAttackTest {
    private static final TestSeed SEED = TestSeed.of(Bdop04AttackTest.class);
    private static final Bdop04UnderTest SCHEME = Bdop04UnderTest.of(new ReplayableRandom(SEED.coins("keys")));

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }

    private static Trapdoor trapdoor(int i) throws MalformedEncodingException {
        return Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(i)).bytes());
    }

    private static void refusedA(byte[] a, String why) throws MalformedEncodingException {
        IndexBlock block = SCHEME.block(1, 1, new ReplayableRandom(SEED.coins("refused")));
        byte[] payload = block.payload();
        System.arraycopy(a, 0, payload, 3, G2.BYTES);
        assertThatThrownBy(() -> SCHEME.admit(block, payload))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("bdop04-peks.a: " + why);
    }

    /** Under A = 1 one slot would match all trapdoors. */
    @Test
    void theIdentityWouldMatchEverythingAndIsRefused() throws MalformedEncodingException {
        assertThat(Bdop04.tested(trapdoor(1), G2.IDENTITY).isOne()).isTrue();
        assertThat(Bdop04.tested(trapdoor(2), G2.IDENTITY).isOne()).isTrue();
        refusedA(G2.IDENTITY.encode(), "not the identity");
    }

    @Test
    void whatIsNoElementOfG2IsRefused() throws MalformedEncodingException {
        int offCurve = 0;
        int offGroup = 0;
        for (int x = 1; x < 20; x++) {
            byte[] a = new byte[G2.BYTES];
            a[0] = (byte) 0x80;
            a[G2.BYTES - 1] = (byte) x;
            String why = "";
            try {
                G2.decode("a", a);
            } catch (MalformedEncodingException e) {
                why = e.getMessage().substring(3);
            }
            offCurve += why.contains("point of the curve") ? 1 : 0;
            offGroup += why.contains("group of prime order") ? 1 : 0;
            refusedA(a, why);
        }
        assertThat(offCurve).isPositive();
        assertThat(offGroup).isPositive();
        byte[] aboveP = new byte[G2.BYTES];
        Arrays.fill(aboveP, (byte) 0xff);
        aboveP[0] = (byte) 0x9f;
        refusedA(aboveP, "a point of the curve, with canonical coordinates");
        byte[] uncompressed = G2.GENERATOR.encode();
        uncompressed[0] &= 0x7f;
        refusedA(uncompressed, "a compressed point of 96 bytes");
    }

    /** One r is used for all keywords of a block; the secrets of others do not follow from one. */
    @Test
    void secretsOfOneBlockAreNotRelatedByWhatIsPublic() throws MalformedEncodingException {
        try (CoinStream coins = SEED.coins("related")) {
            Zr r = Zr.random(coins);
            G2 a = G2.GENERATOR.times(r);
            Trapdoor one = trapdoor(1);
            Trapdoor two = trapdoor(2);
            Trapdoor product = new Trapdoor(one.t().plus(two.t()));
            assertThat(Bdop04.tested(product, a))
                    .isEqualTo(Bdop04.tested(one, a).times(Bdop04.tested(two, a)))
                    .isNotEqualTo(Bdop04.tested(trapdoor(3), a));
        }
        IndexBlock block = SCHEME.block(5, 1, new ReplayableRandom(SEED.coins("pooled")));
        ScopedTrapdoor honest = SCHEME.trapdoor(DOMAIN, word(1));
        G1 one = trapdoor(1).t();
        G1 two = trapdoor(2).t();
        for (G1 forged : new G1[] {one.plus(two), one.minus(two), one.negate(), one.times(Zr.of(2))}) {
            var prepared = SCHEME.scheme()
                    .prepare(new ScopedTrapdoor(
                            honest.scheme(),
                            honest.parameters(),
                            honest.keyId(),
                            honest.scope(),
                            honest.epoch(),
                            new Trapdoor(forged).encode()));
            assertThat(SCHEME.scheme().match(prepared, SCHEME.admit(block, block.payload())))
                    .isEmpty();
        }
    }

    /** Not an attack that is prevented: every public-key scheme has it. */
    @Test
    void aTrapdoorsHolderGuessesItsKeywordWithPublicDataAlone() throws MalformedEncodingException {
        G1 stolen = trapdoor(7).t();
        PublicKey key = PublicKey.decode(SCHEME.publicKey());
        int[] guessed = IntStream.range(0, 12)
                .filter(i -> Bdop04.tested(new Trapdoor(stolen), G2.GENERATOR)
                        .equals(Bdop04.sealed(Bdop04.hash(key.id(), DOMAIN, word(i)), key.h())))
                .toArray();
        assertThat(guessed).containsExactly(7);
    }
}
