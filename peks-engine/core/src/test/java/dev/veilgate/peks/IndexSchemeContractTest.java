package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What envelope, store, routes and search rely on, of whatever scheme they meet. Every scheme extends this, so that the
 * contract is what all schemes keep and not what the first one happened to do.
 */
public abstract class IndexSchemeContractTest {
    private static final TestSeed SEED = TestSeed.of(IndexSchemeContractTest.class);
    protected static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");
    protected static final MessageContext CONTEXT = new MessageContext("device-1", new UUID(1, 2), new byte[32]);

    /** The scheme under test. */
    protected abstract IndexScheme scheme();

    /** One of two encoded public keys. */
    protected abstract byte[] publicKey(int which);

    /** A trapdoor under the secret key of {@link #publicKey}. */
    protected abstract ScopedTrapdoor trapdoor(int which, KeywordDomain domain, Keyword keyword) throws IOException;

    /** Whether a match names the records of the keyword; otherwise it names all records. */
    protected abstract boolean hasPostingLists();

    /** Every how many-th keyword of a test is looked for: more than 1 where a Test takes a millisecond a slot. */
    protected int step() {
        return 1;
    }

    /** More keywords than a block holds. */
    protected int manyKeywords() {
        return 300;
    }

    private int sources;

    /** Other coins at every call of a test. */
    private SecureRandom coins() {
        return new ReplayableRandom(SEED.coins("source " + sources++));
    }

    private IndexSealer sealer(int which) throws MalformedEncodingException {
        return scheme().sealer(publicKey(which), coins());
    }

    private static Keyword word(int i) {
        return Keyword.text("word", "w" + i);
    }

    private static List<Posting> postings(int keywords, int records) {
        return IntStream.range(0, keywords)
                .mapToObj(i -> new Posting(word(i), records(i, records)))
                .toList();
    }

    private static RecordSet records(int keyword, int records) {
        return RecordSet.of(keyword % records, keyword * 7 % records, records - 1);
    }

    private StoredBlock admit(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        StoredBlock stored =
                scheme().verifier(publicKey(0)).verify(List.of(block), context).getFirst();
        StoredBlock trusted = scheme().storedForm(block, context);
        assertThat(trusted.hot()).isEqualTo(stored.hot());
        assertThat(trusted.cold()).isEqualTo(stored.cold());
        return stored;
    }

    /** Matches of a block that is another's in part: none, also if it is refused on arrival. */
    private List<SlotMatch> matchesOnArrival(ScopedTrapdoor trapdoor, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        StoredBlock stored;
        try {
            stored = admit(block, context);
        } catch (MalformedEncodingException e) {
            return List.of();
        }
        return matches(trapdoor, stored);
    }

    private List<SlotMatch> matches(ScopedTrapdoor trapdoor, StoredBlock block) throws MalformedEncodingException {
        PreparedTrapdoor prepared = scheme().prepare(trapdoor);
        List<SlotMatch> matches = scheme().match(prepared, block);
        if (scheme().mayMatch(prepared, block.hot(), 0)) {
            assertThat(scheme().matchSurvivor(prepared, block)).isEqualTo(matches);
        } else {
            assertThat(matches).isEmpty();
        }
        return matches;
    }

