package dev.veilgate.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTenantsTest {
    private static final IndexSchemes SCHEMES = IndexSchemes.load();
    private static final TestTenant ACME = TestTenant.of("acme");

    @TempDir
    Path folder;

    @BeforeEach
    void publishSenders() throws IOException {
        ACME.publish(folder.resolve("bundle"));
    }

    private BundleTenants open() throws IOException {
        return open(ACME.keys().authority().fingerprint());
    }

    private BundleTenants open(String authority) throws IOException {
        return new BundleTenants(
                List.of(new TenantSettings(folder.resolve("bundle"), authority, null)),
                folder.resolve("serials"),
                SCHEMES,
                Clock.systemUTC());
    }

    @Test
    void takesUpABundleThatChangesAndRefusesAnOlderOne() throws IOException {
        byte[] old = ACME.bundle();
        Files.write(folder.resolve("bundle"), ACME.bundle());
        BundleTenants tenants = open();
        long serial = tenants.find("acme").orElseThrow().bundle().serial();
        byte[] fresh = ACME.bundle();
        Files.write(folder.resolve("bundle"), fresh);
        touch();
        tenants.refresh();
        assertThat(tenants.find("acme").orElseThrow().bundle().serial()).isEqualTo(serial + 1);

        Files.write(folder.resolve("bundle"), old);
        touch();
        tenants.refresh();
        assertThat(tenants.find("acme").orElseThrow().bundle().serial()).isEqualTo(serial + 1);
        assertThatThrownBy(this::open).hasMessageContaining("serial");
    }

    @Test
    void aBundleThatCouldNotBeTakenUpIsTriedAgain() throws IOException {
        Files.write(folder.resolve("bundle"), ACME.bundle());
        BundleTenants tenants = open();
        long serial = tenants.find("acme").orElseThrow().bundle().serial();
        Files.write(folder.resolve("bundle"), ACME.bundle());
        touch();
        Path away = Files.move(folder.resolve("serials"), folder.resolve("away"));
        Files.createFile(folder.resolve("serials")); // its serial cannot be kept
        tenants.refresh();
        assertThat(tenants.find("acme").orElseThrow().bundle().serial()).isEqualTo(serial);

        Files.delete(folder.resolve("serials"));
        Files.move(away, folder.resolve("serials"));
        tenants.refresh();
        assertThat(tenants.find("acme").orElseThrow().bundle().serial()).isEqualTo(serial + 1);
    }

    @Test
    void anExpiredBundleStillSaysWhatToTake() throws IOException {
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(400));
        Files.write(folder.resolve("bundle"), ACME.bundle());
        BundleTenants tenants = new BundleTenants(
                List.of(new TenantSettings(
                        folder.resolve("bundle"), ACME.keys().authority().fingerprint(), null)),
                folder.resolve("serials"),
                SCHEMES,
                later);
        assertThat(tenants.find("acme")).isPresent();
    }

    @Test
    void anotherAuthoritysBundleStopsTheStart() throws IOException {
        Files.write(folder.resolve("bundle"), ACME.bundle());
        assertThatThrownBy(() -> open("ab".repeat(32))).hasMessageContaining("another authority");
        Files.write(folder.resolve("bundle"), new byte[100]);
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("veilgate.tenants: " + folder.resolve("bundle") + ": ");
        Files.delete(folder.resolve("bundle"));
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("there is no file " + folder.resolve("bundle"), "veilgate keys bundle -o");
    }

    private void touch() throws IOException {
        Path file = folder.resolve("bundle");
        Files.setLastModifiedTime(
                file, FileTime.fromMillis(Files.getLastModifiedTime(file).toMillis() + 2000));
    }
}
