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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Content of a mail, known before it was written. Tells whether the mail is what a question means, as
 * docs/spec/keywords.md and the notes that come with a query promise it:
 * <ul>
 *   <li>Words are those of the text and the subject ("Words are those of the text and the subject; who wrote or gets a
 *       mail is found by from:, to: and cc:."), those of a subject in any order.
 *   <li>A person is found by a whole address, by its domain as a whole, or by words of a name or of what is before the
 *       at sign ("from:alice words of a name or of what is before the @").
 *   <li>A day is one in UTC, as the forms of logs have it; without a zone the mail's time is taken for UTC.
 *   <li>A file is found by its whole name or by its ending with a star.
 * </ul>
 *
 * @param mail as it is written
 * @param day  in UTC
 * @param read the first rules that promise to read the form of the date
 */
record MailFacts(
        String form,
        String mail,
        List<Address> people,
        String subject,
        String text,
        List<String> files,
        String day,
        int read) {
    /**
     * Who wrote or gets a mail.
     *
     * @param field from, to or cc
     */
    record Address(String field, String name, String address) {}

    MailFacts {
        people = List.copyOf(people);
        files = List.copyOf(files);
    }

    Verdict is(Meaning meaning, int rules) {
        return switch (meaning) {
            case And and -> Verdict.all(and.of(), each -> is(each, rules));
            case Or or -> Verdict.any(or.of(), each -> is(each, rules));
            case Not not -> is(not.of(), rules).not();
            case Word word -> Verdict.of(words(text + " " + subject).contains(PlainEvaluator.folded(word.word())));
            case Phrase phrase -> Verdict.of(words(text + " " + subject).containsAll(phrase.words()));
            case Copied copied ->
                Verdict.of(words(text + " " + subject).containsAll(PlainEvaluator.words(copied.text())));
            case Unspaced unspaced -> Verdict.of(hasPairs(unspaced.text()));
            case Person person ->
                Verdict.of(people.stream()
                        .filter(each -> each.field().equals(person.field()))
                        .anyMatch(each -> is(each, PlainEvaluator.folded(person.value()))));
            case Subject of -> Verdict.of(words(subject).containsAll(of.words()));
            case Attached file ->
                Verdict.of(files.stream()
                        .anyMatch(each -> file.name().startsWith("*")
                                ? each.endsWith(file.name().substring(1))
                                : each.equals(file.name())));
            case AnyAttached _ -> Verdict.of(!files.isEmpty());
            case Day of -> read > rules ? Verdict.OPEN : Verdict.of(day.startsWith(of.day()));
            case Span span -> Verdict.of(span.begins() == day.compareTo(span.day()) >= 0);
            default -> throw new IllegalArgumentException("not asked of mails");
        };
    }

    private static boolean is(Address each, String value) {
        String address = PlainEvaluator.folded(each.address());
        if (value.contains("@")) {
            return value.startsWith("@") ? address.endsWith(value) : address.equals(value);
        }
        Set<String> words = words(each.name() + " " + address.substring(0, address.indexOf('@')));
        boolean isDomain = value.contains(".") && address.endsWith("@" + value);
        return isDomain || words.containsAll(words(value));
    }

    private boolean hasPairs(String wanted) {
        boolean all = true;
        for (int i = 0; i + 1 < wanted.length(); i++) {
            all &= (subject + " " + text).contains(wanted.substring(i, i + 2));
        }
        return all;
    }

    private static Set<String> words(String text) {
        return new HashSet<>(Arrays.asList(PlainEvaluator.folded(text).split("[^\\p{L}\\p{M}\\p{N}]+")));
    }
}
