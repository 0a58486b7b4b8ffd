package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.ChainVerifier.Problem;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever happens to a chain on its way, the verifier names exactly that. */
class ChainVerifierLawsTest {
    private static final TestSeed SEED = TestSeed.of(ChainVerifierLawsTest.class);
    private static final int LENGTH = 24;
    private static final int ROUNDS = 150;
    private static final List<byte[]> CHAIN = ChainVerifierTest.chain(ChainPosition.first(), LENGTH);

    private record Offer(int sequence, boolean altered) {}

    @Test
    void namesExactlyWhatHappened() {
        SplittableRandom random = SEED.random("rounds");
        for (int round = 0; round < ROUNDS; round++) {
            List<Offer> offers = mishaps(random);
            ChainVerifier verifier = new ChainVerifier(List.of(Samples.SENDER.publicKey()));
            for (Offer offer : offers) {
                byte[] envelope = CHAIN.get(offer.sequence - 1).clone();
                if (offer.altered) {
                    envelope[envelope.length - 1 - random.nextInt(3300)] ^= (byte) (1 << random.nextInt(8));
                }
                verifier.add("x", envelope);
            }
            assertThat(counted(verifier.findings(Samples.NOW)))
                    .as("round %d: %s", round, offers)
                    .isEqualTo(expected(offers));
        }
    }

    /** Some dropped, some altered, some repeated, some moved. */
    private static List<Offer> mishaps(SplittableRandom random) {
        List<Offer> offers = new ArrayList<>();
        int kinds = random.nextInt(1, 16);
        for (int sequence = 1; sequence <= LENGTH; sequence++) {
            boolean dropped = (kinds & 1) != 0 && random.nextInt(6) == 0;
            boolean altered = (kinds & 2) != 0 && random.nextInt(6) == 0;
            if (!dropped) {
                offers.add(new Offer(sequence, altered));
            }
            if ((kinds & 4) != 0 && random.nextInt(6) == 0) {
                offers.add(new Offer(sequence, false));
            }
        }
        if ((kinds & 8) != 0) {
            for (int i = 0; i < 4 && !offers.isEmpty(); i++) {
                Offer moved = offers.remove(random.nextInt(offers.size()));
                offers.add(random.nextInt(offers.size() + 1), moved);
            }
        }
        return offers;
    }

    /** By the definitions, with sets. */
    private static Map<Problem, Map<Long, Integer>> expected(List<Offer> offers) {
        Map<Problem, Map<Long, Integer>> expected = new EnumMap<>(Problem.class);
        Set<Integer> good = new HashSet<>();
        Set<Integer> bad = new HashSet<>();
        int highest = 0;
        for (Offer offer : offers) {
            int sequence = offer.sequence;
            if (offer.altered) {
                bad.add(sequence);
            } else if (!good.add(sequence)) {
                count(expected, Problem.REPEATED, sequence);
            } else if (sequence < highest) {
                count(expected, Problem.REORDERED, sequence);
            }
            highest = offer.altered ? highest : Math.max(highest, sequence);
        }
        int tail = highest;
        while (bad.contains(tail + 1)) {
            tail++;
        }
        for (int sequence = 1; sequence <= LENGTH; sequence++) {
            if (bad.contains(sequence)) {
                boolean inPlace = !good.contains(sequence) && sequence <= tail;
                count(expected, inPlace ? Problem.ALTERED : Problem.BAD_SIGNATURE, sequence);
            } else if (!good.contains(sequence) && sequence < highest) {
                count(expected, Problem.MISSING, sequence);
            }
        }
        return expected;
    }

    private static Map<Problem, Map<Long, Integer>> counted(List<Finding> findings) {
        Map<Problem, Map<Long, Integer>> counted = new EnumMap<>(Problem.class);
        for (Finding finding : findings) {
            for (long at = finding.firstSequence(); at <= finding.lastSequence(); at++) {
                count(counted, finding.problem(), at);
            }
        }
        return counted;
    }

    private static void count(Map<Problem, Map<Long, Integer>> counts, Problem problem, long sequence) {
        counts.computeIfAbsent(problem, p -> new TreeMap<>()).merge(sequence, 1, Integer::sum);
    }
}
