package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        assertThat(CsvRow.head()).startsWith("row,kind,envelope,").endsWith(",why,missing\r\n");
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
                List.of("role:auditor", "plant:7"));
        assertThat(CsvRow.of(row))
                .isEqualTo(
                        "7,record," + ENVELOPE
                                + ",3,2026-11-22T10:00:00.500Z,read,press-4,true,12,\"/var/log/a, b\",error,\"he said \"\"no\"\"\nand left\",,,,role:auditor plant:7\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+1",
                "-1",
                "@SUM(A1)",
                "\t=1",
                "\r=1",
                "\n=1",
                "'=1",
                "\uff1d1",
                "\uff0b1",
                "\uff0d1",
                "\uff201"
            })
    void noCellIsAFormula(String text) {
        String cell = CsvRow.cell(text);
        String unquoted =
                cell.startsWith("\"") ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"") : cell;
        assertThat(unquoted).isEqualTo("'" + text);
    }

    @Test
    void aFormulaBehindAQuoteOrAComma() {
        assertThat(CsvRow.cell("\"=1+1")).isEqualTo("\"\"\"=1+1\"");
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
