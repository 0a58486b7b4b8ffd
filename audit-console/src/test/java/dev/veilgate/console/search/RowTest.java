package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RowTest {
    private static final String TIME = "2026-11-28T10:00:00Z ";

    private static Row row(String kind, String text) {
        return new Row(
                0,
                kind,
                UUID.randomUUID(),
                0,
                Instant.EPOCH,
                "own",
                "press-4",
                true,
                1,
                null,
                null,
                text,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    @Test
    void showsTheLineThatAContainersRuntimeCut() {
        String parts = TIME + "stdout P over\n" + TIME + "stdout F heat";
        Row row = row(Row.RECORD, parts);
        assertThat(row.shown().text()).isEqualTo(TIME + "stdout P overheat");
        assertThat(row.text()).as("of an export").isEqualTo(parts);
        assertThat(row(Row.MAIL, parts).shown().text()).isEqualTo(parts);
    }

    @Test
    void showsTheBeginningOfALongText() {
        assertThat(row(Row.RECORD, "x".repeat(3000)).shown().text()).hasSize(Row.SHOWN);
        assertThat(row(Row.RECORD, "x".repeat(Row.SHOWN - 1) + "\ud83d\ude00")
                        .shown()
                        .text())
                .hasSize(Row.SHOWN - 1);
        assertThat(row(Row.RECORD, TIME + "stdout P " + "x".repeat(1900) + '\n' + TIME + "stdout F " + "y".repeat(1990))
                        .shown()
                        .text())
                .hasSize(Row.SHOWN)
                .endsWith("y");
        assertThat(row(Row.RECORD, "two\nlines").shown().text()).isEqualTo("two\nlines");
    }
}
