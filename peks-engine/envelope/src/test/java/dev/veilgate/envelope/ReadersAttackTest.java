package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.UnopenableEnvelopeException.Reason;
import dev.veilgate.peks.KeyId;
import java.security.SecureRandom;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A stranger with the public bundle alone, who seals so that opening costs as much as possible. */
class ReadersAttackTest {
    private static final SecureRandom RANDOM = Samples.frozen("readers-attack");
    private static final AttributeKem KEM = AttributeKems.byDefault();
    private static final AttributeKeys KEYS = KEM.setup(RANDOM);
    private static final KemSecretKey SHARED = KemSecretKey.generate(RANDOM);
    private static final PolicyKey POLICY_KEY = PolicyKey.of(KEYS.publicKey(), SHARED.publicKey());
    private static final List<String> MONTHS =
            IntStream.rangeClosed(1, 12).mapToObj("2026-%02d"::formatted).toList();
    /** Of a year: of each month one. */
    private static final List<ReaderKey> YEAR = MONTHS.stream()
            .map(month -> reader(AttributeSet.of(List.of(Attribute.of("a", "x").in(month)))))
            .toList();

    private static ReaderKey reader(AttributeSet attributes) {
        Label label = new Label.OfAttributes(attributes);
        try {
            return new ReaderKey(
                    "acme",
                    "ada",
                    POLICY_KEY,
                    KemSecretKey.decode(SHARED.encode()),
                    KEM.keyGen(KEYS.masterKey(), KEYS.publicKey(), label, RANDOM));
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Satisfied by every key of the year, with so many leaves beside that nobody has. */
    private static Label costly(int leaves) {
        List<Policy> children = new ArrayList<>();
        MONTHS.forEach(
                month -> children.add(new Policy.Leaf(Attribute.of("a", "x").in(month))));
        for (int i = 0; i < leaves; i++) {
            children.add(new Policy.Leaf(Attribute.of("b", Integer.toString(i)).in("e")));
        }
        return new Label.OfPolicy(new Policy.Gate(1, children));
    }

    private static byte[] seal(Label... readers) {
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                "acme", List.of(), Samples.TENANT.publicKey(), List.of(POLICY_KEY), null, Samples.CLOCK, RANDOM)) {
            return sealer.seal(withoutIndex().forReaders(List.of(readers)), ChainPosition.first())
                    .bytes();
        }
    }

    private static EnvelopeDraft withoutIndex() {
        EnvelopeDraft draft = Samples.draft(1);
        return new EnvelopeDraft(
                draft.scope(),
                draft.epoch(),
                draft.first(),
                draft.last(),
                draft.mediaType(),
                draft.records(),
                List.of(),
                List.of(),
                0);
    }

    /** A wrap whose elements are what an honest sealer made, and which is refused after all the work. */
    private static byte[] refused(byte[] envelope, int variant) throws MalformedEncodingException {
        WrappedKey wrap = Envelope.decode(envelope).wraps().getFirst();
        byte[] encapsulation = wrap.encapsulation().clone();
        int pad = XWing.CIPHERTEXT_BYTES + 3 + POLICY_KEY.schemeId().length(); // version, kind, scheme; then c2
        encapsulation[pad] ^= (byte) (variant + 1);
        return encoded(wrap, encapsulation);
    }

    private static byte[] encoded(WrappedKey wrap, byte[] encapsulation) {
        return new CborWriter(encapsulation.length + 200)
                .array(4)
                .text(wrap.algorithm())
                .bytes(wrap.keyId().toBytes())
                .bytes(encapsulation)
                .bytes(wrap.wrapped())
                .toByteArray();
    }

    private static byte[] withWraps(byte[] envelope, List<byte[]> wraps) throws MalformedEncodingException {
        return Surgery.on(envelope).putItems(EnvelopeFormat.KEY_WRAPS, wraps).close();
    }

