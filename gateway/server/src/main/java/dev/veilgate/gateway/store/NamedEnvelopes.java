package dev.veilgate.gateway.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;

/** What an id alone means: what earlier versions noted, and clients of before ask for, has no digest. */
@FunctionalInterface
public interface NamedEnvelopes {
    /**
     * The envelope of an id that a sender signed; if none did, the one that an earlier version stored, which knew ids only; else the only one. Empty if
     * there is none, or several of which none is more likely meant than another.
     */
    Optional<EnvelopeName> named(String tenant, UUID id) throws IOException;

    /**
     * Whether the id alone means this envelope.
     *
     * @throws UncheckedIOException if the store cannot be read
     */
    default boolean means(String tenant, EnvelopeName name) {
        try {
            return named(tenant, name.id()).filter(name::equals).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
