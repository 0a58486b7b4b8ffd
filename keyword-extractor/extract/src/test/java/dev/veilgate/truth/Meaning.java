package dev.veilgate.truth;

import java.util.List;
import java.util.stream.Stream;

/** A question as it is meant, before it is written in the syntax of a product. */
sealed interface Meaning {
    /** A word of the text, or of a mail's text or subject. */
    record Word(String word) implements Meaning {}

    /** Words of the text that stand side by side. */
    record Phrase(List<String> words) implements Meaning {
        public Phrase {
            words = List.copyOf(words);
        }
    }

    /** A text of a script without spaces. */
    record Unspaced(String text) implements Meaning {}

    /** A piece of a message with its signs, as somebody copies it into a query without quotes. */
    record Copied(String text) implements Meaning {}

    /** A field's value, by the record's own name of the field, or by level, host, app, pid, user or ip. */
    record Has(String name, String value) implements Meaning {}

    /** An address in a network, {@code 10.0.0.0/24}, by a field's name or by ip. */
    record Net(String name, String network) implements Meaning {}

    /**
     * A number of a field.
     *
     * @param from {@link Long#MIN_VALUE} for any
     * @param to   inclusive, {@link Long#MAX_VALUE} for any
     */
    record Range(String name, long from, long to) implements Meaning {}

    /** Levels that are as serious as some level or more. */
    record Serious(String level) implements Meaning {}

    /** A time by its beginning: {@code 2026-11-21T12}. */
    record Time(String text) implements Meaning {}

    /** Any value of a field. */
    record Any(String name) implements Meaning {}

    /** A folder, or a file, that a path of the text lies in or is. */
    record Folder(String path) implements Meaning {}

    /** A value of a field by its beginning, or a word by its beginning where the name is empty. */
    record Beginning(String name, String text) implements Meaning {}

    /** From, to or cc of a mail: an address, a domain with or without @, words of a name. */
    record Person(String field, String value) implements Meaning {}

    /** Words of a subject. */
    record Subject(List<String> words) implements Meaning {
        public Subject {
            words = List.copyOf(words);
        }
    }

    /** A mail's attachment by its name or, beginning with {@code *.}, by its ending. */
    record Attached(String name) implements Meaning {}

    /** Whether a mail has an attachment. */
    record AnyAttached() implements Meaning {}

    /** A day of a mail. */
    record Day(String day) implements Meaning {}

    /** A span of time of mails, which begins with a day or ends before it. */
    record Span(String day, boolean begins) implements Meaning {}

    record And(List<Meaning> of) implements Meaning {
        public And {
            of = List.copyOf(of);
        }
    }

    record Or(List<Meaning> of) implements Meaning {
        public Or {
            of = List.copyOf(of);
        }
    }

    record Not(Meaning of) implements Meaning {}

    /** This and all that it consists of. */
    default Stream<Meaning> all() {
        return switch (this) {
            case And and -> Stream.concat(Stream.of(this), and.of().stream().flatMap(Meaning::all));
            case Or or -> Stream.concat(Stream.of(this), or.of().stream().flatMap(Meaning::all));
            case Not not -> Stream.concat(Stream.of(this), not.of().all());
            default -> Stream.of(this);
        };
    }
}
