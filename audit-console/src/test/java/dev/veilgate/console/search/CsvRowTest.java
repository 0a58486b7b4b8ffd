package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row is one record, whatever is in it, and no cell is a formula. */
class CsvRowTest {
    private static final UUID ENVELOPE = UUID.fromString("0198f4a2-0000-7000-8000-000000000001");

    @Test
    void columnsAreThoseOfARow() {
        assertThat(CsvRow.COLUMNS)
                .isEqualTo(Arrays.stream(Row.class.getRecordComponents())
                        .map(component -> component.getName())
                        .toList());
        assertThat(CsvRow.head()).startsWith("row,kind,envelope,").endsWith(",why,missing,signed,signedBy,altered\r\n");
    }

    @Test
    void aWholeRow() {
        Row row = new Row(
                7,
                Row.RECORD,
                ENVELOPE,
                3,
                Instant.parse("2026-11-22T10:00:00.5Z"),
                "read",
                "press-4",
                true,
                12,
                "/var/log/a, b",
                "error",
                "he said \"no\"\nand left",
                null,
                null,
                null,
                List.of("role:auditor", "plant:7"),
                null,
                null,
                null);
        assertThat(CsvRow.of(row))
                .isEqualTo(
                        "7,record," + ENVELOPE
                                + ",3,2026-11-22T10:00:00.500Z,read,press-4,true,12,\"/var/log/a, b\",error,\"he said \"\"no\"\"\nand left\",,,,role:auditor plant:7,,,\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+a",
                "-a",
                "@SUM(A1)",
                "\tx",
                "\rx",
                "\nx",
                "'=1",
                "'x",
                " =1",
                "\u00a0=1",
                "\u200b=1",
                "\ufeff=1",
                "\u202e=1",
                "\u3164=1",
                "\uff1d1",
                "\uff0ba",
                "\uff0da",
                "\uff201",
                "\ufe661",
                "\ufe62a",
                "\ufe63a",
                "\ufe6b1",
                "\u207ca",
                "\u208aa",
                "\u2212a",
                "\u2013a",
                "\u2795a",
                "-5+cmd|' /C calc'!A0",
                "-1-1",
                "+1;2",
                "--1"
            })
    void noCellIsAFormula(String text) {
        assertThat(unquoted(CsvRow.cell(text))).isEqualTo("'" + text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, quoteCharacter = '^', textBlock = """
                    ;=1|;'=1
                    a;=1;b|a;'=1;b
                    a; @x|a;' @x
                    a;"=1|a;'"=1
                    a;'b|a;''b
                    a;-5|a;'-5
                    """)
    void noPieceBehindASemicolonIsAFormula(String text, String escaped) {
        String begins = text.startsWith(";") ? "'" : "";
        assertThat(unquoted(CsvRow.cell(text))).isEqualTo(begins + escaped);
        assertThat(unquoted(CsvRow.cell("x" + text.replace(';', '\t')))).isEqualTo("x" + escaped.replace(';', '\t'));
        assertThat(unquoted(CsvRow.cell("x" + text.replace(";", "\r\n"))))
                .isEqualTo("x" + escaped.replace(";", "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-5",
                "+5",
                "-0.25",
                "-1e-9",
                "-5,25",
                "+01:00",
                "-00:30:00",
                "12:30:05",
                "2026-11-22T10:00:00Z",
                "-"
            })
    void numbersAndTimesStayUsable(String text) {
        assertThat(unquoted(CsvRow.cell(text))).isEqualTo(text);
    }

    private static String unquoted(String cell) {
        return cell.startsWith("\"") ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"") : cell;
    }

    @Test
    void aFormulaBehindAQuoteOrAComma() {
        assertThat(CsvRow.cell("\"=1+1")).isEqualTo("\"'\"\"=1+1\"");
        assertThat(CsvRow.cell(",=1+1")).isEqualTo("\",=1+1\"");
        assertThat(CsvRow.cell("=HYPERLINK(\"x\",1)")).isEqualTo("\"'=HYPERLINK(\"\"x\"\",1)\"");
    }

    @Test
    void othersStayAsTheyAre() {
        assertThat(CsvRow.cell(null)).isEmpty();
        assertThat(CsvRow.cell("")).isEmpty();
        assertThat(CsvRow.cell("a=b")).isEqualTo("a=b");
        assertThat(CsvRow.cell("ä \ud83d\ude00")).isEqualTo("ä \ud83d\ude00");
    }
}
