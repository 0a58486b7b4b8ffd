package dev.veilgate.sse.sdd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Leakage of both schemes: of an update that there was one, of a search which updates are the word's. */
abstract class LevelLeakageTest extends LeakageTest<LevelLeakageTest.Leak> {
    /** The leakage of one operation; a searched word is a number, the same as when it was searched first. */
    sealed interface Leak {
        record Updated(int pairs) implements Leak {}

        /** @param operations numbers of those that updated the word, ascending */
        record Searched(int word, List<Integer> operations) implements Leak {}
    }

    /** The scheme under test with other keys of parts. */
    abstract SseScheme scheme(LevelKeys.Generations generations);

    /** Where the server keeps what it may look into after so many updates. */
    abstract List<Part> parts(int count);

    @Override
    protected SseScheme scheme() {
        return scheme(Part::generation);
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, Integer> searched = new HashMap<>();
        Map<Keyword, List<Integer>> updates = new HashMap<>();
        for (Operation operation : history) {
            int number = leaks.size();
            switch (operation) {
                case Operation.Add add -> leaks.add(updated(add.document(), number, updates));
                case Operation.Delete delete -> leaks.add(updated(delete.document(), number, updates));
                case Operation.Search search -> {
                    Keyword word = ((SseExpression.Word) search.question()).word();
                    leaks.add(new Leak.Searched(
                            searched.computeIfAbsent(word, _ -> searched.size()),
                            List.copyOf(updates.getOrDefault(word, List.of()))));
                }
            }
        }
        return leaks;
    }

    private static Leak updated(Document document, int number, Map<Keyword, List<Integer>> updates) {
        document.words()
                .keySet()
                .forEach(word ->
                        updates.computeIfAbsent(word, _ -> new ArrayList<>()).add(number));
        return new Leak.Updated(document.words().size());
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        return simulate(leakage, List.of(), random);
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, List<byte[]> seen, SplittableRandom random) {
        Simulator simulator = simulator(seen, random);
        int count = 0;
        List<int[]> ranges = new ArrayList<>();
        for (Leak leak : leakage) {
            int before = count;
            switch (leak) {
                case Leak.Updated updated -> {
                    simulator.update(count, updated.pairs());
                    count += updated.pairs();
                }
                case Leak.Searched searched ->
                    simulator.search(
                            count,
                            searched.word(),
                            searched.operations().stream().map(ranges::get).toList());
            }
            ranges.add(new int[] {before, count});
        }
        return simulator.messages;
    }

    abstract Simulator simulator(List<byte[]> seen, SplittableRandom random);

    /** Says messages and answers from the leakage. */
    abstract class Simulator {
        final List<byte[]> messages = new ArrayList<>();
        final SplittableRandom random;
        private final List<byte[]> seen;
        private final Map<String, byte[]> tokens = new HashMap<>();
        /** By value as the server saw it, the simulator's own value at that place. */
        private final Map<ByteBuffer, Value> values = new HashMap<>();

        /** @param part in which it was stored first */
        private record Value(Part part, byte[] own) {}

        Simulator(List<byte[]> seen, SplittableRandom random) {
            this.seen = seen;
            this.random = random;
        }

        /** Number of updates before it and of pairs. */
        abstract void update(int count, int pairs);

        byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        /** The message that the server saw where the simulator is. */
        List<byte[]> seenNext() {
            return parse(seen.get(messages.size()));
        }

        void say(List<Integer> numbers, List<byte[]> parts) {
            messages.add(LevelMessages.write(numbers, parts));
        }

        /** Labels and values of a part, remembered by those that the server saw at the same place. */
        byte[] pairs(Part part, byte[] seenPairs) {
            byte[] own = bytes(seenPairs.length);
            for (int at = Blocks.BYTES; at < own.length; at += LevelKeys.PAIR_BYTES) {
                values.put(
                        ByteBuffer.wrap(seenPairs, at, Blocks.BYTES).slice(),
                        new Value(part, Arrays.copyOfRange(own, at, at + Blocks.BYTES)));
            }
            return own;
        }

