package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An attacker without any key who fills the slots of a block so that they match as many trapdoors as possible, for an A of her
 * choice: she draws vectors as trapdoors are distributed, sees where A·t lies for each, and greedily takes the slots that match most of those that no slot
 * matches yet.
 */
final class SlotCover {
    private final NtruParameters p;
    private final PreparedVector[] known;
    private final int[][] vectors;

    SlotCover(NtruParameters p, int known, SplittableRandom random) {
        this.p = p;
        this.vectors = new int[known][];
        this.known = new PreparedVector[known];
        for (int i = 0; i < known; i++) {
            vectors[i] = vector(p, random);
            this.known[i] = new PreparedVector(p, vectors[i]);
        }
    }

    /** A vector as trapdoors are distributed. */
    static int[] vector(NtruParameters p, SplittableRandom random) {
        int[] t = new int[p.n()];
        Arrays.setAll(t, i -> (int) Math.rint(random.nextGaussian() * p.sigma()));
        return t;
    }

    /** The best full block of this A that she finds. */
    ForgedBlock block(int[] a) throws MalformedEncodingException {
        int slots = BlockPayload.paddedSlots(p.maxKeywords());
        int[][] kept = new int[vectors.length][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = PlainTwin.kept(p, PlainTwin.product(p, a, vectors[i]));
        }
        List<boolean[]> matched =
                new ArrayList<>(); // of each slot that she might take, made for one vector, which vectors match it
        for (int from = 0; from < kept.length; from += slots) {
            ForgedBlock tried = new ForgedBlock(p, slots, 1, a);
            for (int slot = 0; slot < slots; slot++) {
                tried.seal(slot, kept[Math.min(from + slot, kept.length - 1)]);
                matched.add(new boolean[kept.length]);
            }
            StoredBlock stored = tried.stored();
            for (int i = 0; i < known.length; i++) {
                int vector = i;
                int first = from;
                if (known[i].mayMatch(stored.hot(), 0)) {
                    known[i].decodeSurvivors(stored).forEach(match -> matched.get(first + match.slot())[vector] = true);
                }
            }
        }
        ForgedBlock best = new ForgedBlock(p, slots, 1, a);
        boolean[] covered = new boolean[kept.length];
        for (int slot = 0; slot < slots; slot++) {
            int choice = best(matched.subList(0, kept.length), covered);
            best.seal(slot, kept[choice]);
            for (int i = 0; i < covered.length; i++) {
                covered[i] |= matched.get(choice)[i];
            }
        }
        return best;
    }

    private static int best(List<boolean[]> matched, boolean[] covered) {
        int best = 0;
        int most = -1;
        for (int choice = 0; choice < matched.size(); choice++) {
            int gain = 0;
            for (int i = 0; i < covered.length; i++) {
                gain += matched.get(choice)[i] && !covered[i] ? 1 : 0;
            }
            if (gain > most) {
                most = gain;
                best = choice;
            }
        }
        return best;
    }
}
