package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keys that a device has of an archive: one, and while the archive gets a new one that too. The next one becomes the
 * only one when a state of the archive is found that is authenticated by it: from then on the device refuses states of
 * the one before. For one thread.
 */
@Secret
public final class KeyRing implements AutoCloseable {
    private EpochKey current;
    private @Nullable EpochKey next;
    private final Keeper keeper;

    /** Place where a device keeps the keys. */
    @FunctionalInterface
    public interface Keeper {
        /** Notes durably that a key took the place of the one before, which is forgotten. */
        void settled(EpochKey key) throws IOException;
    }

    /**
     * Keys.
     *
     * @param next   of the epoch behind the current one's; null if there is none
     * @param keeper is told when it is the only one
     */
    public KeyRing(EpochKey current, @Nullable EpochKey next, Keeper keeper) {
        if (next != null && next.epoch() != current.epoch() + 1) {
            throw new IllegalArgumentException("the next key is of the next epoch");
        }
        this.current = current;
        this.next = next;
        this.keeper = keeper;
    }

    /** The only key of an archive that has not got a new one. */
    static KeyRing of(ArchiveKey key) {
        return new KeyRing(EpochKey.first(key), null, _ -> {});
    }

    /** The key that the archive has, as far as the device knows. */
    public EpochKey current() {
        return current;
    }

    /** A key that the archive may have already. */
    public Optional<EpochKey> next() {
        return Optional.ofNullable(next);
    }

    /** Makes the next key the only one, durably. */
    void settle() throws IOException {
        EpochKey settled = next().orElseThrow();
        keeper.settled(settled);
        EpochKey before = current;
        current = settled;
        next = null;
        before.close();
    }

    /** Erases the keys. */
    @Override
    public void close() {
        current.close();
        next().ifPresent(EpochKey::close);
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "KeyRing[hidden]";
    }
}
