package dev.veilgate.math.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Groups, pairing and exponents behave as the mathematics says, at its edges too. */
class PairingLawsTest {
    private static final SplittableRandom RANDOM =
            TestSeed.of(PairingLawsTest.class).random("elements");
    private static final CoinStream COINS = CoinStream.ofSeed(seed());

    private static byte[] seed() {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        RANDOM.nextBytes(seed);
        return seed;
    }

    private static BigInteger number(Zr scalar) {
        return new BigInteger(1, scalar.encode());
    }

    @Test
    void exponentsAreNumbersModuloTheOrder() {
        BigInteger r = Zr.ORDER;
        List<BigInteger> numbers = Stream.concat(
                        Stream.of(0, 1, 2, -1, -2, 1000).map(BigInteger::valueOf),
                        Stream.generate(() -> number(Zr.random(COINS))).limit(10))
                .toList();
        for (BigInteger a : numbers) {
            for (BigInteger b : numbers) {
                Zr x = Zr.of(a);
                Zr y = Zr.of(b);
                assertThat(number(x.plus(y))).isEqualTo(a.add(b).mod(r));
                assertThat(number(x.minus(y))).isEqualTo(a.subtract(b).mod(r));
                assertThat(number(x.times(y))).isEqualTo(a.multiply(b).mod(r));
                assertThat(x.equals(y)).isEqualTo(a.mod(r).equals(b.mod(r)));
            }
            assertThat(number(Zr.of(a).negate())).isEqualTo(a.negate().mod(r));
            if (a.signum() != 0) {
                assertThat(Zr.of(a).inverse().times(Zr.of(a))).isEqualTo(Zr.ONE);
            }
        }
        assertThatThrownBy(Zr.ZERO::inverse).isInstanceOf(ArithmeticException.class);
        assertThat(Zr.of(r))
                .isEqualTo(Zr.ZERO)
                .satisfies(zero -> assertThat(zero.isZero()).isTrue());
        assertThat(Zr.of(-1).plus(Zr.ONE).isZero()).isTrue();
    }

    @Test
    void decodesExponentsBelowTheOrderOnly() throws Exception {
        Zr x = Zr.random(COINS);
        assertThat(Zr.decode("x", x.encode())).isEqualTo(x);
        assertThat(Zr.decode("x", new byte[32])).isEqualTo(Zr.ZERO);
        byte[] order = Zr.ORDER.toByteArray();
        assertThatThrownBy(() -> Zr.decode("x", order)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Zr.decode("x", new byte[31])).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Zr.decode("x", new byte[33])).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void pairingIsBilinear() {
        for (int i = 0; i < 5; i++) {
            Zr a = Zr.random(COINS);
            Zr b = Zr.random(COINS);
            G1 p = G1.random(COINS);
            G2 q = G2.random(COINS);
            Gt e = Gt.pairing(p, q);
            assertThat(Gt.pairing(p.times(a), q.times(b))).isEqualTo(e.power(a.times(b)));
            assertThat(Gt.pairing(p.plus(G1.GENERATOR), q)).isEqualTo(e.times(Gt.pairing(G1.GENERATOR, q)));
            assertThat(e.isOne()).isFalse();
        }
        assertThat(Gt.pairing(G1.IDENTITY, G2.GENERATOR)).isEqualTo(Gt.ONE);
        assertThat(Gt.pairing(G1.GENERATOR, G2.IDENTITY)).isEqualTo(Gt.ONE);
        assertThat(Gt.pairing(G1.GENERATOR, G2.GENERATOR)
                        .power(Zr.of(-1))
                        .times(Gt.pairing(G1.GENERATOR, G2.GENERATOR)))
                .isEqualTo(Gt.ONE);
    }

    @Test
    void productsOfAnyLengthAreProducts() {
        Gt each = Gt.ONE;
        PairingProduct together = new PairingProduct();
        assertThat(new PairingProduct().value()).isEqualTo(Gt.ONE);
        for (int i = 0; i < 19; i++) {
            G1 p = i == 7 ? G1.IDENTITY : G1.random(COINS);
            G2 q = i == 11 ? G2.IDENTITY : G2.random(COINS);
            each = each.times(Gt.pairing(i % 2 == 0 ? p : p.negate(), q));
            together = i % 2 == 0 ? together.times(p, q) : together.over(p, q);
        }
        assertThat(together.value()).isEqualTo(each);
    }

