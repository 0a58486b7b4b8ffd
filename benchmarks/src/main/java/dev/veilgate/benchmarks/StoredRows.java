package dev.veilgate.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of stored results, each a map from column to cell: a CSV file whose first line names the columns, or JMH's JSON. */
final class StoredRows {
    private static final Map<String, String> METRIC_COLUMNS =
            Map.of("score", "score", "scoreError", "error", "scoreUnit", "unit", "0.0", "lowest", "100.0", "highest");

    private StoredRows() {}

    /**
     * Reads a file of results. JMH's JSON has the columns {@code benchmark} (Class.method), one of each parameter's name, {@code score}, {@code error}
     * (half of the interval of 99.9 percent), {@code unit}, and {@code lowest} and {@code highest} of the measured iterations.
     *
     * @param file ends in .csv or .json
     * @throws IllegalArgumentException if a line of a CSV file has more or fewer cells than the first, or the name has another ending
     */
    static List<Map<String, String>> read(Path file) throws IOException {
        String name = file.toString();
        if (name.endsWith(".csv")) {
            return csv(name, Files.readAllLines(file));
        }
        if (name.endsWith(".json")) {
            return jmh(Files.readString(file));
        }
        throw new IllegalArgumentException(file + " is neither .csv nor .json");
    }

    private static List<Map<String, String>> csv(String name, List<String> lines) {
        String[] columns = lines.getFirst().split(",", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells.length != columns.length || line.contains("\"")) {
                throw new IllegalArgumentException(
                        name + ": not " + columns.length + " cells without quotation marks: " + line);
            }
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < cells.length; i++) {
                row.put(columns[i], cells[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    /** Reads JMH's JSON; see {@link #read}. */
    static List<Map<String, String>> jmh(String json) throws IOException {
        List<Map<String, String>> rows = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                rows.add(result(parser));
            }
        }
        return rows;
    }

    private static Map<String, String> result(JsonParser parser) throws IOException {
        Map<String, String> row = new HashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "benchmark" -> {
                    String[] path = parser.getText().split("\\.");
                    row.put(name, path[path.length - 2] + "." + path[path.length - 1]);
                }
                case "params" -> row.putAll(texts(parser));
                case "primaryMetric" ->
                    row.putAll(texts(parser).entrySet().stream()
                            .filter(entry -> METRIC_COLUMNS.containsKey(entry.getKey()))
                            .collect(Collectors.toMap(
                                    entry -> METRIC_COLUMNS.getOrDefault(entry.getKey(), ""), Map.Entry::getValue)));
                default -> parser.skipChildren();
            }
        }
        return row;
    }

    /** Names and values of an object, those of the objects in it too; arrays are passed over. */
    private static Map<String, String> texts(JsonParser parser) throws IOException {
        Map<String, String> texts = new HashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (parser.nextToken()) {
                case START_OBJECT -> texts.putAll(texts(parser));
                case START_ARRAY -> parser.skipChildren();
                default -> texts.put(name, parser.getText());
            }
        }
        return texts;
    }
}
