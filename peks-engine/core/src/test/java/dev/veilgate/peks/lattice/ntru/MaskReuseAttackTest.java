package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.random.CoinStream;
import java.io.Serializable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows what an attacker sees if two blocks share a mask, and holds that no two ever do: not by mistake, not among
 * threads, and not where the source of randomness repeats itself.
 */
class MaskReuseAttackTest {
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final NtruParameters P = NtruParameters.N512_Q24;

    /** The saboteur: one r for two slots of two blocks. Equal keywords show at once, without any trapdoor. */
    @ParameterizedTest
    @MethodSource(ALL)
    void aMaskUsedTwiceShowsEqualKeywords(NtruParameters p) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        int[][] hat = new int[2][];
        for (int w = 0; w < 2; w++) {
            hat[w] = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(w));
            p.ring().forwardInPlace(hat[w]);
        }
        long equal = 0;
        long different = 0;
        long honest = 0;
        int rounds = 20;
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("MaskReuseAttackTest/" + p))) {
            for (int round = 0; round < rounds; round++) {
                try (BlockMask.Opened mask = BlockMask.draw(publicKey, coins).open();
                        BlockMask.Opened other =
                                BlockMask.draw(publicKey, coins).open()) {
                    byte[] first = flooded(p, PlainTwin.keptProduct(p, mask, hat[0]), coins);
                    equal += agreement(first, flooded(p, PlainTwin.keptProduct(p, mask, hat[0]), coins));
                    different += agreement(first, flooded(p, PlainTwin.keptProduct(p, mask, hat[1]), coins));
                    honest += agreement(first, flooded(p, PlainTwin.keptProduct(p, other, hat[0]), coins));
                }
            }
        }
        long bits = (long) rounds * p.kept();
        assertThat((double) equal / bits).isGreaterThan(0.8);
        Tosses.assertShare("other keyword, same mask", different, bits, 0.5);
        Tosses.assertShare("same keyword, other mask", honest, bits, 0.5);
    }

    private static byte[] flooded(NtruParameters p, int[] v, CoinStream coins) {
        for (int j = 0; j < v.length; j++) {
            int e2 = coins.nextInt(2 * p.floodBound() + 1) - p.floodBound();
            v[j] = p.ring().modulus().canonical(v[j] + e2);
        }
        return PlainTwin.bits(v, p, false);
    }

    private static long agreement(byte[] x, byte[] y) {
        long equal = 0;
        for (int i = 0; i < x.length; i++) {
            equal += 8 - Integer.bitCount((x[i] ^ y[i]) & 0xff);
        }
        return equal;
    }

    @Test
    void aMaskOpensOnce() {
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("MaskReuseAttackTest/once"))) {
            BlockMask mask = BlockMask.draw(TestKeys.of(P).publicKey(), coins);
            try (BlockMask.Opened opened = mask.open()) {
                assertThat(opened.a()).hasSize(P.n());
                assertThatThrownBy(mask::open).isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(mask::open).isInstanceOf(IllegalStateException.class);
            assertThat(mask.toString()).isEqualTo("BlockMask[hidden]");
        }
    }

    @Test
    void ofManyThreadsOneOpensAMask() throws Exception {
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("MaskReuseAttackTest/race"));
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 50; round++) {
                BlockMask mask = BlockMask.draw(TestKeys.of(P).publicKey(), coins);
                Callable<Integer> open = () -> {
                    try (BlockMask.Opened opened = mask.open()) {
                        return opened.a().length / P.n();
                    } catch (IllegalStateException e) {
                        return 0;
                    }
                };
                int opened = 0;
                for (Future<Integer> future : threads.invokeAll(List.of(open, open, open, open))) {
                    opened += future.get();
                }
                assertThat(opened).isEqualTo(1);
            }
        }
    }

    @Test
    void closingErasesR() {
        int[] hat = PlainTwin.hash(P, TestKeys.of(P).publicKey(), TestKeys.DOMAIN, TestKeys.keyword(0));
        P.ring().forwardInPlace(hat);
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("MaskReuseAttackTest/erase"))) {
            BlockMask.Opened opened =
                    BlockMask.draw(TestKeys.of(P).publicKey(), coins).open();
            assertThat(PlainTwin.keptProduct(P, opened, hat)).isNotEqualTo(new int[P.kept()]);
            opened.close();
            assertThat(PlainTwin.keptProduct(P, opened, hat)).isEqualTo(new int[P.kept()]);
        }
    }

    @Test
    void masksCannotLeaveMemory() {
        assertThat(Serializable.class.isAssignableFrom(BlockMask.class)).isFalse();
        assertThat(Serializable.class.isAssignableFrom(BlockMask.Opened.class)).isFalse();
        assertThat(Cloneable.class.isAssignableFrom(BlockMask.class)).isFalse();
        assertThat(Arrays.stream(BlockMask.class.getDeclaredMethods()))
                .noneMatch(m -> m.getReturnType() == byte[].class);
        assertThat(Serializable.class.isAssignableFrom(NtruIndexSealer.class)).isFalse();
    }

    /** A generator that gives the same bytes for ever, as a machine's that was copied: one call. */
    private static NtruIndexSealer stuck(NtruParameters p) {
        SecureRandom random = new SecureRandom() {
            private static final long serialVersionUID = 1L;

            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, (byte) 42);
            }
        };
        return new NtruIndexSealer(TestKeys.of(p).publicKey(), random);
    }

    private static List<IndexBlock> seal(NtruIndexSealer sealer, MessageContext context, int... keywords) {
        List<Posting> postings = Arrays.stream(keywords)
                .mapToObj(i -> Posting.of(TestKeys.keyword(i), 0))
                .toList();
        return sealer.seal(TestKeys.DOMAIN, context, 1, postings);
    }

    /**
     * Coins of a block depend on all that it holds: with a generator that is stuck, other words, records, messages and
     * blocks have other masks.
     */
    @Test
    void aStuckGeneratorRepeatsWholeBlocksAndNoMask() {
        NtruIndexSealer sealer = stuck(P);
        MessageContext context = TestKeys.context(0);
        List<IndexBlock> once = seal(sealer, context, 1, 2, 3);
        assertThat(seal(sealer, context, 1, 2, 3)).isEqualTo(once);
        List<String> masks = new ArrayList<>(masks(once));
        masks.addAll(masks(seal(sealer, context, 1, 2, 4)));
        masks.addAll(masks(seal(sealer, context, 1, 2)));
        masks.addAll(masks(seal(sealer, TestKeys.context(1), 1, 2, 3)));
        masks.addAll(masks(sealer.seal(
                new KeywordDomain("acme", "plant-8", "2026-11"),
                context,
                1,
                List.of(Posting.of(TestKeys.keyword(1), 0)))));
        masks.addAll(masks(sealer.seal(TestKeys.DOMAIN, context, 1, List.of(Posting.of(TestKeys.keyword(1), 0)))));
        masks.addAll(masks(sealer.seal(TestKeys.DOMAIN, context, 2, List.of(Posting.of(TestKeys.keyword(1), 0)))));
        masks.addAll(masks(sealer.seal(TestKeys.DOMAIN, context, 2, List.of(Posting.of(TestKeys.keyword(1), 1)))));
        masks.addAll(masks(seal(sealer, 3 * P.maxKeywords()))); // three blocks of one message
        assertThat(masks).hasSize(11).doesNotHaveDuplicates();
    }

    /**
     * The saboteur: two messages whose r0 is the same, shifted each by its own rho, as everybody can compute. v' - v =
     * (rho' - rho)·H1(w) + noise, so that whoever guesses a common word sees it in the bits, without any trapdoor. The
     * sealer, with a generator that is stuck, shows nothing.
     */
    @ParameterizedTest
    @MethodSource(ALL)
    void twoShiftsOfOneMaskLetAnybodyTestGuesses(NtruParameters p) {
        PublicKey publicKey = TestKeys.of(p).publicKey();
        int[][] hash = new int[2][];
        int[][] hat = new int[2][];
        for (int w = 0; w < 2; w++) {
            hash[w] = PlainTwin.hash(p, publicKey, TestKeys.DOMAIN, TestKeys.keyword(w));
            hat[w] = hash[w].clone();
            p.ring().forwardInPlace(hat[w]);
        }
        double right = 0;
        double wrong = 0;
        double honest = 0;
        int rounds = 20;
        NtruIndexSealer stuck = stuck(p);
        for (int round = 0; round < rounds; round++) {
            byte[][] bindings = new byte[2][32];
            byte[][] columns = new byte[2][];
            for (int message = 0; message < 2; message++) {
                bindings[message][0] = (byte) message;
                bindings[message][1] = (byte) round;
                try (CoinStream same = CoinStream.fresh(TestKeys.random("MaskReuseAttackTest/r0/" + p + round));
                        CoinStream flood = CoinStream.fresh(TestKeys.random("flood/" + p + round + message));
                        BlockMask.Opened mask = BlockMask.draw(publicKey, same).open()) {
                    mask.shift(publicKey, bindings[message]);
                    columns[message] = flooded(p, PlainTwin.keptProduct(p, mask, hat[0]), flood);
                }
            }
            right += deviations(p, bindings, columns, hash[0]);
            wrong += deviations(p, bindings, columns, hash[1]);
            PlainBlock[] blocks = new PlainBlock[2];
            Arrays.setAll(
                    blocks,
                    i -> PlainBlock.parse(seal(stuck, TestKeys.context(10 * i + 20), 0)
                            .getFirst()
                            .payload()));
            int slot = round % 16; // one of the two holds the word, or a dummy
            honest += deviations(
                    p,
                    new byte[][] {blocks[0].binding, blocks[1].binding},
                    new byte[][] {blocks[0].columns[slot], blocks[1].columns[slot]},
                    hash[0]);
        }
        double tolerance = 5 * Math.sqrt(rounds);
        assertThat(right / rounds).isGreaterThan(4);
        assertThat(wrong).isBetween(-tolerance, tolerance);
        assertThat(honest).isBetween(-tolerance, tolerance);
    }

    /**
     * How many deviations more the bits of two slots follow (rho' - rho)·H1(w), for a guess of w, than chance has it.
     */
    private static double deviations(NtruParameters p, byte[][] bindings, byte[][] columns, int[] h1) {
        int[] first = PlainTwin.rho(p, bindings[0]);
        int[] second = PlainTwin.rho(p, bindings[1]);
        int[] difference = new int[p.n()];
        Arrays.setAll(difference, i -> second[i] - first[i]);
        int[] d = PlainTwin.kept(p, PlainTwin.product(p, h1, difference));
        double sum = 0;
        double squares = 0;
        for (int j = 0; j < d.length; j++) {
            // the quarters that the bits name are alternate: bits are equal where d is near 0 or q/2, and differ where
            // it is near q/4 or 3q/4
            double expected = Math.cos(4 * Math.PI * d[j] / p.q());
            int equal = (columns[0][j >> 3] ^ columns[1][j >> 3]) >> (j & 7) & 1;
            sum += expected * (1 - 2 * equal);
            squares += expected * expected;
        }
        return sum / Math.sqrt(squares);
    }

    @Test
    void manyThreadsNeverShareAMask() throws Exception {
        NtruIndexSealer sealer = TestKeys.sealer(P, "MaskReuseAttackTest/threads");
        int each = 60;
        Callable<List<String>> work = () -> {
            List<String> own = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                own.addAll(masks(seal(sealer, 1 + i % 3)));
            }
            return own;
        };
        List<String> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<List<String>> own : threads.invokeAll(List.of(work, work, work, work))) {
                all.addAll(own.get());
            }
        }
        assertThat(all).hasSize(4 * each).doesNotHaveDuplicates();
    }

    /** The paper's form draws a mask of its own each time. */
    @Test
    void ciphertextsNeverShareAMask() {
        NtruPeks scheme = TestKeys.scheme(P);
        List<String> masks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            masks.add(Arrays.toString(scheme.encrypt(TestKeys.of(P).publicKey(), TestKeys.DOMAIN, TestKeys.keyword(0))
                    .a()));
        }
        assertThat(masks).doesNotHaveDuplicates();
    }

    private static List<IndexBlock> seal(NtruIndexSealer sealer, int keywords) {
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < keywords; i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
        }
        return sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, postings);
    }

    private static List<String> masks(List<IndexBlock> blocks) {
        List<String> out = new ArrayList<>();
        for (IndexBlock block : blocks) {
            out.add(Arrays.toString(PlainBlock.parse(block.payload()).a));
        }
        return out;
    }
}
