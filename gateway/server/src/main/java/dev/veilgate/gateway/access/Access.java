package dev.veilgate.gateway.access;

import java.util.Optional;

/** Who presents what secret. Takes the same time for a name that does not exist. Reads its file again when it changes. */
public interface Access {
    /** The holder of a bearer token. */
    Optional<Principal> token(String secret);

    /** An MQTT device. */
    Optional<Principal> device(String name, String password);

    /**
     * What the present password of a device is known by: another one after it was replaced. Empty if the device has no access.
     *
     * @return no secret, and nothing that one could be guessed by
     */
    default Optional<String> deviceGrant(String name) {
        return Optional.of(name); // access that never changes
    }

    /** Calls, from some thread, whenever access may have changed. */
    default void onChange(Runnable listener) {}

    /** An SMTP user. */
    Optional<Principal> mailUser(String name, String password);
}
