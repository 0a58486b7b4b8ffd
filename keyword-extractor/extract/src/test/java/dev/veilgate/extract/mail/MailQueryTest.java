package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.peks.Keyword;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query finds what was indexed. */
class MailQueryTest {
    /** Mail programs find names of people by words without a field, and parts of their domains by from. */
    @Test
    void saysWhereWordsAreLookedFor() throws Exception {
        assertThat(MailQuery.read("alice", ExtractorProfile.defaults()).notes())
                .singleElement()
                .asString()
                .contains("from:");
        assertThat(MailQuery.read("from:example", ExtractorProfile.defaults()).notes())
                .singleElement()
                .asString()
                .contains("domain");
        assertThat(MailQuery.read("from:alice@example.org", ExtractorProfile.defaults())
                        .notes())
                .isEmpty();
    }

    private static final ExtractorProfile PROFILE =
            ExtractorProfile.defaults().withWordPrefixes(new ExtractorProfile.WordPrefixes(3, 6));

    private static boolean finds(String query) throws Exception {
        try (MailExtractor extractor = new MailExtractor(PROFILE)) {
            Set<Keyword> keywords =
                    new HashSet<>(extractor.extract(Mails.sample("plain.eml")).keywords());
            return MailQuery.parse(query, PROFILE).matches(keywords::contains);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from:alice@example.org",
                "from:Alice@EXAMPLE.org",
                "from:@example.org",
                "from:\"Alice Muster\"",
                "FROM:muster",
                "cc:zoe@xn--bcher-kva.example",
                "cc:zoe@b\u00fccher.example",
                "subject:\"pump Pr\u00dcfung\"",
                "subject:7",
                "stem.en:running",
                "stem.en:runs",
                "stem.en:the",
                "prefix:over",
                "overh*",
                "overheating",
                "OVERHEATING pumps",
                "3.14",
                "10.0.0.1",
                "/var/log/pump.log",
                "STRASSE",
                "\u6771\u4eac",
                "\u6771\u4eac\u90fd",
                "date:2026-11",
                "date:2026-11-20",
                "message-id:<m1.2026@example.org>",
                "message-id:m1.2026@example.org",
                "list-id:Pumps.Example.org",
                "from:alice@example.org subject:pump \"running when\" 007",
                "(from:bob@example.com OR from:\"Alice Muster\") AND NOT subject:invoice",
                "\u6771\u4eac OR absent"
            })
    void findsIt(String query) throws Exception {
        assertThat(finds(query)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "from:bob@example.com",
                "to:alice@example.org",
                "from:@example.com",
                "subject:running",
                "stem.en:walking",
                "stem.de:running",
                "\u4eac\u6771",
                "date:2026-10",
                "from:alice@example.org absent",
                "from:alice@example.org AND NOT (subject:pump absent OR \u6771\u4eac)",
                "word:muster",
                "filename:*.pdf"
            })
    void doesNotFind(String query) throws Exception {
        assertThat(finds(query)).isFalse();
    }

    @Test
    void refusesWhatHasNoKeyword() {
        for (String query : new String[] {"", "  ", "subject:\"--\"", "from:\"unended"}) {
            Assertions.assertThatThrownBy(() -> MailQuery.parse(query, PROFILE))
                    .isInstanceOf(MalformedQueryException.class);
        }
    }

    @Test
    void leavesTheRestToTheSharedQuery() throws Exception {
        String query = "overheat number:7 \"disk full\" 10.0.0.1";
        assertThat(MailQuery.parse(query, PROFILE)).isEqualTo(KeywordQuery.parse(query, PROFILE));
    }
}
