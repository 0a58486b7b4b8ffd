package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which format records were read: who opens them reads it, and readers that know no formats open them as well. */
class FormatsTest {
    private static final String[] NAMES = {"a.log", "a.log", "b.log"};
    private static final List<String> EACH = List.of("json", "plain");

    private static byte[] seal(EnvelopeDraft draft) {
        return Samples.sealer(null, new SecureRandom())
                .seal(draft, ChainPosition.first())
                .bytes();
    }

    private static List<String> formats(EnvelopeDraft draft) throws Exception {
        try (UnlockedEnvelope unlocked = Samples.OPENER.unlock(Envelope.decode(seal(draft)))) {
            return unlocked.formats();
        }
    }

    @Test
    void everyRecordHasTheFormatThatItWasReadIn() throws Exception {
        EnvelopeDraft draft = Samples.draftFrom(NAMES);
        assertThat(formats(draft.readAs("key-value"))).containsExactly("key-value", "key-value", "key-value");
        assertThat(formats(draft.readAs(EACH))).containsExactly("json", "json", "plain");
        assertThat(formats(Samples.draft(3).readAs("auto"))).containsExactly("auto", "auto", "auto");
        assertThat(formats(draft)).isEmpty();
        assertThat(formats(draft.readAs("of later software").forReaders(List.of())))
                .contains("of later software");
        assertThat(Samples.OPENER.origins(Envelope.decode(seal(draft.readAs(EACH)))))
                .containsExactly(NAMES);
    }

    /** A known answer: bytes that no later version may write otherwise. */
    @Test
    void formatsAreKeySixteenOfTheAttributes() throws Exception {
        assertThat(HexFormat.of().formatHex(plain(Samples.draftFrom(NAMES).readAs("auto"))))
                .isEqualTo("a2" + "01" + "82" + "8265" + hex("a.log") + "02" + "8265" + hex("b.log") + "01" + "10"
                        + "64" + hex("auto") + "00".repeat(7));
        assertThat(HexFormat.of().formatHex(plain(Samples.draftFrom(NAMES).readAs(EACH))))
                .isEqualTo("a2" + "01" + "82" + "8265" + hex("a.log") + "02" + "8265" + hex("b.log") + "01" + "10"
                        + "82" + "64" + hex("json") + "65" + hex("plain"));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The attributes of an envelope in clear, with what fills them up. */
    private static byte[] plain(EnvelopeDraft draft) throws Exception {
        Envelope envelope = Envelope.decode(seal(draft));
        byte[] sealed = envelope.attributes();
        assertThat(sealed).isNotNull();
        try (UnlockedEnvelope unlocked = Samples.OPENER.unlock(envelope)) {
            byte[] key = Hashes.hkdf(
                    envelope.digestWithoutAttributes(),
                    unlocked.contentKey(),
                    new ByteWriter(64)
                            .shortString(EnvelopeFormat.LABEL_ATTRIBUTES)
                            .toByteArray(),
                    32);
            return ContentKey.unwrap(key, sealed);
        }
    }

    /** As readers were before there were formats: keys below 16 but the first are refused, the others passed over. */
    private static List<String> originsByReaderOfBefore(byte[] plain) throws MalformedEncodingException {
        CborReader in = new CborReader("attributes", plain);
        int fields = in.map("map", 64);
        CborReader.MapKeys keys = in.mapKeys("map");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields; i++) {
            int key = keys.nextInt();
            if (key != 1) {
                assertThat(key).isGreaterThanOrEqualTo(16);
                in.rawItem("extension");
                continue;
            }
            int origins = in.array("origins", 256);
            for (int j = 0; j < origins; j++) {
                in.array("origins", 2);
                String name = in.text("origins.name", 1024);
                names.addAll(Collections.nCopies(in.uint("origins.count", 256), name));
            }
        }
        for (int i = in.position(); i < plain.length; i++) {
            assertThat(plain[i]).isZero();
        }
        return names;
    }

    @Test
    void readersOfBeforeReadOriginsAndPassFormatsOver() throws Exception {
        for (EnvelopeDraft draft : List.of(
                Samples.draftFrom(NAMES).readAs("auto"),
                Samples.draftFrom(NAMES).readAs(EACH))) {
            assertThat(originsByReaderOfBefore(plain(draft))).containsExactly(NAMES);
        }
    }

    private static CborWriter withOrigins() {
        return new CborWriter(64)
                .map(2)
                .integer(1)
                .array(2)
                .array(2)
                .text("a")
                .integer(2)
                .array(2)
                .text("b")
                .integer(1)
                .integer(16);
    }

    @Test
    void formatsOfADishonestSenderAreRefused() throws Exception {
        List<CborWriter> bad = List.of(
                withOrigins().array(0),
                withOrigins().array(1).text("json"), // of one origin
                withOrigins().array(2).text("json").text("json"), // two encodings
                withOrigins().array(3).text("json").text("plain").text("auto"),
                withOrigins().array(2).text("json").text(""),
                withOrigins().array(2).text("json").integer(1),
                withOrigins().text(""),
                withOrigins().text("x".repeat(65)),
                withOrigins().integer(1),
                new CborWriter(16).map(1).integer(16).array(2).text("json").text("plain")); // of no origins
        for (CborWriter writer : bad) {
            byte[] plain = writer.toByteArray();
            assertThatThrownBy(() -> SealedAttributes.decode(plain, 3))
                    .as(HexFormat.of().formatHex(plain))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        byte[] good = withOrigins().array(2).text("json").text("plain").toByteArray();
        assertThat(SealedAttributes.decode(good, 3).formatsOf(3)).containsExactly("json", "json", "plain");
    }

    @Test
    void draftsHaveOneFormatOrOneForEachOrigin() {
        EnvelopeDraft draft = Samples.draftFrom(NAMES);
        for (List<String> bad : List.of(
                List.of(""), List.of("x".repeat(65)), List.of("json", "json"), List.of("json", "plain", "auto"))) {
            assertThatThrownBy(() -> draft.readAs(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        EnvelopeDraft heartbeat = Samples.heartbeat(60);
        assertThatThrownBy(() -> heartbeat.readAs("auto")).isInstanceOf(IllegalArgumentException.class);
    }
}
