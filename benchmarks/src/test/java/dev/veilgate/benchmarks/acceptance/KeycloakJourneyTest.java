package dev.veilgate.benchmarks.acceptance;

import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.keycloak.KeycloakServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same login and search where a real Keycloak knows the users. */
class KeycloakJourneyTest {
    private static final String SECRET = "a-secret-of-this-test";

    @Test
    void peopleOfKeycloakLogInSearchAndLogOut(@TempDir Path folder) throws Exception {
        int port = Programs.freePort();
        String address = "http://localhost:" + port;
        try (KeycloakServer keycloak = KeycloakServer.start(
                        folder.resolve("keycloak.log"),
                        Map.of(
                                "VEILGATE_TENANT", "demo",
                                "VEILGATE_CONSOLE_SECRET", SECRET,
                                "VEILGATE_CONSOLE_URL", address));
                RunningDemo demo = new RunningDemo(folder)) {
            Path secret = Files.writeString(folder.resolve("console.secret"), SECRET);
            demo.restartConsole(
                    address,
                    List.of(
                            "server.port=" + port,
                            "veilgate.url=" + address,
                            "veilgate.login.issuer=" + keycloak.issuer(),
                            "veilgate.login.client-secret-file=" + secret));
            Journeys.run("keycloak", Map.of("CONSOLE", address, "PROVIDER", keycloak.issuer()), demo);
        }
    }
}
