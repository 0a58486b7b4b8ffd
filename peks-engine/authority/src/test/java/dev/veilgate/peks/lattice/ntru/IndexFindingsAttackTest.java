package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.FindingBudget;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.NewFolder;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registered sender who hears what an authority finds in her blocks, and makes them of a stranger's: A0 + x^i under
 * a binding of her own, with a slot for a word whose trapdoor was issued. Each answer tells one coefficient of the
 * stranger's e1; with all of them she has e1, r0 and a test for guesses of the stranger's words. With the budget of
 * findings she has few.
 */
class IndexFindingsAttackTest {
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final int OWN_WORD = 1000;
    private static final int WORDS = 40;

    private final PublicKey key = TestKeys.of(P).publicKey();
    private final MessageContext context = TestKeys.context(77);
    private final PlainBlock stranger = PlainBlock.parse(block().payload());
    /** The mask before its shift, which everybody computes. */
    private final int[] a0 = MaskShift.unshifted(key, stranger.binding, stranger.a);

    private final int[] trapdoor =
            TestKeys.trapdoor(P, TestKeys.keyword(OWN_WORD)).t();
    private int questions;

    private IndexBlock block() {
        List<Posting> postings = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
        }
        return TestKeys.sealer(P, "IndexFindingsAttackTest")
                .seal(TestKeys.DOMAIN, context, 1, postings)
                .getFirst();
    }

    /** The answers to a sender's questions. */
    private interface Authority {
        /** Whether more questions are answered. */
        boolean allows();

        /** Tells of a finding. */
        void count() throws IOException;
    }

    /** Whether the stranger's e1 has this value at i, by the finding that A0 + value·x^i is not well formed. */
    private boolean is(int i, int value, Authority authority) throws IOException, MalformedEncodingException {
        questions++;
        int[] changed = a0.clone();
        changed[i] = Math.floorMod(changed[i] + value, P.q());
        ForgedBlock forged = ForgedBlock.shifted(P, 16, 1, changed);
        forged.seal(5, PlainTwin.kept(P, PlainTwin.product(P, forged.plain().a, trapdoor)));
        try (BlockOpening opening = TestKeys.scheme(P)
                .open(TestKeys.of(P).secretKey(), TestKeys.DOMAIN.tenant(), forged.block(), ForgedBlock.CONTEXT)) {
            if (!opening.isWellFormed() || !opening.has(TestKeys.keyword(OWN_WORD), 0)) {
                authority.count();
            }
            return !opening.isWellFormed();
        }
    }

    /** Coefficients of e1 as far as they get known; 2 for the others. */
    private int[] e1(Authority authority) throws IOException, MalformedEncodingException {
        int[] e1 = new int[P.n()];
        Arrays.fill(e1, 2);
        for (int i = 0; i < e1.length && authority.allows(); i++) {
            boolean isOne = is(i, 1, authority);
            if (isOne) {
                e1[i] = 1;
            } else if (authority.allows()) {
                e1[i] = is(i, -1, authority) ? -1 : 0;
            }
        }
        return e1;
    }

    private long[] actual() {
        PlainOpening plain = new PlainOpening(TestKeys.of(P));
        return plain.e1(stranger.a, plain.r(stranger.a).orElseThrow());
    }

    /**
     * Without a bound she reads the stranger's words: r0 = (A0 - e1)/h, and each guess is tested on the slots' bits.
     */
    @Test
    void allAnswersTellTheWordsOfAStrangersBlock() throws IOException, MalformedEncodingException {
        int[] e1 = e1(new Authority() {
            @Override
            public boolean allows() {
                return true;
            }

            @Override
            public void count() {
                // nobody does
            }
        });
        assertThat(Arrays.stream(e1).asLongStream().toArray()).isEqualTo(actual());
        assertThat(questions).isBetween(3 * P.n() / 2, 2 * P.n());
        int[] r = new int[P.n()];
        Arrays.setAll(r, i -> Math.floorMod(stranger.a[i] - e1[i], P.q()));
        int[] hHat = key.h().clone();
        P.ring().forwardInPlace(hHat);
        assertThat(P.ring().invertHatInPlace(hHat)).isTrue();
        P.ring().toMontInPlace(hHat);
        P.ring().forwardInPlace(r);
        P.ring().multiplyHat(r, r, hHat);
        P.ring().inverseInPlace(r);
        Arrays.setAll(r, i -> P.ring().modulus().centred(r[i]));
        PlainOpening guessing = new PlainOpening(TestKeys.of(P));
        for (int i = 0; i < 2 * WORDS; i++) {
            int[] u = guessing.product(r, TestKeys.keyword(i));
            boolean isThere = Arrays.stream(stranger.columns)
                    .anyMatch(column -> guessing.slotKey(u, column).isPresent());
            assertThat(isThere).isEqualTo(i < WORDS);
        }
    }

    @Test
    void theBudgetOfFindingsLeavesFewCoefficients(@TempDir Path temporary) throws Exception {
        try (KeyFolder folder = NewFolder.in(temporary)) {
            FindingBudget budget = folder.findingBudget(Clock.systemUTC());
            Authority counting = new Authority() {
                @Override
                public boolean allows() {
                    return budget.allows("press-4");
                }

                @Override
                public void count() throws IOException {
                    budget.count("press-4");
                }
            };
            int[] e1 = e1(counting);
            long known = Arrays.stream(e1).filter(e -> e != 2).count();
            long[] actual = actual();
            for (int i = 0; i < e1.length; i++) {
                assertThat(e1[i] == 2 || e1[i] == actual[i]).isTrue();
            }
            assertThat(known).isBetween(1L, 99L);
            assertThat(budget.stopped()).containsExactly("press-4");
        }
    }
}