    private static List<byte[]> refusedWraps(byte[] envelope, int count) throws MalformedEncodingException {
        List<byte[]> wraps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wraps.add(refused(envelope, i));
        }
        return wraps;
    }

    /** Keys that count how often they are asked for. */
    private static final class Counted implements ReaderKeys {
        private final List<ReaderKey> keys;
        private int wraps;
        private int taken;

        Counted(List<ReaderKey> keys) {
            this.keys = keys;
        }

        @Override
        public List<ReaderKey> candidates(KeyId policyKey, byte[] ciphertext, OpeningWork work) {
            wraps++;
            return new AbstractList<>() {
                @Override
                public ReaderKey get(int i) {
                    taken++;
                    return keys.get(i);
                }

                @Override
                public int size() {
                    return keys.size();
                }
            };
        }
    }

    private static UnopenableEnvelopeException refusalOf(byte[] envelope, ReaderKeys keys) throws Exception {
        Envelope decoded = Envelope.decode(envelope);
        try {
            new EnvelopeOpener(List.of(), keys).open(decoded);
        } catch (UnopenableEnvelopeException e) {
            return e;
        }
        throw new AssertionError("it opened");
    }

    @Test
    void refusesMoreWrapsThanASealerMakes() throws Exception {
        byte[] envelope = seal(costly(1));
        assertThatCode(() -> Envelope.decode(withWraps(envelope, refusedWraps(envelope, 16))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Envelope.decode(withWraps(envelope, refusedWraps(envelope, 17))))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("at most 16");
        byte[] one = refused(envelope, 0);
        assertThatThrownBy(() -> Envelope.decode(withWraps(envelope, List.of(one, one))))
                .as("the same twice")
                .isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void triesNoOtherKeyOnAWrapThatWasRefused() throws Exception {
        byte[] envelope = seal(costly(10));
        Counted keys = new Counted(YEAR);
        byte[] hostile = withWraps(envelope, refusedWraps(envelope, 2));
        assertThat(refusalOf(hostile, keys).reason()).isEqualTo(Reason.ALTERED);
        assertThat(keys.wraps).isEqualTo(2);
        assertThat(keys.taken).as("of 24").isEqualTo(2);
    }

    @Test
    void anotherWrapStillOpensBehindOneThatWasRefused() throws Exception {
        byte[] envelope = seal(costly(10));
        byte[] honest = Surgery.on(envelope).items(EnvelopeFormat.KEY_WRAPS).getFirst();
        byte[] hostile = withWraps(envelope, List.of(refused(envelope, 0), honest));
        assertThat(new EnvelopeOpener(List.of(), ReaderKeys.of(YEAR)).open(Envelope.decode(hostile)))
                .hasSize(1);
    }

    @Test
    void stopsAtTheWorkLimitAndSaysSo() throws Exception {
        byte[] envelope = seal(costly(1050));
        byte[] hostile = withWraps(envelope, refusedWraps(envelope, 16));
        assertThat(hostile.length).isGreaterThan(16 * 60_000);
        Counted keys = new Counted(YEAR);
        UnopenableEnvelopeException refusal = refusalOf(hostile, keys);
        assertThat(refusal.reason()).isEqualTo(Reason.WORK_LIMIT);
        assertThat(refusal).hasMessageStartingWith("work-limit: ");
        assertThat(keys.taken).as("of 16 wraps with 12 keys").isEqualTo(2);
    }

    @Test
    void opensTheLargestThatASealerMakes() throws Exception {
        byte[] envelope = seal(costly(1085));
        assertThat(Envelope.decode(envelope).wraps().getFirst().encapsulation().length)
                .isBetween(EnvelopeFormat.MAX_ENCAPSULATION_BYTES - 1500, EnvelopeFormat.MAX_ENCAPSULATION_BYTES);
        ReaderKey last = YEAR.getLast();
        List<ReaderKey> many = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            many.add(reader(AttributeSet.of(List.of(Attribute.of("c", "x").in("e" + i)))));
        }
        many.add(last);
        assertThat(new EnvelopeOpener(List.of(), ReaderKeys.of(many)).open(Envelope.decode(envelope)))
                .hasSize(1);
    }

    @Test
    void decodesNoElementForAKeyThatDoesNotSatisfyThePolicy() throws Exception {
        byte[] envelope = seal(costly(20));
        WrappedKey wrap = Envelope.decode(envelope).wraps().getFirst();
        byte[] nonsense = wrap.encapsulation().clone();
        Arrays.fill(nonsense, nonsense.length - 32 * 48, nonsense.length, (byte) 0); // not points
        byte[] hostile = withWraps(envelope, List.of(encoded(wrap, nonsense)));
        ReaderKey other = reader(AttributeSet.of(List.of(Attribute.of("c", "x"))));
        assertThat(refusalOf(hostile, ReaderKeys.of(List.of(other))).reason()).isEqualTo(Reason.UNSATISFIED);
        assertThat(refusalOf(hostile, ReaderKeys.of(YEAR)).reason()).isEqualTo(Reason.ALTERED);
        assertThat(Envelope.decode(hostile).readers()).containsExactly(costly(20));
    }
}
