package dev.veilgate.gateway.access;

import java.util.Optional;

/** Who presents what secret. Takes the same time for a name that does not exist. Reads its file again when it changes. */
public interface Access {
    /** The holder of a bearer token. */
    Optional<Principal> token(String secret);

    /** An MQTT device. */
    Optional<Principal> device(String name, String password);

    /** An SMTP user. */
    Optional<Principal> mailUser(String name, String password);
}
