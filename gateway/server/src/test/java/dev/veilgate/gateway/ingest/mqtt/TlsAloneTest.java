package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** An embedded broker that listens for TLS alone is asked over TLS whether it serves. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class TlsAloneTest {
    /** The gateway's own login trusts the listener's certificate and no other. */
    @Test
    void isReady(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.make(folder);
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
        bundles.registerBundle(
                "mqtt", SslBundle.of(SslStoreBundle.of(certificate.keyStore(), certificate.password(), null)));
        try (Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of(
                        "embedded.listen", "",
                        "embedded.tls-listen", "127.0.0.1:" + FreePort.choose(),
                        "embedded.tls-bundle", "mqtt")),
                folder.resolve("mqtt"),
                new Devices(),
                bundles,
                Devices.TOPICS,
                new SimpleMeterRegistry())) {
            broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
            assertThat(broker.ready()).as(broker.status()).isTrue();
        }
    }
}
