package dev.veilgate.math.ggm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class GgmTreeTest {
    private final TestSeed seed = TestSeed.of(GgmTreeTest.class);

    /** The definition, a node at a time. */
    private static byte[] leaf(byte[] root, long leaf, int depth) throws Exception {
        byte[] node = root.clone();
        for (int level = depth - 1; level >= 0; level--) {
            node[15] ^= (byte) (leaf >>> level & 1);
            node = hash(node);
        }
        return node;
    }

    private static final Cipher TREE = cipher("tree");
    private static final Cipher PAD = cipher("pad");

    private static Cipher cipher(String use) {
        try {
            byte[] key = MessageDigest.getInstance("SHA-256")
                    .digest(("veilgate/ggm/1/" + use).getBytes(StandardCharsets.US_ASCII));
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, 0, 16, "AES"));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hash(byte[] block) throws Exception {
        return xor(TREE.doFinal(block), block);
    }

    private static byte[] xor(byte[] one, byte[] other) {
        byte[] out = one.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] ^= other[i];
        }
        return out;
    }

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void leavesInBulkAreThoseOfTheDefinition() throws Exception {
        SplittableRandom random = seed.random("leaves");
        for (int depth : new int[] {0, 1, 5, 18, 63, 64}) {
            GgmTree tree = new GgmTree(depth);
            int count = 20;
            byte[] roots = bytes(count * 16, random);
            long[] leaves = new long[count];
            for (int i = 0; i < count; i++) {
                leaves[i] = depth == 0 ? 0 : random.nextLong() >>> Long.SIZE - depth;
            }
            byte[] nodes = roots.clone();
            tree.descend(nodes, leaves, count);
            for (int i = 0; i < count; i++) {
                assertThat(Arrays.copyOfRange(nodes, 16 * i, 16 * i + 16))
                        .isEqualTo(leaf(Arrays.copyOfRange(roots, 16 * i, 16 * i + 16), leaves[i], depth));
            }
        }
    }

    @Test
    void siblingsGiveEveryLeafButOne() throws Exception {
        SplittableRandom random = seed.random("siblings");
        int depth = 6;
        GgmTree tree = new GgmTree(depth);
        byte[] root = bytes(16, random);
        for (int punctured = 0; punctured < 64; punctured++) {
            byte[] siblings = tree.siblings(root, punctured);
            for (int other = 0; other < 64; other++) {
                if (other == punctured) {
                    continue;
                }
                int level = Integer.numberOfLeadingZeros(other ^ punctured) - (Integer.SIZE - depth);
                byte[] node = Arrays.copyOfRange(siblings, 16 * level, 16 * level + 16);
                tree.descendFrom(node, new int[] {level + 1}, new long[] {other}, 1);
                assertThat(node).isEqualTo(leaf(root, other, depth));
            }
        }
    }

    @Test
    void nodesOfSeveralLevelsDescendTogether() throws Exception {
        SplittableRandom random = seed.random("levels");
        int depth = 9;
        GgmTree tree = new GgmTree(depth);
        int[] levels = {0, 0, 3, 3, 7, 9};
        long[] leaves = {0, 511, 17, 300, 201, 5};
        byte[] nodes = bytes(16 * levels.length, random);
        byte[] before = nodes.clone();
        tree.descendFrom(nodes, levels, leaves, levels.length);
        for (int i = 0; i < levels.length; i++) {
            byte[] node = Arrays.copyOfRange(before, 16 * i, 16 * i + 16);
            assertThat(Arrays.copyOfRange(nodes, 16 * i, 16 * i + 16))
                    .isEqualTo(leaf(node, leaves[i] & (1L << depth - levels[i]) - 1, depth - levels[i]));
        }
    }

    @Test
    void aCoverGivesAllLeavesButTheRevokedOnes() throws Exception {
        SplittableRandom random = seed.random("cover");
        for (int round = 0; round < 60; round++) {
            int depth = round % 6;
            GgmTree tree = new GgmTree(depth);
            BitSet revoked = new BitSet();
            int count = random.nextInt((1 << depth) + 1);
            for (int i = 0; i < count; i++) {
                revoked.set(random.nextInt(1 << depth));
            }
            byte[] root = bytes(16, random);
            LeafCover cover = new LeafCover(tree, revoked);
            byte[] nodes = cover.nodes(root);
            byte[] leaves = cover.leaves(nodes);
            for (int i = 0; i < 1 << depth; i++) {
                byte[] leaf = Arrays.copyOfRange(leaves, 16 * i, 16 * i + 16);
                assertThat(leaf).isEqualTo(revoked.get(i) ? new byte[16] : leaf(root, i, depth));
            }
            for (int at = 0; at < nodes.length; at += 16) {
                byte[] node = Arrays.copyOfRange(nodes, at, at + 16);
                for (int i = revoked.nextSetBit(0); i >= 0; i = revoked.nextSetBit(i + 1)) {
                    for (int below = 0; below <= depth; below++) {
                        assertThat(leaf(node, i & (1L << below) - 1, below)).isNotEqualTo(leaf(root, i, depth));
                    }
                }
            }
            assertThatThrownBy(() -> cover.leaves(Arrays.copyOf(nodes, nodes.length + 16)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    /** Neighbours that are not revoked are given by their common ancestor. */
    @Test
    void aCoverHasTheFewestNodes() {
        GgmTree tree = new GgmTree(4);
        BitSet revoked = new BitSet();
        assertThat(new LeafCover(tree, revoked).size()).isEqualTo(1);
        revoked.set(0);
        assertThat(new LeafCover(tree, revoked).size()).isEqualTo(4);
        revoked.set(1);
        assertThat(new LeafCover(tree, revoked).size()).isEqualTo(3);
        revoked.set(0, 16);
        assertThat(new LeafCover(tree, revoked).size()).isZero();
    }

    @Test
    void aHashWithATweakIsThatOfTheDefinition() throws Exception {
        SplittableRandom random = seed.random("tweak");
        FixedKeyHash hash = FixedKeyHash.of("pad");
        byte[] blocks = bytes(16 * 7, random);
        byte[] tweaks = bytes(16 * 7, random);
        byte[] out = blocks.clone();
        hash.two(out, tweaks, 7);
        for (int at = 0; at < blocks.length; at += 16) {
            byte[] once = PAD.doFinal(Arrays.copyOfRange(blocks, at, at + 16));
            byte[] twice = PAD.doFinal(xor(once, Arrays.copyOfRange(tweaks, at, at + 16)));
            assertThat(Arrays.copyOfRange(out, at, at + 16)).isEqualTo(xor(twice, once));
        }
    }

    @Test
    void leavesStayWhatTheyAre() {
        GgmTree tree = new GgmTree(20);
        byte[] node = new byte[16];
        tree.descend(node, new long[] {0xbeef5}, 1);
        assertThat(HexFormat.of().formatHex(node)).isEqualTo("da8bcfe2b1885f6963e83c95ece4563f");
    }
}
