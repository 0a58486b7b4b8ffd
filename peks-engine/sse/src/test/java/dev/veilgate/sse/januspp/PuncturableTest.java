package dev.veilgate.sse.januspp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PuncturableTest {
    private final TestSeed seed = TestSeed.of(PuncturableTest.class);

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void puncturedKeysGiveTheMasksOfAllOtherTags() throws Exception {
        SplittableRandom random = seed.random("masks");
        for (int trees : new int[] {1, 2, 7, 40}) {
            for (int bits : new int[] {8, 15, 64}) {
                Puncturable scheme = new Puncturable(trees, bits);
                byte[] secret = bytes(16, random);
                for (int punctured : new int[] {0, 1, trees / 2, trees}) {
                    ByteArrayOutputStream punctures = new ByteArrayOutputStream();
                    List<Long> deleted = new ArrayList<>();
                    for (int j = 0; j < punctured; j++) {
                        long tag = random.nextLong() >>> Long.SIZE - bits;
                        deleted.add(tag);
                        punctures.writeBytes(scheme.puncture(secret, j, tag));
                    }
                    long[] tags = random.longs(30)
                            .map(tag -> tag >>> Long.SIZE - bits)
                            .filter(tag -> !deleted.contains(tag))
                            .toArray();
                    byte[] tweaks = bytes(16 * tags.length, random);
                    byte[][] secrets = new byte[tags.length][];
                    Arrays.fill(secrets, secret);
                    byte[] rest = scheme.expandRest(scheme.rest(secret, punctured), punctured);
                    assertThat(scheme.masks(punctures.toByteArray(), rest, tags, tweaks.clone()))
                            .isEqualTo(scheme.masks(secrets, tags, tweaks.clone()));
                }
            }
        }
    }

    /** A puncture has no ancestor of its tag's leaf, so that nothing that it gives is the missing part of the mask. */
    @Test
    void aPunctureDoesNotGiveTheLeafOfItsTag() {
        SplittableRandom random = seed.random("leaf");
        Puncturable scheme = new Puncturable(1, 8);
        byte[] secret = bytes(16, random);
        byte[][] secrets = {secret};
        for (long tag = 0; tag < 256; tag++) {
            byte[] puncture = scheme.puncture(secret, 0, tag);
            long other = tag ^ 1 + random.nextInt(255);
            byte[] tweak = bytes(16, random);
            long mask = scheme.masks(secrets, new long[] {tag}, tweak.clone())[0];
            // The siblings taken for those of another tag give no leaf of this one.
            byte[] forged = puncture.clone();
            forged[7] = (byte) other;
            assertThat(scheme.masks(forged, new byte[0], new long[] {tag}, tweak.clone())[0])
                    .isNotEqualTo(mask);
        }
    }

    @Test
    void theRestIsOfThatManyKeys() {
        Puncturable scheme = new Puncturable(5, 8);
        byte[] secret = new byte[16];
        assertThatThrownBy(() -> scheme.expandRest(scheme.rest(secret, 1), 2))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> scheme.expandRest(new byte[16], 5)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void aTagThatADeletedDocumentHasTooIsSaidToBeMissing() throws Exception {
        JanusppScheme scheme = new JanusppScheme();
        Parameters parameters = Parameters.of(scheme, Map.of("deletions", 4L, "tagbits", 8L));
        ReplayableRandom coins = new ReplayableRandom(seed.coins("collision"));
        SseOwner owner = scheme.owner(ArchiveKey.random(coins), new MemoryCells(), parameters, coins);
        Channel channel = Channel.to(scheme.server(new MemoryCells(), parameters));
        Keyword owl = Keyword.text("subject", "owl");
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            documents.add(Document.of(new DocumentId(i), List.of(owl)));
        }
        channel.run(owner.add(documents));
        assertThat(channel.run(owner.search(new SseExpression.Word(owl))).findings())
                .isEmpty();
        channel.run(owner.delete(documents.subList(0, 1)));
        Hits hits = channel.run(owner.search(new SseExpression.Word(owl)));
        assertThat(hits.ids()).doesNotContain(new DocumentId(0)).hasSizeBetween(1_000, 1_022);
        assertThat(hits.findings())
                .hasSize(1)
                .first()
                .asString()
                .contains("of 1023 documents")
                .contains("missing");
    }
}
