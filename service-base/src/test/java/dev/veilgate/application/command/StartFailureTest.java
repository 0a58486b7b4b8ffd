package dev.veilgate.application.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.transport.supervision.ServiceExit;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Sentence and exit status of a start that failed, by what the frameworks throw. */
class StartFailureTest {
    private static final Path SETTINGS = Path.of("/etc/veilgate/gateway.yaml");

    private static StartFailure of(Exception cause) {
        return StartFailure.of(new RuntimeException("beans", new RuntimeException("made of", cause)), SETTINGS);
    }

    @Test
    void aFileThatTheSettingsNameIsSaidInASentence() {
        StartFailure absent = of(new NoSuchFileException("/etc/veilgate/acme.vgb"));
        assertThat(absent.status()).isEqualTo(ServiceExit.CONFIG);
        assertThat(absent)
                .hasMessage("there is no file or folder /etc/veilgate/acme.vgb, which the settings name: put it there,"
                        + " or name another (settings: /etc/veilgate/gateway.yaml)");
        StartFailure denied = of(new AccessDeniedException("/var/lib/veilgate-gateway"));
        assertThat(denied.status()).isEqualTo(ServiceExit.CONFIG);
        assertThat(denied).hasMessageContaining("may not be read or written by the user that runs this");
    }

    @Test
    void aSentenceOfOurOwnIsSaidAsItIsThoughItHasACause() {
        StartFailure failure =
                of(new IllegalArgumentException("veilgate.url must be like ...", new RuntimeException("x")));
        assertThat(failure.status()).isEqualTo(ServiceExit.CONFIG);
        assertThat(failure).hasMessage("veilgate.url must be like ... (settings: /etc/veilgate/gateway.yaml)");
    }

    @Test
    void whatMayPassIsStartedAgain() {
        assertThat(of(new BindException("Address already in use")).status()).isEqualTo(ServiceExit.TEMPORARY);
        assertThat(of(new FileSystemException("/var/lib/x", null, "No space left on device")))
                .hasMessage("/var/lib/x: No space left on device")
                .extracting(StartFailure::status)
                .isEqualTo(ServiceExit.TEMPORARY);
        StartFailure inUse = of(new IllegalStateException("MQTT cannot listen on 1883", new BindException("in use")));
        assertThat(inUse).hasMessage("MQTT cannot listen on 1883");
        assertThat(inUse.status()).isEqualTo(ServiceExit.TEMPORARY);
    }
}
