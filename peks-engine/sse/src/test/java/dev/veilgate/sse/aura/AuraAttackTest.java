package dev.veilgate.sse.aura;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.AttackRates;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each attack that succeeds on Aura as it is published fails here. */
class AuraAttackTest {
    private static final int WORDS = 60;
    private final TestSeed seed = TestSeed.of(AuraAttackTest.class);

    private static Keyword word(int number) {
        return Keyword.text("subject", "word" + number);
    }

    /** The owner, the server, and every message that was sent. */
    private final class Archive {
        final List<byte[]> sent = new ArrayList<>();
        final SseOwner owner;
        private final Channel channel;

        Archive(String use, Parameters parameters) throws Exception {
            AuraScheme scheme = new AuraScheme();
            ReplayableRandom coins = new ReplayableRandom(seed.coins(use));
            owner = scheme.owner(ArchiveKey.random(coins), new MemoryCells(), parameters, coins);
            Channel server = Channel.to(scheme.server(new MemoryCells(), parameters));
            channel = messages -> {
                for (Message message : messages) {
                    sent.add(message.toBytes());
                }
                return server.send(messages);
            };
        }

        void add(List<Document> documents) throws Exception {
            channel.run(owner.add(documents));
        }

        Hits search(Keyword word) throws Exception {
            return channel.run(owner.search(new SseExpression.Word(word)));
        }
    }

    @Test
    void whatIsNotDeletedIsFoundThoughTheFilterTakesItForDeleted() throws Exception {
        int deletions = 1_000;
        TagFilter filter = TagFilter.of(13, deletions, 10_000);
        ReplayableRandom coins = new ReplayableRandom(seed.coins("loses"));
        byte[] root = new byte[16];
        coins.nextBytes(root);
        FaultyAura faulty = new FaultyAura(filter, root);
        List<FaultyAura.Entry> entries = new ArrayList<>();
        ByteArrayOutputStream deleted = new ByteArrayOutputStream();
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 2 * deletions; i++) {
            DocumentId id = new DocumentId(i);
            documents.add(Document.of(id, List.of(word(0))));
            if (i < deletions) {
                deleted.writeBytes(FaultyAura.tag(word(0), id));
            } else {
                entries.add(faulty.insert(word(0), id));
            }
        }
        FaultyAura.Server server = faulty.search(deleted.toByteArray());
        long lost =
                entries.stream().filter(entry -> server.open(entry).isEmpty()).count();
        AttackRates.store("aura as published code", "live ids lost by 13 hashes", lost, deletions);
        assertThat((double) lost / deletions).isEqualTo(0.5, within(0.1));

