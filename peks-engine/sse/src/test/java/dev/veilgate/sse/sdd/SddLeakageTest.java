package dev.veilgate.sse.sdd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.sdd.map.MapShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SddLeakageTest extends LevelLeakageTest {
    private static final SddLevels LEVELS = new SddLevels(8, 2);

    @Override
    SseScheme scheme(LevelKeys.Generations generations) {
        return new SddScheme(generations);
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(
                scheme(), Map.of("levels", (long) LEVELS.levels(), "own-levels", (long) LEVELS.ownLevels()));
    }

    /** A shorter one: there are many messages an update. */
    @Override
    protected List<Operation> history(SplittableRandom random) throws RefusedException {
        return super.history(random).subList(0, 90);
    }

    @Override
    List<Part> parts(int count) {
        return LEVELS.parts(count);
    }

    /** Takes the leaves of ways from what the server saw; {@code IncrementTest} shows that they are coins. */
    @Override
    Simulator simulator(List<byte[]> seen, SplittableRandom random) {
        return new Simulator(seen, random) {
            private final Map<List<Integer>, byte[]> slots = new HashMap<>();
            private final Map<Integer, byte[]> states = new HashMap<>();
            private final Map<List<Integer>, byte[]> buckets = new HashMap<>();
            private byte[] mark = new byte[LevelMessages.MARK_BYTES];

            @Override
            void update(int count, int pairs) {
                for (int i = 0; i < pairs; i++) {
                    update(count + i);
                }
            }

            private void update(int update) {
                int active = LEVELS.active(update);
                say(List.of(LevelMessages.FETCH, update), List.of());
                ByteBuffer moves = ByteBuffer.allocate((active - 1) * SddFormat.SLOT_BYTES);
                for (int level = 1; level < active; level++) {
                    moves.put(slots.get(List.of(level - 1, LEVELS.entry(level, update))));
                }
                List<byte[]> fetched = new ArrayList<>(List.of(mark, moves.array()));
                Map<Integer, TreeSet<Integer>> read = new TreeMap<>();
                for (int level = LEVELS.ownLevels(); level < active; level++) {
                    boolean fresh = LEVELS.begins(level, update);
                    fetched.add(fresh ? new byte[0] : states.get(level));
                    read.put(level, new TreeSet<>());
                }
                say(List.of(update), fetched);
                for (int turn = 2; turn < LEVELS.turns(update); turn++) {
                    read(update, turn - 2, read);
                }
                store(update, active, read);
            }

            private void read(int update, int turn, Map<Integer, TreeSet<Integer>> read) {
                ByteBuffer coins = ByteBuffer.wrap(seenNext().getFirst());
                ByteBuffer ways = ByteBuffer.allocate(coins.capacity());
                List<byte[]> cells = new ArrayList<>();
                for (Map.Entry<Integer, TreeSet<Integer>> map : read.entrySet()) {
                    MapShape shape = new MapShape(map.getKey());
                    if (turn >= shape.accesses()) {
                        continue;
                    }
                    int leaf = coins.getInt(ways.position() + 4);
                    int from = 0;
                    while (from <= shape.height() && !map.getValue().add(shape.bucket(leaf, from))) {
                        from++;
                    }
                    new SddFormat.Way(shape.level(), from, leaf).write(ways);
                    int generation = LEVELS.part(shape.level(), update).generation();
                    for (int depth = from; depth <= shape.height(); depth++) {
                        int bucket = shape.bucket(leaf, depth);
                        map.getValue().add(bucket);
                        cells.add(buckets.getOrDefault(
                                List.of(shape.level(), generation, bucket), new byte[SddFormat.CELL_BYTES]));
                    }
                }
                assertThat(ways.hasRemaining()).isFalse();
                say(List.of(LevelMessages.READ, update), List.of(ways.array()));
                say(List.of(update), List.of(joined(cells)));
            }

            private void store(int update, int active, Map<Integer, TreeSet<Integer>> read) {
                mark = bytes(LevelMessages.MARK_BYTES);
                List<byte[]> seenParts = seenNext();
                ByteBuffer pairs = ByteBuffer.allocate(active * LevelKeys.PAIR_BYTES);
                List<byte[]> moved = new ArrayList<>();
                for (int level = 0; level < active; level++) {
                    int at = level * LevelKeys.PAIR_BYTES;
                    pairs.put(pairs(
                            LEVELS.part(level, update),
                            Arrays.copyOfRange(seenParts.get(1), at, at + LevelKeys.PAIR_BYTES)));
                    byte[] slot = bytes(SddFormat.SLOT_BYTES);
                    slots.put(List.of(level, LEVELS.entry(level, update)), slot);
                    moved.add(slot);
                }
                List<byte[]> parts = new ArrayList<>(List.of(mark, pairs.array(), joined(moved)));
                read.forEach((level, numbers) -> {
                    int generation = LEVELS.part(level, update).generation();
                    List<byte[]> written = new ArrayList<>();
                    for (int number : numbers) {
                        byte[] cell = bytes(SddFormat.CELL_BYTES);
                        ByteBuffer.wrap(cell).putInt(number);
                        written.add(cell.clone());
                        ByteBuffer.wrap(cell).putInt(generation);
                        buckets.put(List.of(level, generation, number), cell);
                    }
                    parts.add(joined(written));
                    byte[] state = bytes(MapShape.STATE_BYTES);
                    states.put(level, state);
                    parts.add(state);
                });
                say(List.of(LevelMessages.STORE, update), parts);
                say(List.of(update + 1), List.of(mark));
            }
        };
    }

    private static byte[] joined(List<byte[]> parts) {
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(all::put);
        return all.array();
    }

    /** An update that is begun again after its last message was lost reads the same ways, random ones too. */
    @Test
    void anUpdateThatIsBegunAgainReadsTheSameWays() throws Exception {
        LevelCases archive = new LevelCases(
                scheme(),
                parameters(),
                new ReplayableRandom(TestSeed.of(getClass()).coins("again")));
        for (int i = 0; i < 30; i++) {
            archive.add(i);
        }
        List<List<String>> ways = new ArrayList<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            List<String> seen = new ArrayList<>();
            Channel losing = messages -> {
                byte[] message = messages.getFirst().toBytes();
                if (message[1] == LevelMessages.STORE) {
                    throw new SseException("lost");
                }
                seen.add(Arrays.toString(message));
                return archive.channel().send(messages);
            };
            try {
                if (attempt == 0) {
                    losing.run(archive.owner().add(List.of(Document.of(new DocumentId(30), List.of(LevelCases.OWL)))));
                } else {
                    losing.run(archive.owner().unfinished().getFirst());
                }
            } catch (SseException e) {
                assertThat(e).hasMessage("lost");
            }
            ways.add(seen);
        }
        assertThat(ways.get(0)).hasSizeGreaterThan(4);
        assertThat(ways.get(1)).isEqualTo(ways.get(0));
        assertThat(ways.get(2)).isEqualTo(ways.get(0));
        archive.channel().run(archive.owner().unfinished().getFirst());
        assertThat(archive.search()).hasSize(31);
    }
}
