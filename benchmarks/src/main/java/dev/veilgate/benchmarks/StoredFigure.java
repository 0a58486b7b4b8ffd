package dev.veilgate.benchmarks;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A figure of stored results, as a text asks for it:
 *
 * <pre>
 *   FIGURE = CELL [OPERATOR CELL]... FORMAT          OPERATOR: +, - or over (divided by), from left to right
 *   CELL   = FILE FILTER... VALUE        one row must pass the filters
 *   FILTER = COLUMN=CELL[,CELL...]       each of the cells must be in some row
 *   VALUE  = COLUMN | min(COLUMN) | max(COLUMN)     the last two over all rows that pass
 *   FORMAT = STEP... DIGITS [GOAL] | text           text: the cell as it is stored
 *   STEP   = *NUMBER | /NUMBER | NUMBER/ the last one: NUMBER divided by the figure
 *   DIGITS = sigN | decN                 N significant digits, N decimals; halves are rounded up, thousands have commas
 *   GOAL   = <=NUMBER | >=NUMBER         in the unit that is written; a figure that misses it is written in bold
 * </pre>
 *
 * Words with spaces are quoted: {@code work="start median"}.
 */
final class StoredFigure {
    /** Where rows come from: the stored folder, or a single row that is given. */
    interface Source {
        /** All rows of a file. */
        List<Map<String, String>> rows(String file);
    }

    private static final Pattern WORD = Pattern.compile("(?:[^\\s\"]|\"[^\"]*\")+");
    private static final Pattern OVER_ALL = Pattern.compile("(min|max)\\((.*)\\)");

    private static final Set<String> OPERATORS = Set.of("+", "-", "over");

    private final Deque<String> words;
    private final Source source;

    private StoredFigure(String text, Source source) {
        this.words = words(text);
        this.source = source;
    }

    /**
     * Looks the figure up and writes it.
     *
     * @throws IllegalArgumentException saying what is wrong: a row that is not there, or two, no such column, no number, no format
     */
    static String of(String text, Source source) {
        return new StoredFigure(text, source).written();
    }

    /** The same for one row that is given: {@code VALUE FORMAT}. */
    static String ofRow(String text, Map<String, String> row) {
        return of("row " + text, file -> List.of(row));
    }

    /** The rows of {@code FILE FILTER...}, at least one. */
    static List<Map<String, String>> rows(String text, Source source) {
        StoredFigure figure = new StoredFigure(text, source);
        List<Map<String, String>> rows = figure.filtered();
        if (!figure.words.isEmpty()) {
            throw new IllegalArgumentException("unexpected: " + figure.words);
        }
        return rows;
    }

    private static Deque<String> words(String text) {
        return WORD.matcher(text)
                .results()
                .map(word -> word.group().replace("\"", ""))
                .collect(Collectors.toCollection(ArrayDeque::new));
    }

    private String next(String what) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException(what + " is missing");
        }
        return words.pop();
    }

    private String written() {
        String cell = cell();
        if ("text".equals(words.peek()) && words.size() == 1) {
            return cell;
        }
        BigDecimal value = number(cell);
        while (!words.isEmpty() && OPERATORS.contains(words.peek())) {
            String operator = words.pop();
            BigDecimal other = number(cell());
            value = switch (operator) {
                case "+" -> value.add(other);
                case "-" -> value.subtract(other);
                default -> value.divide(other, MathContext.DECIMAL64);
            };
        }
        while (words.size() > 1 && !isGoal(words.peekLast()) || words.size() > 2) {
            value = step(value, words.pop());
        }
        String text = rounded(value, next("sigN, decN or text"));
        return words.isEmpty() || reaches(value, words.pop()) ? text : "**" + text + "**";
    }

    private static boolean isGoal(String word) {
        return word.startsWith("<=") || word.startsWith(">=");
    }

    private static boolean reaches(BigDecimal value, String goal) {
        int compared = value.compareTo(number(goal.substring(2)));
        return goal.startsWith("<=") ? compared <= 0 : compared >= 0;
    }

    private String cell() {
        List<Map<String, String>> rows = filtered();
        String value = next("a column");
        Matcher overAll = OVER_ALL.matcher(value);
        if (overAll.matches()) {
            List<BigDecimal> numbers = rows.stream()
                    .map(row -> number(column(row, overAll.group(2))))
                    .sorted()
                    .toList();
            return (overAll.group(1).equals("min") ? numbers.getFirst() : numbers.getLast()).toString();
        }
        if (rows.size() > 1) {
            throw new IllegalArgumentException(rows.size() + " rows pass the filters, not one");
        }
        return column(rows.getFirst(), value);
    }

    private List<Map<String, String>> filtered() {
        String file = next("a file");
        List<Map<String, String>> rows = source.rows(file);
        while (!words.isEmpty() && words.peek().contains("=")) {
            String[] filter = words.pop().split("=", 2);
            Set<String> wanted = Set.of(filter[1].split(",", -1));
            List<Map<String, String>> all = rows;
            for (String cell : wanted) {
                if (all.stream().noneMatch(row -> column(row, filter[0]).equals(cell))) {
                    throw new IllegalArgumentException("no row of " + file + " has " + filter[0] + "=" + cell
                            + " beside what the filters before it ask for");
                }
            }
            rows = all.stream()
                    .filter(row -> wanted.contains(column(row, filter[0])))
                    .toList();
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(file + " has no rows");
        }
        return rows;
    }

    /** The cell. Rows of JMH have the parameters of their own benchmark only: a filter of these comes after one of the benchmark. */
    private static String column(Map<String, String> row, String column) {
        String cell = row.get(column);
        if (cell == null) {
            throw new IllegalArgumentException("no column " + column + " but " + row.keySet());
        }
        return cell;
    }

    private static BigDecimal number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no number: '" + text + "'", e);
        }
    }

    private static BigDecimal step(BigDecimal value, String step) {
        if (step.startsWith("*")) {
            return value.multiply(number(step.substring(1)));
        }
        if (step.startsWith("/")) {
            return value.divide(number(step.substring(1)), MathContext.DECIMAL64);
        }
        if (step.endsWith("/")) {
            return number(step.substring(0, step.length() - 1)).divide(value, MathContext.DECIMAL64);
        }
        throw new IllegalArgumentException("not *NUMBER, /NUMBER or NUMBER/: " + step);
    }

    private static String rounded(BigDecimal value, String digits) {
        if (!digits.matches("(sig[1-9]|dec[0-9])")) {
            throw new IllegalArgumentException("not sigN, decN or text: " + digits);
        }
        int count = digits.charAt(3) - '0';
        int decimals = count;
        BigDecimal kept = value;
        if (digits.startsWith("sig")) {
            kept = value.round(new MathContext(count, RoundingMode.HALF_UP));
            decimals = Math.max(0, count - kept.precision() + kept.scale());
        }
        DecimalFormat format = new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT));
        format.setRoundingMode(RoundingMode.HALF_UP);
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        return format.format(kept);
    }
}
