package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.peks.Keyword;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields of mails as other mail programs write them: found, or refused with what to write. */
class MailFieldsTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "has:attachment ; filename:*.pdf ; -",
                "hasattachment:yes ; filename:*.pdf ; -",
                "in:inbox ; beside the query ; -",
                "is:unread ; beside the query ; -",
                "label:work ; beside the query ; -",
                "before:2026/11/21 ; beside the query ; -",
                "newer_than:2d ; beside the query ; -",
                "larger:10M ; size ; -",
                "bcc:alice@example.org ; hidden ; -",
                "filename:pdf ; star ; filename:*.pdf",
                "filename:.pdf ; star ; filename:*.pdf",
                "sender:alice@example.org ; mails do not have ; from:alice@example.org",
                "recipients:alice ; mails do not have ; to:alice",
                "title:report ; mails do not have ; subject:report",
                "body:report ; mails do not have ; report",
                "body:\"annual report\" ; mails do not have ; \"annual report\"",
                "rfc822msgid:1@example.org ; mails do not have ; message-id:1@example.org",
                "list:list.example.org ; mails do not have ; list-id:list.example.org",
                "attachment:report.pdf ; mails do not have ; filename:report.pdf",
                "received:2026/1/5 ; mails do not have ; date:2026-01-05",
                "level:error ; mails do not have ; \"level:error\"",
                "form:alice ; mails do not have ; from:alice",
                "subjct:report ; mails do not have ; subject:report",
            })
    void whatMailsDoNotHaveIsRefusedWithWhatToWrite(String query, String why, String instead) throws Exception {
        MalformedQueryException e =
                catchThrowableOfType(MalformedQueryException.class, () -> MailQuery.parse(query, PROFILE));
        assertThat(e).as(query + " is refused").isNotNull();
        assertThat(e.getMessage()).contains(why).doesNotContain("alice@", "report.pdf", "inbox");
        if (instead.equals("-")) {
            assertThat(e.suggestions()).isEmpty();
        } else {
            assertThat(e.suggestions()).first().isEqualTo(instead);
            MailQuery.parse(instead, PROFILE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "from:evil.example, From: Mallory <mallory@evil.example>",
        "from:alice, From: alice@example.org",
        "from:alice.smith, From: Alice Smith <a.s@example.org>",
        "from:alice.smith, From: alice.smith@example.org",
        "to:alice, To: <alice@example.org>",
        "cc:example.org, Cc: Bob <bob@example.org>",
        "from:m\u00fcnchen.example, From: eva@xn--mnchen-3ya.example",
        "from:o.neill, From: Pat O.Neill <p@example.org>",
    })
    void peopleAreFoundByDomainsAndNames(String query, String header) throws Exception {
        assertThat(finds(query, header)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "from:evil.example, From: mallory@example.org",
        "to:alice, From: alice@example.org",
        "from:alice.smith, From: alice@example.org"
    })
    void andByNoOthers(String query, String header) throws Exception {
        assertThat(finds(query, header)).isFalse();
    }

    private static boolean finds(String query, String header) throws Exception {
        KeywordQuery parsed = MailQuery.parse(query, PROFILE);
        Set<Keyword> keywords =
                Set.copyOf(Mails.extract(header + "\nSubject: x\n\nx\n").keywords());
        return parsed.matches(keywords::contains);
    }
}
