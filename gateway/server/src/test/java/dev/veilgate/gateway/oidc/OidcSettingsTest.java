package dev.veilgate.gateway.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OidcSettingsTest {
    private static OidcSettings settings(String issuer, String keys, boolean insecure) {
        return new OidcSettings(
                issuer, "veilgate-gateway", "", "tenant", "scopes", keys, Duration.ofSeconds(30), "", insecure);
    }

    @Test
    void keysComeOverTlsOrFromThisMachine() {
        assertThat(settings("https://id.example/realms/veilgate", "", false)).isNotNull();
        assertThat(settings("http://localhost:8180/realms/veilgate", "", false)).isNotNull();
        assertThat(settings("http://id.example/realms/veilgate", "https://id.internal/keys", false))
                .isNotNull();
        assertThat(settings("http://localhost:8180/realms/veilgate", "http://keycloak:8080/keys", true))
                .isNotNull();
        for (String[] refused : new String[][] {
            {"http://id.example/realms/veilgate", ""},
            {"http://127.0.0.1.example/realms/veilgate", ""},
            {"https://id.example/realms/veilgate", "http://keycloak:8080/keys"}
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> settings(refused[0], refused[1], false))
                    .withMessageContaining("veilgate.oidc.insecure-http");
        }
    }

    @Test
    void whatTheIssuerSaysOfItsKeysIsHeldToTheSame() {
        OidcSettings settings = settings("https://id.example/realms/veilgate", "", false);
        assertThat(settings.mayAsk(URI.create("https://keys.example/"))).isTrue();
        assertThat(settings.mayAsk(URI.create("http://keys.example/"))).isFalse();
        assertThat(settings.mayAsk(URI.create("file:/etc/passwd"))).isFalse();
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("keycloak", "", false))
                .withMessageContaining("veilgate.oidc.issuer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("", "https://id.example/keys", false))
                .withMessageContaining("veilgate.oidc.issuer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("https://id.example/a b", "", false))
                .withMessageContaining("veilgate.oidc.issuer");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new OidcSettings("https://id.example", "g", "", "t", "s", "", Duration.ofHours(1), "", false))
                .withMessageContaining("clock-skew");
    }
}