        for (long rarity : new long[] {10_000, 5}) {
            Archive archive = new Archive(
                    "loses " + rarity,
                    Parameters.of(
                            new AuraScheme(), Map.of("hashes", 13L, "deletions", (long) deletions, "rarity", rarity)));
            archive.add(documents);
            archive.owner.delete(documents.subList(0, deletions)).begin();
            List<DocumentId> live = documents.subList(deletions, 2 * deletions).stream()
                    .map(Document::id)
                    .toList();
            for (int i = 0; i < 2; i++) {
                assertThat(archive.search(word(0)).ids()).isEqualTo(live);
            }
            AttackRates.store("aura", "live ids lost by 13 hashes and p = 1/" + rarity, 0, deletions);
        }
    }

    @Test
    void aSearchOfOneWordOpensNothingOfOthers() throws Exception {
        Parameters parameters = Parameters.standard(new AuraScheme());
        TagFilter filter = TagFilter.of(5, 1_000, 10_000);
        ReplayableRandom coins = new ReplayableRandom(seed.coins("others"));
        byte[] root = new byte[16];
        coins.nextBytes(root);
        FaultyAura faulty = new FaultyAura(filter, root);
        FaultyAura.Server searched = faulty.search(new byte[0]);
        Archive archive = new Archive("others", parameters);
        int openedFaulty = 0;
        List<Document> before = new ArrayList<>();
        List<Document> after = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            DocumentId id = new DocumentId(0x1234_5678_0000L + i);
            (i % 2 == 0 ? before : after).add(Document.of(id, List.of(word(i))));
            openedFaulty += searched.open(faulty.insert(word(i), id)).getAsLong() == id.value() ? 1 : 0;
        }
        AttackRates.store("aura as published code", "one search opens entries of other words", openedFaulty, WORDS);
        assertThat(openedFaulty).isEqualTo(WORDS);

        archive.add(before);
        archive.search(word(0));
        byte[] search = archive.sent.get(1);
        archive.add(after);
        assertThat(opened(search, archive.sent.get(0), before)).isEqualTo(1); // the word that was searched
        long later = opened(search, archive.sent.get(3), after);
        AttackRates.store("aura", "one search opens entries of other words", later, after.size());
        assertThat(later).isZero();
    }

    /** How many entries of an addition the leaves of a search open. */
    private static long opened(byte[] search, byte[] addition, List<Document> documents) throws Exception {
        AuraEntries aura = new AuraEntries(TagFilter.of(5, 1_000, 10_000));
        CborReader in = new CborReader("search", search);
        in.array("message", 7);
        in.uint("kind", AuraMessages.SEARCH);
        in.unsigned("number", Long.MAX_VALUE);
        in.fixedBytes("label", 16);
        in.fixedBytes("cache", 16);
        in.unsigned("generation", Long.MAX_VALUE);
        BitSet taken = PlaceCoding.read(in);
        AuraEntries.KnownLeaves leaves = aura.leaves(taken, in.bytes("cover", Integer.MAX_VALUE));
        Set<Long> truth = new HashSet<>();
        documents.forEach(document -> truth.add(document.id().value()));
        long opened = 0;
        for (byte[] entry : entries(addition, aura.entryBytes())) {
            long[] ids = leaves.open(
                    List.of(Arrays.copyOf(entry, 16)), List.of(Arrays.copyOfRange(entry, 16, entry.length)));
            opened += truth.contains(ids[0]) ? 1 : 0;
        }
        return opened;
    }

    private static List<byte[]> entries(byte[] addition, int length) throws Exception {
        CborReader in = new CborReader("add", addition);
        in.array("message", 3);
        in.uint("kind", AuraMessages.ADD);
        in.unsigned("number", Long.MAX_VALUE);
        byte[] all = in.bytes("entries", Integer.MAX_VALUE);
        List<byte[]> entries = new ArrayList<>();
        for (int at = 0; at < all.length; at += length) {
            entries.add(Arrays.copyOfRange(all, at, at + length));
        }
        return entries;
    }

    @Test
    void tagsAreNotGuessed() throws Exception {
        SplittableRandom random = seed.random("guess");
        Parameters parameters = Parameters.standard(new AuraScheme());
        Archive archive = new Archive("guess", parameters);
        List<Document> documents = new ArrayList<>();
        Set<String> guesses = new HashSet<>();
        for (int i = 0; i < WORDS; i++) {
            DocumentId id = new DocumentId(i);
            documents.add(Document.of(id, List.of(word(random.nextInt(WORDS)))));
            for (int guess = 0; guess < WORDS; guess++) {
                guesses.add(Arrays.toString(FaultyAura.tag(word(guess), id)));
            }
        }
        FaultyAura faulty = new FaultyAura(TagFilter.of(5, 1_000, 10_000), new byte[16]);
        assertThat(documents)
                .allSatisfy(document -> assertThat(guesses)
                        .contains(Arrays.toString(faulty.insert(document.words().firstKey(), document.id())
                                .tag())));
        archive.add(documents);
        for (byte[] entry : entries(archive.sent.getFirst(), AuraEntries.bytes(TagFilter.of(5, 1_000, 10_000)))) {
            assertThat(guesses).doesNotContain(Arrays.toString(Arrays.copyOfRange(entry, 24, 40)));
        }
    }
}
