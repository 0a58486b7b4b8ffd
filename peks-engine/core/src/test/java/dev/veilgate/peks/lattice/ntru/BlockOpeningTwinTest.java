package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The secret key finds in honest blocks what Test finds with trapdoors: each keyword with its slot and
 * records, and no other. A keyword that this misses is a false finding against an honest sender.
 */
class BlockOpeningTwinTest {
    private static final TestSeed SEED = TestSeed.of(BlockOpeningTwinTest.class);
    private static final String ALL = "dev.veilgate.peks.lattice.ntru.NtruParameters#all";
    private static final int POOL = 400;
    private static final String TENANT = TestKeys.DOMAIN.tenant();
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());

    private static BlockOpening open(NtruParameters p, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        return TestKeys.scheme(p).open(TestKeys.of(p).secretKey(), TENANT, block, context);
    }

    private static List<PreparedTrapdoor> prepared(NtruParameters p) throws MalformedEncodingException {
        List<PreparedTrapdoor> out = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            out.add(SCHEME.prepare(TestKeys.scoped(p, TestKeys.keyword(i))));
        }
        return out;
    }

    private static List<Posting> postings(int keywords, int records, SplittableRandom random) {
        List<Posting> postings = new ArrayList<>();
        int first = random.nextInt(POOL);
        for (int i = 0; i < keywords; i++) {
            int size = 1 + (int) Math.pow(records, random.nextDouble()) % records;
            int[] ordinals =
                    IntStream.range(0, size).map(k -> random.nextInt(records)).toArray();
            postings.add(new Posting(TestKeys.keyword((first + i) % POOL), RecordSet.of(ordinals)));
        }
        return postings;
    }

    /** Every word of the pool by both ways; returns how many were found. */
    private static int assertAlike(
            NtruParameters p, List<PreparedTrapdoor> prepared, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        StoredBlock stored = SCHEME.storedForm(block, context);
        int found = 0;
        try (BlockOpening opening = open(p, block, context)) {
            assertThat(opening.isWellFormed()).isTrue();
            for (int i = 0; i < POOL; i++) {
                List<SlotMatch> expected = SCHEME.match(prepared.get(i), stored);
                assertThat(opening.find(TestKeys.keyword(i))).isEqualTo(expected);
                found += expected.size();
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void findsWhatTrapdoorsFindAndNothingElse(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("honest/" + p);
        NtruIndexSealer sealer = TestKeys.sealer(p, "BlockOpeningTwinTest");
        List<PreparedTrapdoor> prepared = prepared(p);
        int message = 0;
        int cap = p.maxKeywords();
        for (int keywords : new int[] {1, 15, 16, 17, cap, cap + 1, 300}) {
            for (int records : new int[] {1, 2, 9, 64, 65, 200, 256}) {
                MessageContext context = TestKeys.context(message++);
                List<Posting> postings = postings(keywords, records, random);
                int found = 0;
                for (IndexBlock block : sealer.seal(TestKeys.DOMAIN, context, records, postings)) {
                    found += assertAlike(p, prepared, block, context);
                }
                assertThat(found).isEqualTo(keywords);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(ALL)
    void findsTheKeywordOfABlockOfOneSlot(NtruParameters p) throws MalformedEncodingException {
        SplittableRandom random = SEED.random("single/" + p);
        NtruIndexSealer sealer = new NtruIndexSealer(
                TestKeys.of(p).publicKey(),
                TestKeys.random("BlockOpeningTwinTest/single/" + p),
                NtruIndexSealer.SlotPadding.ONE_KEYWORD_PER_BLOCK,
                0);
        List<PreparedTrapdoor> prepared = prepared(p);
        MessageContext context = TestKeys.context(1);
        int found = 0;
        for (IndexBlock block : sealer.seal(TestKeys.DOMAIN, context, 80, postings(10, 80, random))) {
            found += assertAlike(p, prepared, block, context);
        }
        assertThat(found).isEqualTo(10);
    }

    /** Many more than trapdoors can be made for: nothing is missed, and a word that is not there is not found. */
    @ParameterizedTest
    @MethodSource(ALL)
    void missesNoKeywordOfThousands(NtruParameters p) throws MalformedEncodingException {
        NtruIndexSealer sealer = TestKeys.sealer(p, "BlockOpeningTwinTest/thousands");
        int cap = p.maxKeywords();
        for (int number = 0; number < 10_000; number += cap) {
            MessageContext context = TestKeys.context(number);
            List<Posting> postings = new ArrayList<>();
            for (int i = number; i < number + cap; i++) {
                postings.add(Posting.of(TestKeys.keyword(i), i % 7));
            }
            IndexBlock block =
                    sealer.seal(TestKeys.DOMAIN, context, 7, postings).getFirst();
            try (BlockOpening opening = open(p, block, context)) {
                for (int i = number; i < number + cap; i++) {
                    assertThat(opening.has(TestKeys.keyword(i), i % 7)).isTrue();
                    assertThat(opening.has(TestKeys.keyword(i), (i + 1) % 7)).isFalse();
                    assertThat(opening.find(TestKeys.keyword(i + cap))).isEmpty();
                }
            }
        }
    }

    /** The domain is that of the block: its scope, its epoch, and the tenant. */
    @Test
    void anotherTenantsWordIsNotThere() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        MessageContext context = TestKeys.context(0);
        IndexBlock block = TestKeys.sealer(p, "tenant")
                .seal(TestKeys.DOMAIN, context, 1, List.of(Posting.of(TestKeys.keyword(0), 0)))
                .getFirst();
        NtruPeks scheme = TestKeys.scheme(p);
        SecretKey key = TestKeys.of(p).secretKey();
        try (BlockOpening own = scheme.open(key, TENANT, block, context);
                BlockOpening other = scheme.open(key, "other", block, context)) {
            assertThat(own.find(TestKeys.keyword(0))).hasSize(1);
            assertThat(other.isWellFormed()).isTrue();
            assertThat(other.find(TestKeys.keyword(0))).isEmpty();
        }
    }

    @Test
    void everyUseAfterCloseThrowsAndNothingIsPrinted() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N512_Q24;
        MessageContext context = TestKeys.context(0);
        IndexBlock block = TestKeys.sealer(p, "close")
                .seal(TestKeys.DOMAIN, context, 1, List.of(Posting.of(TestKeys.keyword(0), 0)))
                .getFirst();
        BlockOpening opening = open(p, block, context);
        assertThat(opening).hasToString("BlockOpening[hidden]");
        opening.close();
        Keyword keyword = TestKeys.keyword(0);
        assertThatThrownBy(() -> opening.find(keyword)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> opening.has(keyword, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(opening::isWellFormed).isInstanceOf(IllegalStateException.class);
    }

    /**
     * A block that anybody sees to be wrong is refused and not decoded: by an exception, which no secret has a part
     * in.
     */
    @Test
    void refusesBlocksOfOthersAndOfOtherMessages() throws MalformedEncodingException {
        NtruParameters p = NtruParameters.N2048_Q29;
        MessageContext context = TestKeys.context(0);
        IndexBlock block = TestKeys.sealer(p, "refused")
                .seal(TestKeys.DOMAIN, context, 1, List.of(Posting.of(TestKeys.keyword(0), 0)))
                .getFirst();
        assertThatThrownBy(() -> open(p, block, TestKeys.context(1)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("ntru-peks.binding");
        SecretKey other = TestKeys.second(p).secretKey();
        assertThatThrownBy(() -> TestKeys.scheme(p).open(other, TENANT, block, context))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("index-block.key-id");
        IndexBlock ofOtherScheme = new IndexBlock(
                "bdop04-peks", block.parameters(), block.keyId(), block.scope(), block.epoch(), block.payload());
        assertThatThrownBy(() -> open(p, ofOtherScheme, context))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("index-block.scheme");
        IndexBlock cut = new IndexBlock(
                block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), new byte[] {3, 3});
        assertThatThrownBy(() -> open(p, cut, context)).isInstanceOf(MalformedEncodingException.class);
        NtruParameters small = NtruParameters.N512_Q24;
        assertThatThrownBy(() -> TestKeys.scheme(small).open(TestKeys.of(p).secretKey(), TENANT, block, context))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
