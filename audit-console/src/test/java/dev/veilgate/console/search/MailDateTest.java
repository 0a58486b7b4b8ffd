package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** The date of a mail, which its sender writes. */
class MailDateTest {
    @Test
    void isReadWithAndWithoutItsComment() {
        Instant at = Instant.parse("2026-11-22T12:23:09Z");
        assertThat(Opening.date("Sun, 22 Nov 2026 12:23:09 +0000")).hasValue(at);
        assertThat(Opening.date(" Sun, 22 Nov 2026 13:23:09 +0100 (CET) ")).hasValue(at);
    }

    @Test
    void costsNothingWhateverItIs() {
        assertThatCode(() -> Assertions.assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
                    assertThat(Opening.date("(".repeat(1 << 20))).isEmpty();
                    assertThat(Opening.date("9".repeat(1 << 20))).isEmpty();
                    assertThat(Opening.date(" ".repeat(1 << 20) + "(")).isEmpty();
                }))
                .doesNotThrowAnyException();
    }
}