    @Test
    void powersAreRepeatedProducts() {
        Gt e = Gt.pairing(G1.random(COINS), G2.random(COINS));
        Gt product = Gt.ONE;
        for (int i = 0; i <= 40; i++) {
            assertThat(e.power(Zr.of(i))).isEqualTo(product);
            product = product.times(e);
        }
    }

    @Test
    void groupsAreGroups() {
        Zr a = Zr.random(COINS);
        Zr b = Zr.random(COINS);
        assertThat(G1.GENERATOR.times(a).plus(G1.GENERATOR.times(b))).isEqualTo(G1.GENERATOR.times(a.plus(b)));
        assertThat(G2.GENERATOR.times(a).minus(G2.GENERATOR.times(b))).isEqualTo(G2.GENERATOR.times(a.minus(b)));
        assertThat(G1.GENERATOR.times(Zr.ZERO)).isEqualTo(G1.IDENTITY);
        assertThat(G2.GENERATOR.times(Zr.of(-1)).plus(G2.GENERATOR).isIdentity())
                .isTrue();
        List<G1> several = Stream.generate(() -> G1.random(COINS)).limit(4).toList();
        assertThat(G1.sum(several)).isEqualTo(several.stream().reduce(G1.IDENTITY, G1::plus));
        assertThat(G1.sum(List.of(several.getFirst(), several.getFirst())))
                .isEqualTo(several.getFirst().times(Zr.of(2)));
        assertThat(G2.sum(List.of())).isEqualTo(G2.IDENTITY);
    }

    @Test
    void encodingsComeBack() throws Exception {
        G1 p = G1.random(COINS);
        G2 q = G2.random(COINS);
        Gt e = Gt.pairing(p, q);
        assertThat(G1.decode("p", p.encode())).isEqualTo(p).hasSameHashCodeAs(p);
        assertThat(G2.decode("q", q.encode())).isEqualTo(q).hasSameHashCodeAs(q);
        assertThat(Gt.decode("e", e.encode())).isEqualTo(e).hasSameHashCodeAs(e);
        assertThat(Gt.decode("e", e.encode()).power(Zr.of(5))).isEqualTo(e.power(Zr.of(5)));
    }

