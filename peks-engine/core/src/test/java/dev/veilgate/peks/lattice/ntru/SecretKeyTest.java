package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.NtruBasis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the master key to its life: read back as it was written, refused when it is not exactly a key of this software's sampler,
 * gone after {@code destroy}, and never printed.
 */
class SecretKeyTest {
    private static final NtruParameters P = NtruParameters.N512_Q24;

    private static SecretKey copy(NtruParameters p) throws MalformedEncodingException {
        return SecretKey.decode(TestKeys.of(p).secretKey().encode());
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void isReadBackAsItWasWritten(NtruParameters p) throws MalformedEncodingException {
        SecretKey key = TestKeys.of(p).secretKey();
        SecretKey read = copy(p);
        assertThat(read.encode()).isEqualTo(key.encode()).hasSize(3 + 32 + 16 * p.n());
        assertThat(read.publicKey()).isEqualTo(TestKeys.of(p).publicKey());
        assertThat(read.publicKey().encode())
                .isEqualTo(TestKeys.of(p).publicKey().encode());
        assertThat(PublicKey.decode(key.publicKey().encode())).isEqualTo(key.publicKey());
        assertThat(read.parameters()).isSameAs(p);
        assertThat(read.basis().satisfiesNtruEquation(p.q())).isTrue();
        assertThat(read.basis().gramSchmidtNorm(p.q())).isLessThanOrEqualTo(1.17 * Math.sqrt(p.q()) * (1 + 1e-9));
    }

    @Test
    void equalityIsOfTheWholeKey() throws MalformedEncodingException {
        SecretKey key = TestKeys.of(P).secretKey();
        assertThat(copy(P)).isEqualTo(key).hasSameHashCodeAs(key);
        SecretKey other =
                new NtruPeks(P, TestKeys.random("SecretKeyTest/other")).keyGen().secretKey();
        assertThat(other).isNotEqualTo(key);
        byte[] otherSeed = key.encode();
        otherSeed[3] ^= 1;
        assertThat(SecretKey.decode(otherSeed)).isNotEqualTo(key);
        assertThat(key).isNotEqualTo(new Object());
    }

    @Test
    void everyUseAfterDestroyThrows() throws MalformedEncodingException {
        SecretKey key = copy(P);
        InMemoryTrapdoorStore store = new InMemoryTrapdoorStore();
        NtruPeks scheme = TestKeys.scheme(P);
        assertThat(trapdoorOf(scheme, key, store)).isNotNull();
        NtruBasis basis = key.basis();
        int[][] parts = {basis.f(), basis.g(), basis.capitalF(), basis.capitalG()};
        byte[] before = TestKeys.of(P).secretKey().encode();

        key.destroy();

        for (int[] part : parts) {
            assertThat(part).containsOnly(0);
        }
        for (Consumer<SecretKey> use : List.<Consumer<SecretKey>>of(
                SecretKey::encode,
                SecretKey::basis,
                k -> k.use((sampler, seed) -> 0),
                k -> k.decode(new int[P.n()]),
                k -> trapdoorOf(scheme, k, store),
                k -> trapdoorOf(scheme, k, new InMemoryTrapdoorStore()),
                k -> basis.f(),
                k -> basis.satisfiesNtruEquation(P.q()))) {
            assertThatThrownBy(() -> use.accept(key))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("was destroyed");
        }
        var itself = key;
        assertThat(key).isEqualTo(itself).isNotEqualTo(TestKeys.of(P).secretKey());
        assertThat(TestKeys.of(P).secretKey()).isNotEqualTo(key);
        assertThat(key.publicKey()).isEqualTo(TestKeys.of(P).publicKey());
        key.destroy();
        key.close();
        assertThat(TestKeys.of(P).secretKey().encode()).isEqualTo(before);
    }

    private static Object trapdoorOf(NtruPeks scheme, SecretKey key, InMemoryTrapdoorStore store) {
        try {
            return scheme.trapdoor(key, TestKeys.DOMAIN, TestKeys.keyword(0), store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void closeDestroys() throws MalformedEncodingException {
        SecretKey key = copy(P);
        try (key) {
            assertThat(key.encode()).isNotEmpty();
        }
        assertThatThrownBy(key::encode).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theSeedHandedToWorkIsErasedByDestroy() throws MalformedEncodingException {
        SecretKey key = copy(P);
        byte[][] seen = new byte[1][];
        key.use((sampler, seed) -> seen[0] = seed);
        assertThat(seen[0]).isNotEqualTo(new byte[32]);
        key.destroy();
        assertThat(seen[0]).isEqualTo(new byte[32]);
    }

    @Test
    void anotherSamplersKeyIsRefused() {
        byte[] encoded = TestKeys.of(P).secretKey().encode();
        for (int version : new int[] {0, 2, 255}) {
            encoded[2] = (byte) version;
            assertRefused(encoded, "secret-key.sampler-version");
        }
    }

    @Test
    void whatIsNoKeyIsRefused() {
        byte[] good = TestKeys.of(P).secretKey().encode();
        assertRefused(changed(good, 0, 2), "secret-key.version");
        assertRefused(changed(good, 1, 0), "parameters");
        assertRefused(changed(good, 1, 4), "parameters");
        assertRefused(changed(good, 1, 2), "secret-key");
        assertRefused(Arrays.copyOf(good, good.length - 1), "secret-key");
        assertRefused(Arrays.copyOf(good, good.length + 1), "secret-key");
        assertRefused(Arrays.copyOf(good, good.length - 16), "secret-key");
        for (int polynomial = 0; polynomial < 4; polynomial++) {
            int at = 35 + 4 * P.n() * polynomial;
            assertRefused(changed(good, at, good[at] + 1), "secret-key.basis"); // the equation
            assertRefused(changed(good, at + 3, 0x7f), "secret-key.basis"); // the range
            assertRefused(changed(good, at + 3, 0x80), "secret-key.basis");
        }
        assertRefused(new byte[good.length], "secret-key.version");
    }

    /** f·G - g·F = q holds for f = 1, g = 0, G = q, F = 0 too, but samples of such a basis would be useless and leak. */
    @Test
    void basesThatAreTooLongToSampleWithAreRefused() {
        byte[] good = TestKeys.of(P).secretKey().encode();
        int n = P.n();
        byte[] trivial = Arrays.copyOf(good, good.length);
        Arrays.fill(trivial, 35, trivial.length, (byte) 0);
        trivial[35] = 1;
        int g = P.q();
        int at = 35 + 12 * n;
        for (int i = 0; i < 4; i++) {
            trivial[at + i] = (byte) (g >> 8 * i);
        }
        assertRefused(trivial, "secret-key.basis");

        byte[] longer = good.clone(); // (F, G, -f, -g): the same lattice and public key, but a long first vector
        for (int i = 0; i < 2 * n; i++) {
            put(longer, i, at(good, 2 * n + i));
            put(longer, 2 * n + i, -at(good, i));
        }
        assertThatThrownBy(() -> SecretKey.decode(longer))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("secret-key.basis: must have a Gram-Schmidt norm of 1.17·sqrt(q)");

        byte[] swapped = good.clone(); // (g, f, -G, -F) is another basis of the same determinant, but of another key
        for (int i = 0; i < n; i++) {
            put(swapped, i, at(good, n + i));
            put(swapped, n + i, at(good, i));
            put(swapped, 2 * n + i, -at(good, 3 * n + i));
            put(swapped, 3 * n + i, -at(good, 2 * n + i));
        }
        assertThat(decoded(swapped)).isNotEqualTo(TestKeys.of(P).secretKey());
    }

    /**
     * (F + c·f, G + c·g) goes with the same f, g and public key, and trapdoors are sampled with it as safely. Blocks cannot be opened with it
     * once c·g is so long that r·G + e1·F wraps.
     */
    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void basesThatAreTooLongToOpenBlocksWithAreRefused(NtruParameters p) {
        byte[] good = TestKeys.of(p).secretKey().encode();
        NtruBasis basis = TestKeys.of(p).secretKey().basis();
        assertThat(MaskDecoder.largest(basis.g(), basis.f())).isLessThan(p.q() / 50);
        assertThat(MaskDecoder.largest(basis.capitalG(), basis.capitalF())).isLessThan(p.q() / 8);
        long own = MaskDecoder.largest(basis.g(), basis.f());
        int tooMuch = (int) (p.q() / own); // of c·f and c·g alone it is nearly q
        assertThatThrownBy(() -> SecretKey.decode(lengthened(good, p.n(), tooMuch)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("secret-key.basis: must have coefficients of r·g + e1·f and r·G + e1·F below q/2");
        assertThat(decoded(lengthened(good, p.n(), tooMuch / 4)).publicKey())
                .isEqualTo(TestKeys.of(p).publicKey());
    }

    private static byte[] lengthened(byte[] good, int n, int c) {
        byte[] out = good.clone();
        for (int i = 0; i < 2 * n; i++) {
            put(out, 2 * n + i, at(good, 2 * n + i) + c * at(good, i));
        }
        return out;
    }

    private static SecretKey decoded(byte[] encoded) {
        try {
            return SecretKey.decode(encoded);
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private static int at(byte[] encoded, int index) {
        int i = 35 + 4 * index;
        return encoded[i] & 0xff | (encoded[i + 1] & 0xff) << 8 | (encoded[i + 2] & 0xff) << 16 | encoded[i + 3] << 24;
    }

    private static void put(byte[] encoded, int index, int value) {
        for (int i = 0; i < 4; i++) {
            encoded[35 + 4 * index + i] = (byte) (value >> 8 * i);
        }
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] out = bytes.clone();
        out[at] = (byte) value;
        return out;
    }

    private static void assertRefused(byte[] encoded, String field) {
        assertThatThrownBy(() -> SecretKey.decode(encoded))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith(field);
    }

    @Test
    void neverPrintsItself() {
        KeyPair pair = TestKeys.of(P);
        String id = pair.publicKey().id().toString();
        assertThat(pair.secretKey().toString()).isEqualTo("SecretKey[hidden, " + id + "]");
        assertThat(pair.toString())
                .isEqualTo(
                        "KeyPair[publicKey=PublicKey[N512_Q24, " + id + "], secretKey=SecretKey[hidden, " + id + "]]");
        assertThat(pair.secretKey().basis().toString()).isEqualTo("NtruBasis[secret]");
    }
}
