package dev.veilgate.sse.segments;

import java.io.IOException;
import java.util.Optional;

/**
 * The memory of a device, outside of the archive's store, for the newest state that it has seen. With it a store that
 * is rolled back is noticed; without it everything that the store shows is believed.
 */
public interface HeadMemory {
    /** Empty if this device has not seen the archive yet. */
    Optional<SeenHead> last() throws IOException;

    /** Keeps it, durably, unless it is older than what is kept: several processes of a device may call this. */
    void saw(SeenHead head) throws IOException;

    /** Keeps it, durably, in place of a newer one that its owner gives up. */
    void accept(SeenHead head) throws IOException;

    /** A memory that lasts as long as this object. */
    static HeadMemory inMemory() {
        return new HeadMemory() {
            private Optional<SeenHead> last = Optional.empty();

            @Override
            public synchronized Optional<SeenHead> last() {
                return last;
            }

            @Override
            public synchronized void saw(SeenHead head) {
                if (last.isEmpty() || last.get().version() <= head.version()) {
                    last = Optional.of(head);
                }
            }

            @Override
            public synchronized void accept(SeenHead head) {
                last = Optional.of(head);
            }
        };
    }
}
