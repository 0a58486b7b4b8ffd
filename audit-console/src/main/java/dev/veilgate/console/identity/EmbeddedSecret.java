package dev.veilgate.console.identity;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.springframework.stereotype.Component;

/** What the console shows its own embedded provider; drawn at every start, known to nobody else. */
@Component
final class EmbeddedSecret {
    private final String value;

    EmbeddedSecret() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        this.value = HexFormat.of().formatHex(bytes);
    }

    String value() {
        return value;
    }
}
