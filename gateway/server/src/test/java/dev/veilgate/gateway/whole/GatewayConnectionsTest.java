package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.connection.TestClient;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.testing.FreePort;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The limit of connections at the ports of a running gateway, by an address of this machine's network. */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class GatewayConnectionsTest {
    private static final int LIMIT = 16;
    private static final int MOST = 64;
    private static final String OTHER = "127.0.0.3";

    @TempDir
    private Path folder;

    private static Optional<InetAddress> ownAddress() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }

    private static String metrics(GatewayProcess gateway, int port) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                                    .header("Authorization", "Bearer " + gateway.token())
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    private static double displaced(GatewayProcess gateway, int port) throws Exception {
        return metrics(gateway, port)
                .lines()
                .filter(line -> line.startsWith("veilgate_http_connections_closed_total{reason=\"displaced\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** This machine has no limit, as a proxy on it would not: it asks at both ports. */
    @Test
    void addressThatHoldsConnectionsOpenKeepsNobodyOut() throws Exception {
        Optional<InetAddress> own = ownAddress();
        if (own.isEmpty()) {
            assertThat(System.getenv("CI")).as("a machine with a network in CI").isNotEqualTo("true");
            return;
        }
        String attacker = own.get().getHostAddress();
        int management = FreePort.choose();
        List<TestClient> held = new ArrayList<>();
        try (GatewayProcess gateway = new GatewayProcess(
                folder,
                TestTenant.of(GatewayProcess.TENANT),
                "server.address=0.0.0.0",
                "server.tomcat.max-connections=" + MOST,
                "management.server.port=" + management,
                "veilgate.http.connections-per-address=" + LIMIT,
                "veilgate.http.header-timeout=1h")) {
            gateway.launch();
            while (!answers(management)) {
                Thread.sleep(100);
            }
            for (int port : new int[] {gateway.httpPort, management}) {
                double before = displaced(gateway, management);
                int first = held.size();
                for (int i = 0; i < MOST + LIMIT; i++) {
                    held.add(TestClient.connect(attacker, own.get(), port));
                }
                held.get(first).requireClosed();
                try (TestClient other = TestClient.connect(OTHER, port)) {
                    assertThat(other.status("/actuator/health/liveness")).isPositive();
                }
                while (displaced(gateway, management) < before + MOST) {
                    Thread.sleep(100);
                }
            }
        } finally {
            for (TestClient client : held) {
                client.close();
            }
        }
    }

    private static boolean answers(int port) {
        try (TestClient client = TestClient.connect(OTHER, port)) {
            return client.status("/actuator/health/readiness") == 200;
        } catch (Exception e) {
            return false;
        }
    }
}