        /** @param updates for each update of the word, from and to which number it may have */
        final void search(int count, int word, List<int[]> updates) {
            List<Part> parts = parts(count);
            ByteBuffer all = ByteBuffer.allocate(parts.size() * LevelMessages.TOKEN_BYTES);
            for (Part part : parts) {
                all.put(part.encode()).put(tokens.computeIfAbsent(word + "/" + part, _ -> bytes(Blocks.BYTES)));
            }
            say(List.of(LevelMessages.SEARCH, count), List.of(all.array()));
            List<byte[]> answered = seenNext();
            List<byte[]> answers = new ArrayList<>();
            int found = 0;
            for (int i = 0; i < parts.size(); i++) {
                byte[] of = answered.get(i);
                ByteBuffer own = ByteBuffer.allocate(of.length);
                for (int at = 0; at < of.length; at += Blocks.BYTES) {
                    Value value =
                            values.get(ByteBuffer.wrap(of, at, Blocks.BYTES).slice());
                    assertThat(value.part()).isEqualTo(parts.get(i));
                    own.put(value.own());
                }
                answers.add(own.array());
                int number = of.length / Blocks.BYTES;
                found += number;
                int from = parts.get(i).first();
                int to = from + parts.get(i).size();
                assertThat((long) number)
                        .isBetween(
                                updates.stream()
                                        .filter(each -> each[0] >= from && each[1] <= to)
                                        .count(),
                                updates.stream()
                                        .filter(each -> each[0] < to && each[1] > from)
                                        .count());
            }
            assertThat(found).isEqualTo(updates.size());
            say(List.of(count), answers);
        }
    }

    /** The byte strings of a message. */
    static List<byte[]> parse(byte[] message) {
        try {
            CborReader in = new CborReader("message", message);
            int items = in.array("items", 1 << 10);
            List<byte[]> parts = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                if (in.nextIsUnsigned()) {
                    in.integer("number");
                } else {
                    parts.add(in.bytes("part", 1 << 26));
                }
            }
            return parts;
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLevelThatIsBuiltAgainUnderItsOldKeyIsSeenByTheSimulator() throws Exception {
        TestSeed seed = TestSeed.of(getClass());
        List<Operation> history = history(seed.random("sabotage"));
        SseScheme right = scheme();
        LevelLeakageTest outer = this;
        LevelLeakageTest faulty = new LevelLeakageTest() {
            @Override
            SseScheme scheme(LevelKeys.Generations generations) {
                return outer.scheme(_ -> 0);
            }

            @Override
            protected Parameters parameters() throws dev.veilgate.sse.RefusedException {
                return outer.parameters();
            }

            @Override
            List<Part> parts(int count) {
                return outer.parts(count);
            }

            @Override
            Simulator simulator(List<byte[]> seen, SplittableRandom random) {
                return outer.simulator(seen, random);
            }
        };
        assertThat(right.id()).isEqualTo(faulty.scheme().id());
        List<byte[]> seen = faulty.messages(history, new ReplayableRandom(seed.coins("sabotage")));
        assertThat(shape(seen)).isNotEqualTo(simulated(history, seen, "sabotage"));
        List<byte[]> honest = messages(history, new ReplayableRandom(seed.coins("honest")));
        assertThat(shape(honest)).isEqualTo(simulated(history, honest, "honest"));
    }

    /** Forward privacy: tokens of earlier searches are of no use for parts that are made later. */
    @Test
    void tokensFindNothingInPartsThatAreMadeLater() throws Exception {
        assertThat(foundByOldTokens(scheme())).isZero();
        assertThat(foundByOldTokens(scheme(_ -> 0))).isPositive();
    }

    private int foundByOldTokens(SseScheme scheme) throws Exception {
        ReplayableRandom coins = new ReplayableRandom(TestSeed.of(getClass()).coins("old tokens"));
        Parameters parameters = parameters();
        SseServer server = scheme.server(new MemoryCells(), parameters);
        SseOwner owner = scheme.owner(ArchiveKey.random(coins), new MemoryCells(), parameters, coins);
        Keyword owl = Keyword.text("subject", "owl");
        List<byte[]> tokens = new ArrayList<>();
        int found = 0;
        for (int i = 0; i < 40; i++) {
            List<Part> before = parts(i);
            Channel.to(server).run(owner.add(List.of(Document.of(new DocumentId(i), List.of(owl)))));
            List<Part> made = new ArrayList<>(parts(i + 1));
            made.removeAll(before);
            for (byte[] token : tokens) {
                List<byte[]> keys = made.stream().map(_ -> token).toList();
                Message message = Message.of(LevelMessages.search(i + 1, made, keys));
                Message answer = Channel.to(server).send(List.of(message)).getFirst();
                found += parse(answer.toBytes()).stream()
                        .mapToInt(each -> each.length)
                        .sum();
            }
            Channel looking = messages -> {
                byte[] all = parse(messages.getFirst().toBytes()).getFirst();
                for (int at = 0; at < all.length; at += LevelMessages.TOKEN_BYTES) {
                    tokens.add(Arrays.copyOfRange(all, at + Part.BYTES, at + LevelMessages.TOKEN_BYTES));
                }
                return Channel.to(server).send(messages);
            };
            assertThat(looking.run(owner.search(new SseExpression.Word(owl))).documents())
                    .hasSize(i + 1);
        }
        return found;
    }
}
