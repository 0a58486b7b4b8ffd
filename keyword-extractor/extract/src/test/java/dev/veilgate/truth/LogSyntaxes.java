package dev.veilgate.truth;

import dev.veilgate.truth.Meaning.And;
import dev.veilgate.truth.Meaning.Any;
import dev.veilgate.truth.Meaning.Beginning;
import dev.veilgate.truth.Meaning.Copied;
import dev.veilgate.truth.Meaning.Folder;
import dev.veilgate.truth.Meaning.Has;
import dev.veilgate.truth.Meaning.Net;
import dev.veilgate.truth.Meaning.Not;
import dev.veilgate.truth.Meaning.Or;
import dev.veilgate.truth.Meaning.Phrase;
import dev.veilgate.truth.Meaning.Range;
import dev.veilgate.truth.Meaning.Serious;
import dev.veilgate.truth.Meaning.Time;
import dev.veilgate.truth.Meaning.Unspaced;
import dev.veilgate.truth.Meaning.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Queries of logs as the languages of products write them. */
final class LogSyntaxes {
    private static final long ANY_LOW = Long.MIN_VALUE;
    private static final long ANY_HIGH = Long.MAX_VALUE;
    private static final Map<String, Integer> SYSLOG = Map.of("info", 6, "warn", 4, "error", 3);

    private LogSyntaxes() {}

    /** Words of docs/spec/keywords.md. */
    static final class Own extends Syntax {
        Own(Random random) {
            super("own", random);
        }

        /** Text of several words that was copied is the whole query: under NOT or OR it would be another one. */
        @Override
        String text(Meaning meaning, int outer) {
            if (outer > 0 && meaning instanceof Copied copied && copied.text().contains(" ")) {
                throw new Unsayable();
            }
            return super.text(meaning, outer);
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> word(word);
                case Phrase phrase -> phrase(phrase.words());
                case Unspaced unspaced -> random.nextBoolean() ? unspaced.text() : quoted(unspaced.text());
                case Has has -> has.name() + ":" + value(has.value(), false);
                case Net net
                when net.network().equals("10.0.0.0/24") && random.nextInt(4) == 0 ->
                    any("10.0.0.*", "ip:10.0.0.*", "10.0.0.");
                case Net net when net.name().equals("ip") -> any("ip:", "ip:", "") + net.network();
                case Net net -> net.name() + ":" + net.network();
                case Range range
                when range.from() != ANY_LOW && range.to() != ANY_HIGH ->
                    range.name() + ":" + range.from() + ".." + range.to();
                case Range range ->
                    range.to() == ANY_HIGH
                            ? range.name() + any(">=" + range.from(), ":>=" + range.from(), " >" + (range.from() - 1))
                            : range.name() + any("<=" + range.to(), ":<=" + range.to(), " <" + (range.to() + 1));
                case Copied copied -> copied.text();
                case Any any -> any.name() + ":*";
                case Time time -> any("time:", "time:", "@timestamp:", "") + time(time.text());
                case Folder folder ->
                    (folder.path().lastIndexOf('/') > 0 ? any("path:", "") : "path:")
                            + folder.path()
                            + any("", "", "/");
                case Serious serious -> "level>=" + serious.level();
                case Beginning begin -> (begin.name().isEmpty() ? "" : begin.name() + ":") + begin.text() + "*";
                default -> throw new Unsayable();
            };
        }

