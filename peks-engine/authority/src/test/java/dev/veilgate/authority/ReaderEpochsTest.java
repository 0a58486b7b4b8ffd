package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.PolicyKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.UnopenableEnvelopeException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers' keys by epoch: who opens what, and what was made before there were such keys. */
class ReaderEpochsTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] RECORD = "hello".getBytes(StandardCharsets.UTF_8);
    private static final Label DPO = label("role:dpo");

    private KeyFolder folder;
    private TenantKeys keys;

    @BeforeEach
    void open(@TempDir Path parent) throws Exception {
        folder = SealedWord.open(SealedWord.keys(parent), Access.CHANGE);
        keys = folder.keys();
    }

    @AfterEach
    void close() throws Exception {
        folder.close();
    }

    private static Label label(String attributes) {
        try {
            return Label.attributes(attributes);
        } catch (PolicySyntaxException e) {
            throw new IllegalArgumentException(attributes, e);
        }
    }

    private static byte[] before(String name) throws IOException {
        try (InputStream in = ReaderEpochsTest.class.getResourceAsStream("readers/" + name + ".bin")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static PublicBundle next(TenantKeys keys) throws Exception {
        return PublicBundle.verify(
                keys.nextBundle(SealedWord.NOW, Duration.ofDays(30)),
                keys.authority().fingerprint(),
                SealedWord.NOW);
    }

    private static Envelope seal(PublicBundle bundle, String epoch, String policy) throws Exception {
        return SealedWord.forReaders(bundle, bundle.policyKeys(), epoch, RECORD, Label.policy(policy));
    }

    private static EnvelopeOpener of(List<ReaderKey> keys) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(keys));
    }

    private static void opens(Envelope envelope, EnvelopeOpener opener) throws Exception {
        assertThat(opener.open(envelope)).containsExactly(RECORD);
    }

    @Test
    void readersOpenTheEpochsThatTheyWereIssued() throws Exception {
        List<ReaderKey> both = keys.issueReaderKeys("ada", DPO, List.of("2026-11", "2026-12"), RANDOM);
        List<ReaderKey> november = keys.issueReaderKeys("eve", DPO, List.of("2026-11"), RANDOM);
        PublicBundle bundle = next(keys);
        for (String epoch : List.of("2026-11", "2026-12")) {
            Envelope envelope = seal(bundle, epoch, "role:dpo");
            opens(envelope, of(both));
            opens(envelope, keys.opener());
        }
        opens(seal(bundle, "2026-11", "role:dpo"), of(november));
        assertThatThrownBy(() -> of(november).open(seal(bundle, "2026-12", "role:dpo")))
                .isInstanceOfSatisfying(UnopenableEnvelopeException.class, refusal -> {
                    assertThat(refusal.reason()).isEqualTo(Reason.UNSATISFIED);
                    assertThat(refusal.lacking()).containsExactly("role:dpo@2026-12");
                });
    }

    @Test
    void thePairSurvivesTheKeyFolderWithItsKeysOfAllEpochs() throws Exception {
        Envelope envelope = seal(next(keys), "2026-12", "role:dpo");
        try (TenantKeys again = TenantKeysCodec.decode(TenantKeysCodec.encode(keys))) {
            assertThat(next(again).policyKeys()).isEqualTo(next(keys).policyKeys());
            opens(envelope, again.opener());
            ReaderKey issued = again.issueReaderKeys("ada", DPO, List.of("2026-12"), RANDOM)
                    .getFirst();
            opens(envelope, of(List.of(ReaderKey.decode(issued.encode()))));
        }
    }

    @Test
    void aPolicyOfSeveralEpochsOpensForReadersOfEach() throws Exception {
        List<ReaderKey> november = keys.issueReaderKeys("ada", DPO, List.of("2026-11"), RANDOM);
        List<ReaderKey> december = keys.issueReaderKeys("ben", label("role:auditor"), List.of("2026-12"), RANDOM);
        List<ReaderKey> named =
                keys.issueReaderKeys("cid", label("role:auditor@2026-12, site:x"), List.of("2026-11"), RANDOM);
        assertThat(named).as("of both epochs").hasSize(2);
        Envelope envelope = seal(next(keys), "2026-11", "role:dpo OR role:auditor@2026-12");
        opens(envelope, of(november));
        opens(envelope, of(december));
        opens(envelope, of(named));
        opens(envelope, keys.opener());
    }

    @Test
    void refusesToSealForAnEpochThatTheBundleHasNoKeyOf() throws Exception {
        PublicBundle bundle = next(keys);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> seal(bundle, "2026-11", "role:dpo OR role:auditor@2025-01"))
                .withMessageContaining("2025-01")
                .withMessageContaining("2026-11 to ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bundle.requireSealable(Label.policy("role:dpo@2025-01")))
                .withMessageContaining("2025-01");
        bundle.requireSealable(Label.policy("role:dpo OR role:dpo@2026-12"));
        String many = IntStream.range(0, 17).mapToObj(i -> "role:dpo@e" + i).collect(Collectors.joining(" OR "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bundle.requireSealable(Label.policy(many)))
                .withMessageContaining("at most 16 epochs");
    }

    @Test
    void aKeyForPoliciesWorksByEpochAsWell() throws Exception {
        keys.rotatePolicyKey("kp-fabeo22", RANDOM, SealedWord.NOW);
        List<ReaderKey> ada = keys.issueReaderKeys("ada", Label.policy("site:x"), List.of("2026-11"), RANDOM);
        PublicBundle bundle = next(keys);
        Label level = Label.attributes("site:x, level = 4");
        Envelope envelope = SealedWord.forReaders(bundle, bundle.policyKeys(), "2026-11", RECORD, level);
        opens(envelope, of(ada));
        opens(envelope, keys.opener());
    }

    /** Files of the software before keys had epochs (resources, SOURCE.md). */
    @Test
    void opensWhatWasMadeBefore() throws Exception {
        try (TenantKeys old = TenantKeysCodec.decode(before("keys"));
                ReaderKey ada = ReaderKey.decode(before("reader-key"))) {
            assertThat(TenantKeysCodec.encode(old)).isEqualTo(before("keys"));
            assertThat(ada.encode()).isEqualTo(before("reader-key"));
            Envelope envelope = Envelope.decode(before("envelope"));
            opens(envelope, of(List.of(ada)));
            opens(envelope, old.opener());
            assertThat(old.keys())
                    .anySatisfy(key -> assertThat(key.parameters()).endsWith("(one for all epochs)"));
        }
    }

    @Test
    void aPairOfBeforeGoesOnUntilItIsRotated() throws Exception {
        try (TenantKeys old = TenantKeysCodec.decode(before("keys"));
                ReaderKey ada = ReaderKey.decode(before("reader-key"))) {
            PublicBundle then =
                    PublicBundle.verify(before("bundle"), old.authority().fingerprint(), SealedWord.NOW);
            PublicBundle present = next(old);
            assertThat(present.policyKeys()).isEqualTo(then.policyKeys()).hasSize(1);
            opens(seal(then, "2026-11", "role:dpo"), of(List.of(ada)));
            opens(seal(present, "2026-11", "role:dpo"), of(List.of(ada)));
            opens(seal(present, "2026-12", "role:dpo"), old.opener());

            old.rotatePolicyKey(RANDOM, SealedWord.NOW);
            PublicBundle rotated = next(old);
            assertThat(rotated.policyKeys())
                    .as("software of before finds no key to seal with for policies, and not the old one")
                    .allSatisfy(key -> assertThat(key.epoch()).isPresent());
            List<ReaderKey> again = old.issueReaderKeys("ada", DPO, List.of("2026-11"), RANDOM);
            assertThat(again.stream().map(key -> key.policyKey().epoch().orElse("all")))
                    .containsExactly("2026-11", "all");
            opens(seal(rotated, "2026-11", "role:dpo"), of(again));
            opens(Envelope.decode(before("envelope")), of(again));
            opens(Envelope.decode(before("envelope")), old.opener());
            assertThatThrownBy(() -> of(List.of(ada)).open(seal(rotated, "2026-11", "role:dpo")))
                    .isInstanceOf(UnopenableEnvelopeException.class);
        }
    }

    @Test
    void aChosenPairOfBeforeSealsAlone() throws Exception {
        try (TenantKeys old = TenantKeysCodec.decode(before("keys"))) {
            old.rotatePolicyKey("cp-bsw07", RANDOM, SealedWord.NOW);
            List<PolicyKey> sealing = next(old).policyKeys();
            assertThat(sealing)
                    .singleElement()
                    .satisfies(key -> assertThat(key.schemeId()).isEqualTo("cp-fabeo22"));
            old.sealWith("cp-bsw07");
            assertThat(next(old).policyKeys())
                    .allSatisfy(key -> assertThat(key.schemeId()).isEqualTo("cp-bsw07"));
        }
    }
}
