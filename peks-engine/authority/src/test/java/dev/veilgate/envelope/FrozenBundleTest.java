package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Label;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.files.Frozen;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.testing.FrozenSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** Public bundles and sender registries that an earlier version signed are read, and senders seal with them. */
@ParameterizedClass
@FieldSource("dev.veilgate.files.Frozen#SETS")
class FrozenBundleTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final FrozenSet set;
    private final String epoch;

    FrozenBundleTest(FrozenSet set) {
        this.set = set;
        this.epoch = Frozen.epochs(set).getFirst();
    }

    private PublicBundle bundle(String name) throws Exception {
        return PublicBundle.verify(set.bytes("bundles/" + name + ".vgb"), Frozen.authority(set), set.now());
    }

    private SenderRegistry registry(String name) throws Exception {
        return SenderRegistry.open(
                set.path("bundles/" + name + ".senders"),
                new SenderRegistry.Expected(Frozen.authority(set), "acme", 0));
    }

    @Test
    void theFirstOneOfATenantHasWhatKeysInitMade() throws Exception {
        PublicBundle first = bundle("first");
        assertThat(first.tenant()).isEqualTo("acme");
        assertThat(first.serial()).isEqualTo(1);
        assertThat(first.epochs())
                .extracting(PublicBundle.Epoch::name)
                .startsWith(Frozen.epochs(set).toArray(new String[0]));
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
        assertThat(last.serial()).isEqualTo(set.equals(Frozen.FIRST) ? 7 : 8);
        assertThat(last.indexKeys())
                .extracting(PublicBundle.IndexKey::scheme)
                .containsExactlyInAnyOrder("ntru-peks", "ntru-peks", "bdop04-peks", "zi07-peks", "cp-zxa14");
        assertThat(last.recipients()).hasSize(4);
        assertThat(last.recipient("rsa@example.org").orElseThrow().scope()).isEqualTo("mail");
        assertThat(last.scopes()).containsExactly("plant-7");
        assertThat(last.mailSigners()).hasSize(set.equals(Frozen.FIRST) ? 2 : 3);
        assertThat(last.extractorProfile())
                .isNotEmpty()
                .isNotEqualTo(bundle("first").extractorProfile());
        try (SenderRegistry registry = registry("last")) {
            assertThat(registry.head().count()).isEqualTo(2);
            assertThat(registry.keysOf("press-4").getFirst().fingerprint())
                    .isEqualTo(SenderKeyText.read(set.text("press-4.pub")).fingerprint());
        }
    }

    @Test
    void eachSaysWhichSchemeSeals() throws Exception {
        Set<String> schemes = new TreeSet<>(set.names("bundles"));
        schemes.retainAll(AttributeKems.all().stream().map(AttributeKem::id).toList());
        assertThat(schemes).hasSizeGreaterThan(1);
        for (String scheme : schemes) {
            assertThat(bundle(scheme).policyKeys())
                    .extracting(PolicyKey::schemeId)
                    .contains(scheme);
            bundle(scheme)
                    .requireSealable(
                            AttributeKems.byId(scheme).keysHavePolicies()
                                    ? Label.attributes("site:plant-7").in(epoch)
                                    : Label.policy("role:auditor").in(epoch));
        }
    }

    @Test
    void anExpiredOrOlderOneIsStillRefused() throws Exception {
        byte[] last = set.bytes("bundles/last.vgb");
        PublicBundle good = bundle("last");
        Instant late = good.notAfter().plusSeconds(1);
        assertThatThrownBy(() -> PublicBundle.verify(last, Frozen.authority(set), late))
                .isInstanceOf(RefusedBundleException.class);
        assertThatThrownBy(() -> PublicBundle.verify(last, Frozen.authority(set), set.now(), good.serial() + 1))
                .isInstanceOf(RefusedBundleException.class);
    }

    @Test
    void whatASenderSealsWithAKeptBundleTheFrozenKeysOpen(@TempDir Path temporary) throws Exception {
        Clock clock = Clock.fixed(set.now(), ZoneOffset.UTC);
        for (String name : List.of("first", "before-rotation", "last")) {
            try (KeyFolder folder = KeyFolder.open(
                            set.copy("keys", Files.createDirectory(temporary.resolve(name))),
                            Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                            Access.READ,
                            RANDOM);
                    EnvelopeSealer sealer = new EnvelopeSealer(bundle(name), null, clock, RANDOM)) {
                EnvelopeDraft draft = new EnvelopeDraft(
                        "plant-7",
                        epoch,
                        set.now(),
                        set.now(),
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
