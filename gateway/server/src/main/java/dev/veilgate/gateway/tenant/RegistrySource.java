package dev.veilgate.gateway.tenant;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedRegistryException;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.files.FileVersion;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tenant's sender registry from its file, copied while it is verified, so that nobody changes what is in use. One that is refused is looked at again when it changes, and now and then. For one
 * thread; what it gives is for many.
 */
final class RegistrySource {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrySource.class);
    /** A large one takes seconds to refuse. */
    private static final Duration AGAIN = Duration.ofMinutes(1);
    /** Left to the others of this disk when a registry is copied beside the one in use: a database closes itself when there is nothing left. */
    private static final long LEFT_BYTES = 16L << 20;

    private final Path file;
    private final Path folder;
    private final String authority;
    private final SeenSerial seen;
    private final Clock clock;
    private @Nullable FileVersion read;
    private @Nullable SenderRegistry inUse;
    /** Whoever looks somebody up just now is done when the next one comes. */
    private @Nullable SenderRegistry replaced;

    private @Nullable FileVersion refused;
    private @Nullable IOException why;
    private Instant again = Instant.MIN;

    RegistrySource(TenantSettings settings, Path folder, Clock clock) {
        this.file = settings.registry();
        this.folder = folder;
        this.authority = settings.authority();
        this.seen = new SeenSerial(folder, authority, SenderRegistry.EXTENSION);
        this.clock = clock;
    }

    /** To be called between two looks. */
    void forgetReplaced() {
        SenderRegistry old = replaced;
        replaced = null;
        close(old);
    }

    private static void close(@Nullable SenderRegistry registry) {
        if (registry != null) {
            try {
                registry.close();
            } catch (IOException e) {
                LOG.warn("the copy of a sender registry that is not used any more cannot be closed", e);
            }
        }
    }

    /**
     * Takes up a registry that is not in use yet.
     *
     * @throws IOException if it is refused or cannot be read, or one was seen and is not there any more
     */
    void refresh(String tenant) throws IOException {
        long last = seen.last();
        if (Files.notExists(file)) {
            if (last > 0) {
                throw new IOException(
                        file + " is not there, and a sender registry with serial " + last
                                + " was seen before; copy it from your authority (veilgate keys bundle writes it beside the bundle)");
            }
            return;
        }
        FileVersion now = FileVersion.of(file);
        if (now.equals(read)) {
            return;
        }
        if (why != null && now.equals(refused) && clock.instant().isBefore(again)) {
            throw why;
        }
        try {
            requireRoom(now.size());
            take(SenderRegistry.copied(file, folder, new SenderRegistry.Expected(authority, tenant, last)), now);
        } catch (IOException | MalformedEncodingException | RefusedRegistryException e) {
            refused = now;
            why = new IOException(file + ": " + e.getMessage(), e);
            again = clock.instant().plus(AGAIN);
            throw why;
        }
    }

    /** At a start there is nobody else to leave room to. */
    private void requireRoom(long bytes) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (inUse != null && free < bytes + LEFT_BYTES) {
            throw new IOException("no room for a copy of " + bytes + " bytes in " + folder + ", which has " + free
                    + " and keeps " + LEFT_BYTES + " of them; make room");
        }
    }

    private void take(SenderRegistry next, FileVersion now) throws IOException {
        try {
            seen.keep(next.head().serial()); // before it is used
        } catch (IOException e) {
            next.close();
            throw e;
        }
        replaced = inUse;
        inUse = next;
        read = now;
        refused = null;
        why = null;
    }

    /** Whether a registry is in use that is not this one. */
    boolean isOther(@Nullable RegisteredSenders senders) {
        return inUse != null && !inUse.equals(senders);
    }

    /**
     * Who is registered with a bundle.
     *
     * @param refused what is wrong with the registry, if anything is
     * @throws IOException if that is not known
     */
    RegisteredSenders senders(PublicBundle bundle, @Nullable IOException refused) throws IOException {
        SenderRegistry registry = inUse;
        if (registry != null) {
            return registry;
        }
        if (refused != null) {
            throw refused;
        }
        if (bundle.sendersInRegistry()) {
            throw new IOException("the bundle's senders are in a sender registry, and " + file
                    + " is not there; copy it from your authority (veilgate keys bundle writes it beside the bundle)");
        }
        return RegisteredSenders.of(bundle.senders());
    }

    /** What is in use, for people. */
    @Override
    public String toString() {
        SenderRegistry registry = inUse;
        return registry == null
                ? "no sender registry"
                : "sender registry " + file.getFileName() + " with serial "
                        + registry.head().serial() + " and " + registry.head().count() + " senders";
    }
}
