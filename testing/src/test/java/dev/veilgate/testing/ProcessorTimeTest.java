package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    private static final Duration LITTLE = Duration.ofMillis(300);

    @Test
    void workThatOnlyWaitsIsWithinIt() throws Exception {
        String done = ProcessorTime.bounded(LITTLE, () -> {
            Thread.sleep(2 * LITTLE.toMillis());
            return "done";
        });
        assertThat(done).isEqualTo("done");
    }

    @Test
    void workWithoutEndIsNot() {
        assertThatThrownBy(() -> ProcessorTime.bounded(LITTLE, () -> {
                    long number = 0;
                    while (!Thread.currentThread().isInterrupted()) {
                        number++;
                    }
                    return number;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of a processor");
    }

    @Test
    void whatTheWorkThrowsIsThrown() {
        assertThatThrownBy(() -> ProcessorTime.bounded(LITTLE, () -> {
                    throw new IOException("broken");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ProcessorTime.bounded(LITTLE, () -> {
                    throw new AssertionError("wrong");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("wrong");
    }
}
