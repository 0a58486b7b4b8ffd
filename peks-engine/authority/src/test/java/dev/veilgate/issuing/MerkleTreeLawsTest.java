package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The tree against its definition, and what its proofs prove and do not. */
class MerkleTreeLawsTest {
    private static final TestSeed SEED = TestSeed.of(MerkleTreeLawsTest.class);
    private static final int LARGEST = 130;

    private record Trees(List<byte[]> entries, MerkleTree tree) {
        byte[] root(int size) {
            return PlainMerkle.mth(entries.subList(0, size));
        }

        byte[] leaf(int index) {
            return Merkle.leaf(entries.get(index));
        }
    }

    private static Trees trees(int size) {
        List<byte[]> entries = new ArrayList<>();
        List<byte[]> leaves = new ArrayList<>();
        MerkleTree tree = new MerkleTree(index -> leaves.get((int) index));
        for (int i = 0; i < size; i++) {
            entries.add(("entry " + i).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            leaves.add(Merkle.leaf(entries.getLast()));
            tree.append(leaves.getLast());
        }
        return new Trees(entries, tree);
    }

    @Test
    void rootsAreTheDefinitionsAtEverySize() throws Exception {
        for (int size = 0; size <= LARGEST; size++) {
            assertThat(trees(size).tree.root()).isEqualTo(trees(size).root(size));
        }
        Trees all = trees(LARGEST);
        for (int size = 0; size <= LARGEST; size++) {
            assertThat(all.tree.root(size)).isEqualTo(all.root(size));
        }
    }

    @Test
    void inclusionProofsAreTheDefinitionsAndHold() throws Exception {
        Trees all = trees(LARGEST);
        for (int size = 1; size <= LARGEST; size++) {
            byte[] root = all.root(size);
            for (int index = 0; index < size; index++) {
                List<byte[]> path = all.tree.inclusion(index, size);
                assertThat(ConsistencyProof.same(path, PlainMerkle.path(index, all.entries.subList(0, size))))
                        .isTrue();
                assertThat(MerkleProofs.included(all.leaf(index), index, size, path, root))
                        .as(index + " of " + size)
                        .isTrue();
            }
        }
    }

    @Test
    void consistencyProofsAreTheDefinitionsAndHold() throws Exception {
        Trees all = trees(LARGEST);
        for (int second = 0; second <= LARGEST; second++) {
            for (int first = 0; first <= second; first++) {
                List<byte[]> path = all.tree.consistency(first, second);
                if (first > 0) {
                    assertThat(ConsistencyProof.same(path, PlainMerkle.proof(first, all.entries.subList(0, second))))
                            .isTrue();
                }
                assertThat(MerkleProofs.consistent(first, second, path, all.root(first), all.root(second)))
                        .as(first + " to " + second)
                        .isTrue();
            }
        }
    }

    /** Around the subtrees that are kept, where the code takes other ways. */
    @Test
    void largeTreesAreTheDefinitionsToo() throws Exception {
        int size = 3 * MerkleTree.CHUNK + 5;
        Trees all = trees(size);
        SplittableRandom random = SEED.random("large");
        int[] edges = {1, MerkleTree.CHUNK - 1, MerkleTree.CHUNK, MerkleTree.CHUNK + 1, 2 * MerkleTree.CHUNK, size};
        for (int round = 0; round < 60; round++) {
            int second = round < edges.length ? edges[round] : random.nextInt(1, size + 1);
            int first = random.nextInt(1, second + 1);
            int index = random.nextInt(second);
            byte[] root = all.root(second);
            List<byte[]> inclusion = all.tree.inclusion(index, second);
            assertThat(ConsistencyProof.same(inclusion, PlainMerkle.path(index, all.entries.subList(0, second))))
                    .isTrue();
            assertThat(MerkleProofs.included(all.leaf(index), index, second, inclusion, root))
                    .isTrue();
            List<byte[]> consistency = all.tree.consistency(first, second);
            assertThat(ConsistencyProof.same(consistency, PlainMerkle.proof(first, all.entries.subList(0, second))))
                    .isTrue();
            assertThat(MerkleProofs.consistent(first, second, consistency, all.root(first), root))
                    .isTrue();
        }
    }

    /** What bounds the time of a proof from a log of a million entries. */
    @Test
    void aProofReadsTwoKeptSubtreesAtMost() throws Exception {
        int size = 100 * MerkleTree.CHUNK + 77;
        int[] reads = {0};
        MerkleTree tree = new MerkleTree(index -> {
            reads[0]++;
            return leafOf(index);
        });
        for (int i = 0; i < size; i++) {
            tree.append(leafOf(i));
        }
        SplittableRandom random = SEED.random("reads");
        for (int round = 0; round < 20; round++) {
            int second = random.nextInt(1, size + 1);
            reads[0] = 0;
            tree.inclusion(random.nextInt(second), second);
            assertThat(reads[0]).isLessThanOrEqualTo(2 * MerkleTree.CHUNK);
            reads[0] = 0;
            tree.consistency(random.nextInt(1, second + 1), second);
            assertThat(reads[0]).isLessThanOrEqualTo(2 * MerkleTree.CHUNK);
        }
    }

    private static byte[] leafOf(long index) {
        return Merkle.leaf(java.nio.ByteBuffer.allocate(8).putLong(0, index).array());
    }

    @Test
    void aProofHoldsForNothingElse() throws Exception {
        Trees all = trees(40);
        for (int size = 2; size <= 40; size++) {
            byte[] root = all.root(size);
            for (int index = 0; index < size; index++) {
                List<byte[]> path = all.tree.inclusion(index, size);
                byte[] leaf = all.leaf(index);
                int other = (index + 1) % size;
                assertThat(MerkleProofs.included(all.leaf(other), index, size, path, root))
                        .isFalse();
                assertThat(MerkleProofs.included(leaf, other, size, path, root)).isFalse();
                assertThat(MerkleProofs.included(leaf, index, size, path, all.root(size - 1)))
                        .isFalse();
                assertThat(MerkleProofs.included(leaf, -1, size, path, root)).isFalse();
                assertThat(MerkleProofs.included(leaf, size, size, path, root)).isFalse();
                for (List<byte[]> bad : altered(path)) {
                    assertThat(MerkleProofs.included(leaf, index, size, bad, root))
                            .isFalse();
                }
            }
        }
    }

    @Test
    void aConsistencyProofHoldsForNothingElse() throws Exception {
        Trees all = trees(40);
        byte[] foreign = Merkle.leaf(new byte[] {1});
        for (int second = 2; second <= 40; second++) {
            for (int first = 1; first < second; first++) {
                List<byte[]> path = all.tree.consistency(first, second);
                byte[] from = all.root(first);
                byte[] to = all.root(second);
                assertThat(MerkleProofs.consistent(first, second, path, foreign, to))
                        .isFalse();
                assertThat(MerkleProofs.consistent(first, second, path, from, foreign))
                        .isFalse();
                assertThat(MerkleProofs.consistent(second, first, path, to, from))
                        .isFalse();
                assertThat(MerkleProofs.consistent(first, first, path, from, from))
                        .isFalse();
                assertThat(MerkleProofs.consistent(0, second, path, from, to)).isFalse();
                for (List<byte[]> bad : altered(path)) {
                    assertThat(MerkleProofs.consistent(first, second, bad, from, to))
                            .isFalse();
                }
            }
        }
        assertThat(MerkleProofs.consistent(0, 5, List.of(), Merkle.empty(), all.root(5)))
                .isTrue();
        assertThat(MerkleProofs.consistent(0, 5, List.of(), foreign, all.root(5)))
                .isFalse();
        assertThat(MerkleProofs.consistent(5, 5, List.of(), all.root(5), foreign))
                .isFalse();
    }

    /** Each hash flipped, each left out, one too many. */
    private static List<List<byte[]>> altered(List<byte[]> path) {
        List<List<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            List<byte[]> flipped = ConsistencyProof.copy(path);
            flipped.get(i)[i % Merkle.BYTES] ^= 1;
            all.add(flipped);
            List<byte[]> shorter = new ArrayList<>(path);
            shorter.remove(i);
            all.add(shorter);
        }
        List<byte[]> longer = new ArrayList<>(path);
        longer.add(Merkle.empty());
        all.add(longer);
        return all;
    }

    /** The second preimage that the prefixes are there for: an entry made of two leaf hashes is not their node. */
    @Test
    void aNodeIsNoLeaf() throws Exception {
        Trees two = trees(2);
        byte[] posing = new byte[2 * Merkle.BYTES];
        System.arraycopy(two.leaf(0), 0, posing, 0, Merkle.BYTES);
        System.arraycopy(two.leaf(1), 0, posing, Merkle.BYTES, Merkle.BYTES);
        assertThat(MerkleProofs.included(Merkle.leaf(posing), 0, 1, List.of(), two.root(2)))
                .isFalse();
    }

    @Test
    void whatIsNotThereIsNotProven() {
        MerkleTree tree = trees(5).tree;
        assertThatIllegalArgumentException().isThrownBy(() -> tree.inclusion(5, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.inclusion(-1, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.inclusion(0, 6));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.consistency(3, 6));
        assertThatIllegalArgumentException().isThrownBy(() -> tree.consistency(4, 3));
    }
}
