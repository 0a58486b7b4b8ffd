package dev.veilgate.archive.source;

import dev.veilgate.extract.mail.MailSummary;
import dev.veilgate.secret.Secret;
import java.util.List;
import java.util.function.Predicate;

/** A document as it stands where it was added, to be shown in a list. */
@Secret
public sealed interface Original {
    /** A line of a log. */
    record Line(String text) implements Original {
        @Override
        public String toString() {
            return "Line[hidden]";
        }
    }

    /** A mail, of which its header is shown. */
    record Mail(MailSummary summary) implements Original {
        @Override
        public String toString() {
            return "Mail[hidden]";
        }
    }

    /**
     * A row of a table.
     *
     * @param names of the columns
     * @param cells as many
     */
    record Row(List<String> names, List<String> cells) implements Original {
        /** Copies. */
        public Row {
            names = List.copyOf(names);
            cells = List.copyOf(cells);
        }

        /** Names and cells on one line; empty cells are left out. */
        public String text() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                if (!cells.get(i).isBlank()) {
                    text.append(text.isEmpty() ? "" : "; ")
                            .append(names.get(i))
                            .append(": ")
                            .append(cells.get(i));
                }
            }
            return text.toString();
        }

        @Override
        public String toString() {
            return "Row[hidden]";
        }
    }

    /** A text. */
    record Text(String text) implements Original {
        /**
         * A line of a text.
         *
         * @param number from 1 on
         */
        public record Numbered(long number, String line) {
            @Override
            public String toString() {
                return "Numbered[" + number + "]";
            }
        }

        /** The first line that is wanted, else the first that is not empty; an empty one if there is none. */
        public Numbered first(Predicate<String> wanted) {
            Numbered first = new Numbered(1, "");
            long number = 0;
            for (String line : (Iterable<String>) text.lines()::iterator) {
                number++;
                if (wanted.test(line)) {
                    return new Numbered(number, line);
                }
                if (first.line.isEmpty() && !line.isBlank()) {
                    first = new Numbered(number, line);
                }
            }
            return first;
        }

        @Override
        public String toString() {
            return "Text[hidden]";
        }
    }
}
