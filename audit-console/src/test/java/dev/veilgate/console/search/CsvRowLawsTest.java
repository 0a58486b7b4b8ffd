package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Random cells, read as spreadsheets read them: whatever separates there, no cell is a formula, and by the documented rule the original is back. */
class CsvRowLawsTest {
    private static final long SEED = Long.parseLong(System.getProperty("veilgate.seed", "1"));
    private static final String[] BITS = {
        "=", "+", "-", "@", "'", "\"", ";", ",", "\t", "\r", "\n", " ", "5", "a", "\uff1d", "\u2212", "\u200b", "1.5",
        "\u2028"
    };
    /** Blanks, quotation marks and what is invisible, then what begins a formula. */
    private static final Pattern FORMULA =
            Pattern.compile("^[\\s\"\u200b\u2028]*[=+\\-@\uff1d\u2212].*", Pattern.DOTALL);

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.,]+|-");

    private final Random random = new Random(SEED);

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(7); n > 0; n--) {
            text.append(BITS[random.nextInt(BITS.length)]);
        }
        return text.toString();
    }

    /** A file as RFC 4180 has it, with other separators: a quotation mark opens only at the beginning of a cell. */
    private static List<String> cells(String file, IntPredicate separates) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        boolean isNew = true;
        for (int i = 0; i < file.length(); i++) {
            char c = file.charAt(i);
            if (isQuoted && c == '"' && i + 1 < file.length() && file.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"' && (isQuoted || isNew)) {
                isQuoted = !isQuoted;
                isNew = false;
            } else if (!isQuoted && (separates.test(c) || c == '\r' || c == '\n')) {
                cells.add(cell.toString());
                cell.setLength(0);
                isNew = true;
            } else {
                cell.append(c);
                isNew = false;
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    /** The rule of ExportFormat. */
    private static String original(String cell) {
        return cell.replaceAll("(?:(?<=[;\t\r\n\u000b\f\u0085\u2028\u2029])|^)'", "");
    }

    @Test
    void noReadingHasAFormulaAndTheOriginalIsBack() {
        for (int i = 0; i < 50_000; i++) {
            List<String> texts = List.of(text(), text(), text());
            String record =
                    "7," + String.join(",", texts.stream().map(CsvRow::cell).toList()) + "\r\n";
            List<IntPredicate> readings =
                    List.of(c -> c == ',', c -> c == ';', c -> c == '\t', c -> ",;\t".indexOf(c) >= 0);
            for (IntPredicate reading : readings) {
                assertThat(cells(record, reading))
                        .as("seed %d, of %s", SEED, texts)
                        .noneMatch(cell -> FORMULA.matcher(cell).matches()
                                && !NUMBER.matcher(cell).matches());
            }
            assertThat(cells(record, c -> c == ',').subList(1, 4).stream()
                            .map(CsvRowLawsTest::original)
                            .toList())
                    .as("seed %d", SEED)
                    .isEqualTo(texts);
        }
    }
}
