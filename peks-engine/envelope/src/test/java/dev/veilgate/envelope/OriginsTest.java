package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where records came from: who opens them reads it, nobody else, and nobody changes it. */
class OriginsTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String[] NAMES = {
        "/var/log/a.log", "/var/log/b.log", "/var/log/b.log", "stdin", "/var/log/a.log"
    };

    private static byte[] seal(EnvelopeDraft draft) {
        return Samples.sealer(null, RANDOM).seal(draft, ChainPosition.first()).bytes();
    }

    private static List<String> origins(byte[] bytes) throws Exception {
        return Samples.OPENER.origins(Envelope.decode(bytes));
    }

    @Test
    void everyRecordHasTheNameThatItWasSealedWith() throws Exception {
        byte[] sealed = seal(Samples.draftFrom(NAMES));
        assertThat(origins(sealed)).containsExactly(NAMES);
        assertThat(Samples.OPENER.open(Envelope.decode(sealed))).hasSize(5);
        String[] all = IntStream.range(0, 256)
                .mapToObj(i -> "\u00e9".repeat(510) + "/" + (char) ('A' + i % 26))
                .toArray(String[]::new);
        assertThat(origins(seal(Samples.draftFrom(all)))).containsExactly(all);
    }

    @Test
    void whoDoesNotSayHasNone() throws Exception {
        byte[] sealed = seal(Samples.draft(5));
        assertThat(Surgery.on(sealed).has(EnvelopeFormat.KEY_ATTRIBUTES)).isFalse();
        assertThat(origins(sealed)).isEmpty();
        assertThat(origins(seal(Samples.heartbeat(60)))).isEmpty();
    }

    /** Of coins that never change: some thousands of random bytes hold any three letters now and then. */
    @Test
    void theNameIsNowhereInClear() {
        byte[] sealed = Samples.sealer(null, Samples.frozen("origins"))
                .seal(Samples.draftFrom(NAMES), ChainPosition.first())
                .bytes();
        assertThat(new String(sealed, StandardCharsets.ISO_8859_1))
                .doesNotContain("log")
                .doesNotContain("stdin");
    }

    /** One origin costs less than 60 bytes, and names of about one length do not differ in size. */
    @Test
    void anOriginIsSmallAndItsSizeTellsLittle() {
        EnvelopeSealer sealer = Samples.sealerWithoutIndex(null, RANDOM);
        int none = sealer.seal(Samples.draft(4), ChainPosition.first()).bytes().length;
        for (String name : new String[] {"stdin", "/var/log/app.log", "/var/log/nginx/error.log"}) {
            EnvelopeDraft draft = Samples.draftFrom(name, name, name, name);
            assertThat(sealer.seal(draft, ChainPosition.first()).bytes().length - none)
                    .isLessThan(60)
                    .isEqualTo(51);
        }
    }

    private static void assertUnopenable(byte[] bytes) throws MalformedEncodingException {
        Envelope envelope = Envelope.decode(bytes);
        assertThatThrownBy(() -> Samples.OPENER.open(envelope)).isInstanceOf(UnopenableEnvelopeException.class);
        if (envelope.attributes() != null) {
            assertThatThrownBy(() -> Samples.OPENER.origins(envelope)).isInstanceOf(UnopenableEnvelopeException.class);
        }
    }

    /** Without a signature already; neither records nor origins open. */
    @Test
    void originsCannotBeStrippedSwappedAddedOrAltered() throws Exception {
        byte[] sealed = seal(Samples.draftFrom(NAMES));
        byte[] attributes = Surgery.on(sealed).get(EnvelopeFormat.KEY_ATTRIBUTES);
        byte[] foreign = Surgery.on(seal(Samples.draftFrom(NAMES))).get(EnvelopeFormat.KEY_ATTRIBUTES);
        assertUnopenable(
                Surgery.on(sealed).remove(EnvelopeFormat.KEY_ATTRIBUTES).close());
        assertUnopenable(
                Surgery.on(sealed).put(EnvelopeFormat.KEY_ATTRIBUTES, foreign).close());
        assertUnopenable(Surgery.on(seal(Samples.draft(5)))
                .put(EnvelopeFormat.KEY_ATTRIBUTES, attributes)
                .close());
        for (int at = 2; at < attributes.length; at++) {
            byte[] altered = attributes.clone();
            altered[at] ^= 1;
            assertUnopenable(Surgery.on(sealed)
                    .put(EnvelopeFormat.KEY_ATTRIBUTES, altered)
                    .close());
        }
    }

    /** Under the guard of the header's digest: even with the right content key they open under their own header only. */
    @Test
    void originsAreBoundToTheRestOfTheHeader() throws Exception {
        byte[] key = new byte[32];
        byte[] header = {1, 2, 3};
        byte[] sealed =
                SealedAttributes.seal(key, header, new SealedAttributes.Content(Origin.of(List.of(NAMES)), List.of()));
        byte[] rest = Hashes.labelled(EnvelopeFormat.LABEL_ATTRIBUTES).digest(header);
        assertThat(Origin.names(SealedAttributes.open(key, rest, sealed, 5).origins()))
                .containsExactly(NAMES);
        assertThatThrownBy(() -> SealedAttributes.open(key, rest, sealed, 4)).hasMessageContaining("as many records");
        rest[0] ^= 1;
        assertThatThrownBy(() -> SealedAttributes.open(key, rest, sealed, 5))
                .isInstanceOf(javax.crypto.AEADBadTagException.class);
    }

    /** The index does not match under a header whose origins were taken away or changed. */
    @Test
    void theIndexIsBoundToThem() throws Exception {
        byte[] sealed = seal(Samples.draftFrom(NAMES));
        byte[] stripped =
                Surgery.on(sealed).remove(EnvelopeFormat.KEY_ATTRIBUTES).close();
        assertThat(Envelope.decode(stripped).context().sealedContentDigest())
                .isNotEqualTo(Envelope.decode(sealed).context().sealedContentDigest());
    }

    @Test
    void attributesHaveASizeAndNeedAKey() throws Exception {
        byte[] heartbeat = seal(Samples.heartbeat(60));
        assertThatThrownBy(() -> Envelope.decode(Surgery.on(heartbeat)
                        .put(EnvelopeFormat.KEY_ATTRIBUTES, Surgery.bytes(new byte[48]))
                        .close()))
                .hasMessageContaining("attributes");
        byte[] sealed = seal(Samples.draft(5));
        for (int size : new int[] {0, 16, EnvelopeFormat.MAX_ATTRIBUTES_BYTES + 1}) {
            assertThatThrownBy(() -> Envelope.decode(Surgery.on(sealed)
                            .put(EnvelopeFormat.KEY_ATTRIBUTES, Surgery.bytes(new byte[size]))
                            .close()))
                    .hasMessageContaining("attributes");
        }
    }

    private static CborWriter one() {
        return new CborWriter(64).map(1).integer(1);
    }

    @Test
    void whatADishonestSenderSealedIsRefused() throws Exception {
        List<CborWriter> bad = new ArrayList<>();
        bad.add(one().array(0)); // none
        bad.add(one().array(1).array(2).text("a").integer(2)); // too few
        bad.add(one().array(1).array(2).text("a").integer(4)); // too many
        bad.add(one().array(2).array(2).text("a").integer(3).array(2).text("b").integer(0));
        bad.add(one().array(2).array(2).text("a").integer(1).array(2).text("a").integer(2)); // two encodings
        bad.add(one().array(1).array(2).text("").integer(3));
        bad.add(one().array(1).array(2).text("x".repeat(1025)).integer(3));
        bad.add(one().array(1).array(3).text("a").integer(3).integer(0));
        bad.add(one().array(1).array(2).bytes(new byte[] {'a'}).integer(3));
        bad.add(new CborWriter(8).map(1).integer(2).integer(0)); // what must not be ignored
        bad.add(new CborWriter(8).array(0));
        for (CborWriter writer : bad) {
            byte[] plain = writer.toByteArray();
            assertThatThrownBy(() -> SealedAttributes.decode(plain, 3))
                    .as("%s", Arrays.toString(plain))
                    .isInstanceOf(MalformedEncodingException.class);
        }
        byte[] padded =
                one().array(1).array(2).text("a").integer(3).bytes(new byte[0]).toByteArray();
        assertThatThrownBy(() -> SealedAttributes.decode(padded, 3)).hasMessageContaining("zero");
    }

    @Test
    void attributesOfLaterVersionsAreIgnored() throws Exception {
        byte[] later = new CborWriter(64)
                .map(2)
                .integer(1)
                .array(1)
                .array(2)
                .text("a")
                .integer(3)
                .integer(17)
                .text("later")
                .toByteArray();
        assertThat(Origin.names(
                        SealedAttributes.decode(Arrays.copyOf(later, 64), 3).origins()))
                .containsExactly("a", "a", "a");
        assertThat(SealedAttributes.decode(new CborWriter(8).map(0).toByteArray(), 3))
                .isEqualTo(SealedAttributes.Content.NONE);
    }

    @Test
    void draftsSpeakOfAllRecordsOrOfNone() {
        assertThatThrownBy(() -> new Origin("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Origin("a", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Origin("\ud800", 1)).isInstanceOf(IllegalArgumentException.class);
        for (List<Origin> bad : List.of(List.of(new Origin("a", 4)), List.of(new Origin("a", 2), new Origin("a", 3)))) {
            EnvelopeDraft draft = Samples.draft(5);
            assertThatThrownBy(() -> new EnvelopeDraft(
                            "s",
                            "e",
                            draft.first(),
                            draft.last(),
                            "text/plain",
                            draft.records(),
                            List.of(),
                            List.of(),
                            0,
                            bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anyTextFitsAsAName() {
        assertThat(Origin.fitting("/var/log/app.log")).isEqualTo("/var/log/app.log");
        assertThat(Origin.fitting("")).isEqualTo("?");
        assertThat(Origin.fitting("a\ud800b")).isEqualTo("a\ufffdb");
        String cut = Origin.fitting("/\u00e9".repeat(1000) + "/app.log");
        assertThat(cut).startsWith("...").endsWith("/\u00e9/app.log");
        assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isBetween(1022, 1024);
        assertThat(new Origin(Origin.fitting("\udc00".repeat(5000)), 1).name()).startsWith("...");
    }
}