        /** A time, sometimes with a space before the clock, as most logs have it. */
        private String time(String text) {
            return text.length() == 16 && random.nextInt(4) == 0 ? text.replace('T', ' ') : text;
        }
    }

    /** KQL of Kibana. */
    static final class Kibana extends Syntax {
        Kibana(Random random) {
            super("Kibana", random);
        }

        @Override
        String and(And and) {
            boolean isOfWords = and.of().stream().allMatch(Word.class::isInstance);
            if (isOfWords && random.nextBoolean()) {
                return and.of().stream()
                        .map(each -> ((Word) each).word())
                        .collect(Collectors.joining(any(" and ", " AND "), "message:" + any("(", " ("), ")"));
            }
            String join = any(" and ", " AND ", " and ");
            return and.of().stream().map(each -> text(each, 2)).collect(Collectors.joining(join));
        }

        @Override
        String or(Or or) {
            String join = any(" or ", " OR ");
            return or.of().stream().map(each -> text(each, 1)).collect(Collectors.joining(join));
        }

        @Override
        String not(Not not) {
            return not.of() instanceof Has has && random.nextInt(6) == 0
                    ? has.name() + ": !" + value(has.value(), true)
                    : any("not ", "NOT ") + text(not.of(), 3);
        }

        private String colon() {
            return any(":", ": ", " : ", ": ");
        }

        @Override
        String group(Or or) {
            String name = nameOfAll(or);
            return name == null || random.nextInt(4) == 0
                    ? null
                    : name
                            + colon()
                            + values(or).stream()
                                    .map(each -> value(each, true))
                                    .collect(Collectors.joining(any(" or ", " OR "), "(", ")"));
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> random.nextInt(4) == 0 ? "message" + colon() + word(word) : word(word);
                case Phrase phrase ->
                    random.nextInt(3) == 0 ? "message" + colon() + phrase(phrase.words()) : phrase(phrase.words());
                case Unspaced unspaced -> unspaced.text();
                case Has has -> has.name() + colon() + value(has.value(), true);
                case Net net when !net.name().equals("ip") -> net.name() + colon() + quoted(net.network());
                case Range range
                when range.from() != ANY_LOW && range.to() != ANY_HIGH ->
                    "(" + range.name() + " >= " + range.from() + " and " + range.name() + " <= " + range.to() + ")";
                case Range range ->
                    range.to() == ANY_HIGH
                            ? range.name()
                                    + any(
                                            " >= " + range.from(),
                                            ">=" + range.from(),
                                            " > " + (range.from() - 1),
                                            " >" + (range.from() - 1))
                            : range.name() + any(" <= ", "<=") + range.to();
                case Time time
                when time.text().length() == 10 ->
                    "@timestamp" + any(": ", ":") + any(time.text(), quoted(time.text()));
                case Time time
                when time.text().length() == 16 ->
                    "@timestamp >= " + quoted(time.text() + ":00") + " and @timestamp <= "
                            + quoted(time.text() + ":59");
                case Any any -> any.name() + colon() + "*";
                case Folder folder -> "file.path" + colon() + folder.path() + "*";
                case Beginning begin ->
                    begin.name().isEmpty()
                            ? "message" + colon() + begin.text() + "*"
                            : begin.name() + colon() + begin.text() + "*";
                default -> throw new Unsayable();
            };
        }
    }

    /** The language of Lucene, as Kibana and Elasticsearch have it. */
    static class Lucene extends Syntax {
        Lucene(Random random) {
            this("Lucene", random);
        }

        Lucene(String product, Random random) {
            super(product, random);
        }

        @Override
        String whole(Meaning meaning) {
            boolean isSigned = meaning instanceof And and && !positive(and).isEmpty() && random.nextBoolean();
            if (!isSigned) {
                return super.whole(meaning);
            }
            List<String> parts = new ArrayList<>();
            ((And) meaning)
                    .of()
                    .forEach(
                            each -> parts.add(each instanceof Not not ? "-" + text(not.of(), 3) : "+" + text(each, 3)));
            return String.join(" ", parts);
        }

        @Override
        String and(And and) {
            boolean isOfWords = and.of().stream().allMatch(Word.class::isInstance);
            if (isOfWords && random.nextBoolean()) {
                return and.of().stream()
                        .map(each -> ((Word) each).word())
                        .collect(Collectors.joining(any(" AND ", " +"), "message:(" + any("", "+"), ")"))
                        .replaceFirst("\\(\\+(.*) AND ", "($1 AND ");
            }
            String join = any(" AND ", " AND ", " && ");
            return and.of().stream().map(each -> text(each, 2)).collect(Collectors.joining(join));
        }

        @Override
        String or(Or or) {
            String join = any(" OR ", " OR ", " || ");
            boolean isSpaced = nameOfAll(or) != null && random.nextInt(6) == 0;
            return or.of().stream().map(each -> text(each, 1)).collect(Collectors.joining(isSpaced ? " " : join));
        }

        @Override
        String not(Not not) {
            return not.of() instanceof Has has && has.value().matches("[\\p{L}\\p{N}_.]+") && random.nextInt(6) == 0
                    ? name(has.name()) + ":"
                            + any("(NOT " + has.value() + ")", "(-" + has.value() + ")", "!" + has.value())
                    : any("NOT ", "!", "-") + text(not.of(), 3);
        }

        @Override
        String group(Or or) {
            String name = nameOfAll(or);
            return name == null || random.nextInt(4) == 0
                    ? null
                    : name(name) + ":"
                            + values(or).stream()
                                    .map(each -> value(each, true))
                                    .collect(Collectors.joining(any(" OR ", " "), "(", ")"));
        }

        String name(String name) {
            return name;
        }

        String serious(Serious serious) {
            throw new Unsayable();
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> random.nextInt(4) == 0 ? "message:" + word(word) : word(word);
                case Phrase phrase ->
                    random.nextInt(3) == 0 ? "message:" + phrase(phrase.words()) : phrase(phrase.words());
                case Unspaced unspaced -> quoted(unspaced.text());
                case Has has -> {
                    String escaped = has.value().replaceAll("([-:/])", "\\\\$1");
                    boolean isPlain = has.value().matches("[\\p{L}\\p{N}_.-]+");
                    yield name(has.name()) + ":"
                            + (has.value().contains(" ") || !isPlain && random.nextBoolean()
                                    ? quoted(has.value())
                                    : isPlain && random.nextInt(3) > 0 ? has.value() : escaped);
                }
                case Any any -> any("_exists_:" + any.name(), name(any.name()) + ":*");
                case Net net
                when net.network().equals("10.0.0.0/24") && random.nextBoolean() ->
                    name(net.name()) + ":" + any("[10.0.0.0 TO 10.0.0.255]", "10.0.0.*");
                case Net net when !net.name().equals("ip") -> name(net.name()) + ":" + quoted(net.network());
                case Range range -> range(range);
                case Time time
                when time.text().length() == 10 ->
                    any("@timestamp:" + time.text(), "@timestamp:[" + time.text() + " TO " + time.text() + "]");
                case Folder folder -> "file.path:" + folder.path().replace("/", "\\/") + "*";
                case Serious serious -> serious(serious);
                case Beginning begin ->
                    (begin.name().isEmpty() ? any("", "message:") : name(begin.name()) + ":") + begin.text() + "*";
                default -> throw new Unsayable();
            };
        }

        private String range(Range range) {
            if (range.from() == ANY_LOW) {
                return range.name() + ":" + any("<=" + range.to(), "[* TO " + range.to() + "]", "<" + (range.to() + 1));
            }
            if (range.to() == ANY_HIGH) {
                return range.name() + ":"
                        + any(">=" + range.from(), "[" + range.from() + " TO *]", ">" + (range.from() - 1));
            }
            return range.name() + ":"
                    + any(
                            "[" + range.from() + " TO " + range.to() + "]",
                            "{" + (range.from() - 1) + " TO " + (range.to() + 1) + "}",
                            "(>=" + range.from() + " AND <=" + range.to() + ")");
        }
    }

    /** Graylog: Lucene's language, whose fields have no underscore before them, and whose source is the host. */
    static final class Graylog extends Lucene {
        Graylog(Random random) {
            super("Graylog", random);
        }

        @Override
        String name(String name) {
            return name.equals("host") && random.nextBoolean() ? "source" : name;
        }

        @Override
        String serious(Serious serious) {
            int severity = SYSLOG.get(serious.level());
            return "level:" + any("<=" + severity, "<" + (severity + 1), "[0 TO " + severity + "]");
        }
    }

    /** SPL of Splunk: terms side by side are all meant, and OR binds tighter than that. */
    static final class Splunk extends Syntax {
        Splunk(Random random) {
            super("Splunk", random);
        }

        @Override
        String whole(Meaning meaning) {
            String text = super.whole(meaning);
            return any("", "", "", "search ", "index=main ") + text + any("", "", "", " | head 10");
        }

        @Override
        String and(And and) {
            String join = any(" ", " ", " AND ");
            boolean isBare = random.nextInt(4) == 0;
            return and.of().stream()
                    .map(each -> isBare && each instanceof Or or ? or(or) : text(each, 2))
                    .collect(Collectors.joining(join));
        }

        @Override
        String not(Not not) {
            return not.of() instanceof Has has && random.nextInt(3) == 0
                    ? has.name() + "!=" + value(has.value(), false)
                    : "NOT " + text(not.of(), 3);
        }

        @Override
        String group(Or or) {
            String name = nameOfAll(or);
            return name == null || random.nextBoolean()
                    ? null
                    : name
                            + any(" IN ", " IN ", " in ")
                            + values(or).stream()
                                    .map(each -> value(each, false))
                                    .collect(Collectors.joining(any(", ", ","), "(", ")"));
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> word(word);
                case Phrase phrase -> phrase(phrase.words());
                case Unspaced unspaced -> quoted(unspaced.text());
                case Has has -> has.name() + any("=", "=", " = ") + value(has.value(), false);
                case Any any -> any.name() + "=*";
                case Net net
                when net.network().equals("10.0.0.0/24") && random.nextBoolean() ->
                    net.name().equals("ip") ? "10.0.0.*" : net.name() + "=10.0.0.*";
                case Net net when !net.name().equals("ip") -> net.name() + "=" + quoted(net.network());
                case Range range
                when range.from() != ANY_LOW && range.to() != ANY_HIGH ->
                    "(" + range.name() + ">=" + range.from() + " " + range.name() + "<=" + range.to() + ")";
                case Range range ->
                    range.to() == ANY_HIGH
                            ? range.name()
                                    + any(">=" + range.from(), ">" + (range.from() - 1), " >" + (range.from() - 1))
                            : range.name() + any("<=" + range.to(), "<" + (range.to() + 1));
                case Beginning begin -> (begin.name().isEmpty() ? "" : begin.name() + "=") + begin.text() + "*";
                default -> throw new Unsayable();
            };
        }
    }

    /** LogQL of Loki: labels in braces, then filters of the line. */
    static final class Loki extends Syntax {
        Loki(Random random) {
            super("LogQL", random);
        }

        @Override
        String whole(Meaning meaning) {
            List<Meaning> all = meaning instanceof And and ? and.of() : List.of(meaning);
            List<String> labels = new ArrayList<>();
            StringBuilder filters = new StringBuilder();
            for (Meaning each : all) {
                Meaning of = each instanceof Not not ? not.of() : each;
                boolean isNot = each instanceof Not;
                String tick = any("\"", "\"", "`");
                switch (of) {
                    case Has has
                    when has.name().matches("[a-z_]+") ->
                        labels.add(has.name() + (isNot ? "!=" : "=") + quoted(has.value()));
                    case Word word -> filters.append(isNot ? " != " : " |= ").append(tick + word.word() + tick);
                    case Phrase phrase ->
                        filters.append(isNot ? " != " : " |= ").append(tick + String.join(" ", phrase.words()) + tick);
                    case Or or
                    when nameOfAll(or) != null && nameOfAll(or).matches("[a-z_]+") ->
                        labels.add(nameOfAll(or) + (isNot ? "!~" : "=~") + quoted(String.join("|", values(or))));
                    case Or or
                    when or.of().stream().allMatch(Word.class::isInstance) ->
                        filters.append(isNot ? " !~ " : " |~ ")
                                .append(quoted(or.of().stream()
                                        .map(one -> ((Word) one).word())
                                        .collect(Collectors.joining("|"))));
                    default -> throw new Unsayable();
                }
            }
            if (labels.isEmpty()) {
                throw new Unsayable();
            }
            String last = labels.getLast();
            if (labels.size() > 1 && random.nextInt(3) == 0) {
                labels.removeLast();
                filters.append(any(" | json | ", " | logfmt | ", " | ")).append(last);
            }
            return "{" + String.join(any(", ", ","), labels) + "}" + filters;
        }

        @Override
        String atom(Meaning meaning) {
            throw new Unsayable();
        }
    }
}
