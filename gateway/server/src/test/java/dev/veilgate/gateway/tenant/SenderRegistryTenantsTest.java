package dev.veilgate.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistryWriter;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registries beside bundles, exchanged while the gateway runs, by an operator and by somebody who must not. */
class SenderRegistryTenantsTest {
    private static final IndexSchemes SCHEMES = IndexSchemes.load();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final TestTenant ACME = TestTenant.of("registry-acme");
    private static final TestTenant GLOBEX = TestTenant.of("registry-globex");

    @TempDir
    Path folder;

    private int ticks;

    private BundleTenants open() throws IOException {
        return open(null);
    }

    private BundleTenants open(@Nullable Path senders) throws IOException {
        return new BundleTenants(
                List.of(new TenantSettings(bundle(), ACME.keys().authority().fingerprint(), senders)),
                folder.resolve("serials"),
                SCHEMES,
                Clock.systemUTC());
    }

    private Path bundle() {
        return folder.resolve("acme.vgb");
    }

    private Path registry() {
        return folder.resolve("acme.senders");
    }

    /** By another file of the name, as mv does; files of one tick and size would look the same. */
    private void replace(Path file, byte[] content) throws IOException {
        Path next = Files.write(folder.resolve("next"), content);
        Files.setLastModifiedTime(next, FileTime.fromMillis(1_700_000_000_000L + 1000L * ticks++));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The registry after one more sender. */
    private byte[] withSender(String name) throws IOException {
        ACME.register(name, Clock.systemUTC());
        Path file = folder.resolve("made");
        ACME.keys().senders().publish(file);
        return Files.readAllBytes(file);
    }

    private static boolean takes(BundleTenants tenants, String sender) throws Exception {
        Envelope envelope = Envelope.decode(
                ACME.sender(sender, Clock.systemUTC()).seal("pump").bytes());
        return tenants.find(ACME.keys().tenant()).orElseThrow().senders().signed(envelope);
    }

    @Test
    void takesUpARegistryThatIsReplaced() throws Exception {
        ACME.publish(bundle());
        BundleTenants tenants = open();
        assertThat(takes(tenants, "press-1")).isTrue();
        byte[] next = withSender("press-20");
        assertThat(takes(tenants, "press-20")).isFalse();
        replace(registry(), next);
        tenants.refresh();
        assertThat(takes(tenants, "press-20")).isTrue();
        assertThat(takes(tenants, "press-1")).isTrue();
        tenants.refresh();
        tenants.refresh(); // by now the one before is closed
        assertThat(takes(tenants, "press-2")).isTrue();
    }

    /** Also one who was heard before, whose key was ready, and with the bundle of before still in use. */
    @Test
    void hearsNobodyWhoWasRemoved() throws Exception {
        byte[] with = withSender("press-25");
        ACME.publish(bundle());
        replace(registry(), with);
        BundleTenants tenants = open();
        assertThat(takes(tenants, "press-25")).isTrue();
        Envelope late = Envelope.decode(
                ACME.sender("press-25", Clock.systemUTC()).seal("pump").bytes());
        ACME.keys().removeSender("press-25");
        Path without = folder.resolve("without");
        ACME.keys().senders().publish(without);
        replace(registry(), Files.readAllBytes(without));
        tenants.refresh();
        assertThat(tenants.find(ACME.keys().tenant()).orElseThrow().senders().signed(late))
                .isFalse();
        replace(registry(), with);
        tenants.refresh();
        assertThat(tenants.find(ACME.keys().tenant()).orElseThrow().senders().signed(late))
                .as("nor by the registry of before")
                .isFalse();
    }

    @Test
    void readsItFromWhereTheSettingSays() throws Exception {
        ACME.publish(bundle());
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere")).resolve("fleet");
        Files.move(registry(), elsewhere);
        assertThat(takes(open(elsewhere), "press-1")).isTrue();
    }

    @Test
    void goesOnWithTheOneItHasWhateverTakesItsPlace() throws Exception {
        ACME.publish(bundle());
        byte[] older = Files.readAllBytes(registry());
        replace(registry(), withSender("press-21"));
        BundleTenants tenants = open();
        byte[] good = Files.readAllBytes(registry());
        GLOBEX.publish(folder.resolve("globex.vgb"));
        byte[] foreign = Files.readAllBytes(folder.resolve("globex.senders"));
        byte[] altered = good.clone();
        altered[good.length - 1] ^= 1;
        for (byte[] bad : List.of(
                older,
                foreign,
                altered,
                Arrays.copyOf(good, good.length - 1),
                Arrays.copyOf(good, 3000),
                new byte[0])) {
            replace(registry(), bad);
            tenants.refresh();
            tenants.refresh();
            assertThat(takes(tenants, "press-21")).isTrue();
            assertThat(takes(tenants, "press-1")).isTrue();
            assertThatThrownBy(this::open)
                    .as("and a start says so")
                    .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
        }
        Files.delete(registry());
        tenants.refresh();
        assertThat(takes(tenants, "press-21")).isTrue();
        assertThatThrownBy(this::open).hasMessageContaining("was seen before");
        byte[] next = withSender("press-22");
        replace(registry(), next);
        tenants.refresh();
        assertThat(takes(tenants, "press-22"))
                .as("a good one is taken up at once")
                .isTrue();
    }

    /** cp onto the file instead of mv: what is in use is a copy. */
    @Test
    void whatIsWrittenIntoTheFileDoesNotReachTheOneInUse() throws Exception {
        ACME.publish(bundle());
        BundleTenants tenants = open();
        Files.write(registry(), new byte[(int) Files.size(registry())]);
        assertThat(takes(tenants, "press-3")).isTrue();
        tenants.refresh();
        assertThat(takes(tenants, "press-4")).isTrue();
    }

    /**
     * A bundle whose serial cannot be kept is not taken up, but the registry beside it is; the one before must not be
     * closed under whoever is heard.
     */
    @Test
    void goesOnWhereTheSerialOfABundleCannotBeKept() throws Exception {
        ACME.publish(bundle());
        BundleTenants tenants = open();
        String serial = ACME.keys().authority().fingerprint().substring(0, 32);
        Files.createDirectories(folder.resolve("serials").resolve("." + serial + "~1.tmp/in-the-way"));
        byte[] next = withSender("press-23");
        replace(bundle(), ACME.keys().nextBundle(Instant.now(), Duration.ofDays(1)));
        replace(registry(), next);
        for (String heard : List.of("press-1", "press-2", "press-3")) { // whose key is not ready yet
            tenants.refresh();
            assertThat(takes(tenants, heard)).isTrue();
        }
        assertThat(takes(tenants, "press-23"))
                .as("the registry waits for nothing")
                .isTrue();
    }

    /** A copy that took the rest of the disk, again and again, would close the database beside it. */
    @Test
    void takesNotTheLastOfADiskForACopy() throws Exception {
        try (SmallDisk disk = new SmallDisk(32)) {
            ACME.publish(bundle());
            TestClock clock = new TestClock();
            BundleTenants tenants = new BundleTenants(
                    List.of(new TenantSettings(bundle(), ACME.keys().authority().fingerprint(), null)),
                    disk.folder(),
                    SCHEMES,
                    clock);
            byte[] next = withSender("press-24");
            replace(registry(), next);
            disk.fill();
            FileTime untouched = FileTime.fromMillis(1_700_000_000_000L);
            Files.setLastModifiedTime(disk.folder(), untouched);
            tenants.refresh();
            assertThat(Files.getLastModifiedTime(disk.folder())).isEqualTo(untouched);
            assertThat(takes(tenants, "press-1")).as("the one in use stays").isTrue();
            disk.free();
            clock.advance(Duration.ofMinutes(2));
            tenants.refresh();
            assertThat(takes(tenants, "press-24")).isTrue();
        }
    }

    @Test
    void aBundleWaitsForItsRegistry() throws Exception {
        TenantKeys keys = TenantKeys.generate("waits", EpochPolicy.MONTHLY, new byte[0], RANDOM, Instant.now());
        SigningKey press = SigningKey.generate("press-1", RANDOM);
        Files.write(bundle(), keys.nextBundle(Instant.now(), Duration.ofDays(1)));
        List<TenantSettings> settings =
                List.of(new TenantSettings(bundle(), keys.authority().fingerprint(), null));
        assertThatThrownBy(() -> new BundleTenants(settings, folder.resolve("serials"), SCHEMES, Clock.systemUTC()))
                .hasMessageContaining("acme.senders is not there");
        keys.putSender(press.publicKey());
        keys.senders().publish(registry());
        new BundleTenants(settings, folder.resolve("serials"), SCHEMES, Clock.systemUTC());
    }

    /** The senders inside count until there is a registry, and then no more. */
    @Test
    void aBundleOfBeforeGoesOnAndIsFollowedByARegistry() throws Exception {
        SigningKey authority = SigningKey.generate("before", RANDOM);
        SigningKey inside = SigningKey.generate("press-1", RANDOM);
        Files.write(bundle(), PublicBundle.sign(before(1, inside.publicKey()), authority));
        BundleTenants tenants = new BundleTenants(
                List.of(new TenantSettings(bundle(), authority.publicKey().fingerprint(), null)),
                folder.resolve("serials"),
                SCHEMES,
                Clock.systemUTC());
        Tenant first = tenants.find("before").orElseThrow();
        assertThat(first.bundle().senders()).containsExactly(inside.publicKey());

        PublicBundleContent old = before(2);
        replace(bundle(), PublicBundle.sign(inRegistry(old), authority));
        tenants.refresh();
        assertThat(tenants.find("before")).as("the new bundle waits").containsSame(first);
        SenderRegistryWriter.write(folder, "acme.senders", 1, authority, out -> {});
        tenants.refresh();
        assertThat(tenants.find("before").orElseThrow().bundle().serial()).isEqualTo(2);
    }

    private static PublicBundleContent inRegistry(PublicBundleContent of) {
        return new PublicBundleContent(
                of.tenant(),
                of.serial(),
                of.notBefore(),
                of.notAfter(),
                of.indexKeys(),
                of.wrapKey(),
                of.epochs(),
                of.recipients(),
                of.senders(),
                of.scopes(),
                of.extractorProfile(),
                of.policyKeys(),
                true,
                of.mailSigners());
    }

    private static PublicBundleContent before(long serial, SenderPublicKey... senders) throws Exception {
        PublicBundle like =
                PublicBundle.verify(ACME.bundle(), ACME.keys().authority().fingerprint(), Instant.now());
        return new PublicBundleContent(
                "before",
                serial,
                like.notBefore(),
                like.notAfter(),
                like.indexKeys(),
                like.wrapKey(),
                like.epochs(),
                List.of(),
                List.of(senders),
                List.of(),
                new byte[0],
                List.of(),
                false,
                List.of());
    }
}
