package dev.veilgate.gateway.tenant;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.files.FileVersion;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tenant from its files: the bundle, and the sender registry beside it. Each is taken up when it changes; if one is
 * refused, what is in use stays. Where there is a registry it alone says who is registered; without one the bundle
 * does, if it is one of before, and a bundle whose senders are in a registry waits for it. For one thread.
 */
final class TenantSource {
    private static final Logger LOG = LoggerFactory.getLogger(TenantSource.class);

    private final TenantSettings settings;
    private final SeenSerial seenBundle;
    private final RegistrySource registry;
    private final IndexSchemes schemes;
    private final Clock clock;
    /** What is in use; one that could not be read is none, so that it is tried again. */
    private @Nullable FileVersion read;

    private @Nullable PublicBundle bundle;
    private @Nullable RegisteredSenders registered;
    private @Nullable Tenant tenant;

    /**
     * @param folder for the serials that were seen, and for the copy of the registry
     */
    TenantSource(TenantSettings settings, Path folder, IndexSchemes schemes, Clock clock) {
        this.settings = settings;
        this.seenBundle = new SeenSerial(folder, settings.authority(), "");
        this.registry = new RegistrySource(settings, folder, clock);
        this.schemes = schemes;
        this.clock = clock;
    }

    /** The tenant, as it was taken up last. */
    Optional<Tenant> tenant() {
        return Optional.ofNullable(tenant);
    }

    /**
     * Reads what has changed.
     *
     * @return what was taken up, for people; empty for nothing
     * @throws IOException if something is refused or cannot be read; what was in use of it stays, and the other file is
     * taken up all the same
     */
    String refresh() throws IOException {
        registry.forgetReplaced();
        FileVersion now = null;
        PublicBundle next = null;
        IOException refusedBundle = null;
        try {
            now = FileVersion.of(settings.bundle());
            next = now.equals(read) ? null : verified();
        } catch (IOException e) {
            refusedBundle = e;
        }
        PublicBundle used = next == null ? bundle : next;
        if (used == null) {
            throw Objects.requireNonNull(refusedBundle);
        }
        IOException refusedRegistry = null;
        try {
            registry.refresh(used.tenant());
        } catch (IOException e) {
            refusedRegistry = e;
        }
        String taken = "";
        if (next != null || registry.isOther(registered)) {
            RegisteredSenders senders = registry.senders(used, refusedRegistry);
            try {
                keepSerial(next);
            } catch (IOException e) { // the bundle waits, but not the registry: who was removed is not let in meanwhile
                refusedBundle = e;
                next = null;
            }
            if (next != null || bundle != null && registry.isOther(registered)) {
                taken = take(next, now, senders);
            }
        }
        throwIfAny(refusedBundle);
        throwIfAny(refusedRegistry);
        return taken;
    }

    private void keepSerial(@Nullable PublicBundle next) throws IOException {
        if (next != null) {
            seenBundle.keep(next.serial());
        }
    }

    private static void throwIfAny(@Nullable IOException refused) throws IOException {
        if (refused != null) {
            throw refused;
        }
    }

    private String take(@Nullable PublicBundle next, @Nullable FileVersion now, RegisteredSenders senders) {
        boolean isNewRegistry = registry.isOther(registered);
        if (next != null) {
            accept(next);
            read = now;
        }
        tenant = new Tenant(Objects.requireNonNull(bundle), senders, schemes);
        if (next != null) {
            for (String key : tenant.index().unusableKeys()) {
                LOG.warn(
                        "{} names an index key that cannot be used here, {}: what is sealed under it is refused",
                        settings.bundle().getFileName(),
                        key);
            }
        }
        registered = senders;
        String newBundle =
                next == null ? "" : "bundle " + settings.bundle().getFileName() + " with serial " + next.serial();
        return newBundle + (next != null && isNewRegistry ? ", " : "") + (isNewRegistry ? registry : "");
    }

    private void accept(PublicBundle next) {
        if (!clock.instant().isBefore(next.notAfter())) {
            LOG.warn(
                    "bundle {} expired at {}: senders refuse it; what they sealed before is still taken",
                    settings.bundle().getFileName(),
                    next.notAfter());
        }
        bundle = next;
    }

    private PublicBundle verified() throws IOException {
        Path file = settings.bundle();
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(PublicBundle.MAX_BYTES + 1);
        }
        try {
            return PublicBundle.verifyForReceiving(bytes, settings.authority(), seenBundle.last());
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
