package dev.veilgate.truth;

import dev.veilgate.truth.Meaning.And;
import dev.veilgate.truth.Meaning.AnyAttached;
import dev.veilgate.truth.Meaning.Attached;
import dev.veilgate.truth.Meaning.Copied;
import dev.veilgate.truth.Meaning.Day;
import dev.veilgate.truth.Meaning.Not;
import dev.veilgate.truth.Meaning.Or;
import dev.veilgate.truth.Meaning.Person;
import dev.veilgate.truth.Meaning.Phrase;
import dev.veilgate.truth.Meaning.Span;
import dev.veilgate.truth.Meaning.Subject;
import dev.veilgate.truth.Meaning.Unspaced;
import dev.veilgate.truth.Meaning.Word;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** Queries of mails as mail programs write them. */
final class MailSyntaxes {
    private MailSyntaxes() {}

    private static String person(Syntax syntax, Person person, String sign) {
        boolean isDomain = person.value().startsWith("@");
        String value = (isDomain ? syntax.any("", "", "*") : "") + person.value();
        return person.field() + sign + (value.contains(" ") ? Syntax.quoted(value) : value);
    }

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
                case Copied copied -> copied.text();
                case Phrase phrase -> phrase(phrase.words());
                case Unspaced unspaced -> unspaced.text();
                case Person person -> person(this, person, ":");
                case Subject subject ->
                    "subject:" + (subject.words().size() == 1 ? subject.words().getFirst() : phrase(subject.words()));
                case Attached attached -> "filename:" + attached.name();
                case Day day -> "date:" + day.day();
                default -> throw new Unsayable();
            };
        }
    }

    /** Gmail: terms side by side are all meant, and OR binds tighter than that. */
    static final class Gmail extends Syntax {
        Gmail(Random random) {
            super("Gmail", random);
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
        String text(Meaning meaning, int outer) {
            boolean isBraced = meaning instanceof Or or
                    && or.of().stream().noneMatch(each -> each instanceof Or || each instanceof And)
                    && random.nextInt(4) == 0;
            return isBraced
                    ? ((Or) meaning).of().stream().map(each -> text(each, 2)).collect(Collectors.joining(" ", "{", "}"))
                    : super.text(meaning, outer);
        }

        @Override
        String group(Or or) {
            boolean isOfSubjects = or.of().stream()
                    .allMatch(each ->
                            each instanceof Subject subject && subject.words().size() == 1);
            if (isOfSubjects && random.nextBoolean()) {
                return or.of().stream()
                        .map(each -> ((Subject) each).words().getFirst())
                        .collect(Collectors.joining(" OR ", "subject:(", ")"));
            }
            List<String> fields = or.of().stream()
                    .map(each -> each instanceof Person person ? person.field() : "")
                    .distinct()
                    .toList();
            return fields.size() > 1 || fields.getFirst().isEmpty() || random.nextBoolean()
                    ? null
                    : fields.getFirst() + ":"
                            + or.of().stream()
                                    .map(each -> ((Person) each).value())
                                    .map(each -> each.contains(" ") ? quoted(each) : each)
                                    .collect(Collectors.joining(" OR ", "(", ")"));
        }

        @Override
        String not(Not not) {
            return "-" + text(not.of(), 3);
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> word(word);
                case Phrase phrase -> phrase(phrase.words());
                case Unspaced unspaced -> unspaced.text();
                case Person person -> person(this, person, ":");
                case Subject subject ->
                    "subject:"
                            + (subject.words().size() == 1
                                    ? subject.words().getFirst()
                                    : "(" + String.join(" ", subject.words()) + ")");
                case Attached attached ->
                    "filename:"
                            + (attached.name().startsWith("*.")
                                    ? attached.name().substring(2)
                                    : attached.name());
                case AnyAttached _ -> "has:attachment";
                case Span span ->
                    (span.begins() ? "after:" : "before:") + span.day().replace("-", any("/", "-"));
                default -> throw new Unsayable();
            };
        }
    }

    /** Outlook and its web form: operators in capitals. */
    static final class Outlook extends Syntax {
        Outlook(Random random) {
            super("Outlook", random);
        }

        @Override
        String atom(Meaning meaning) {
            return switch (meaning) {
                case Word word -> any("", "", "", "body:") + word(word);
                case Phrase phrase -> phrase(phrase.words());
                case Unspaced unspaced -> unspaced.text();
                case Person person -> person(this, person, any(":", ":", ": "));
                case Subject subject ->
                    "subject:"
                            + (subject.words().size() == 1
                                    ? subject.words().getFirst()
                                    : any(phrase(subject.words()), "(" + String.join(" ", subject.words()) + ")"));
                case Attached attached -> "attachment:" + attached.name();
                case AnyAttached _ -> any("hasattachments:yes", "hasattachment:true");
                case Day day
                when day.day().length() == 10 && random.nextInt(3) == 0 ->
                    "received:" + day.day().substring(5).replace('-', '/') + "/2026";
                case Day day ->
                    any("received:", "sent:") + any(day.day(), day.day().replace('-', '/'));
                case Span span -> "received" + (span.begins() ? ">=" : "<") + span.day();
                default -> throw new Unsayable();
            };
        }
    }
}
