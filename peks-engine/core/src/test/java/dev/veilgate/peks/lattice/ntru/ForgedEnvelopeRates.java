package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Prints, for ideals of norm 2P ({@link ShiftedIdeal}) at N = 2048, how often the check of A refuses a block, how many blocks of one message pass before one is refused,
 * and the share of real trapdoors that {@value #BLOCKS} blocks match when nothing is checked: the second table of the specification, section 4. Run by
 * hand; takes some minutes:
 *
 * <pre>java -cp peks-engine/core/target/classes:peks-engine/core/target/test-classes dev.veilgate.peks.lattice.ntru.ForgedEnvelopeRates</pre>
 */
final class ForgedEnvelopeRates {
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final NtruIndexScheme SCHEME = new NtruIndexScheme();
    private static final int BLOCKS = 256;
    private static final int TRIES = 10_000;
    private static final int MESSAGES = 5000;
    private static final int TRAPDOORS = 10_000;

    private ForgedEnvelopeRates() {}

    /** Prints the table as CSV. */
    public static void main(String[] args) throws MalformedEncodingException {
        SplittableRandom random = new SplittableRandom(1);
        System.out.println("P,blocks tried,found in A alone,refused by the check of A,messages tried,"
                + "mean of blocks before the first that is refused,most blocks before the first that is refused,"
                + "real trapdoors,share matched by 256 blocks without checks");
        for (int prime : new int[] {1_256_449, 1_318_913}) {
            double alone = 0;
            double refused = 0;
            for (int i = 0; i < TRIES; i++) {
                int[] a = new ShiftedIdeal(P, prime, random).mask(1);
                alone += SparseMultiplier.exists(HotBlock.phases(a, P.q()), P.kept(), random) ? 1.0 / TRIES : 0;
                refused += MaskCheck.of(P).isGeneric(a) ? 0 : 1.0 / TRIES;
            }
            int all = 0;
            int most = 0;
            for (int message = 0; message < MESSAGES; message++) {
                int admitted = admitted(prime, random);
                all += admitted;
                most = Math.max(most, admitted);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d,%d,%.4f,%.4f,%d,%.2f,%d,%d,%.4f%n",
                    prime,
                    TRIES,
                    alone,
                    refused,
                    MESSAGES,
                    (double) all / MESSAGES,
                    most,
                    TRAPDOORS,
                    matched(new ShiftedIdeal(P, prime, random)));
        }
    }

    /** Blocks of one message that pass before one is refused, of other ideals and parts each. */
    private static int admitted(int prime, SplittableRandom random) {
        int admitted = 0;
        while (admitted < BLOCKS && MaskCheck.of(P).isGeneric(new ShiftedIdeal(P, prime, random).mask(1))) {
            admitted++;
        }
        return admitted;
    }

    /** Share of a key's trapdoors that one of the blocks matches at least. */
    private static double matched(ShiftedIdeal ideal) throws MalformedEncodingException {
        StoredBlock[] blocks =
                Arrays.stream(ideal.envelope(BLOCKS)).map(ForgedBlock::stored).toArray(StoredBlock[]::new);
        int hits = 0;
        for (int i = 0; i < TRAPDOORS; i++) {
            PreparedTrapdoor trapdoor = SCHEME.prepare(TestKeys.scoped(P, TestKeys.keyword(i)));
            for (StoredBlock block : blocks) {
                if (!SCHEME.match(trapdoor, block).isEmpty()) {
                    hits++;
                    break;
                }
            }
        }
        return (double) hits / TRAPDOORS;
    }
}
