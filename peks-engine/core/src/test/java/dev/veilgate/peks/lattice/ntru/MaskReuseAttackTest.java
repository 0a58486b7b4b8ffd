package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.ChildJvm;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Posting;
import dev.veilgate.random.CoinStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shows what an attacker sees if two blocks share a mask, and holds that no two ever do: not by mistake, not among threads, not
 * after a crash. Masks prepared in advance are the tempting place for it.
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

    @Test
    void preparedMasksAreTakenOutOneByOne() throws MalformedEncodingException {
        NtruIndexSealer sealer = TestKeys.sealer(P, "MaskReuseAttackTest/prepared");
        Set<String> seen = new HashSet<>();
        sealer.prepareMasks(5);
        assertThat(sealer.preparedMasks()).isEqualTo(5);
        for (int i = 0; i < 8; i++) {
            assertThat(seen.addAll(masks(seal(sealer, 1)))).isTrue();
            assertThat(sealer.preparedMasks()).isEqualTo(Math.max(0, 4 - i));
        }
        sealer.prepareMasks(2);
        assertThat(seen.addAll(masks(seal(sealer, 3 * P.maxKeywords())))).isTrue();
        assertThat(sealer.preparedMasks()).isZero();
        assertThat(seen).hasSize(11);
    }

    @Test
    void closingASealerForgetsItsMasks() {
        NtruIndexSealer sealer = TestKeys.sealer(P, "MaskReuseAttackTest/close");
        sealer.prepareMasks(4);
        sealer.close();
        assertThat(sealer.preparedMasks()).isZero();
        sealer.close();
        Set<String> seen = new HashSet<>(masks(seal(sealer, 1)));
        seen.addAll(masks(seal(sealer, 1)));
        assertThat(seen).hasSize(2);
    }

    /** A block that cannot be sealed takes its mask with it: nothing of it may be used again. */
    @Test
    void masksOfRefusedMessagesStayUnused() throws MalformedEncodingException {
        NtruIndexSealer sealer = TestKeys.sealer(P, "MaskReuseAttackTest/refused");
        sealer.prepareMasks(3);
        assertThatThrownBy(() -> sealer.seal(
                        TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(TestKeys.keyword(0), 1))))
                .isInstanceOf(IllegalArgumentException.class);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            assertThat(seen.addAll(masks(seal(sealer, 1)))).isTrue();
        }
        assertThat(seen).hasSize(4);
    }

    @Test
    void manyThreadsNeverShareAMask() throws Exception {
        NtruIndexSealer sealer = TestKeys.sealer(P, "MaskReuseAttackTest/threads");
        sealer.prepareMasks(120);
        int each = 60;
        Callable<List<String>> work = () -> {
            List<String> own = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                own.addAll(masks(seal(sealer, 1 + i % 3)));
                if (i % 10 == 0) {
                    sealer.prepareMasks(1);
                }
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

    /** A device that is cut off with masks prepared, and starts again: it left nothing behind, and repeats nothing. */
    @Test
    @Timeout(600)
    void nothingOfAMaskSurvivesACrash(@TempDir Path folder) throws Exception {
        Path key = folder.resolve("public-key");
        Files.write(key, TestKeys.of(P).publicKey().encode());
        Path working = Files.createDirectory(folder.resolve("working"));
        List<String> all = new ArrayList<>();
        for (int start = 0; start < 3; start++) {
            Process process = ChildJvm.start(working, Device.class, key.toString());
            try {
                List<String> lines =
                        process.inputReader(StandardCharsets.US_ASCII).lines().toList();
                assertThat(process.waitFor()).isEqualTo(Device.HALTED);
                assertThat(lines).hasSize(Device.BLOCKS);
                all.addAll(lines);
            } finally {
                process.destroyForcibly();
            }
            try (Stream<Path> left = Files.list(working)) {
                assertThat(left).isEmpty();
            }
        }
        assertThat(all).doesNotHaveDuplicates();
    }

    /** The device: prepares masks, seals with some of them, and is gone. */
    static final class Device {
        static final int BLOCKS = 20;
        static final int HALTED = 77;

        public static void main(String[] args) throws IOException, MalformedEncodingException {
            PublicKey key = PublicKey.decode(Files.readAllBytes(Path.of(args[0])));
            NtruIndexSealer sealer = new NtruIndexSealer(key, new SecureRandom());
            sealer.prepareMasks(BLOCKS + 10);
            for (int i = 0; i < BLOCKS; i++) {
                System.out.println(masks(seal(sealer, 1)).getFirst());
            }
            System.out.flush();
            Runtime.getRuntime().halt(HALTED);
        }
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
