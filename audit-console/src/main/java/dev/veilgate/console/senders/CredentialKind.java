package dev.veilgate.console.senders;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.veilgate.console.http.ProblemException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** By which door of the gateway a sender comes. */
enum CredentialKind {
    /** A password for MQTT, which belongs to the sender's name. */
    MQTT("device"),
    /** A password for SMTP. */
    SMTP("mail"),
    /** A bearer token that may submit envelopes and nothing else. */
    HTTP("token");

    private final String gatewayKind;

    CredentialKind(String gatewayKind) {
        this.gatewayKind = gatewayKind;
    }

    /** As the interface spells it. */
    @JsonValue
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As the gateway spells it. */
    String gatewayKind() {
        return gatewayKind;
    }

    /** @throws ProblemException 400 if it is none */
    static CredentialKind of(@Nullable String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> ProblemException.malformed("kind is mqtt, smtp or http"));
    }

    static Optional<CredentialKind> ofGateway(String kind) {
        return Arrays.stream(values())
                .filter(one -> one.gatewayKind.equals(kind))
                .findFirst();
    }
}