    @Test
    void findsExactlyWhatWasSealedWithItsRecords() throws Exception {
        for (int records : new int[] {1, 2, 9, 256}) {
            for (int keywords : new int[] {1, 3, 20}) {
                List<StoredBlock> stored = new ArrayList<>();
                for (IndexBlock block : sealer(0).seal(DOMAIN, CONTEXT, records, postings(keywords, records))) {
                    assertThat(block.scheme()).isEqualTo(scheme().id());
                    assertThat(block.keyId()).isEqualTo(sealer(0).keyId()).isEqualTo(KeyId.ofPublicKey(publicKey(0)));
                    assertThat(block.scope()).isEqualTo(DOMAIN.scope());
                    assertThat(block.epoch()).isEqualTo(DOMAIN.epoch());
                    stored.add(admit(IndexBlock.decode(block.encode()), CONTEXT));
                }
                for (int i = 0; i < 30; i += step()) {
                    ScopedTrapdoor trapdoor = trapdoor(0, DOMAIN, word(i));
                    List<SlotMatch> all = new ArrayList<>();
                    for (StoredBlock block : stored) {
                        all.addAll(matches(trapdoor, block));
                    }
                    if (i >= keywords) {
                        assertThat(all).isEmpty();
                        continue;
                    }
                    assertThat(all).hasSize(1);
                    RecordSet expected = hasPostingLists()
                            ? records(i, records)
                            : RecordSet.of(IntStream.range(0, records).toArray());
                    assertThat(all.getFirst().records()).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aStoredBlockComesBackByteForByte() throws Exception {
        for (int records : new int[] {1, 2, 65, 256}) {
            for (int keywords : new int[] {1, 20, manyKeywords()}) {
                for (IndexBlock block : sealer(0).seal(DOMAIN, CONTEXT, records, postings(keywords, records))) {
                    StoredBlock stored = admit(block, CONTEXT);
                    IndexBlock bare = with(block, new byte[0]);
                    assertThat(scheme().restore(bare, stored).encode()).isEqualTo(block.encode());
                    byte[] shorter = Arrays.copyOf(stored.hot(), stored.hot().length - 1);
                    byte[] longer = Arrays.copyOf(stored.cold(), stored.cold().length + 1);
                    assertThatThrownBy(() -> scheme().restore(bare, new StoredBlock(shorter, stored.cold())))
                            .isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> scheme().restore(bare, new StoredBlock(stored.hot(), longer)))
                            .isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> scheme().restore(bare, new StoredBlock(new byte[0], new byte[0])))
                            .isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }

    @Test
    void equalKeywordsAreUnited() throws Exception {
        List<IndexBlock> blocks = sealer(0)
                .seal(
                        DOMAIN,
                        CONTEXT,
                        10,
                        List.of(
                                Posting.of(word(1), 0, 3),
                                Posting.of(word(2), 1),
                                Posting.of(Keyword.text("word", "w\uFF11"), 3, 9)));
        assertThat(blocks).hasSize(1);
        List<SlotMatch> matches = matches(trapdoor(0, DOMAIN, word(1)), admit(blocks.getFirst(), CONTEXT));
        assertThat(matches).hasSize(1);
        if (hasPostingLists()) {
            assertThat(matches.getFirst().records()).isEqualTo(RecordSet.of(0, 3, 9));
        }
    }

    @Test
    void moreKeywordsThanABlockHoldsAreAllFound() throws Exception {
        int keywords = manyKeywords();
        List<IndexBlock> blocks = sealer(0).seal(DOMAIN, CONTEXT, 5, postings(keywords, 5));
        assertThat(blocks).hasSizeGreaterThan(1);
        int[] found = new int[keywords];
        for (IndexBlock block : blocks) {
            StoredBlock stored = admit(block, CONTEXT);
            for (int i = 0; i < keywords; i += step()) {
                found[i] += matches(trapdoor(0, DOMAIN, word(i)), stored).size();
            }
        }
        for (int i = 0; i < keywords; i += step()) {
            assertThat(found[i]).as("keyword %d", i).isEqualTo(1);
        }
    }

    @Test
    void noKeywordsNoBlocks() throws Exception {
        assertThat(sealer(0).seal(DOMAIN, CONTEXT, 1, List.of())).isEmpty();
    }

    @Test
    void whatIsNoMessageIsRefused() throws Exception {
        IndexSealer sealer = sealer(0);
        for (int records : new int[] {0, -1, 257}) {
            assertThatThrownBy(() -> sealer.seal(DOMAIN, CONTEXT, records, List.of(Posting.of(word(1), 0))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> sealer.seal(DOMAIN, CONTEXT, 3, List.of(Posting.of(word(1), 3))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherTenantScopeEpochFieldAndKeyNeverMatch() throws Exception {
        IndexBlock block = sealer(0)
                .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                .getFirst();
        StoredBlock stored = admit(block, CONTEXT);
        assertThat(matches(trapdoor(0, DOMAIN, word(1)), stored)).hasSize(1);
        for (ScopedTrapdoor other : new ScopedTrapdoor[] {
            trapdoor(0, new KeywordDomain("acme2", "plant-7", "2026-11"), word(1)),
            trapdoor(0, new KeywordDomain("acme", "plant-8", "2026-11"), word(1)),
            trapdoor(0, new KeywordDomain("acme", "plant-7", "2026-12"), word(1)),
            trapdoor(0, DOMAIN, Keyword.text("words", "w1")),
            trapdoor(1, DOMAIN, word(1)),
        }) {
            assertThat(matches(other, stored)).isEmpty();
        }
    }

    /** The names of a trapdoor are not what makes it match: renamed to fit, it still opens nothing. */
    @Test
    void renamingATrapdoorOrABlockOpensNothing() throws Exception {
        IndexBlock block = sealer(0)
                .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                .getFirst();
        StoredBlock stored = admit(block, CONTEXT);
        KeywordDomain other = new KeywordDomain("acme", "plant-8", "2026-12");
        ScopedTrapdoor foreign = trapdoor(0, other, word(1));
        ScopedTrapdoor renamed = new ScopedTrapdoor(
                foreign.scheme(), foreign.parameters(), block.keyId(), block.scope(), block.epoch(), foreign.bytes());
        assertThat(targetOf(renamed)).isEqualTo(block.header());
        assertThat(matches(renamed, stored)).isEmpty();

        IndexBlock moved = new IndexBlock(
                block.scheme(), block.parameters(), block.keyId(), other.scope(), other.epoch(), block.payload());
        assertThat(targetOf(foreign)).isEqualTo(moved.header());
        assertThat(matchesOnArrival(foreign, moved, CONTEXT)).isEmpty();
        assertThat(matchesOnArrival(trapdoor(0, DOMAIN, word(1)), moved, CONTEXT))
                .isEmpty();
    }

    /** The header of the blocks that a trapdoor says it is for. */
    private static byte[] targetOf(ScopedTrapdoor trapdoor) {
        return new IndexBlock(
                        trapdoor.scheme(),
                        trapdoor.parameters(),
                        trapdoor.keyId(),
                        trapdoor.scope(),
                        trapdoor.epoch(),
                        new byte[0])
                .header();
    }

    @Test
    void anotherMessagesContextNeverMatches() throws Exception {
        IndexBlock block = sealer(0)
                .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                .getFirst();
        byte[] digest = new byte[32];
        digest[31] = 1;
        for (MessageContext other : new MessageContext[] {
            new MessageContext("device-2", new UUID(1, 2), new byte[32]),
            new MessageContext("", new UUID(1, 2), new byte[32]),
            new MessageContext("device-1", new UUID(1, 3), new byte[32]),
            new MessageContext("device-1", new UUID(0, 2), new byte[32]),
            new MessageContext("device-1", new UUID(1, 2), digest),
        }) {
            assertThat(matchesOnArrival(trapdoor(0, DOMAIN, word(1)), block, other))
                    .isEmpty();
        }
    }

    @Test
    void blocksOfOtherKeysAreRefused() throws Exception {
        IndexBlock block = sealer(0)
                .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                .getFirst();
        assertThat(scheme().verifier(publicKey(0)).keyId()).isEqualTo(block.keyId());
        IndexVerifier other = scheme().verifier(publicKey(1));
        assertThatThrownBy(() -> other.verify(List.of(block), CONTEXT)).isInstanceOf(MalformedEncodingException.class);
        IndexBlock renamed = new IndexBlock(
                block.scheme(),
                block.parameters(),
                KeyId.ofPublicKey(publicKey(1)),
                block.scope(),
                block.epoch(),
                block.payload());
        try {
            assertThat(matches(
                            trapdoor(0, DOMAIN, word(1)),
                            other.verify(List.of(renamed), CONTEXT).getFirst()))
                    .isEmpty();
        } catch (MalformedEncodingException expected) {
            assertThat(expected).hasMessageNotContaining("w1");
        }
    }

    @Test
    void blocksOfAMessageAreVerifiedTogetherInTheirOrder() throws Exception {
        List<IndexBlock> blocks = sealer(0).seal(DOMAIN, CONTEXT, 5, postings(manyKeywords(), 5));
        IndexVerifier verifier = scheme().verifier(publicKey(0));
        List<StoredBlock> stored = verifier.verify(blocks, CONTEXT);
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(scheme().restore(with(blocks.get(i), new byte[0]), stored.get(i)))
                    .isEqualTo(blocks.get(i));
            assertThat(scheme().isOutdated(blocks.get(i))).isFalse();
        }
        assertThat(verifier.verify(List.of(), CONTEXT)).isEmpty();
    }

    @Test
    void blocksAndTrapdoorsOfOtherSchemesAreRefused() throws Exception {
        IndexBlock block = sealer(0)
                .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                .getFirst();
        ScopedTrapdoor trapdoor = trapdoor(0, DOMAIN, word(1));
        for (String other : new String[] {"", "other", scheme().id() + "2"}) {
            assertThatThrownBy(() -> admit(
                            new IndexBlock(
                                    other,
                                    block.parameters(),
                                    block.keyId(),
                                    block.scope(),
                                    block.epoch(),
                                    block.payload()),
                            CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> admit(
                            new IndexBlock(
                                    block.scheme(),
                                    other,
                                    block.keyId(),
                                    block.scope(),
                                    block.epoch(),
                                    block.payload()),
                            CONTEXT))
                    .isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> scheme().prepare(new ScopedTrapdoor(
                            other,
                            trapdoor.parameters(),
                            trapdoor.keyId(),
                            trapdoor.scope(),
                            trapdoor.epoch(),
                            trapdoor.bytes())))
                    .isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> scheme().prepare(new ScopedTrapdoor(
                            trapdoor.scheme(),
                            other,
                            trapdoor.keyId(),
                            trapdoor.scope(),
                            trapdoor.epoch(),
                            trapdoor.bytes())))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void aTrapdoorPreparedBySomethingElseIsTheCallersFault() throws Exception {
        StoredBlock stored = admit(
                sealer(0)
                        .seal(DOMAIN, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                        .getFirst(),
                CONTEXT);
        ScopedTrapdoor trapdoor = trapdoor(0, DOMAIN, word(1));
        PreparedTrapdoor foreign = () -> trapdoor;
        assertThatThrownBy(() -> scheme().match(foreign, stored)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> scheme().mayMatch(foreign, stored.hot(), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(scheme().prepare(trapdoor).trapdoor()).isEqualTo(trapdoor);
    }

    @Test
    void malformedPayloadsAreRefusedAndNothingElseIsThrown() throws Exception {
        IndexBlock block = sealer(0).seal(DOMAIN, CONTEXT, 9, postings(3, 9)).getFirst();
        byte[] payload = block.payload();
        SplittableRandom random = SEED.random("malformed");
        for (int length : new int[] {0, 1, 2, 3, 4, 5, payload.length / 2, payload.length - 1, payload.length + 1}) {
            byte[] wrong = Arrays.copyOf(payload, length);
            assertThatThrownBy(() -> admit(with(block, wrong), CONTEXT)).isInstanceOf(MalformedEncodingException.class);
        }
        PreparedTrapdoor prepared = scheme().prepare(trapdoor(0, DOMAIN, word(1)));
        for (int i = 0; i < 300; i += step()) {
            byte[] mutated = payload.clone();
            int at = i < 64 ? i % 8 : random.nextInt(mutated.length);
            mutated[at] = (byte) random.nextInt();
            try {
                StoredBlock stored = admit(with(block, mutated), CONTEXT);
                assertThat(scheme().match(prepared, stored)).hasSizeLessThanOrEqualTo(1);
            } catch (MalformedEncodingException expected) {
                assertThat(expected).hasMessageNotContaining("w1");
            }
        }
    }

    private static IndexBlock with(IndexBlock block, byte[] payload) {
        return new IndexBlock(block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
    }

    @Test
    void malformedKeysAndTrapdoorsAreRefused() throws Exception {
        byte[] key = publicKey(0);
        ScopedTrapdoor trapdoor = trapdoor(0, DOMAIN, word(1));
        byte[] bytes = trapdoor.bytes();
        for (int change : new int[] {-1, 1}) {
            assertThatThrownBy(() -> scheme().sealer(Arrays.copyOf(key, key.length + change), coins()))
                    .isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> scheme().verifier(Arrays.copyOf(key, key.length + change)))
                    .isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> scheme().prepare(new ScopedTrapdoor(
                            trapdoor.scheme(),
                            trapdoor.parameters(),
                            trapdoor.keyId(),
                            trapdoor.scope(),
                            trapdoor.epoch(),
                            Arrays.copyOf(bytes, bytes.length + change))))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> scheme().sealer(new byte[0], coins())).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> scheme().verifier(new byte[0])).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void anOffsetInABiggerArrayChangesNothing() throws Exception {
        StoredBlock stored =
                admit(sealer(0).seal(DOMAIN, CONTEXT, 9, postings(20, 9)).getFirst(), CONTEXT);
        SplittableRandom random = SEED.random("offset");
        int found = 0;
        for (int offset : new int[] {0, 1, 2, 3, 7, 8, 63, 64, 65, 1000}) {
            byte[] store = new byte[offset + stored.hot().length + random.nextInt(20)];
            random.nextBytes(store);
            System.arraycopy(stored.hot(), 0, store, offset, stored.hot().length);
            for (int i = 0; i < 30; i += step()) {
                PreparedTrapdoor prepared = scheme().prepare(trapdoor(0, DOMAIN, word(i)));
                boolean may = scheme().mayMatch(prepared, store, offset);
                assertThat(may).isEqualTo(scheme().mayMatch(prepared, stored.hot(), 0));
                assertThat(may || i >= 20).isTrue();
                found += may ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(10 * (20 / step()));
    }

    @Test
    void manyTrapdoorsAtATimeAreOneByOne() throws Exception {
        List<StoredBlock> blocks = new ArrayList<>();
        for (int b = 0; b < 11; b++) {
            blocks.add(admit(
                    sealer(0)
                            .seal(DOMAIN, CONTEXT, 9, postings(1 + 5 * b % 20, 9))
                            .getFirst(),
                    CONTEXT));
        }
        List<PreparedTrapdoor> prepared = new ArrayList<>();
        for (int i = 0; i < 25; i += step()) {
            prepared.add(scheme().prepare(trapdoor(0, DOMAIN, word(i))));
        }
        for (StoredBlock block : blocks) {
            assertThat(scheme().matchTrapdoors(prepared, block))
                    .isEqualTo(
                            prepared.stream().map(t -> scheme().match(t, block)).toList());
        }
        PreparedTrapdoor foreign = () -> prepared.getFirst().trapdoor();
        assertThatThrownBy(() -> scheme().match(foreign, blocks.getFirst()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> scheme().matchTrapdoors(List.of(foreign), blocks.getFirst()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void severalThreadsMayShareEverything() throws Exception {
        IndexSealer sealer = sealer(0);
        StoredBlock shared =
                admit(sealer.seal(DOMAIN, CONTEXT, 9, postings(20, 9)).getFirst(), CONTEXT);
        List<PreparedTrapdoor> prepared = new ArrayList<>();
        for (int i = 0; i < 30; i += step()) {
            prepared.add(scheme().prepare(trapdoor(0, DOMAIN, word(i))));
        }
        Callable<Void> work = () -> {
            for (int round = 0; round < 10; round += step()) {
                StoredBlock own =
                        admit(sealer.seal(DOMAIN, CONTEXT, 9, postings(20, 9)).getFirst(), CONTEXT);
                for (int i = 0; i < prepared.size(); i++) {
                    for (StoredBlock block : new StoredBlock[] {shared, own}) {
                        assertThat(scheme().match(prepared.get(i), block)).hasSize(i * step() < 20 ? 1 : 0);
                    }
                }
            }
            return null;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Void> done : threads.invokeAll(List.of(work, work, work, work))) {
                done.get();
            }
        } catch (ExecutionException e) {
            fail("a thread failed", e.getCause());
        }
    }
}
