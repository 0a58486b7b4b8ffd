package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.Label;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Readers' keys that readers made. */
class ReaderDelegationTest {
    private static final SecureRandom RANDOM = Samples.frozen("delegation");
    private static final AttributeKem KEM = kem("cp-bsw07");
    private static final AttributeKeys KEYS = KEM.setup(RANDOM);
    private static final KemSecretKey SHARED = KemSecretKey.generate(RANDOM);
    private static final PolicyKey POLICY_KEY = PolicyKey.of(KEYS.publicKey(), SHARED.publicKey());

    private static AttributeKem kem(String id) {
        return AttributeKems.all().stream()
                .filter(kem -> kem.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Label attributes(String text) throws Exception {
        return Label.attributes(text).in("2026-11");
    }

    private static ReaderKey issued(String text) throws Exception {
        return new ReaderKey(
                "acme",
                "ada",
                POLICY_KEY,
                SHARED.copy(),
                KEM.keyGen(KEYS.masterKey(), KEYS.publicKey(), attributes(text), RANDOM));
    }

    private static Envelope seal(String policy) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                "acme",
                List.of(Samples.indexSealer(RANDOM)),
                Samples.TENANT.publicKey(),
                List.of(POLICY_KEY),
                Samples.SENDER,
                Samples.CLOCK,
                RANDOM)) {
            return Envelope.decode(
                    sealer.seal(Samples.draft(1).forReaders(List.of(Label.policy(policy))), ChainPosition.first())
                            .bytes());
        }
    }

    private static EnvelopeOpener with(ReaderKey... keys) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(List.of(keys)));
    }

    @Test
    void opensAfterTheKeyThatItCameFromIsErased() throws Exception {
        ReaderKey parent = issued("role:auditor, site:plant-7");
        ReaderKey child = ReaderKey.decode(
                parent.delegate(attributes("role:auditor"), "bob", RANDOM).encode());
        ReaderKey live = parent.delegate(attributes("role:auditor"), "bob", RANDOM);
        parent.close();
        assertThat(child.holder()).isEqualTo("bob");
        assertThat(child.label()).isEqualTo(attributes("role:auditor"));
        Envelope envelope = seal("role:auditor");
        assertThat(with(child).open(envelope)).hasSize(1);
        assertThat(with(live).open(envelope)).hasSize(1);
    }

    @Test
    void delegatesOfOneReaderDoNotAddUpToIt() throws Exception {
        ReaderKey parent = issued("role:auditor, site:plant-7");
        ReaderKey one = parent.delegate(attributes("role:auditor"), "one", RANDOM);
        ReaderKey other = parent.delegate(attributes("site:plant-7"), "other", RANDOM);
        Envelope both = seal("role:auditor AND site:plant-7");
        assertThat(with(parent).open(both)).hasSize(1);
        assertThatThrownBy(() -> with(one, other).open(both)).isInstanceOf(UnopenableEnvelopeException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> one.delegate(attributes("site:plant-7"), "back", RANDOM));
    }

    /** Group elements have 48 and 96 bytes: neither file has one of the other, so that nothing links them but what all readers share. */
    @Test
    void hasNoElementOfTheKeyThatItCameFrom() throws Exception {
        ReaderKey parent = issued("role:auditor");
        byte[] own = parent.attributeKey().encode();
        byte[] first = parent.delegate(attributes("role:auditor"), "ada", RANDOM)
                .attributeKey()
                .encode();
        byte[] second = parent.delegate(attributes("role:auditor"), "ada", RANDOM)
                .attributeKey()
                .encode();
        assertThat(own).hasSameSizeAs(first);
        int elements = own.length - 48 - 48 - 96;
        assertThat(Arrays.copyOf(own, elements)).isEqualTo(Arrays.copyOf(first, elements));
        for (int at : new int[] {elements, elements + 48, elements + 96}) {
            String element = text(own, at);
            assertThat(text(first, 0)).doesNotContain(element);
            assertThat(text(second, 0)).doesNotContain(element);
            assertThat(text(second, 0)).doesNotContain(text(first, at));
        }
    }

    private static String text(byte[] bytes, int at) {
        return new String(
                bytes,
                at,
                (at == 0 ? bytes.length : Math.min(at + 48, bytes.length)) - at,
                StandardCharsets.ISO_8859_1);
    }

    @Test
    void otherSchemesCannot() throws Exception {
        for (AttributeKem kem : AttributeKems.all()) {
            if (kem.keysHavePolicies()) {
                continue;
            }
            AttributeKeys keys = kem.setup(RANDOM);
            ReaderKey key = new ReaderKey(
                    "acme",
                    "ada",
                    PolicyKey.of(keys.publicKey(), SHARED.publicKey()),
                    SHARED.copy(),
                    kem.keyGen(keys.masterKey(), keys.publicKey(), attributes("role:auditor"), RANDOM));
            assertThat(key.canDelegate()).isEqualTo(kem.id().equals("cp-bsw07"));
            if (!key.canDelegate()) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> key.delegate(attributes("role:auditor"), "bob", RANDOM))
                        .withMessage("keys of " + kem.id() + " cannot be delegated");
            }
        }
    }
}
