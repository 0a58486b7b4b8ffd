package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.authority.TenantKeys.KeyInfo;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.WrapAlgorithm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant that goes over to FrodoKEM, and back: creation, rotation, bundle, readers' keys. */
class WrapAlgorithmTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String FRODO = WrapAlgorithm.X25519_FRODOKEM_976.id();
    private static final String WING = WrapAlgorithm.X_WING.id();

    @TempDir
    private Path temporary;

    private static void opens(KeyFolder read, Envelope... envelopes) throws Exception {
        for (Envelope envelope : envelopes) {
            assertThat(read.keys().opener().open(envelope).get(1))
                    .as(String.join(" ", envelope.wrapAlgorithms()))
                    .isEqualTo("overheat".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatWasSealedBeforeAndAfterEachChangeIsReadBack() throws Exception {
        Path folder = SealedWord.keys(temporary);
        Label auditors = new Label.OfPolicy(Policy.parse("role:auditor"));
        Envelope wing = SealedWord.of(folder, "overheat");
        Envelope wingForAuditors = SealedWord.of(folder, "overheat", auditors);
        change(folder, WrapAlgorithm.X25519_FRODOKEM_976);
        Envelope frodo = SealedWord.of(folder, "overheat");
        Envelope frodoForAuditors = SealedWord.of(folder, "overheat", auditors);
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().rotateWrapKey(RANDOM, SealedWord.NOW);
            change.keys().rotatePolicyKey(RANDOM, SealedWord.NOW);
            change.save();
        }
        Envelope rotated = SealedWord.of(folder, "overheat");
        Envelope rotatedForAuditors = SealedWord.of(folder, "overheat", auditors);
        change(folder, WrapAlgorithm.X_WING);
        Envelope back = SealedWord.of(folder, "overheat");

        assertThat(wing.wrapAlgorithms()).containsExactly(WING);
        assertThat(wingForAuditors.wrapAlgorithms()).containsExactly("abe+" + WING);
        assertThat(frodo.wrapAlgorithms()).containsExactly(FRODO);
        assertThat(frodoForAuditors.wrapAlgorithms()).containsExactly("abe+" + FRODO);
        assertThat(rotated.wrapAlgorithms()).containsExactly(FRODO);
        assertThat(rotatedForAuditors.wrapAlgorithms()).containsExactly("abe+" + FRODO);
        assertThat(back.wrapAlgorithms()).containsExactly(WING);
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            opens(read, wing, wingForAuditors, frodo, frodoForAuditors, rotated, rotatedForAuditors, back);
            assertThat(read.keys().keys().stream()
                            .filter(key -> key.kind().equals("wrap"))
                            .map(KeyInfo::parameters))
                    .containsExactly(WING, FRODO, WING, FRODO, WING, WING);
            assertThat(read.keys().keys().stream()
                            .filter(key -> key.kind().equals("policy") && key.seals())
                            .map(KeyInfo::parameters))
                    .containsExactly("cp-fabeo22 + " + WING);
        }
    }

    private static void change(Path folder, WrapAlgorithm algorithm) throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().wrapWith(algorithm, RANDOM, SealedWord.NOW);
            change.save();
        }
    }

    @Test
    void aReadersKeyFileOpensWhatIsForItsAttributesAndNothingElse() throws Exception {
        Path folder = SealedWord.keys(temporary);
        change(folder, WrapAlgorithm.X25519_FRODOKEM_976);
        Envelope forAuditors =
                SealedWord.of(folder, "overheat", new Label.OfPolicy(Policy.parse("role:auditor AND site:plant-7")));
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            for (String attributes : List.of("role:auditor, site:plant-7", "role:auditor")) {
                List<ReaderKey> issued = change.keys()
                        .issueReaderKeys(
                                attributes,
                                new Label.OfAttributes(AttributeSet.parse(attributes)),
                                List.of("2026-11"),
                                RANDOM);
                List<ReaderKey> read = issued.stream()
                        .map(ReaderKey::encode)
                        .map(WrapAlgorithmTest::decoded)
                        .toList();
                EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(read));
                if (attributes.contains("plant")) {
                    assertThat(opener.open(forAuditors)).hasSize(2);
                } else {
                    assertThatThrownBy(() -> opener.open(forAuditors)).isInstanceOf(UnopenableEnvelopeException.class);
                }
                issued.forEach(ReaderKey::close);
            }
        }
    }

    private static ReaderKey decoded(byte[] bytes) {
        try {
            return ReaderKey.decode(bytes);
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** Whoever took the wrap keys reads no details of the log that are sealed after the next rotation. */
    @Test
    void aRotationRenewsTheKeyOfTheIssuingLogToo() throws Exception {
        Path folder = SealedWord.keys(temporary);
        change(folder, WrapAlgorithm.X25519_FRODOKEM_976);
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            KemPublicKey before = AuthorityLog.sealingKey(keys);
            keys.rotateWrapKey(RANDOM, SealedWord.NOW);
            assertThat(AuthorityLog.sealingKey(keys)).isNotEqualTo(before);
            assertThat(keys.wrapAlgorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976);
            while (keys.rings.wrap.size() < KeyRings.MAX_KEYS - 1) {
                keys.rotateWrapKey(RANDOM, SealedWord.NOW);
            }
            assertThatThrownBy(() -> keys.rotateWrapKey(RANDOM, SealedWord.NOW))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(keys.rings.wrap).hasSize(KeyRings.MAX_KEYS - 1);
        }
    }

    /** Deriving the readers' key of an epoch is counted as work, and old pairs come last. */
    @Test
    void whatWasSealedUnderAnOldPairForManyEpochsIsReadBackByTheAuthority() throws Exception {
        Path folder = SealedWord.keys(temporary);
        change(folder, WrapAlgorithm.X25519_FRODOKEM_976);
        byte[] record = {1, 2, 3};
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            PublicBundle bundle = PublicBundle.verify(
                    keys.nextBundle(SealedWord.NOW, Duration.ofDays(330)),
                    keys.authority().fingerprint(),
                    SealedWord.NOW);
            List<String> epochs =
                    bundle.epochs().stream().map(PublicBundle.Epoch::name).toList();
            assertThat(epochs).hasSizeGreaterThan(11);
            String policy =
                    epochs.stream().map(epoch -> "role:auditor@" + epoch).collect(Collectors.joining(" OR "));
            Envelope envelope =
                    SealedWord.forReaders(bundle, bundle.policyKeys(), epochs.getFirst(), record, Label.policy(policy));
            for (int pairs = keys.rings.policy.size(); pairs < KeyRings.MAX_POLICY_KEYS; pairs++) {
                keys.rotatePolicyKey(RANDOM, SealedWord.NOW);
            }
            assertThat(keys.opener().open(envelope)).containsExactly(record);
        }
    }

    /** The issuing log seals its details for a key of X-Wing, which every tenant so has. */
    @Test
    void aTenantThatBeginsWithFrodoKemHasAKeyForTheIssuingLogToo() throws Exception {
        try (TenantKeys keys = TenantKeys.generate(
                "acme",
                SearchScheme.DEFAULT,
                WrapAlgorithm.X25519_FRODOKEM_976,
                EpochPolicy.MONTHLY,
                new byte[] {1},
                List.of(),
                RANDOM,
                SealedWord.NOW)) {
            assertThat(AuthorityLog.sealingKey(keys).algorithm()).isEqualTo(WrapAlgorithm.X_WING);
            byte[] bytes = keys.nextBundle(SealedWord.NOW, Duration.ofDays(90));
            PublicBundle bundle = PublicBundle.verify(bytes, keys.authority().fingerprint(), SealedWord.NOW);
            assertThat(bundle.wrapKey().algorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976);
            assertThat(bundle.policyKeys())
                    .hasSize(bundle.epochs().size())
                    .allSatisfy(
                            key -> assertThat(key.readers().algorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976));
            assertThat(bytes.length).isLessThan(140_000);
        }
    }
}
