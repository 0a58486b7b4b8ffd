package dev.veilgate.truth;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answer of this product to the text of a query: what it searches, or why it refuses.
 *
 * @param query       null if it is refused
 * @param isWarned    whether something is said to be perhaps a mistake
 * @param suggestions what is offered, of a refusal or of warnings; not what is said to find more
 */
record Answer(KeywordQuery query, boolean isWarned, List<String> suggestions) {
    private static final ExtractorProfile FIRST = ExtractorProfile.defaults()
            .withNumericFields(new DyadicIntervals("bytes", 0, 12), new DyadicIntervals("temp", -64, 8));
    /** Ends of warnings whose suggestions find more than was asked for, as the warnings say. */
    private static final List<String> MORE =
            List.of("by whatever name a record has it", "in quotes this is text", "as GELF writes it");

    private static final ExtractorProfile LATER = FIRST.upgraded();

    /** The profile of some rules. */
    static ExtractorProfile profile(int rules) {
        return rules == 1 ? FIRST : LATER;
    }

    /** @param seen names of fields that are known */
    static Answer ofLogs(String text, int rules, Set<String> seen) {
        try {
            return of(KeywordQuery.read(text, profile(rules), seen));
        } catch (MalformedQueryException e) {
            return new Answer(null, false, e.suggestions());
        }
    }

    static Answer ofMails(String text, int rules) {
        try {
            return of(MailQuery.read(text, profile(rules)));
        } catch (MalformedQueryException e) {
            return new Answer(null, false, e.suggestions());
        }
    }

    private static Answer of(ReadQuery read) {
        List<String> suggestions = read.warnings().stream()
                .filter(warning -> MORE.stream().noneMatch(warning.message()::endsWith))
                .flatMap(warning -> warning.instead().stream())
                .toList();
        return new Answer(read.query(), !read.warnings().isEmpty(), suggestions);
    }

    boolean isRefused() {
        return query == null;
    }

    private static final Map<Integer, LogExtractor> LOGS =
            Map.of(1, LogExtractor.of(FIRST, LogFormat.AUTO), 2, LogExtractor.of(LATER, LogFormat.AUTO));
    private static final Map<Integer, MailExtractor> MAILS =
            Map.of(1, new MailExtractor(FIRST), 2, new MailExtractor(LATER));

    /** By what a line of a log is found. */
    static Set<Keyword> ofLine(String line, int rules) {
        return new HashSet<>(
                LOGS.get(rules).extract(line.getBytes(StandardCharsets.UTF_8)).keywords());
    }

    /** By what a mail is found. */
    static Set<Keyword> ofMail(String mail, int rules) {
        return new HashSet<>(MAILS.get(rules)
                .extractText(mail.getBytes(StandardCharsets.UTF_8))
                .keywords());
    }

    boolean finds(Set<Keyword> keywords) {
        return query.matches(keywords::contains);
    }
}
