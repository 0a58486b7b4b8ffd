package dev.veilgate.sse.sdd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.sdd.map.Sealer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

class SdaLeakageTest extends LevelLeakageTest {
    @Override
    SseScheme scheme(LevelKeys.Generations generations) {
        return new SdaScheme(generations);
    }

    @Override
    List<Part> parts(int count) {
        return SdaLevels.parts(count);
    }

    @Override
    Simulator simulator(List<byte[]> seen, SplittableRandom random) {
        return new Simulator(seen, random) {
            private final Map<Part, byte[]> rolls = new HashMap<>();
            private byte[] mark = new byte[LevelMessages.MARK_BYTES];

            @Override
            void update(int count, int pairs) {
                if (pairs == 0) {
                    return;
                }
                int to = count + pairs;
                say(List.of(LevelMessages.FETCH, count, to), List.of());
                List<byte[]> merged = new ArrayList<>(List.of(mark));
                SdaLevels.merged(count, to).forEach(part -> merged.add(rolls.get(part)));
                say(List.of(count), merged);
                mark = bytes(LevelMessages.MARK_BYTES);
                List<byte[]> stored = seenNext();
                List<byte[]> parts = new ArrayList<>(List.of(mark));
                for (Part part : SdaLevels.made(count, to)) {
                    byte[] seenPairs = stored.get(parts.size());
                    requireAscending(seenPairs);
                    parts.add(pairs(part, seenPairs));
                    byte[] roll = bytes(part.size() * Entry.BYTES + Sealer.OVERHEAD);
                    rolls.put(part, roll);
                    parts.add(roll);
                }
                say(List.of(LevelMessages.STORE, count, to), parts);
                say(List.of(to), List.of(mark));
            }
        };
    }

    /** The order of entries is that of their pseudorandom labels: it is a coin. */
    private static void requireAscending(byte[] pairs) {
        int step = LevelKeys.PAIR_BYTES;
        for (int at = step; at < pairs.length; at += step) {
            assertThat(Arrays.compareUnsigned(pairs, at - step, at - step + Blocks.BYTES, pairs, at, at + Blocks.BYTES))
                    .isNegative();
        }
    }
}
