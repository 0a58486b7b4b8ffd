package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.AttributeSecretKey;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Envelopes for a policy: who opens them, and who does not. */
class ReadersTest {
    private static final SecureRandom RANDOM = Samples.frozen("readers");
    private static final AttributeKem KEM = AttributeKems.byDefault();
    private static final AttributeKeys KEYS = KEM.setup(RANDOM);
    private static final KemSecretKey SHARED = KemSecretKey.generate(RANDOM);
    private static final PolicyKey POLICY_KEY = PolicyKey.of(KEYS.publicKey(), SHARED.publicKey());

    private static Label policy(String text) throws Exception {
        return new Label.OfPolicy(Policy.parse(text));
    }

    private static ReaderKey reader(String attributes) throws Exception {
        Label label = new Label.OfAttributes(AttributeSet.parse(attributes)).in("2026-11");
        return new ReaderKey(
                "acme",
                "ada",
                POLICY_KEY,
                KemSecretKey.decode(SHARED.encode()),
                KEM.keyGen(KEYS.masterKey(), KEYS.publicKey(), label, RANDOM));
    }

    private static Envelope seal(List<Label> readers) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                "acme",
                List.of(Samples.indexSealer(RANDOM)),
                Samples.TENANT.publicKey(),
                List.of(POLICY_KEY),
                Samples.SENDER,
                Samples.CLOCK,
                RANDOM)) {
            return Envelope.decode(sealer.seal(Samples.draft(3).forReaders(readers), ChainPosition.first())
                    .bytes());
        }
    }

    private static EnvelopeOpener with(ReaderKey... keys) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(List.of(keys)));
    }

    private static void opens(Envelope envelope, EnvelopeOpener opener) throws Exception {
        assertThat(opener.open(envelope)).containsExactlyElementsOf(Samples.lines(3));
        assertThat(opener.openRecord(envelope, 2)).isEqualTo(Samples.lines(3).get(2));
    }

    @Test
    void opensForWhomThePolicyNames() throws Exception {
        Envelope envelope = seal(List.of(policy("(role:auditor AND site:plant-7) OR role:dpo")));
        opens(envelope, with(reader("role:auditor, site:plant-7")));
        opens(envelope, with(reader("role:dpo")));
        opens(envelope, with(reader("role:auditor"), reader("role:dpo")));
        assertThatThrownBy(() ->
                        with(reader("role:auditor"), reader("site:plant-7")).open(envelope))
                .as("two readers do not add up")
                .isInstanceOf(UnopenableEnvelopeException.class)
                .hasMessageContaining("role:auditor");
        assertThatThrownBy(() -> Samples.OPENER.open(envelope))
                .as("the tenant's key alone is not enough")
                .isInstanceOf(UnopenableEnvelopeException.class);
    }

    @Test
    void eachOfSeveralPoliciesIsEnough() throws Exception {
        Envelope envelope = seal(List.of(policy("role:dpo"), policy("role:auditor")));
        opens(envelope, with(reader("role:dpo")));
        opens(envelope, with(reader("role:auditor")));
        assertThatThrownBy(() -> with(reader("role:pilot")).open(envelope))
                .isInstanceOf(UnopenableEnvelopeException.class);
    }

    @Test
    void attributesAloneAreNotEnoughWithoutTheReadersKey() throws Exception {
        Envelope envelope = seal(List.of(policy("role:dpo")));
        ReaderKey right = reader("role:dpo");
        KemSecretKey foreign = KemSecretKey.generate(RANDOM);
        assertThatThrownBy(() -> new ReaderKey("acme", "eve", POLICY_KEY, foreign, right.attributeKey()))
                .isInstanceOf(IllegalArgumentException.class);
        PolicyKey other = PolicyKey.of(KEYS.publicKey(), foreign.publicKey());
        ReaderKey outsider = new ReaderKey("acme", "eve", other, foreign, right.attributeKey());
        // what who has attributes and not the readers' key can compute
        EnvelopeOpener opener = new EnvelopeOpener(List.of(), (id, ciphertext, work) -> List.of(outsider));
        assertThatThrownBy(() -> opener.open(envelope)).isInstanceOf(UnopenableEnvelopeException.class);
    }

    @Test
    void aWrapBelongsToItsEnvelope() throws Exception {
        Envelope one = seal(List.of(policy("role:dpo")));
        Envelope two = seal(List.of(policy("role:dpo")));
        ReaderKey key = reader("role:dpo");
        WrappedKey wrap = one.wraps().getFirst();
        assertThat(PolicyWrap.open(wrap, key, one.headerDigest())).isPresent();
        assertThat(PolicyWrap.open(wrap, key, two.headerDigest())).isEmpty();
        for (int at : new int[] {0, 600, 1119, 1120, 1140, wrap.encapsulation().length - 1}) {
            byte[] altered = wrap.encapsulation().clone();
            altered[at] ^= 1;
            WrappedKey other = new WrappedKey(wrap.algorithm(), wrap.keyId(), altered, wrap.wrapped());
            try {
                assertThat(PolicyWrap.open(other, key, one.headerDigest())).isEmpty();
            } catch (UnsatisfiedPolicyException e) {
                assertThat(at).isGreaterThanOrEqualTo(1120); // the policy itself was altered
            }
        }
    }

    @Test
    void aKeyOfAnotherAuthorityIsNoPartOfThePair() throws Exception {
        AttributeKeys foreign = AttributeKems.byDefault().setup(RANDOM);
        AttributeSecretKey theirs = AttributeKems.byDefault()
                .keyGen(
                        foreign.masterKey(),
                        foreign.publicKey(),
                        new Label.OfAttributes(AttributeSet.parse("role:dpo")),
                        RANDOM);
        assertThatThrownBy(() -> new ReaderKey("acme", "eve", POLICY_KEY, SHARED, theirs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one pair");
    }

    @Test
    void aBundleMayNameASchemeOfALaterVersion() throws Exception {
        byte[] later = KEYS.publicKey().encode();
        later[later.length - 1] ^= 1; // not a point any more
        PolicyKey broken = PolicyKey.decode(later, SHARED.publicKey().bytes());
        assertThatThrownBy(broken::attributes).isInstanceOf(MalformedEncodingException.class);
        byte[] unknown = KEYS.publicKey().encode();
        unknown[3] ^= 1; // the scheme's name
        PolicyKey unknownScheme = PolicyKey.decode(unknown, SHARED.publicKey().bytes());
        assertThat(unknownScheme.takes(policy("role:dpo"))).isFalse();
        assertThatThrownBy(unknownScheme::scheme).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void readerKeysComeBack() throws Exception {
        Envelope envelope = seal(List.of(policy("role:dpo")));
        ReaderKey key = reader("role:dpo, clearance = 4");
        byte[] encoded = key.encode();
        ReaderKey decoded = ReaderKey.decode(encoded);
        assertThat(decoded.encode()).isEqualTo(encoded);
        assertThat(decoded.holder()).isEqualTo("ada");
        assertThat(decoded.tenant()).isEqualTo("acme");
        assertThat(decoded.toString()).contains("hidden");
        opens(envelope, with(decoded));
        List<byte[]> bad = new ArrayList<>();
        for (int length = 0; length < encoded.length; length += 97) {
            bad.add(Arrays.copyOf(encoded, length));
        }
        bad.add(Arrays.copyOf(encoded, encoded.length + 1));
        for (byte[] each : bad) {
            assertThatThrownBy(() -> ReaderKey.decode(each)).isInstanceOf(MalformedEncodingException.class);
        }
        decoded.close();
        assertThatThrownBy(() -> with(decoded).open(envelope)).isInstanceOf(IllegalStateException.class);
    }

    /** Each scheme makes wraps of its own size; the key that seals decides. */
    @Test
    void knowsWhatAKeyHasRoomFor() throws Exception {
        AttributeKem larger = AttributeKems.byId("cp-bsw07");
        PolicyKey other = PolicyKey.of(larger.setup(RANDOM).publicKey(), SHARED.publicKey());
        StringBuilder text = new StringBuilder("a:x");
        for (int i = 0; i < 600; i++) {
            text.append(" OR a:").append(i);
        }
        Label label = policy(text.toString());
        PolicyKey.requireRoom(label);
        assertThat(PolicyKey.toSeal(List.of(POLICY_KEY, other), label)).containsExactly(POLICY_KEY);
        assertThatThrownBy(() -> PolicyKey.toSeal(List.of(other, POLICY_KEY), label))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cp-bsw07")
                .hasMessageContaining("65536");
    }

    @Test
    void saysThatThereIsNoKeyForSuchALabel() throws Exception {
        Label attributes = new Label.OfAttributes(AttributeSet.parse("site:plant-7"));
        assertThatThrownBy(() -> seal(List.of(attributes)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no key");
    }
}
