package dev.veilgate.benchmarks;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown text whose figures are taken from stored results, so that it cannot say another number than the file it links to. In a template
 *
 * <ul>
 *   <li>{@code {{RUN}}} is the folder of a run that {@code runs.properties} names,
 *   <li>{@code {{RUN/FILE FILTER... VALUE FORMAT}}} is a {@link StoredFigure},
 *   <li>{@code {{rows RUN/FILE FILTER... : TEXT}}} is TEXT once for each row, in the order of the file, with {@code {VALUE FORMAT}} in it,
 *   <li>{@code {{text RUN/FILE}}} is the whole file,
 *   <li>{@code {{unstored TEXT}}} is TEXT: a number that no stored file has.
 * </ul>
 *
 * In tables every number must come from one of these, see {@link #bareNumbers}.
 */
final class FigurePage {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(.*?)}}(?!})");
    private static final Pattern ROWS = Pattern.compile("rows (.*?) : (.*)");
    private static final Pattern IN_ROW = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern NOT_MEASURED = Pattern.compile("(?i)(?!.*(here|measured))(goal|paper|what).*");

    private final Path stored;
    private final Properties runs = new Properties();
    private final Map<String, List<Map<String, String>>> files = new HashMap<>();

    /** @param stored the folder of all runs, with {@code runs.properties} */
    FigurePage(Path stored) throws IOException {
        this.stored = stored;
        try (Reader reader = Files.newBufferedReader(stored.resolve("runs.properties"))) {
            runs.load(reader);
        }
    }

    /**
     * Fills a template in.
     *
     * @throws IllegalArgumentException naming template, line and placeholder, if one asks for what is not stored or is not understood
     */
    String of(Path template) throws IOException {
        StringBuilder page = new StringBuilder();
        int number = 0;
        for (String line : Files.readAllLines(template)) {
            number++;
            String where = template.getFileName() + ", line " + number + ": ";
            String filled = PLACEHOLDER.matcher(line).replaceAll(found -> {
                try {
                    return Matcher.quoteReplacement(filled(found.group(1)));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(where + found.group() + ": " + e.getMessage(), e);
                }
            });
            if (filled.contains("{{") || filled.contains("}}")) {
                throw new IllegalArgumentException(where + "a placeholder that does not end or begin: " + filled);
            }
            page.append(filled).append('\n');
        }
        return page.toString();
    }

    /**
     * Replaces what stands in a page between the lines {@code <!-- made from TEMPLATE -->} and {@code <!-- end of TEMPLATE -->}.
     *
     * @param page text of the page
     */
    String section(String page, Path template) throws IOException {
        String begin = "<!-- made from " + template.getFileName() + " -->\n";
        String end = "<!-- end of " + template.getFileName() + " -->\n";
        int from = page.indexOf(begin);
        int to = page.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no section between " + begin.strip() + " and " + end.strip());
        }
        return page.substring(0, from) + begin + "\n" + of(template) + "\n" + page.substring(to);
    }

    private String filled(String placeholder) {
        if (placeholder.startsWith("unstored ")) {
            return placeholder.substring("unstored ".length());
        }
        if (placeholder.startsWith("text ")) {
            return text(placeholder.substring("text ".length()));
        }
        Matcher rows = ROWS.matcher(placeholder);
        if (rows.matches()) {
            return String.join(
                    "\n",
                    StoredFigure.rows(rows.group(1), this::rows).stream()
                            .map(row -> IN_ROW.matcher(rows.group(2))
                                    .replaceAll(
                                            found -> Matcher.quoteReplacement(StoredFigure.ofRow(found.group(1), row))))
                            .toList());
        }
        return placeholder.matches("\\w+") ? folder(placeholder) : StoredFigure.of(placeholder, this::rows);
    }

    private String folder(String run) {
        String folder = runs.getProperty(run);
        if (folder == null || !Files.isDirectory(stored.resolve(folder))) {
            throw new IllegalArgumentException("runs.properties names no stored folder of the run " + run);
        }
        return folder;
    }

    private List<Map<String, String>> rows(String file) {
        return files.computeIfAbsent(file, name -> {
            try {
                return StoredRows.read(path(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String text(String file) {
        try {
            return Files.readString(path(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path path(String file) {
        int slash = file.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("not RUN/FILE: " + file);
        }
        Path path = stored.resolve(folder(file.substring(0, slash))).resolve(file.substring(slash + 1));
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(path + " is not stored");
        }
        return path;
    }

    /**
     * Numbers in the tables of a template that come from no placeholder: cells with a digit outside of all placeholders, but for a table's first column,
     * which says what was done, and columns whose title begins with "goal", "paper" or "what" and has no "here" or "measured". What this does not see: numbers
     * in those columns, in titles, in words ("half") and in prose; a placeholder that asks for another row than its cell speaks of; a unit or "missed" beside it that is wrong.
     *
     * @return line and cell of each
     */
    static List<String> bareNumbers(List<String> template) {
        List<String> bare = new ArrayList<>();
        List<String> titles = List.of();
        for (int i = 0; i < template.size(); i++) {
            List<String> cells = cells(template.get(i));
            if (cells.isEmpty()) {
                titles = List.of();
            } else if (titles.isEmpty()) {
                titles = cells;
            } else {
                for (int column = 1; column < cells.size(); column++) {
                    String title = column < titles.size() ? titles.get(column) : "";
                    if (cells.get(column).matches(".*\\d.*")
                            && !NOT_MEASURED.matcher(title).matches()) {
                        bare.add("line " + (i + 1) + ", " + title + ": " + cells.get(column));
                    }
                }
            }
        }
        return bare;
    }

    /** Cells of a table's line without placeholders; none if it is not one. */
    private static List<String> cells(String line) {
        String text = PLACEHOLDER
                .matcher(line)
                .replaceAll(found -> {
                    Matcher rows = ROWS.matcher(found.group(1));
                    return rows.matches()
                            ? Matcher.quoteReplacement(
                                    IN_ROW.matcher(rows.group(2)).replaceAll(""))
                            : "";
                })
                .strip();
        if (!text.startsWith("|")) {
            return List.of();
        }
        List<String> cells = new ArrayList<>(List.of(text.substring(1).split("(?<!\\\\)\\|")));
        cells.replaceAll(String::strip);
        return cells;
    }
}
