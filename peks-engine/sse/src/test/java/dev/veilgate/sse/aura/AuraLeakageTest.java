package dev.veilgate.sse.aura;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ggm.GgmTree;
import dev.veilgate.math.ggm.LeafCover;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.StuckRandom;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A search shows when each entry of the word was added and which are deleted. Places of deleted tags and their cover
 * are random numbers of random size: they are compared as the set of entries whose tags have all their places taken.
 */
class AuraLeakageTest extends LeakageTest<AuraLeakageTest.Leak> {
    private static final TagFilter FILTER = TagFilter.of(5, 1_000, 10_000);

    /** The leakage of one operation. An entry is known by the number of entries that were added before it. */
    sealed interface Leak {
        record Added(int entries) implements Leak {}

        record Deleted() implements Leak {}

        record Searched(int word, List<Integer> fresh, Set<Integer> deleted, Map<Integer, DocumentId> live)
                implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new AuraScheme();
    }

    /** The history of one word. */
    private static final class History {
        final List<Integer> fresh = new ArrayList<>();
        final List<Integer> kept = new ArrayList<>();
        final Map<Integer, DocumentId> ids = new HashMap<>();
        final Set<Integer> deleted = new HashSet<>();
        int number = -1;
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, History> words = new HashMap<>();
        int entries = 0;
        int searched = 0;
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> {
                    for (Keyword word : add.document().words().keySet()) {
                        History of = words.computeIfAbsent(word, _ -> new History());
                        of.fresh.add(entries);
                        of.ids.put(entries++, add.document().id());
                    }
                    leaks.add(new Leak.Added(add.document().words().size()));
                }
                case Operation.Delete delete -> {
                    Document document = delete.document();
                    for (Keyword word : document.words().keySet()) {
                        History of = words.get(word);
                        of.ids.forEach((entry, id) -> {
                            if (id.equals(document.id())) {
                                of.deleted.add(entry);
                            }
                        });
                    }
                    leaks.add(new Leak.Deleted());
                }
                case Operation.Search search -> {
                    History of =
                            words.computeIfAbsent(((SseExpression.Word) search.question()).word(), _ -> new History());
                    if (of.number < 0) {
                        of.number = searched++;
                    }
                    Map<Integer, DocumentId> live = new LinkedHashMap<>();
                    List<Integer> all = new ArrayList<>(of.kept);
                    all.addAll(of.fresh);
                    all.stream()
                            .filter(entry -> !of.deleted.contains(entry))
                            .forEach(entry -> live.put(entry, of.ids.get(entry)));
                    leaks.add(new Leak.Searched(of.number, List.copyOf(of.fresh), new HashSet<>(of.deleted), live));
                    of.kept.clear();
                    of.kept.addAll(live.keySet());
                    of.fresh.clear();
                    of.deleted.clear();
                }
            }
        }
        return leaks;
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        List<byte[]> tags = new ArrayList<>();
        Map<Integer, byte[]> caches = new HashMap<>();
        Map<Integer, Long> generations = new HashMap<>();
        long number = 0;
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Added added -> {
                    ByteArrayOutputStream entries = new ByteArrayOutputStream();
                    for (int i = 0; i < added.entries(); i++) {
                        byte[] tag = bytes(16, random);
                        tags.add(tag);
                        entries.writeBytes(bytes(24, random));
                        entries.writeBytes(tag);
                        entries.writeBytes(bytes(8 * FILTER.places(), random));
                    }
                    messages.add(AuraMessages.add(++number, entries.toByteArray()));
                    messages.add(MessageOrder.done());
                }
                case Leak.Deleted _ -> {}
                case Leak.Searched searched -> {
                    byte[] cache = caches.computeIfAbsent(searched.word(), _ -> bytes(16, random));
                    long generation = generations.getOrDefault(searched.word(), 1L);
                    byte[] found = joined(List.copyOf(searched.live().keySet()), tags);
                    if (searched.fresh().isEmpty() && searched.deleted().isEmpty()) {
                        messages.add(AuraMessages.again(number, cache, generation - 1));
                        messages.add(AuraMessages.found(found, new byte[0]));
                    } else {
                        BitSet taken = FILTER.taking(joined(List.copyOf(searched.deleted()), tags));
                        messages.add(AuraMessages.search(
                                ++number, bytes(16, random), cache, generation, taken, cover(taken, random)));
                        messages.add(AuraMessages.found(
                                found,
                                joined(searched.deleted().stream().sorted().toList(), tags)));
                        messages.add(AuraMessages.settle(++number, cache, generation, new byte[0]));
                        messages.add(MessageOrder.done());
                        generations.put(searched.word(), generation + 1);
                    }
                }
            }
        }
        return messages;
    }

    private static byte[] cover(BitSet taken, SplittableRandom random) {
        LeafCover cover = new LeafCover(new GgmTree(GgmTree.depthOf(FILTER.size())), taken);
        return bytes(cover.size() * 16, random);
    }

    private static byte[] joined(List<Integer> entries, List<byte[]> tags) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        entries.forEach(entry -> out.writeBytes(tags.get(entry)));
        return out.toByteArray();
    }

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The messages, with the entries that are revoked instead of the places that say so. */
    @Override
    protected List<byte[]> normal(List<byte[]> messages) throws MalformedEncodingException {
        List<byte[]> normal = new ArrayList<>();
        Map<Integer, byte[]> seen = new LinkedHashMap<>();
        for (byte[] message : messages) {
            CborReader in = new CborReader("message", message);
            int items = in.array("message", 7);
            int kind = in.uint("kind", AuraMessages.SETTLE);
            if (kind == AuraMessages.ADD && items == 3 && in.nextIsUnsigned()) {
                in.unsigned("number", Long.MAX_VALUE);
                byte[] entries = in.bytes("entries", Integer.MAX_VALUE);
                for (int at = 0; at < entries.length; at += 40 + 8 * FILTER.places()) {
                    byte[] tag = new byte[16];
                    System.arraycopy(entries, at + 24, tag, 0, 16);
                    seen.put(seen.size(), tag);
                }
            }
            normal.add(kind == AuraMessages.SEARCH && items == 7 ? normal(in, seen) : message);
        }
        return normal;
    }

    private static byte[] normal(CborReader in, Map<Integer, byte[]> seen) throws MalformedEncodingException {
        CborWriter out = new CborWriter(1 << 8).array(7).integer(AuraMessages.SEARCH);
        out.integer(in.unsigned("number", Long.MAX_VALUE)).bytes(in.fixedBytes("label", 16));
        out.bytes(in.fixedBytes("cache", 16)).integer(in.unsigned("generation", Long.MAX_VALUE));
        BitSet taken = PlaceCoding.read(in);
        BitSet explained = new BitSet();
        List<Integer> revoked = new ArrayList<>();
        seen.forEach((entry, tag) -> {
            if (FILTER.firstFree(tag, 0, taken, new int[FILTER.places()]) < 0) {
                revoked.add(entry);
                explained.or(FILTER.taking(tag));
            }
        });
        assertThat(explained).isEqualTo(taken);
        out.array(revoked.size());
        revoked.forEach(out::integer);
        int nodes = in.bytes("cover", Integer.MAX_VALUE).length / 16;
        assertThat(nodes).isEqualTo(new LeafCover(new GgmTree(GgmTree.depthOf(FILTER.size())), taken).size());
        return out.integer(1).toByteArray();
    }

    /** A generator that is stuck gives each entry the same salt: the harness sees it. */
    @Test
    void aGeneratorThatIsStuckIsSeenByTheSimulator() throws Exception {
        List<Operation> history = history(TestSeed.of(getClass()).random("stuck"));
        assertThat(shape(history, new StuckRandom())).isNotEqualTo(simulated(history, "stuck"));
    }

    /** A word added twice for one id would show the link to whoever has searched: the owner passes over it. */
    @Test
    void theSameDocumentAgainSendsNothing() throws RefusedException, Exception {
        Document document = Document.of(new DocumentId(5), List.of(Keyword.text("subject", "owl")));
        List<Operation> once = List.of(new Operation.Add(document));
        List<Operation> twice = List.of(new Operation.Add(document), new Operation.Add(document));
        ReplayableRandom random = new ReplayableRandom(TestSeed.of(getClass()).coins("twice"));
        ReplayableRandom same = new ReplayableRandom(TestSeed.of(getClass()).coins("twice"));
        assertThat(shape(twice, random)).isEqualTo(shape(once, same));
    }
}
