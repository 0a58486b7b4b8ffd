package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.MemoryBlobs;
import dev.veilgate.sse.StuckRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects of fixed documents under fixed coins: an archive that is there is read by the program of tomorrow, and what a
 * merge says must not change under one format, since its keys do not. A change of these is a new format.
 */
class SegmentWireFormatTest {
    private static final Map<String, String> FROZEN = Map.of(
            "first", "14018c97ce23f672fe5d71d233f0a30345ce027d8f4389b39b685ca3b7aa4878",
            "second", "e0909feaa1cb0c17b966d1d831c8be232298a878d1ea9ff663b1a7556e658856",
            "merged", "f7d864b92b02c5f77859c367fc2ccd7ee3425346cc3c8879a0b61ba6420166f2",
            "dead", "0078da16eb56f06c67f3a0570fe120c7808ba23a508916711d8caab8e4585d2b");

    private static final String FROZEN_ENTRY =
            "845820f7d864b92b02c5f77859c367fc2ccd7ee3425346cc3c8879a0b61ba6420166f25820ddb2ea0fa74e6adfb03495"
                    + "0625a3e0769d4976336023d69ba1035e71e6a30fce1a0001000089011906001a00019cd6190f6218360419839a1903b4"
                    + "194a05";

    private final SegmentKeys keys =
            SegmentKeys.of(ArchiveKey.random(new StuckRandom()), new byte[SegmentKeys.ARCHIVE_BYTES]);
    private final MemoryBlobs store = new MemoryBlobs();

    private SealedSegment segment(int from, int to) throws Exception {
        SegmentBuilder builder = new SegmentBuilder(keys, new StuckRandom());
        for (int i = from; i < to; i++) {
            TreeMap<Keyword, Integer> words = new TreeMap<>();
            words.put(Keyword.text("text", "all"), 1);
            words.put(Keyword.text("text", "some" + (i * i + i / 3) % 5), 1 + i % 50 / 48);
            words.put(Keyword.text("text", "w" + i % 50 + "x".repeat(i % 40)), 1 + i % 7);
            words.put(Keyword.text("text", "\u4e2d\ud83e\udd89" + i * i), 1);
            words.put(Keyword.text("f" + i % 3, Integer.toString(i / 7, 36)), i % 5 == 0 ? 300 : 1);
            words.put(Keyword.interval("size", i % 64, i), 1);
            byte[] digest = new byte[ArchivedDocument.DIGEST_BYTES];
            Arrays.fill(digest, (byte) i);
            builder.add(new ArchivedDocument(
                    "/var/log/" + i / 100 + "#" + i, digest, i % 11 == 0 ? 0 : 100L * i, Archives.counts(words)));
        }
        SealedSegment sealed = builder.finish();
        store.put(sealed.entry().name(), sealed.object());
        return sealed;
    }

    private static String entry(SegmentEntry entry) {
        CborWriter out = new CborWriter(200);
        entry.encode(out);
        return HexFormat.of().formatHex(out.toByteArray());
    }

    @Test
    void objectsAreWhatTheyWere(@TempDir Path folder) throws Exception {
        SealedSegment first = segment(0, 1500);
        SealedSegment second = segment(1500, 1540);
        List<SegmentReader> inputs = new ArrayList<>();
        for (SealedSegment each : List.of(first, second)) {
            inputs.add(new SegmentReader(store, keys, each.entry()));
        }
        assertThat(first.entry().layout().bytes()).allMatch(bytes -> bytes > 0);
        DeadSet dead = DeadSet.of(7, 8, 700, 1499);
        try (Merged merged = SegmentMerger.merge(inputs, List.of(dead, DeadSet.NONE), folder, new StuckRandom())) {
            assertThat(Map.of(
                            "first", first.entry().name().value(),
                            "second", second.entry().name().value(),
                            "merged", merged.segment().entry().name().value(),
                            "dead", dead.seal(keys, new StuckRandom()).name().value()))
                    .isEqualTo(FROZEN);
            assertThat(entry(merged.segment().entry())).isEqualTo(FROZEN_ENTRY);
        }
    }
}
