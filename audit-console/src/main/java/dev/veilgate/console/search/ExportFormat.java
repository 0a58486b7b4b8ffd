package dev.veilgate.console.search;

import dev.veilgate.console.http.ProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What the hits of an export are written as. */
enum ExportFormat {
    JSONL(
            "jsonl",
            "hits.jsonl",
            List.of("One row a line, as the console's interface has it (JSON, UTF-8), in the order of the result.")),
    CSV(
            "csv",
            "hits.csv",
            List.of(
                    "RFC 4180 in UTF-8: a line of names, then one row a record, in the order of the result; several missing attributes are separated by blanks.",
                    "So that no spreadsheet takes a cell, or what it splits off one, for a formula, there is a ' before each piece of a cell that begins with = + - @, with signs that look or count like them, or"
                            + " with '; blanks, quotation marks and what is invisible before them do not count. A piece begins at the beginning of a cell and behind each semicolon, tab and line break"
                            + " (LF, CR, VT, FF, U+0085, U+2028, U+2029). A cell that begins with one of these has a ', too. Numbers and times that are a whole cell, and a - alone, have none.",
                    "To read it back, parse the records, then take one ' from the beginning of each piece that has one.")),
    MBOX(
            "mbox",
            "mail.mbox",
            List.of(
                    "mboxrd: the lines of a message end with LF where they ended with CR LF, and those of From behind any number of > have one more >. The From line has the id of the mail's envelope and the time of"
                            + " its row.",
                    "Rows that are no mail here, or could not be opened, are in left-out.jsonl with the reason, if there are any."));

    private final String name;
    private final String file;
    private final List<String> rules;

    ExportFormat(String name, String file, List<String> rules) {
        this.name = name;
        this.file = file;
        this.rules = rules;
    }

    /** As the interface has it. */
    String label() {
        return name;
    }

    /** Name of the file with the hits. */
    String file() {
        return file;
    }

    /** How to read the file. */
    List<String> rules() {
        return rules;
    }

    /** @throws ProblemException 400 */
    static ExportFormat of(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name.equals(name))
                .findFirst()
                .orElseThrow(() -> ProblemException.malformed("format must be "
                        + Arrays.stream(values()).map(ExportFormat::label).collect(Collectors.joining(", "))));
    }
}
