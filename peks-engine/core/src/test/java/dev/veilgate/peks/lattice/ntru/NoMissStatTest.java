package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each keyword of 2^18 slots of either set, sealed, verified and stored as the product does, is found by its trapdoor:
 * with all 256 rows, each of which could miss it. The bound is below 2^-64 a slot, so that honest slots do not fail
 * here; one miss in 2^16 slots shows in 98 of 100 runs. {@code -Dveilgate.slots=2097152} takes 2^21 slots of either
 * set, where one in 2^19 does.
 */
class NoMissStatTest {
    private static final int SLOTS = Integer.getInteger("veilgate.slots", 1 << 18);

    private enum Set {
        N1024(NtruParameters.N1024_Q27),
        N2048(NtruParameters.N2048_Q29);

        private final NtruParameters parameters;

        Set(NtruParameters parameters) {
            this.parameters = parameters;
        }
    }

    @ParameterizedTest
    @EnumSource
    void noKeywordIsMissed(Set set) throws MalformedEncodingException {
        NtruParameters p = set.parameters;
        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        IndexVerifier verifier = scheme.verifier(TestKeys.of(p).publicKey().encode());
        NtruIndexSealer sealer = new NtruIndexSealer(
                TestKeys.of(p).publicKey(),
                TestKeys.random("NoMissStatTest/" + p),
                NtruIndexSealer.SlotPadding.MULTIPLE_OF_16,
                p.maxKeywords());
        List<Posting> postings = new ArrayList<>();
        List<PreparedTrapdoor> trapdoors = new ArrayList<>();
        for (int i = 0; i < p.maxKeywords(); i++) {
            postings.add(Posting.of(TestKeys.keyword(i), 0));
            trapdoors.add(scheme.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        int blocks = Math.ceilDiv(SLOTS, p.maxKeywords());
        long found = IntStream.range(0, blocks)
                .parallel()
                .mapToLong(b -> {
                    MessageContext context = TestKeys.context(b);
                    StoredBlock stored = stored(sealer, verifier, postings, context);
                    return trapdoors.stream()
                            .mapToLong(
                                    trapdoor -> scheme.match(trapdoor, stored).size())
                            .sum();
                })
                .sum();
        assertThat(found).isEqualTo((long) blocks * p.maxKeywords());
    }

    private static StoredBlock stored(
            NtruIndexSealer sealer, IndexVerifier verifier, List<Posting> postings, MessageContext context) {
        try {
            return verifier.verify(sealer.seal(TestKeys.DOMAIN, context, 1, postings), context)
                    .getFirst();
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
