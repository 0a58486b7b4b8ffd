package dev.veilgate.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamePartTest {
    @ParameterizedTest
    @CsvSource({
        "con, %63on",
        "Con.Smith@acme.example, %43on.Smith@acme.example",
        "nul.log, %6Eul.log",
        "aux .txt, %61ux .txt",
        "com1, %63om1",
        "LPT\u00b2.x, %4CPT\u00b2.x",
        "conin$, %63onin$"
    })
    void whatWindowsTakesForADeviceIsEscaped(String name, String part) {
        assertThat(FileNamePart.of(name)).isEqualTo(part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"con@acme.example", "console", "com", "com10", "common.con", "ada@acme.example"})
    void whatOnlyLooksLikeADeviceStays(String name) {
        assertThat(FileNamePart.of(name)).isEqualTo(name);
    }
}
