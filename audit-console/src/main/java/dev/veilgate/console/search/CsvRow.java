package dev.veilgate.console.search;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows as records of RFC 4180. */
final class CsvRow {
    /** Names of the columns, in their order: those of a row of the interface. */
    static final List<String> COLUMNS = List.of(
            "row",
            "kind",
            "envelope",
            "ordinal",
            "time",
            "timeSource",
            "sender",
            "proven",
            "sequence",
            "origin",
            "level",
            "text",
            "from",
            "to",
            "why",
            "missing",
            "signed",
            "signedBy",
            "altered");

    /** Signs with which a formula of a spreadsheet begins. Others that a spreadsheet may read as one of these are found by their compatibility form (NFKC). */
    private static final String FORMULA = "=+-@";

    /** Signs that look like + or - and have no compatibility form: hyphens and dashes, minus, heavy plus and minus. */
    private static final String ALIKE = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2795\u2796";

    /** Behind these, a reader that separates by semicolons or tabs, or ends lines here, begins a new cell. */
    private static final String BREAKS = ";\t\r\n\u000b\f\u0085\u2028\u2029";

    /** Letters without a shape: fillers of Hangul. */
    private static final String FILLERS = "\u115f\u1160\u3164\uffa0";

    /** A whole cell that a spreadsheet reads as a number or a time, or as the dash of who has no value. */
    private static final Pattern PLAIN =
            Pattern.compile("-|[+-]?[0-9]{1,18}(?:[.,:][0-9]{1,18}){0,3}(?:[eE][+-]?[0-9]{1,3})?");

    private CsvRow() {}

    static String head() {
        return record(COLUMNS.toArray());
    }

    static String of(Row row) {
        return record(
                row.row(),
                row.kind(),
                row.envelope(),
                row.ordinal(),
                row.time(),
                row.timeSource(),
                row.sender(),
                row.proven(),
                row.sequence(),
                row.origin(),
                row.level(),
                row.text(),
                row.from(),
                row.to(),
                row.why(),
                row.missing() == null ? null : String.join(" ", row.missing()),
                row.signed(),
                row.signedBy(),
                row.altered() == null ? null : String.join(" ", row.altered()));
    }

    private static String record(@Nullable Object... cells) {
        return Arrays.stream(cells).map(CsvRow::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    static String cell(@Nullable Object value) {
        String text = escaped(value == null ? "" : value.toString());
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || BREAKS.indexOf(c) >= 0);
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /**
     * The text with a ' before each piece of it that could be read as a formula; a piece begins at the beginning and behind each of {@link #BREAKS}. Pieces that begin with ' get one, too: so the
     * original is there again when each piece that begins with ' loses one. Readers that separate by anything else, such as blanks, are not guarded against.
     */
    private static String escaped(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 1);
        for (int i = 0; i < text.length(); i++) {
            boolean isBreak = BREAKS.indexOf(text.charAt(i)) >= 0;
            boolean isFirst = i == 0;
            boolean beginsPiece = isFirst || !isBreak && BREAKS.indexOf(text.charAt(i - 1)) >= 0;
            if (beginsPiece && (isBreak || isFormula(text, i))) {
                escaped.append('\'');
            }
            escaped.append(text.charAt(i));
        }
        return escaped.toString();
    }

    /** Whether a spreadsheet may read the text from this index on as a formula: after ignored characters it has a sign such as =, or it begins with an apostrophe. */
    private static boolean isFormula(String text, int from) {
        if (text.charAt(from) == '\'') {
            return true;
        }
        int at = from;
        while (at < text.length() && isLeftOut(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return at < text.length() && beginsFormula(text.codePointAt(at));
    }

    private static boolean isLeftOut(int c) {
        return c == '"'
                || FILLERS.indexOf(c) >= 0
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.NON_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.SURROGATE,
                            Character.UNASSIGNED -> true;
                    default -> false;
                };
    }

    private static boolean beginsFormula(int c) {
        if (c < 0x80) {
            return FORMULA.indexOf(c) >= 0;
        }
        String form = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
        return FORMULA.indexOf(form.charAt(0)) >= 0 || ALIKE.indexOf(form.charAt(0)) >= 0;
    }
}
