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
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.pairing.PairingBlockAttackTest;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Forged points, what shared randomness would give away, and what a trapdoor's holder can do in any case. */
class Zi07AttackTest extends PairingBlockAttackTest {
    private static final TestSeed SEED = TestSeed.of(Zi07AttackTest.class);
    private static final Zi07UnderTest SCHEME = Zi07UnderTest.of(new ReplayableRandom(SEED.coins("keys")));
    private static final PublicKey KEY = SCHEME.keys().publicKey();

    @Override
    protected PairingSchemeUnderTest scheme() {
        return SCHEME;
    }

    private static Trapdoor trapdoor(int i) throws MalformedEncodingException {
        return Trapdoor.decode(SCHEME.trapdoor(DOMAIN, word(i)).bytes());
    }

    private static Zr w(int i) {
        return Zi07.hash(KEY.id(), DOMAIN, word(i));
    }

    private static void refused(byte[] part, int at, String message) throws MalformedEncodingException {
        IndexBlock block = SCHEME.oneKeywordPerBlock(new ReplayableRandom(SEED.coins("refused")))
                .seal(DOMAIN, PairingSchemeUnderTest.CONTEXT, 1, PairingSchemeUnderTest.postings(1, 1))
                .getFirst();
        byte[] payload = block.payload();
        System.arraycopy(part, 0, payload, 3 + at, part.length);
        assertThatThrownBy(() -> SCHEME.admit(block, payload))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("zi07-peks." + message);
    }

    /** Under u = 1, v = 1 one slot would match all trapdoors. */
    @Test
    void identitiesWouldMatchEverythingAndAreRefused() throws MalformedEncodingException {
        Share ones = new Share(G1.IDENTITY, Gt.ONE);
        assertThat(Zi07.tested(trapdoor(1), ones).isOne()).isTrue();
        assertThat(Zi07.tested(trapdoor(2), ones).isOne()).isTrue();
        refused(G1.IDENTITY.encode(), 0, "u: not the identity");
        refused(Gt.ONE.encode(), G1.BYTES, "v: an element of the group of prime order, not 1");
    }

    @Test
    void whatIsInNoGroupIsRefused() throws MalformedEncodingException {
        BigInteger p = new BigInteger(
                "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16);
        byte[] minusOne = new byte[Gt.BYTES];
        byte[] number = p.subtract(BigInteger.ONE).toByteArray();
        int realPart = place(Gt.ONE.encode());
        System.arraycopy(number, 0, minusOne, realPart + 48 - number.length, number.length);
        refused(minusOne, G1.BYTES, "v: an element of the group of prime order, not 1"); // of order 2
        refused(new byte[Gt.BYTES], G1.BYTES, "v: an element of the group of prime order, not 1");
        byte[] aboveP = new byte[Gt.BYTES];
        Arrays.fill(aboveP, (byte) 0xff);
        refused(aboveP, G1.BYTES, "v: coefficients below the field's prime");
        int offGroup = 0;
        for (int x = 1; x < 20; x++) {
            byte[] u = new byte[G1.BYTES];
            u[0] = (byte) 0x80;
            u[G1.BYTES - 1] = (byte) x;
            String why = "";
            try {
                G1.decode("u", u);
            } catch (MalformedEncodingException e) {
                why = e.getMessage();
            }
            offGroup += why.contains("group of prime order") ? 1 : 0;
            refused(u, 0, why);
        }
        assertThat(offGroup).isPositive();
    }

    /** Where the one of an encoded 1 is: the beginning of its coefficient. */
    private static int place(byte[] one) {
        for (int i = 0; i < one.length; i++) {
            if (one[i] != 0) {
                return i / 48 * 48;
            }
        }
        throw new AssertionError("0");
    }

    /** Why every slot has its own s: two slots under one confirm a guess of both keywords to everybody. */
    @Test
    void sharedRandomnessWouldConfirmGuesses() {
        try (CoinStream coins = SEED.coins("shared")) {
            Zr s = Zr.random(coins);
            Share one = Zi07.share(KEY, w(1), s);
            Share two = Zi07.share(KEY, w(2), s);
            assertThat(confirms(one, two, 1, 2)).isTrue();
            assertThat(confirms(one, two, 1, 3)).isFalse();
            assertThat(confirms(one, Zi07.share(KEY, w(2), Zr.random(coins)), 1, 2))
                    .isFalse();
        }
    }

    private static boolean confirms(Share one, Share two, int guess1, int guess2) {
        return Gt.pairing(one.u().minus(two.u()), G2.GENERATOR)
                .equals(one.v().power(w(guess2).minus(w(guess1))));
    }

    /** Trapdoors of two keywords, pooled, make none of a third. */
    @Test
    void pooledTrapdoorsOpenNothingElse() throws MalformedEncodingException {
        try (CoinStream coins = SEED.coins("pooled")) {
            Zr s = Zr.random(coins);
            Share third = Zi07.share(KEY, w(3), s);
            Trapdoor one = trapdoor(1);
            Trapdoor two = trapdoor(2);
            Zr half = Zr.of(2).inverse();
            for (Trapdoor forged : new Trapdoor[] {
                one,
                new Trapdoor(two.r(), one.d()),
                new Trapdoor(
                        one.r().plus(two.r()).times(half), one.d().plus(two.d()).times(half)),
                new Trapdoor(one.r().plus(two.r()), one.d().plus(two.d())),
            }) {
                assertThat(Zi07.tested(forged, third)).isNotEqualTo(Zi07.sealed(KEY, s));
            }
        }
    }

    /** Not an attack that is prevented: every public-key scheme has it. */
    @Test
    void aTrapdoorsHolderGuessesItsKeywordWithPublicDataAlone() throws MalformedEncodingException {
        Trapdoor stolen = trapdoor(3);
        for (int i = 0; i < 6; i++) {
            Share own = Zi07.share(KEY, w(i), Zr.ONE);
            assertThat(Zi07.tested(stolen, own).equals(Zi07.sealed(KEY, Zr.ONE)))
                    .isEqualTo(i == 3);
        }
    }
}
