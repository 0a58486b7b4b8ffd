package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.peks.Keyword;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An address is found whichever way its domain is written, in the mail and in the query. */
class InternationalDomainTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static final String TEN = "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc";
    private static final String TOO_LONG = TEN + TEN + TEN + TEN + TEN + TEN + TEN;

    private static Set<Keyword> keywords(String header) {
        try (MailExtractor extractor = new MailExtractor(PROFILE)) {
            byte[] mail = (header + "\r\nSubject: hello\r\n\r\nhello\r\n").getBytes(StandardCharsets.UTF_8);
            return new HashSet<>(extractor.extract(mail).keywords());
        }
    }

    private static boolean finds(String query, Set<Keyword> keywords) throws Exception {
        return MailQuery.parse(query, PROFILE).matches(keywords::contains);
    }

    /** The values are those of the tables of UTS 46, computed with another implementation (Python's idna). */
    @ParameterizedTest
    @CsvSource({
        "m\u00fcnchen.example, xn--mnchen-3ya.example",
        "M\u00dcNCHEN.Example, XN--MNCHEN-3YA.example",
        "stra\u00dfe.example, xn--strae-oqa.example",
        "fa\u00df.de, xn--fa-hia.de",
        "\u03b2\u03cc\u03bb\u03bf\u03c2.example, xn--nxasmm1c.example",
        "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example, xn--mgba3gch31f060k.example",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3.example, xn--10cl1a0b660p.example",
        "\u4f8b\u3048.example, xn--r8jz45g.example",
        "\u4f8b\u3048\u3002example, xn--r8jz45g.example",
        "\ud801\udcd8.example, xn--io8c.example",
        "\ua64b.example, xn--xw8a.example",
        "\u1c90.example, xn--lod.example",
        "\ud83a\udd22\ud83a\udd23.example, xn--9d6hc.example",
        "\ua7c3.example, xn--o78a.example",
        "\ud83d\udca9.example, xn--ls8h.example",
        "stra\u00dfe.m\u00fcnchen.\u4f8b\u3048, xn--strae-oqa.xn--mnchen-3ya.xn--r8jz45g",
        "stra\u00dfe.m\u00fcnchen.\u4f8b\u3048, stra\u00dfe.xn--mnchen-3ya.xn--r8jz45g"
    })
    void isFoundInEitherSpelling(String unicode, String ascii) throws Exception {
        for (String field : List.of("From", "To", "Cc")) {
            for (String written : List.of(unicode, ascii)) {
                Set<Keyword> found =
                        keywords("From: x@y.example\r\n" + field + ": Eva <eva@" + written + ">, b@z.example");
                for (String asked : List.of(unicode, ascii)) {
                    for (String local : List.of("eva", "")) {
                        String query = field.toLowerCase(java.util.Locale.ROOT) + ":" + local + "@" + asked;
                        assertThat(finds(query, found))
                                .as("%s in a mail with %s", query, written)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** What an earlier version made of an address, by IDNA 2003. */
    private static String former(String address) {
        int at = address.lastIndexOf('@');
        String domain = address.substring(at + 1);
        return KeywordText.fold(
                address.substring(0, at + 1) + (domain.contains("xn--") ? IDN.toUnicode(domain) : domain));
    }

    @ParameterizedTest
    @CsvSource({
        "stra\u00dfe.example, xn--strae-oqa.example",
        "\u03b2\u03cc\u03bb\u03bf\u03c2.example, xn--nxasmm1c.example",
        "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example, xn--mgba3gch31f060k.example",
        "\ud83a\udd22\ud83a\udd23.example, xn--9d6hc.example",
        "stra\u00dfe.m\u00fcnchen.example, xn--strae-oqa.xn--mnchen-3ya.example",
        "m\u00fcnchen.example, xn--mnchen-3ya.example"
    })
    void mailsAndTrapdoorsOfAnEarlierVersionAreFoundAndFind(String unicode, String ascii) throws Exception {
        for (String written : List.of(unicode, ascii)) {
            Keyword before = Keyword.text("from", former("eva@" + written));
            assertThat(keywords("From: eva@" + written))
                    .as("found by a standing trapdoor")
                    .contains(before);
            for (String asked : List.of(unicode, ascii)) {
                assertThat(finds("from:eva@" + asked, Set.of(before)))
                        .as("%s in a mail of before with %s", asked, written)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eva@example.org",
                "eva@m\u00fcnchen.example",
                "eva@xn--mnchen-3ya.example",
                "eva@xn--zzzzzzzz.example",
                "eva@",
                "@strasse.example"
            })
    void nothingMoreIsAskedOrIndexedWhereTheRulesAgree(String address) throws Exception {
        KeywordQuery query = MailQuery.parse("from:" + address, PROFILE);
        assertThat(query.keywords()).hasSize(1);
        if (address.indexOf('@') < address.length() - 1 && address.charAt(0) != '@') {
            assertThat(keywords("From: " + address))
                    .filteredOn(keyword -> keyword.field().equals("from"))
                    .hasSize(3); // the address, the domain, and what is before the @
        }
    }

    @Test
    void aDomainThatIsAnotherIsNotFound() throws Exception {
        Set<Keyword> found = keywords("From: eva@xn--strae-oqa.example");
        assertThat(finds("from:eva@m\u00fcnchen.example", found)).isFalse();
        assertThat(finds("from:eva@xn--mnchen-3ya.example", found)).isFalse();
        assertThat(finds("from:eva@strae-oqa.example", found)).isFalse();
    }

    /** Not Punycode, of other characters than it may have, out of their order, too long, empty. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "xn--",
                "xn---",
                "xn--a",
                "xn--a-",
                "xn--99999999",
                "xn--mnchen-3ya-",
                "xn--a-ecp",
                "xn--0ca24w",
                "xn--ab-m1t",
                "xn--xn--strae-oqa-",
                "XN--A",
                "xn--\u00fc",
                "xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                TOO_LONG,
                "\u05d0a\u05d0",
                "-\u00fc-",
                "\u2260",
                "a..b",
                ".a",
                "a_b"
            })
    void aDomainThatIsNoneIsFoundAsItIsWritten(String label) throws Exception {
        for (String domain : List.of(label, label + ".example", "www." + label + ".xn--strae-oqa")) {
            Set<Keyword> found = keywords("From: eva@" + domain);
            assertThat(finds("from:eva@" + domain, found)).as(domain).isTrue();
            assertThat(finds("from:@" + domain, found)).as(domain).isTrue();
        }
        assertThat(keywords("From: eva@" + label))
                .as("as it is")
                .contains(Keyword.text("from", former("eva@" + label)));
        Set<Keyword> mixed = keywords("From: eva@xn--strae-oqa." + label + "x.example");
        assertThat(finds("from:eva@stra\u00dfe." + label + "x.example", mixed)).isTrue();
    }
}
