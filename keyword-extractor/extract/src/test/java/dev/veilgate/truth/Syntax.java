package dev.veilgate.truth;

import dev.veilgate.truth.Meaning.And;
import dev.veilgate.truth.Meaning.Has;
import dev.veilgate.truth.Meaning.Not;
import dev.veilgate.truth.Meaning.Or;
import dev.veilgate.truth.Meaning.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Writes a question as somebody would who knows one product. What a product cannot say is not written. Parentheses are
 * written where the product needs them; where it binds OR tighter than AND, sometimes none.
 */
abstract class Syntax {
    /** A question that this product has no words for. */
    static final class Unsayable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsayable() {
            super(null, null, false, false);
        }
    }

    final Random random;
    final String product;

    Syntax(String product, Random random) {
        this.product = product;
        this.random = random;
    }

    /** All products whose queries are asked of logs. */
    static List<Syntax> ofLogs(Random random) {
        return List.of(
                new LogSyntaxes.Own(random),
                new LogSyntaxes.Kibana(random),
                new LogSyntaxes.Lucene(random),
                new LogSyntaxes.Graylog(random),
                new LogSyntaxes.Splunk(random),
                new LogSyntaxes.Loki(random));
    }

    /** All products whose queries are asked of mails. */
    static List<Syntax> ofMails(Random random) {
        return List.of(new MailSyntaxes.Own(random), new MailSyntaxes.Gmail(random), new MailSyntaxes.Outlook(random));
    }

    final Optional<String> write(Meaning meaning) {
        try {
            return Optional.of(whole(meaning));
        } catch (Unsayable e) {
            return Optional.empty();
        }
    }

    /** A whole query. */
    String whole(Meaning meaning) {
        return text(meaning, 0);
    }

    /** @param outer how tight what is around binds: 0 nothing, 1 OR, 2 AND, 3 NOT */
    String text(Meaning meaning, int outer) {
        return switch (meaning) {
            case And and -> bracketed(outer > 2 || outer == 1 && random.nextBoolean(), and(and));
            case Or or -> {
                String group = group(or);
                yield group != null ? group : bracketed(outer > 1, or(or));
            }
            case Not not -> not(not);
            default -> atom(meaning);
        };
    }

    static String bracketed(boolean is, String text) {
        return is ? "(" + text + ")" : text;
    }

    String and(And and) {
        String join = " " + any("AND", "AND", "") + " ";
        return and.of().stream().map(each -> text(each, 2)).collect(Collectors.joining(join.replace("  ", " ")));
    }

    String or(Or or) {
        return or.of().stream().map(each -> text(each, 1)).collect(Collectors.joining(" OR "));
    }

    String not(Not not) {
        return "NOT " + text(not.of(), 3);
    }

    abstract String atom(Meaning meaning);

    /** Several values of one field behind its name, or null. */
    String group(Or or) {
        return null;
    }

    final String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    /** The common name of the field of all members, or null. */
    static String nameOfAll(Or or) {
        List<String> names = or.of().stream()
                .map(each -> each instanceof Has has ? has.name() : "")
                .distinct()
                .toList();
        return names.size() == 1 && !names.getFirst().isEmpty() ? names.getFirst() : null;
    }

    static List<String> values(Or or) {
        return or.of().stream().map(each -> ((Has) each).value()).toList();
    }

    /** As it is, or in quotes. */
    final String value(String value, boolean mustQuote) {
        boolean isPlain = value.matches("[\\p{L}\\p{N}_.-]+");
        return !isPlain && mustQuote || value.contains(" ") || random.nextInt(3) == 0 ? quoted(value) : value;
    }

    static String quoted(String text) {
        return '"' + text + '"';
    }

    static String phrase(List<String> words) {
        return quoted(String.join(" ", words));
    }

    /** A word in small, capital or mixed letters. */
    final String word(Word word) {
        String text = word.word();
        return random.nextInt(5) == 0
                ? text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1)
                : text;
    }

    final List<Meaning> positive(And and) {
        return and.of().stream().filter(each -> !(each instanceof Not)).toList();
    }

    final List<Meaning> negative(And and) {
        List<Meaning> negative = new ArrayList<>();
        and.of().forEach(each -> {
            if (each instanceof Not not) {
                negative.add(not.of());
            }
        });
        return negative;
    }
}
