package dev.veilgate.extract.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Tables of what is found in lines of the forms that rules 2 read, one for each form, in {@code forms.tsv}. */
final class FormTable {
    /**
     * A line and what is true of it.
     *
     * @param wanted   keywords that it has, as {@code field:value}
     * @param unwanted keywords that it has not
     * @param dated    when it was written; empty if the table does not say
     * @param message  its text; empty if the table does not say
     */
    record Line(String written, List<String> wanted, List<String> unwanted, String dated, String message) {
        byte[] bytes() {
            return unescaped(written).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The lines of a form. */
    record Form(String name, String about, List<Line> lines) {}

    private FormTable() {}

    static List<Form> forms() throws IOException {
        List<Form> forms = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(FormTable.class.getResourceAsStream("forms.tsv"))) {
            for (String row : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (row.startsWith("= ")) {
                    String[] head = row.substring(2).split("; ", 2);
                    forms.add(new Form(head[0], head[1], new ArrayList<>()));
                } else if (!row.startsWith("#") || row.indexOf('\t') >= 0) {
                    forms.getLast().lines().add(line(row));
                }
            }
        }
        return forms;
    }

    /** Lines whose keywords by some rules are known; they stay as they are, whatever becomes of the tables. */
    static List<byte[]> linesOfRules(int rules) throws IOException {
        String name = "rules" + rules + "-lines.txt";
        try (InputStream in = Objects.requireNonNull(FormTable.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> unescaped(line).getBytes(StandardCharsets.UTF_8))
                    .toList();
        }
    }

    private static Line line(String row) {
        int tab = row.lastIndexOf('\t');
        List<String> wanted = new ArrayList<>();
        List<String> unwanted = new ArrayList<>();
        String dated = "";
        String message = "";
        for (String fact : row.substring(tab + 1).split(" ")) {
            if (fact.startsWith("dated=")) {
                dated = fact.substring("dated=".length());
            } else if (fact.startsWith("message=")) {
                message = fact.substring("message=".length()).replace('_', ' ');
            } else if (fact.startsWith("!")) {
                unwanted.add(fact.substring(1));
            } else {
                wanted.add(fact);
            }
        }
        return new Line(row.substring(0, tab), wanted, unwanted, dated, message);
    }

    /** A keyword as the table writes it. */
    static String shown(String field, String value) {
        return field + ':' + value.replace(' ', '_');
    }

    private static String unescaped(String written) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char next = written.charAt(++i);
            switch (next) {
                case 'e' -> out.append('\u001b');
                case '0' -> out.append('\0');
                case 't' -> out.append('\t');
                case 'n' -> out.append('\n');
                case 'u' -> {
                    out.append((char) Integer.parseInt(written.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> out.append(next);
            }
        }
        return out.toString();
    }
}
