package dev.veilgate.gateway.tenant;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.FileVersion;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tenants from bundle files. A file that changes is read again; if it is refused, the last good bundle stays in use. The serial of the last bundle is kept, so that
 * an older one is refused after a restart too.
 */
final class BundleTenants implements Tenants {
    private static final Logger LOG = LoggerFactory.getLogger(BundleTenants.class);

    private static final class Source {
        private final TenantSettings settings;
        /** What is in use; one that could not be read is none, so that it is tried again. */
        private @Nullable FileVersion read;
        /** What was said of it last. */
        private @Nullable String warned;

        private @Nullable Tenant tenant;

        Source(TenantSettings settings) {
            this.settings = settings;
        }
    }

    private final Path serials;
    private final Clock clock;
    private final List<Source> sources = new ArrayList<>();
    private volatile Map<String, Tenant> byName = Map.of();

    /**
     * Reads all bundles.
     *
     * @param serials folder for the serials that were seen
     * @throws IOException if one cannot be read or is refused: a gateway does not start half
     */
    BundleTenants(List<TenantSettings> settings, Path serials, Clock clock) throws IOException {
        this.serials = serials;
        this.clock = clock;
        DurableFiles.createFolder(serials);
        for (TenantSettings tenant : settings) {
            Source source = new Source(tenant);
            read(source);
            sources.add(source);
        }
        publish();
    }

    @Override
    public Optional<Tenant> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public List<Tenant> all() {
        return List.copyOf(byName.values());
    }

    /** Reads again what has changed. */
    synchronized void refresh() {
        for (Source source : sources) {
            try {
                if (read(source)) {
                    publish();
                    LOG.info("read bundle {} again", source.settings.bundle().getFileName());
                }
            } catch (IOException e) {
                warn(source, String.valueOf(e.getMessage()));
            }
        }
    }

    /** Once for each thing that is wrong, however often it is tried again. */
    private static void warn(Source source, String what) {
        if (!what.equals(source.warned)) {
            LOG.warn("the last good bundle stays in use: {}", what);
        }
        source.warned = what;
    }

    /** Reads a bundle unless it is in use. Whether it did. */
    private boolean read(Source source) throws IOException {
        Path file = source.settings.bundle();
        FileVersion now = FileVersion.of(file);
        if (now.equals(source.read)) {
            source.warned = null;
            return false;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(PublicBundle.MAX_BYTES + 1);
        }
        try {
            Path serialFile = serials.resolve(serialName(source.settings.authority()));
            PublicBundle bundle =
                    PublicBundle.verifyForReceiving(bytes, source.settings.authority(), lastSerial(serialFile));
            DurableFiles.replace(
                    serials,
                    serialFile.getFileName().toString(),
                    null,
                    (bundle.serial() + "\n").getBytes(StandardCharsets.US_ASCII));
            if (!clock.instant().isBefore(bundle.notAfter())) {
                LOG.warn(
                        "bundle {} expired at {}: senders refuse it; what they sealed before is still taken",
                        file.getFileName(),
                        bundle.notAfter());
            }
            source.tenant = new Tenant(bundle);
            source.read = now;
            source.warned = null;
            return true;
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static String serialName(String authority) {
        String hex = authority.replaceAll("[:\\s]", "").toLowerCase(Locale.ROOT);
        return HexFormat.of().formatHex(HexFormat.of().parseHex(hex), 0, 16);
    }

    private static long lastSerial(Path file) throws IOException {
        if (Files.notExists(file)) {
            return 0;
        }
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged: it must hold the serial of the last bundle", e);
        }
    }

    private void publish() throws IOException {
        Map<String, Tenant> tenants = new HashMap<>();
        for (Source source : sources) {
            Tenant tenant = source.tenant;
            if (tenant != null && tenants.put(tenant.name(), tenant) != null) {
                throw new IOException("two bundles in veilgate.tenants are of one tenant");
            }
        }
        byName = Map.copyOf(tenants);
    }
}
