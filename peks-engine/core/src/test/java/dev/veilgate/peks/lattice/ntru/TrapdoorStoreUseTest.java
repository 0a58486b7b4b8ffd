package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.PreimageSampler;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TwoSided;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds that no keyword is ever given a second preimage, which would break the proof and, repeated, the key: the stored bytes
 * win over the sampler, a failing store issues nothing, and equal keys sample equal trapdoors. Also that a trapdoor is what the
 * paper says it is, by arithmetic of its own.
 */
class TrapdoorStoreUseTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruParameters P = NtruParameters.N512_Q24;
    private static final Keyword W = TestKeys.keyword(0);

    private static SecretKey key() {
        return TestKeys.of(P).secretKey();
    }

    private static ScopedTrapdoor issue(SecretKey key, Keyword keyword, TrapdoorStore store) throws IOException {
        return TestKeys.scheme(key.parameters()).trapdoor(key, TestKeys.DOMAIN, keyword, store);
    }

    @Test
    void askedTwiceTheSameBytesComeBack(@TempDir Path folder) throws IOException {
        ScopedTrapdoor first;
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder.resolve("t"))) {
            first = issue(key(), W, store);
            assertThat(issue(key(), W, store)).isEqualTo(first);
        }
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder.resolve("t"))) {
            assertThat(issue(key(), W, store).bytes()).isEqualTo(first.bytes());
        }
        assertThat(first.scheme()).isEqualTo("ntru-peks");
        assertThat(first.parameters()).isEqualTo(P.id());
        assertThat(first.keyId()).isEqualTo(key().publicKey().id());
        assertThat(first.scope()).isEqualTo(TestKeys.DOMAIN.scope());
        assertThat(first.epoch()).isEqualTo(TestKeys.DOMAIN.epoch());
    }

    /** A sampler that has changed (another JVM, another version) would answer otherwise: what was issued still stands. */
    @Test
    void theStoredBytesWinOverTheSampler() throws IOException {
        int[] target = new int[P.n()];
        RingSampling.hashToRingHat(
                TestKeys.DOMAIN.hashInput(key().publicKey().id(), W), P.ring().modulus(), target);
        byte[] planted = key().use((sampler, seed) -> {
            try (CoinStream coins = CoinStream.fresh(TestKeys.random("TrapdoorStoreUseTest/planted"))) {
                return new Trapdoor(P, sampler.sample(coins, target).t()).encode();
            }
        });
        assertThat(issue(key(), W, new InMemoryTrapdoorStore()).bytes()).isNotEqualTo(planted);

        Recording store = new Recording();
        store.planted = planted;
        assertThat(issue(key(), W, store).bytes()).isEqualTo(planted);
        assertThat(store.stored).isEmpty();

        Recording race = new Recording(); // another thread or process stored first, after we had looked
        race.present = planted;
        assertThat(issue(key(), W, race).bytes()).isEqualTo(planted);
    }

    @Test
    void aFailingStoreIssuesNothing() {
        IOException full = new IOException("no space left");
        Recording cannotFind = new Recording();
        cannotFind.findFailure = full;
        assertThatThrownBy(() -> issue(key(), W, cannotFind)).isSameAs(full);
        assertThat(cannotFind.stored).isEmpty();
        Recording cannotStore = new Recording();
        cannotStore.storeFailure = full;
        assertThatThrownBy(() -> issue(key(), W, cannotStore)).isSameAs(full);
    }

    @Test
    void aStoreThatHoldsSomethingElseIssuesNothing() throws IOException {
        byte[] good = issue(key(), W, new InMemoryTrapdoorStore()).bytes();
        byte[] zero = good.clone();
        Arrays.fill(zero, 2, zero.length, (byte) 0);
        for (byte[] other : new byte[][] {
            new byte[0], Arrays.copyOf(good, good.length - 1), Arrays.copyOf(good, good.length + 1), zero, {1, 1, 1}
        }) {
            Recording store = new Recording();
            store.planted = other;
            assertThatThrownBy(() -> issue(key(), W, store)).isInstanceOf(IOException.class);
            assertThat(store.stored).isEmpty();
        }
        Recording otherSet = new Recording();
        otherSet.planted = TestKeys.scoped(NtruParameters.N1024_Q27, W).bytes();
        assertThatThrownBy(() -> issue(key(), W, otherSet)).isInstanceOfAny(IOException.class, RuntimeException.class);
        assertThat(otherSet.stored).isEmpty();
    }

    @Test
    void whatIsIssuedWasStoredBefore() throws IOException {
        Recording store = new Recording();
        byte[] issued = issue(key(), W, store).bytes();
        assertThat(store.stored).containsExactly(issued);
        assertThat(store.names).allSatisfy(name -> assertThat(name).hasSize(TrapdoorStore.NAME_BYTES));
        assertThat(store.names.getFirst()).isEqualTo(store.names.getLast());
    }

    /** Names are a keyed hash of the whole domain: no keyword can be recognised by whoever sees the folder. */
    @Test
    void namesDependOnTheKeyAndOnEverythingHashed() throws IOException, MalformedEncodingException {
        Recording store = new Recording();
        for (KeywordDomain domain : new KeywordDomain[] {
            TestKeys.DOMAIN,
            new KeywordDomain("acme2", "plant-7", "2026-11"),
            new KeywordDomain("acme", "plant-8", "2026-11"),
            new KeywordDomain("acme", "plant-7", "2026-12")
        }) {
            TestKeys.scheme(P).trapdoor(key(), domain, W, store);
        }
        issue(key(), TestKeys.keyword(1), store);
        byte[] otherSeed = key().encode();
        otherSeed[3] ^= 1;
        issue(SecretKey.decode(otherSeed), W, store);
        Set<String> distinct = new HashSet<>();
        store.names.forEach(name -> distinct.add(Arrays.toString(name)));
        assertThat(distinct).hasSize(6);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void equalKeysSampleEqualTrapdoors(NtruParameters p) throws IOException, MalformedEncodingException {
        byte[] encoded = TestKeys.of(p).secretKey().encode();
        SecretKey first = SecretKey.decode(encoded);
        SecretKey second = SecretKey.decode(encoded);
        for (int i = 0; i < 10; i++) {
            byte[] one = issue(first, TestKeys.keyword(i), new InMemoryTrapdoorStore())
                    .bytes();
            // in another order, after other samples: coins belong to the keyword, not to the moment
            byte[] other = issue(second, TestKeys.keyword(9 - i), new InMemoryTrapdoorStore())
                    .bytes();
            assertThat(other)
                    .isEqualTo(TestKeys.scoped(p, TestKeys.keyword(9 - i)).bytes());
            assertThat(one).isEqualTo(TestKeys.scoped(p, TestKeys.keyword(i)).bytes());
        }
    }

    /** s + t·h = H1(w) mod q, (s, t) as long as a Gaussian of width sigma is: neither longer nor (the saboteur's way) shorter. */
    @ParameterizedTest
    @MethodSource(ALL)
    void trapdoorsAreShortPreimages(NtruParameters p) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        double typical = p.sigma() * Math.sqrt(2.0 * p.n());
        double spread = 6 / Math.sqrt(4.0 * p.n()); // six standard deviations of a norm
        for (int i = 0; i < 12; i++) {
            Keyword w = TestKeys.keyword(i);
            int[] t = TestKeys.trapdoor(p, w).t();
            int[] product = PlainTwin.schoolbook(p, publicKey.h(), t);
            assertThat(product).isEqualTo(PlainTwin.product(p, publicKey.h(), t));
            int[] target = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, w);
            double s2 = 0;
            double t2 = 0;
            for (int j = 0; j < p.n(); j++) {
                double s = p.ring().modulus().centred(Math.floorMod(target[j] - product[j], p.q()));
                s2 += s * s;
                t2 += (double) t[j] * t[j];
            }
            double norm = Math.sqrt(s2 + t2);
            assertThat(norm).isLessThanOrEqualTo(p.normBound());
            assertThat(norm).isBetween(typical * Math.min(0.9, 1 - spread), typical * (1 + spread));
            // both halves carry their share
            double half = typical / Math.sqrt(2);
            assertThat(Math.sqrt(s2)).isBetween(half * (1 - 1.5 * spread), half * (1 + 1.5 * spread));
            assertThat(Math.sqrt(t2)).isBetween(half * (1 - 1.5 * spread), half * (1 + 1.5 * spread));

            int[] other = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(i + 1));
            double wrong = 0;
            for (int j = 0; j < p.n(); j++) {
                double s = p.ring().modulus().centred(Math.floorMod(other[j] - product[j], p.q()));
                wrong += s * s;
            }
            assertThat(Math.sqrt(wrong)).isGreaterThan(10 * p.normBound());
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void trapdoorsOfOtherKeywordsAreIndependent(NtruParameters p) {
        List<Trapdoor> trapdoors = TestKeys.trapdoors(p, 0, 40);
        for (int i = 0; i < trapdoors.size(); i++) {
            for (int j = 0; j < i; j++) {
                double correlation =
                        correlation(trapdoors.get(i).t(), trapdoors.get(j).t());
                assertThat(Math.abs(correlation)).isLessThan(TwoSided.LIMIT / Math.sqrt(p.n()));
            }
        }
    }

    private static double correlation(int[] a, int[] b) {
        double dot = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++) {
            dot += (double) a[i] * b[i];
            aa += (double) a[i] * a[i];
            bb += (double) b[i] * b[i];
        }
        return dot / Math.sqrt(aa * bb);
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void encodedTrapdoorsAreReadBack(NtruParameters p) throws MalformedEncodingException {
        Trapdoor trapdoor = TestKeys.trapdoor(p, W);
        Trapdoor read = Trapdoor.decode(trapdoor.encode());
        assertThat(read).isEqualTo(trapdoor).hasSameHashCodeAs(trapdoor);
        assertThat(read.t()).isEqualTo(trapdoor.t());
        assertThat(trapdoor.encode()).hasSize(2 + p.n() * 20 / 8);
        assertThat(trapdoor).isNotEqualTo(TestKeys.trapdoor(p, TestKeys.keyword(1)));
    }

    @Test
    void trapdoorsThatAreTooLongOrZeroAreRefused() throws MalformedEncodingException {
        for (NtruParameters p : NtruParameters.all()) {
            int[] t = new int[p.n()];
            assertThatThrownBy(() -> Trapdoor.decode(new Trapdoor(p, t).encode()))
                    .isInstanceOf(MalformedEncodingException.class);
            t[0] = 1;
            assertThat(Trapdoor.decode(new Trapdoor(p, t).encode()).t()).isEqualTo(t);
            int each = (int) (p.normBound() / Math.sqrt(p.n()));
            Arrays.fill(t, each);
            assertThat(PreimageSampler.normSquared(t)).isLessThanOrEqualTo((long) (p.normBound() * p.normBound()));
            assertThat(Trapdoor.decode(new Trapdoor(p, t).encode()).t()).isEqualTo(t);
            Arrays.fill(t, each + 1);
            assertThatThrownBy(() -> Trapdoor.decode(new Trapdoor(p, t).encode()))
                    .isInstanceOf(MalformedEncodingException.class);
            int limit = 1 << 19;
            Arrays.fill(t, 0);
            t[0] = limit - 1;
            t[1] = -limit;
            assertThat(Trapdoor.fits(t)).isTrue();
            t[0] = limit;
            assertThat(Trapdoor.fits(t)).isFalse();
            t[0] = 0;
            t[1] = -limit - 1;
            assertThat(Trapdoor.fits(t)).isFalse();
        }
    }

    /** Remembers what it was asked; holds what a test plants. */
    private static final class Recording implements TrapdoorStore {
        private byte[] planted;
        private byte[] present;
        private IOException findFailure;
        private IOException storeFailure;
        private final List<byte[]> names = new ArrayList<>();
        private final List<byte[]> stored = new ArrayList<>();

        @Override
        public Optional<byte[]> find(byte[] name) throws IOException {
            names.add(name.clone());
            if (findFailure != null) {
                throw findFailure;
            }
            return Optional.ofNullable(planted).map(byte[]::clone);
        }

        @Override
        public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) throws IOException {
            names.add(name.clone());
            if (storeFailure != null) {
                throw storeFailure;
            }
            if (present != null) {
                return present.clone();
            }
            stored.add(trapdoor.clone());
            return trapdoor.clone();
        }
    }
}
