package dev.veilgate.application.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.BrokenConnections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;

/** Health says that file descriptors run out before they have. */
class DescriptorHealthTest {
    @ParameterizedTest
    @CsvSource({"799, UP", "800, DEGRADED", "949, DEGRADED", "950, DOWN", "1000, DOWN"})
    void saysSoBeforeTheyHave(long open, String status) {
        Health health = new DescriptorHealth(() -> open, () -> 1000).health();
        assertThat(health.getStatus().getCode()).isEqualTo(status);
        assertThat(health.getDetails()).containsEntry("open", open).containsEntry("most", 1000L);
    }

    @Test
    void isNotDownWhereThereIsNoLimit() {
        assertThat(new DescriptorHealth(() -> 5000, () -> Long.MAX_VALUE)
                        .health()
                        .getStatus()
                        .getCode())
                .isEqualTo("UP");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void countsThoseOfThisProcess() {
        long open = (Long) DescriptorHealth.ofThisProcess()
                .orElseThrow()
                .health()
                .getDetails()
                .get("open");
        assertThat(open).isBetween(BrokenConnections.descriptors() - 50L, BrokenConnections.descriptors() + 50L);
    }
}
