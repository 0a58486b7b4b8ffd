package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator is told of topics at the start. */
final class TenantTopicsNoticeTest {
    private static TenantTopics topics(String plain, String... served) {
        return new TenantTopics(plain, () -> List.of(served));
    }

    @Test
    void namesATenantWithPlainTopicsThatIsNotServed() {
        assertThat(topics("acmee", "acme").describe())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("veilgate.mqtt.plain-topics-of", "acmee", "is not served", "acme", "TENANT/"));
        assertThat(topics("acmee", "acme", "globex").describe()).isPresent();
        assertThat(topics("acme", "acme", "globex").describe()).isEmpty();
        assertThat(topics("acme", "acme").describe()).isEmpty();
    }

    @Test
    void saysThatTopicsOfSeveralTenantsAreApart() {
        assertThat(topics("", "acme").describe()).isEmpty();
        assertThat(topics("", "acme", "globex").describe())
                .hasValueSatisfying(said -> assertThat(said).contains("several tenants are served"));
    }
}
