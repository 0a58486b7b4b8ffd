package dev.veilgate.gateway;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Of all test classes here: what is awaited may take two minutes on a slow machine that does much else. Awaitility gives up after ten seconds. */
public final class PatientAwait implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }
}
