package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * {@link InferenceAttacker} on a real full block with all its real trapdoors, from public bytes: what is simulated in
 * {@link InferenceAttackTest} is what the sealer and the sampler make.
 */
class RealBlockInferenceAttackTest {
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");
    private static final MessageContext MESSAGE = new MessageContext("press-4", new UUID(1, 2), new byte[32]);

    /** Remembers the seeds that it gave out, so that the test knows the truth. */
    private static final class RecordingRandom extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final transient SecureRandom source = TestKeys.random("RealBlockInferenceAttackTest/block");
        private final transient List<byte[]> seeds = new ArrayList<>();

        RecordingRandom() {
            super(null, null);
        }

        @Override
        public void nextBytes(byte[] bytes) {
            source.nextBytes(bytes);
            seeds.add(bytes.clone());
        }
    }

    @Test
    void allTrapdoorsOfAFullBlockLeaveItsSecrets() throws Exception {
        NtruPeks peks = new NtruPeks(P, TestKeys.random("RealBlockInferenceAttackTest/keys"));
        KeyPair keys = peks.keyGen();
        RecordingRandom random = new RecordingRandom();
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < P.maxKeywords(); i++) {
            postings.add(Posting.of(Keyword.text("word", "w" + i), 0));
        }
        NtruIndexSealer sealer = new NtruIndexSealer(keys.publicKey(), random);
        IndexBlock block = sealer.seal(DOMAIN, MESSAGE, 1, postings).getFirst();

        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        StoredBlock stored = scheme.storedForm(block, MESSAGE);
        BlockPayload payload = BlockPayload.decode(block.payload());
        TrapdoorStore store = memoryStore();
        int m = postings.size();
        int[][] s = new int[m][];
        int[][] t = new int[m][];
        double[][] lower = new double[m][];
        for (int i = 0; i < m; i++) {
            Keyword keyword = postings.get(i).keyword();
            ScopedTrapdoor trapdoor = peks.trapdoor(keys.secretKey(), DOMAIN, keyword, store);
            List<SlotMatch> matches = scheme.match(scheme.prepare(trapdoor), stored);
            assertThat(matches).hasSize(1);
            t[i] = Trapdoor.decode(trapdoor.bytes()).t();
            s[i] = otherHalf(keys.publicKey(), keyword, t[i]);
            lower[i] = lowerEnds(payload, s[i], t[i], matches.getFirst().slot());
        }
        InferenceAttacker.Result result =
                InferenceAttacker.attack(s, t, P.stride(), lower, P.q() / 4.0, P.floodBound());

        int[] r = new int[P.n()];
        int[] e1 = new int[P.n()];
        List<Map.Entry<Keyword, RecordSet>> held =
                new ArrayList<>(Posting.united(1, postings).entrySet());
        byte[] seed = random.seeds.getFirst();
        try (CoinStream coins = sealer.coins(seed, DOMAIN, MESSAGE, 1, 0, held)) { // the mask's are the first
            RingSampling.ternary(coins, r);
            RingSampling.ternary(coins, e1);
        }
        assertThat(result.varianceLeft()).as("variance left").isBetween(0.75, 0.81);
        assertThat(result.errorLeft(r, e1)).as("squared error left").isBetween(0.70, 0.85);
        assertThat(result.rounded(r, e1))
                .as("share found by rounding, 1/3 knowing nothing")
                .isBetween(0.38, 0.47);
    }

    /** s = H1(w) - t·h, which every holder of a trapdoor can compute. */
    private static int[] otherHalf(PublicKey publicKey, Keyword keyword, int[] t) {
        NegacyclicNtt ring = P.ring();
        int[] target = new int[P.n()];
        RingSampling.hashToRingHat(DOMAIN.hashInput(publicKey.id(), keyword), ring.modulus(), target);
        int[] product = new int[P.n()];
        for (int i = 0; i < P.n(); i++) {
            product[i] = ring.modulus().canonical(t[i]);
        }
        ring.forwardInPlace(product);
        ring.multiplyHat(product, product, publicKey.hHatMont());
        for (int i = 0; i < P.n(); i++) {
            target[i] = ring.modulus().subtract(target[i], product[i]);
        }
        ring.inverseInPlace(target);
        for (int i = 0; i < P.n(); i++) {
            target[i] = ring.modulus().centred(target[i]);
        }
        return target;
    }

    /**
     * The lower end of the quarter that v lies in, less A·t and rho·s, which everybody knows: where r0·s - e1·t + e2
     * begins.
     */
    private static double[] lowerEnds(BlockPayload payload, int[] s, int[] t, int slot) {
        NegacyclicNtt ring = P.ring();
        int[] a = payload.a().clone();
        int[] product = new int[P.n()];
        for (int i = 0; i < P.n(); i++) {
            product[i] = ring.modulus().canonical(t[i]);
        }
        ring.forwardInPlace(product);
        ring.toMontInPlace(product);
        ring.forwardInPlace(a);
        ring.multiplyHat(product, a, product);
        ring.inverseInPlace(product);
        int[] shift = PlainTwin.product(P, canonical(MaskShift.rho(P, payload.binding())), s);
        double[] lower = new double[P.kept()];
        for (int row = 0; row < P.kept(); row++) {
            int c = product[row * P.stride()];
            int b = payload.table().bit(row, slot);
            int k = TestKernel.keyBit(HotBlock.phase(c, P.q()), b);
            int quarter = b == 0 ? 2 * k : 3 - 2 * k;
            double start = quarter * (P.q() / 4.0) - c - shift[row * P.stride()];
            double middle = start + P.q() / 8.0;
            lower[row] = start - Math.rint(middle / P.q()) * P.q();
        }
        return lower;
    }

    private static int[] canonical(int[] centred) {
        return Arrays.stream(centred).map(P.ring().modulus()::canonical).toArray();
    }

    private static TrapdoorStore memoryStore() {
        Map<String, byte[]> trapdoors = new HashMap<>();
        return new TrapdoorStore() {
            @Override
            public Optional<byte[]> find(byte[] name) {
                return Optional.ofNullable(trapdoors.get(HexFormat.of().formatHex(name)));
            }

            @Override
            public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
                trapdoors.putIfAbsent(HexFormat.of().formatHex(name), trapdoor);
                return trapdoor;
            }
        };
    }
}
