package dev.veilgate.acceptance;

import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.keycloak.KeycloakServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same login and search where a real Keycloak knows the users, and gives the console its tokens for the gateway. */
class KeycloakJourneyTest {
    private static final String SECRET = "a-secret-of-this-test";
    private static final String GATEWAY_SECRET = "another-secret-of-this-test";

    @Test
    void peopleOfKeycloakLogInSearchAndLogOut(@TempDir Path folder) throws Exception {
        int port = Programs.freePort();
        String address = "http://localhost:" + port;
        try (KeycloakServer keycloak = KeycloakServer.start(
                        folder.resolve("keycloak.log"),
                        Map.of(
                                "VEILGATE_TENANT", "demo",
                                "VEILGATE_CONSOLE_SECRET", SECRET,
                                "VEILGATE_GATEWAY_CLIENT", "true",
                                "VEILGATE_GATEWAY_SECRET", GATEWAY_SECRET,
                                "VEILGATE_CONSOLE_URL", address));
                RunningDemo demo = new RunningDemo(folder)) {
            Path secret = Files.writeString(folder.resolve("console.secret"), SECRET);
            Path gatewaySecret = Files.writeString(folder.resolve("gateway.secret"), GATEWAY_SECRET);
            demo.restartGateway(List.of("veilgate.oidc.issuer=" + keycloak.issuer(), "veilgate.oidc.tenant=demo"));
            demo.forgetConsoleToken();
            demo.restartConsole(
                    address,
                    List.of(
                            "server.port=" + port,
                            "veilgate.url=" + address,
                            "veilgate.login.issuer=" + keycloak.issuer(),
                            "veilgate.login.client-secret-file=" + secret,
                            "veilgate.gateway.issuer=" + keycloak.issuer(),
                            "veilgate.gateway.client-secret-file=" + gatewaySecret));
            // Not in the shell of the other journeys: cookies and redirects between two sites are the browser's work.
            Journeys.run(
                    "keycloak",
                    Map.of("CONSOLE", address, "PROVIDER", keycloak.issuer(), "JOURNEYS_BROWSER", "whole"),
                    demo::logs);
        }
    }
}
