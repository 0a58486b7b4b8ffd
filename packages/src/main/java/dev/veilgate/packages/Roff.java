package dev.veilgate.packages;

import java.util.List;
import java.util.Locale;

/** A page of the manual while it is written, in roff with the macros of man(7). */
final class Roff {
    private final StringBuilder page = new StringBuilder();

    /** Begins a page of section 1. */
    Roff(String name, String date, String source) {
        line(".\\\" Made from the program's own commands; do not edit.");
        line(".TH \"" + escape(name.toUpperCase(Locale.ROOT)) + "\" \"1\" \"" + escape(date) + "\" \"" + escape(source)
                + "\" \"Veilgate\"");
        line(".nh"); // neither hyphens in words nor space between them, which would spoil names of files and options
        line(".ad l");
    }

    void section(String heading) {
        line(".SH \"" + escape(heading) + "\"");
    }

    void subsection(String heading) {
        line(".SS \"" + escape(heading) + "\"");
    }

    /** Adds a paragraph of plain text. */
    void paragraph(String text) {
        line(".PP");
        text(text);
    }

    /** Adds a paragraph with marks of roff in it. */
    void marked(String text) {
        line(".PP");
        line(guarded(text));
    }

    /** Adds a term with marks of roff in it, and what it means in plain text. */
    void item(String term, String meaning) {
        line(".TP");
        line(guarded(term));
        text(meaning);
    }

    /** Adds lines that are shown as they are. */
    void verbatim(List<String> lines) {
        line(".PP");
        line(".RS 4");
        line(".nf");
        lines.forEach(this::text);
        line(".fi");
        line(".RE");
    }

    static String bold(String text) {
        return "\\fB" + escape(text) + "\\fR";
    }

    static String italic(String text) {
        return "\\fI" + escape(text) + "\\fR";
    }

    /** Escapes what roff would take for something else, or print as another character than was typed. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            escaped.append(
                    switch (c) {
                        case '\\' -> "\\e";
                        case '-' -> "\\-";
                        case '\'' -> "\\(aq";
                        case '`' -> "\\(ga";
                        case '^' -> "\\(ha";
                        case '~' -> "\\(ti";
                        case '"' -> "\\(dq";
                        default -> String.valueOf(c);
                    });
        }
        return escaped.toString();
    }

    private void text(String text) {
        line(guarded(escape(text)));
    }

    /** A line that begins with a dot would be a request. */
    private static String guarded(String line) {
        return line.startsWith(".") ? "\\&" + line : line;
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