    /** At any place in an array; of what is there, only that it lies on the curve is checked. */
    @Test
    void trustedFormsComeBack() {
        G1 p = G1.random(COINS);
        G2 q = G2.random(COINS);
        Gt e = Gt.pairing(p, q);
        for (int at : new int[] {0, 1, 7}) {
            assertThat(G1.trusted(placed(p.encodeWide(), at), at)).isEqualTo(p);
            assertThat(G2.trusted(placed(q.encodeWide(), at), at)).isEqualTo(q);
            assertThat(Gt.trusted(placed(e.encode(), at), at)).isEqualTo(e);
        }
        assertThat(Gt.pairing(G1.trusted(p.encodeWide(), 0), G2.trusted(q.encodeWide(), 0)))
                .isEqualTo(e);
        for (byte[] no : new byte[][] {
            G1.IDENTITY.encodeWide(), p.encode(), new byte[0], new byte[G1.WIDE_BYTES], new byte[2 * G1.WIDE_BYTES]
        }) {
            assertThatThrownBy(() -> G1.trusted(no, 0)).isInstanceOf(IllegalArgumentException.class);
        }
        for (byte[] no : new byte[][] {
            G2.IDENTITY.encodeWide(), q.encode(), new byte[0], new byte[G2.WIDE_BYTES], new byte[2 * G2.WIDE_BYTES]
        }) {
            assertThatThrownBy(() -> G2.trusted(no, 0)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] aboveP = e.encode();
        Arrays.fill(aboveP, 0, 8, (byte) 0xff);
        for (byte[] no : new byte[][] {new byte[0], new byte[Gt.BYTES - 1], aboveP}) {
            assertThatThrownBy(() -> Gt.trusted(no, 0)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> G1.trusted(p.encodeWide(), 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> G1.trusted(p.encodeWide(), -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] placed(byte[] bytes, int at) {
        byte[] array = new byte[at + bytes.length + 3];
        RANDOM.nextBytes(array);
        System.arraycopy(bytes, 0, array, at, bytes.length);
        return array;
    }

    @Test
    void refusesWhatIsNoCanonicalElementOfTheGroup() {
        byte[] g1 = G1.GENERATOR.encode();
        refused(new byte[48]);
        refused(new byte[0]);
        refused(Arrays.copyOf(g1, 47));
        refused(Arrays.copyOf(g1, 96));
        byte[] uncompressed = g1.clone();
        uncompressed[0] &= 0x7f;
        refused(uncompressed);
        byte[] identity = new byte[48];
        identity[0] = (byte) 0xc0;
        refused(identity);
        identity[47] = 1;
        refused(identity);
        // on the curve, in the large group
        int onCurve = 0;
        for (int i = 0; i < 30; i++) {
            byte[] other = g1.clone();
            other[47] = (byte) i;
            refused(other);
            onCurve++;
        }
        assertThat(onCurve).isEqualTo(30);
        // x + p: the same coordinate, not canonical; p itself is above 2^380, so it seldom fits, and never for g1
        byte[] tooLarge = g1.clone();
        Arrays.fill(tooLarge, (byte) 0xff);
        refused(tooLarge);
        assertThatThrownBy(() -> G2.decode("q", new byte[96])).isInstanceOf(MalformedEncodingException.class);
        byte[] g2 = G2.GENERATOR.encode();
        g2[95] ^= 1;
        assertThatThrownBy(() -> G2.decode("q", g2)).isInstanceOf(MalformedEncodingException.class);
    }

    private static void refused(byte[] bytes) {
        assertThatThrownBy(() -> G1.decode("p", bytes))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("p: ");
    }

    @Test
    void refusesWhatIsNotInTheTargetGroup() {
        byte[] e = Gt.pairing(G1.GENERATOR, G2.GENERATOR).encode();
        for (int at : new int[] {0, 47, 100, 575}) {
            byte[] other = e.clone();
            other[at] ^= 1;
            assertThatThrownBy(() -> Gt.decode("e", other)).isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> Gt.decode("e", new byte[576])).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> Gt.decode("e", Gt.ONE.encode())).isInstanceOf(MalformedEncodingException.class);
        byte[] notCanonical = e.clone();
        Arrays.fill(notCanonical, 0, 48, (byte) 0xff);
        assertThatThrownBy(() -> Gt.decode("e", notCanonical)).isInstanceOf(MalformedEncodingException.class);
    }

    /** RFC 9380, appendix J.9.1, the empty message: x of the point, which is all but the sign of an encoding. */
    @Test
    void hashesToG1AsTheStandardSays() {
        byte[] encoded = G1.hash("QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_", new byte[0])
                .encode();
        encoded[0] &= 0x1f;
        assertThat(new BigInteger(1, encoded))
                .isEqualTo(new BigInteger(
                        "052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1",
                        16));
    }

    @Test
    void hashesOfDifferentUsesDiffer() {
        byte[] message = "level:error".getBytes(StandardCharsets.UTF_8);
        assertThat(Stream.of("a", "b").map(role -> G1.hash(Domains.g1("TEST", role), message)))
                .doesNotHaveDuplicates();
        assertThat(Stream.of("a", "b").map(role -> G2.hash(Domains.g2("TEST", role), message)))
                .doesNotHaveDuplicates();
        assertThat(Stream.of("a", "b").map(role -> Zr.hash(Domains.zr("TEST", role), message)))
                .doesNotHaveDuplicates();
        assertThat(Zr.hash(Domains.zr("TEST", "a"), message)).isEqualTo(Zr.hash(Domains.zr("TEST", "a"), message));
    }
}
