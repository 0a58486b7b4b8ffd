package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SseSchemesTest {
    @Test
    void aNameThatIsNoneSaysWhichThereAre() {
        assertThatThrownBy(() -> SseSchemes.of("suize"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("suise");
    }

    @Test
    void parametersAreChecked() throws Exception {
        SseScheme suise = SseSchemes.of("suise");
        assertThat(Parameters.of(suise, Map.of("prefixes", 1L)).isOn("prefixes"))
                .isTrue();
        assertThat(Parameters.standard(suise).isOn("prefixes")).isFalse();
        assertThatThrownBy(() -> Parameters.of(suise, Map.of("prefixes", 2L))).hasMessageContaining("0 to 1");
        assertThatThrownBy(() -> Parameters.of(suise, Map.of("bits", 2L))).hasMessageContaining("it has prefixes");
    }
}
