package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.files.Frozen;
import dev.veilgate.peks.IndexBlock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Public bundles and sender registries that an earlier version signed are read, and senders seal with them. */
class FrozenBundleTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private static PublicBundle bundle(String name) throws Exception {
        return PublicBundle.verify(Frozen.bytes("bundles/" + name + ".vgb"), Frozen.authority(), Frozen.NOW);
    }

    private static SenderRegistry registry(String name) throws Exception {
        return SenderRegistry.open(
                Frozen.path("bundles/" + name + ".senders"),
                new SenderRegistry.Expected(Frozen.authority(), "acme", 0));
    }

    @Test
    void theFirstOneOfATenantHasWhatKeysInitMade() throws Exception {
        PublicBundle first = bundle("first");
        assertThat(first.tenant()).isEqualTo("acme");
        assertThat(first.serial()).isEqualTo(1);
        assertThat(first.epochs()).extracting(PublicBundle.Epoch::name).startsWith("2026-11", "2026-12");
        assertThat(first.indexKeys()).extracting(PublicBundle.IndexKey::scheme).containsExactly("ntru-peks");
        assertThat(first.policyKeys()).extracting(PolicyKey::schemeId).containsOnly("cp-fabeo22");
        assertThat(first.recipients()).isEmpty();
        assertThat(first.scopes()).isEmpty();
        assertThat(first.mailSigners()).hasSize(1);
        assertThat(first.sendersInRegistry()).isTrue();
        try (SenderRegistry registry = registry("first")) {
            assertThat(registry.head().count()).isZero();
        }
    }

    @Test
    void theLastOneHasEverySchemeAndEveryFormerKey() throws Exception {
        PublicBundle last = bundle("last");
        assertThat(last.serial()).isEqualTo(7);
        assertThat(last.indexKeys())
                .extracting(PublicBundle.IndexKey::scheme)
                .containsExactlyInAnyOrder("ntru-peks", "ntru-peks", "bdop04-peks", "zi07-peks", "cp-zxa14");
        assertThat(last.recipients()).hasSize(4);
        assertThat(last.recipient("rsa@example.org").orElseThrow().scope()).isEqualTo("mail");
        assertThat(last.scopes()).containsExactly("plant-7");
        assertThat(last.mailSigners()).hasSize(2);
        assertThat(last.extractorProfile())
                .isNotEmpty()
                .isNotEqualTo(bundle("first").extractorProfile());
        try (SenderRegistry registry = registry("last")) {
            assertThat(registry.head().count()).isEqualTo(2);
            assertThat(registry.keysOf("press-4").getFirst().fingerprint())
                    .isEqualTo(SenderKeyText.read(new String(Frozen.bytes("press-4.pub"), StandardCharsets.UTF_8))
                            .fingerprint());
        }
    }

    @Test
    void eachSaysWhichSchemeSeals() throws Exception {
        for (String scheme : List.of("cp-bsw07", "cp-fabeo22")) {
            bundle(scheme).requireSealable(Label.policy("role:auditor").in("2026-11"));
        }
        for (String scheme : List.of("kp-fabeo22", "kp-gpsw06")) {
            assertThat(bundle(scheme).policyKeys())
                    .extracting(PolicyKey::schemeId)
                    .contains(scheme);
            bundle(scheme).requireSealable(Label.attributes("site:plant-7").in("2026-11"));
        }
    }

    @Test
    void anExpiredOrOlderOneIsStillRefused() throws Exception {
        byte[] last = Frozen.bytes("bundles/last.vgb");
        PublicBundle good = bundle("last");
        Instant late = good.notAfter().plusSeconds(1);
        assertThatThrownBy(() -> PublicBundle.verify(last, Frozen.authority(), late))
                .isInstanceOf(RefusedBundleException.class);
        assertThatThrownBy(() -> PublicBundle.verify(last, Frozen.authority(), Frozen.NOW, good.serial() + 1))
                .isInstanceOf(RefusedBundleException.class);
    }

    @Test
    void whatASenderSealsWithAKeptBundleTheFrozenKeysOpen(@TempDir Path temporary) throws Exception {
        Clock clock = Clock.fixed(Frozen.NOW, ZoneOffset.UTC);
        for (String name : List.of("first", "before-rotation", "last")) {
            try (KeyFolder folder = KeyFolder.open(
                            Frozen.copy("keys", Files.createDirectory(temporary.resolve(name))),
                            Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                            Access.READ,
                            RANDOM);
                    EnvelopeSealer sealer = new EnvelopeSealer(bundle(name), null, clock, RANDOM)) {
                EnvelopeDraft draft = new EnvelopeDraft(
                        "plant-7",
                        "2026-11",
                        Frozen.NOW,
                        Frozen.NOW,
                        "text/plain",
                        List.of("late".getBytes(StandardCharsets.UTF_8)),
                        List.of(),
                        List.of(),
                        0);
                Envelope sealed = Envelope.decode(
                        sealer.seal(draft.forReaders(List.of(Label.policy("role:dpo"))), ChainPosition.first())
                                .bytes());
                assertThat(folder.keys().opener().open(sealed).getFirst())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("late");
                assertThat(sealed.index()).extracting(IndexBlock::scheme).isEmpty();
            }
        }
    }
}
