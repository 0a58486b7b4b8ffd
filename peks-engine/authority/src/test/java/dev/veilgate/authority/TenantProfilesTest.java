package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundleContent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of keywords in a key file, and in the bundles that are made of it. */
class TenantProfilesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Epoch NOVEMBER = EpochPolicy.MONTHLY.named("2026-11");
    private static final Epoch JANUARY = EpochPolicy.MONTHLY.named("2027-01");
    private static final byte[] A = {1};
    private static final byte[] B = {1, 2};
    private static final byte[] C = {1, 2, 3};

    private static TenantKeys keys;

    @BeforeAll
    static void make() {
        keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, A, new SecureRandom(), NOW);
    }

    @AfterAll
    static void end() {
        keys.close();
    }

    private static TenantProfiles afterWriting(TenantProfiles profiles) throws Exception {
        keys.setProfiles(profiles);
        try (TenantKeys read = TenantKeysCodec.decode(TenantKeysCodec.encode(keys))) {
            return read.profiles();
        }
    }

    @Test
    void areKeptAsTheyAre() throws Exception {
        TenantProfiles one = new TenantProfiles(A);
        TenantProfiles changed = one.withFirst(B);
        TenantProfiles both = changed.withNext(new NextProfile(C, NOVEMBER, null));
        TenantProfiles alone = both.withNext(new NextProfile(C, NOVEMBER, JANUARY));
        for (TenantProfiles each : new TenantProfiles[] {one, changed, both, alone, alone.withNext(null)}) {
            assertThat(afterWriting(each)).isEqualTo(each);
        }
    }

    @Test
    void formerOnesAreFoundByWhatEnvelopesName() {
        TenantProfiles profiles = new TenantProfiles(A)
                .withFirst(B)
                .withNext(new NextProfile(C, NOVEMBER, null))
                .withNext(null)
                .withFirst(A);
        assertThat(profiles.former()).containsExactly(C, B);
        assertThat(profiles.named(IndexRules.of(1, A))).contains(A);
        assertThat(profiles.named(IndexRules.of(1, B))).contains(B);
        assertThat(profiles.named(IndexRules.of(2, C))).contains(C);
        assertThat(profiles.named(IndexRules.of(1, new byte[] {9}))).isEmpty();
        assertThat(profiles.named(IndexRules.OF_CALLER)).isEmpty();
    }

    @Test
    void noneIsForgottenForANewOne() {
        TenantProfiles profiles = new TenantProfiles(A);
        for (int i = 0; i < TenantProfiles.MAX_FORMER; i++) {
            profiles = profiles.withFirst(new byte[] {7, (byte) (i >> 8), (byte) i});
        }
        TenantProfiles full = profiles;
        assertThat(full.named(IndexRules.of(1, A))).isPresent();
        assertThatThrownBy(() -> full.withFirst(B)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A key file that is written is one that is read. */
    @Test
    void largeFormerOnesAreRefusedBeforeTheKeyFileIsTooLong(@TempDir Path temporary) throws Exception {
        byte[] passphrase = "passphrase".getBytes(StandardCharsets.UTF_8);
        PassphraseCost cost = PassphraseCost.ofUntrusted(8192, 1, 1);
        Path folder = temporary.resolve("keys");
        TenantKeys made = TenantKeys.generate("acme", EpochPolicy.MONTHLY, A, new SecureRandom(), NOW);
        int changed = 0;
        try (KeyFolder open = KeyFolder.create(folder, made, passphrase.clone(), cost, new SecureRandom())) {
            for (int i = 0; i < 80; i++) {
                byte[] profile = new byte[PublicBundleContent.MAX_PROFILE_BYTES];
                profile[0] = (byte) (i + 1);
                made.setProfiles(made.profiles().withFirst(profile));
                if (i % 4 == 3) {
                    open.save();
                }
                changed++;
            }
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("MiB");
        }
        assertThat(changed).isGreaterThanOrEqualTo(12);
        try (KeyFolder again = KeyFolder.open(folder, passphrase, KeyFolder.Access.READ, new SecureRandom())) {
            assertThat(again.keys().profiles().former()).isNotEmpty();
        }
    }

    @Test
    void moreFormerOnesThanAreKeptAreMalformed() throws Exception {
        TenantProfiles profiles = new TenantProfiles(A);
        for (int i = 0; i < TenantProfiles.MAX_FORMER; i++) {
            profiles = profiles.withFirst(new byte[] {7, (byte) (i >> 8), (byte) i});
        }
        keys.setProfiles(profiles);
        byte[] content = TenantKeysCodec.encode(keys);
        byte[] before = {(byte) 0x99, 0x04, 0x00, 0x41, 0x01}; // 1024 items, the first of one byte
        int at = new String(content, StandardCharsets.ISO_8859_1)
                .lastIndexOf(new String(before, StandardCharsets.ISO_8859_1));
        assertThat(at).isPositive();
        content[at + 2] = 0x01; // 1025 items
        byte[] more = Arrays.copyOf(content, content.length + 3);
        System.arraycopy(new byte[] {0x42, 0x06, 0x06}, 0, more, content.length, 3);
        assertThatThrownBy(() -> TenantKeysCodec.decode(more)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void ofLaterRulesAreInTheNextBundle() throws Exception {
        keys.setProfiles(new TenantProfiles(B).withNext(new NextProfile(C, NOVEMBER, JANUARY)));
        PublicBundle bundle = PublicBundle.verify(
                keys.nextBundle(NOW, Duration.ofDays(30)), keys.authority().fingerprint(), NOW);
        assertThat(bundle.extractorProfile()).isEqualTo(B);
        assertThat(bundle.nextProfile()).isEqualTo(Optional.of(new NextProfile(C, NOVEMBER, JANUARY)));
    }

    @Test
    void goBackWithTheOtherChangesIfOneFails() {
        TenantProfiles before = new TenantProfiles(A);
        keys.setProfiles(before);
        assertThatThrownBy(() -> keys.allOrNothing(() -> {
                    keys.setProfiles(before.withFirst(B));
                    throw new IllegalStateException("another change");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(keys.profiles()).isEqualTo(before);
    }
}
