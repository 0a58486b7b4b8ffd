package dev.veilgate.console.logsink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.transport.ClosingTls.Ending;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SinkSettingsTest {
    @TempDir
    Path folder;

    private static SinkSettings.Syslog syslog(@Nullable String address) {
        return new SinkSettings.Syslog(address, Ending.CLOSE_NOTIFY, 32473, 8192);
    }

    private static SinkSettings.Https https(@Nullable String url, boolean plain) {
        return new SinkSettings.Https(url == null ? null : URI.create(url), null, plain, false);
    }

    @ParameterizedTest
    @CsvSource({"logs.example.org:6514, logs.example.org, 6514", "'[2001:db8::1]:601', '2001:db8::1', 601"})
    void takesHostAndPort(String address, String host, int port) {
        assertThat(syslog(address).host()).isEqualTo(host);
        assertThat(syslog(address).port()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logs.example.org", "logs.example.org:0", "logs.example.org:65536", "https://a:1", "a b:1"})
    void namesTheKeyOfAnAddressThatIsNone(String address) {
        assertThatThrownBy(() -> syslog(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("veilgate.log-sink.syslog.address");
    }

    @Test
    void namesTheKeyOfWhatIsOutOfBounds() {
        assertThatThrownBy(() -> new SinkSettings.Syslog("a:1", Ending.CLOSE_NOTIFY, 32473, 2047))
                .hasMessageContaining("veilgate.log-sink.syslog.max-bytes");
        assertThatThrownBy(() -> new SinkSettings.Syslog("a:1", Ending.CLOSE_NOTIFY, 0, 8192))
                .hasMessageContaining("veilgate.log-sink.syslog.enterprise-number");
        assertThatThrownBy(() -> new SinkSettings.Tls(null, folder, null))
                .hasMessageContaining("veilgate.log-sink.tls");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://logs.example.org/",
                "http://127.0.0.1.example.org/",
                "http://10.0.0.1/",
                "ftp://a/",
                "logs",
                "https://user:password@logs.example.org/",
                "https://logs.example.org/#x"
            })
    void refusesAddressesInTheClearAndWithSecrets(String url) {
        assertThatThrownBy(() -> https(url, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("veilgate.log-sink.https.url")
                .hasMessageNotContaining("password@");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8686/", "http://[::1]:8686/", "http://localhost/x"})
    void isPlainOnThisMachineAloneAndIfItIsAllowed(String url) {
        assertThat(https(url, true).isSet()).isTrue();
        assertThatThrownBy(() -> https(url, false)).hasMessageContaining("veilgate.log-sink.https.plain");
    }

    @Test
    void oneReceiverIsSetAndItsFilesAreReadAtTheStart() throws Exception {
        ConsoleSettings console = new ConsoleSettings(
                folder, URI.create("https://audit.example.org"), Duration.ofMinutes(30), Duration.ofHours(12));
        SinkSettings.Tls machine = new SinkSettings.Tls(null, null, null);
        assertThat(LogSinkConfiguration.delivery(
                        syslog(null), https(null, false), machine, console, SinkBench.JSON, new TestClock()))
                .isEmpty();
        assertThatThrownBy(() -> LogSinkConfiguration.delivery(
                        syslog("a:1"), https("https://a/", false), machine, console, SinkBench.JSON, new TestClock()))
                .hasMessageContaining("not both");
        Path none = folder.resolve("none.pem");
        Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");
        for (SinkSettings.Tls wrong :
                new SinkSettings.Tls[] {new SinkSettings.Tls(none, null, null), new SinkSettings.Tls(null, empty, empty)
                }) {
            assertThatThrownBy(() -> LogSinkConfiguration.delivery(
                            syslog("a:1"), https(null, false), wrong, console, SinkBench.JSON, new TestClock()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("veilgate.log-sink.tls")
                    .hasMessageContaining(".pem");
        }
    }

    @Test
    void theReceiversNameHasNoQuery() {
        assertThat(LogSinkConfiguration.receiver(syslog(null), https("https://logs.example.org:1/a?key=secret", false)))
                .isEqualTo("https://logs.example.org:1/a");
    }
}
