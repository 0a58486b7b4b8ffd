package dev.veilgate.application.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeConverterTest {
    private final SizeConverter converter = new SizeConverter();

    @ParameterizedTest
    @CsvSource({
        "16MB, 16777216",
        "16mb, 16777216",
        "' 16 MiB ', 16777216",
        "4GB, 4294967296",
        "1TiB, 1099511627776",
        "64kb, 65536",
        "512B, 512",
        "1000, 1000",
        "0, 0"
    })
    void readsUnitsInAnyCase(String text, long bytes) {
        assertThat(converter.convert(text).toBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MB", "-1MB", "1.5GB", "16 mega", "9999999999TB", "1 2MB", "1e3", "16MBB"})
    void refusesOthersSayingHowSizesAreWritten(String text) {
        assertThatThrownBy(() -> converter.convert(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is no size; write 64KB, 16MB or 4GB");
    }
}
