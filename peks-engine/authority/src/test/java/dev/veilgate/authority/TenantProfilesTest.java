package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
