package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other query languages write is refused with what to write here; text stays text. */
class QueryHintsTest {
    private static final ExtractorProfile PLAIN = ExtractorProfile.defaults();
    private static final ExtractorProfile RICH = PLAIN.withNumericFields(new DyadicIntervals("temp", -64, 8))
            .withIpPrefixes(8, 24)
            .withWordPrefixes(new WordPrefixes(3, 6));

    private static MalformedQueryException refused(String query, ExtractorProfile profile) {
        MalformedQueryException e =
                catchThrowableOfType(MalformedQueryException.class, () -> KeywordQuery.parse(query, profile));
        assertThat(e).as(query + " is refused").isNotNull();
        return e;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "failed -root ; failed NOT root",
                "failed !root ; failed NOT root",
                "failed ! root ; failed NOT root",
                "failed -\"disk full\" ; failed NOT \"disk full\"",
                "failed -(root admin) ; failed NOT (root admin)",
                "failed !(root OR admin) ; failed NOT (root OR admin)",
                "failed -user:root ; failed NOT user:root",
                "failed -user:\"a b\" ; failed NOT user:\"a b\"",
                "failed AND -root ; failed AND NOT root",
                "failed \u2212root ; failed NOT root",
                "failed \u2013root ; failed NOT root",
                "failed -user=root ; failed NOT user:root",
                "failed NOT -root ; failed NOT root",
                "failed or error ; failed OR error",
                "failed and not root ; failed AND NOT root",
                "failed Or error ; failed OR error",
                "failed && root ; failed AND root",
                "a || b ; a OR b",
                "a||b ; a OR b",
                "error|warn ; (error OR warn)",
                "level:error|warn ; (level:error OR level:warn)",
                "user=root ; user:root",
                "user==root ; user:root",
                "user = root ; user:root",
                "user: root ; user:root",
                "user : root ; user:root",
                "user:\u201Cdisk pump\u201D ; user:\"disk pump\"",
                "user:'disk pump' ; user:\"disk pump\"",
                "\u201Ca -x b\u201D ; \"a -x b\"",
                "\u201Cdisk full\u201D ; \"disk full\"",
                "failed user!=root ; failed NOT user:root",
                "user:(root or admin) ; (user:root OR user:admin)",
                "user:(root admin) ; (user:root AND user:admin)",
                "level>=critical ; (level:critical OR level:alert OR level:emergency OR level:fatal)",
                "level:warn..error ; (level:warn OR level:error)",
                "level:>=fatal ; level:fatal",
                "*timeout* ; timeout",
                "fail* ; fail",
                "failed? ; failed",
                "/timeout/ ; timeout",
                "/failed|refused/ ; (failed OR refused)",
                "host:/web/ ; host:web",
                "/.*timeout.*/ ; timeout",
                "rooot~ ; rooot",
                "rooot~1 ; rooot",
                "\"disk full\"^2 ; \"disk full\"",
                "level IN (error, warn) ; (level:error OR level:warn)",
                "level IN (\"error\",'disk pump') ; (level:error OR level:\"disk pump\")",
                "failed user NOT IN (root, admin) ; failed NOT (user:root OR user:admin)",
                "a XOR b ; (a AND NOT b) OR (b AND NOT a)",
                "user LIKE 'root' ; user:root",
                "host=~\"press\" ; host:press",
                "host=~\"press|oven\" ; (host:press OR host:oven)",
                "failed host!~\"press\" ; failed NOT host:press",
                "10.0.0.7-10.0.0.9 ; (ip:10.0.0.7 OR ip:10.0.0.8 OR ip:10.0.0.9)",
                "ip:10.0.0.7-10.0.0.8 ; (ip:10.0.0.7 OR ip:10.0.0.8)",
                "src_ip:10.0.0.7-10.0.0.7 ; ip:10.0.0.7",
                "root^2 ; root",
                "10..20 ; \"10..20\"",
                "a..b ; \"a..b\"",
                "failed \u202Eroot ; failed root",
                "\"disk full ; \"disk full\"",
                "(a OR b ; (a OR b)",
                "a AND ; a",
                "OR a ; a",
                "a - b ; a b",
            })
    void saysWhatToWrite(String query, String suggestion) throws Exception {
        assertThat(refused(query, PLAIN).suggestions()).first().isEqualTo(suggestion);
        KeywordQuery.parse(suggestion, PLAIN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "temp>=70 | temp:70..191",
                "temp > 70 | temp:71..191",
                "temp:>70 | temp:71..191",
                "temp<70 | temp:-64..69",
                "temp<=-5 | temp:-64..-5",
                "temp:[10 TO 20] | temp:10..20",
                "temp:[10 TO *] | temp:10..191",
                "10..20 | temp:10..20",
                "10.0.0.* | ip:10.0.0.0/24",
                "10.0.0.x | ip:10.0.0.0/24",
                "10.0.0. | ip:10.0.0.0/24",
                "ip:10.0.0.* | ip:10.0.0.0/24",
                "10.* | ip:10.0.0.0/8",
                "10.0.0.0/8 | ip:10.0.0.0/8",
                "fa* | fa",
                "temp:{10 TO 20} | temp:11..19",
                "temp:[10 TO 20} | temp:10..19",
                "temp>=70.5 | temp:71..191",
                "temp<70.5 | temp:-64..69",
                "temp<-5.5 | temp:-64..-7",
                "temp>70.0 | temp:71..191",
            })
    void saysWhatTheProfileHas(String query, String suggestion) throws Exception {
        assertThat(refused(query, RICH).suggestions()).first().isEqualTo(suggestion);
        KeywordQuery.parse(suggestion, RICH);
    }

    /** What nothing here finds no more than was meant. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "user!=root",
                "-root",
                "-(root admin)",
                "error | head 10",
                "error | stats count by host",
                "failed NEAR/5 root",
                "failed NEAR root",
                "\"disk full\"~3",
                "level:error AND @timestamp>=now-1h",
                "level:error AND @timestamp:[now-1h TO now]",
                "host=~\"x.*\"",
                "host!~\"x.*\"",
                "host:web-*",
                "web-*",
                "web-?",
                "*-web",
                "user:/root.*/",
                "user LIKE 'ro%'",
                "message CONTAINS 'disk'",
                "temp BETWEEN 1 AND 5",
                "a XOR b AND c",
                "10.1.*",
                "10.0.*.*",
                "overheated*",
                "host:overh*",
                "10.0.0.0-10.9.0.0",
                "level:>fatal",
                "level<trace",
                "{app=\"sshd\"} != \"failed\"",
                "host IN (web-*, db-1)",
                "host=\"overh*\"",
                "level IN ("
            })
    void suggestsNothingThatFindsMore(String query) {
        assertThat(refused(query, RICH).suggestions()).isEmpty();
    }

    /** They are read, since text that was copied has commas too. */
    @Test
    void saysThatACommaJoinsNothing() throws Exception {
        assertThat(KeywordQuery.read("error, warning", PLAIN).warnings())
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.message()).contains("comma");
                    assertThat(warning.instead()).isEmpty();
                });
        assertThat(KeywordQuery.read("failed, \"disk full\"", PLAIN).warnings()).hasSize(1);
        assertThat(KeywordQuery.read("\"error, warning\" failed,", PLAIN).warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-root",
                "*",
                "*:*",
                "user:*",
                "_exists_:user",
                "bytes:>1000",
                "bytes>=1000",
                "10.0.0.*",
                "te?t",
                "we*b",
                "/[0-9]+/",
                "a..b",
                "10.0.0.1.*",
                "NOT",
                "user:",
                "\u2014root",
                "!",
                "=",
                "a OR -b",
                "user!=root",
            })
    void isRefused(String query) {
        refused(query, PLAIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a -x b\"",
                "\"failed or not\"",
                "\"10.0.0.*\"",
                "\"user=root\"",
                "\"/re/\"",
                "\"what?\"",
                "\"a..b\"",
                "user:\"a or b\"",
                "user:\"-x\"",
                "DISK IS FULL",
                "logged in (root)",
                "e-mail",
                "read-only",
                "press-4",
                "web-1.example.org",
                "alice@example.org",
                "alice+news@example.org",
                "bounces-alice=example.org@list.example.org",
                "/var/log/syslog",
                "/var/log/",
                "C:\\Temp\\a~1.txt",
                "C:\\.git\\config",
                "CORP\\bob",
                "\\\\share\\d",
                "sshd[159]: failed",
                "[main]",
                "[pump-1]",
                "1,000",
                "~/.ssh/config",
                "../etc/passwd",
                "fe80::1",
                "::1",
                "2001:db8::1",
                "10.0.0.1:8080",
                "http://example.org/a?b=c&d=*",
                "--verbose",
                "--user=root",
                "dGVzdA==",
                "std::vector<int>",
                "java.util.List<String>",
                "main()",
                "f(x)(y)",
                "it's",
                "O\u2019Neill",
                "'tis",
                "#4711",
                "+49",
                "a->b",
                "3.14",
                "2026-11-21",
                "time:2026-11-21T12:23",
                "source:/var/log/",
                "path:/var/log/x",
                "thread:[main]",
                "offset:-5",
                "wait...done",
                "100%",
                "a/b?c",
                "\u6771\u4eac",
                "android ORACLE nothing",
                "a\u00a0AND b",
            })
    void textStaysText(String query) {
        assertThatCode(() -> KeywordQuery.parse(query, PLAIN)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"filename:*.pdf", "message-id:<1@example.org>", "from:@example.org", "\u6771\u4eac"})
    void mailsKeepTheirForms(String query) {
        assertThatCode(() -> MailQuery.parse(query, PLAIN)).doesNotThrowAnyException();
    }

    @Test
    void wildcardsInFieldsOfMailsThatHaveWordsKeepTheField() {
        MalformedQueryException e = catchThrowableOfType(
                MalformedQueryException.class, () -> MailQuery.parse("from:ali* subject:\"a\"", PLAIN));
        assertThat(e.suggestions()).containsExactly("from:ali subject:\"a\"");
    }

    @Test
    void spacesOfOtherKindsAreSpaces() throws Exception {
        assertThat(KeywordQuery.parse("a\u00a0OR\u202fb", PLAIN)).isEqualTo(KeywordQuery.parse("a OR b", PLAIN));
    }

    @Test
    void bothReadingsOfAnEqualsSignAreOffered() {
        assertThat(refused("user=root", PLAIN).suggestions()).containsExactly("user:root", "\"user=root\"");
        assertThat(refused("user=\"disk pump\"", PLAIN).suggestions())
                .containsExactly("user:\"disk pump\"", "user \"disk pump\"");
    }

    @Test
    void messagesNeverRepeatTheQuery() {
        for (String query :
                List.of("secret -secret", "secret=secret", "*secret*", "secret:>5", "/secret/", "secret..b")) {
            assertThat(refused(query, RICH)).hasMessageNotContaining("secret").hasMessageContaining("query");
        }
    }

    @Test
    void placeIsThatOfWhatIsForeign() {
        assertThat(refused("failed -root", PLAIN).at()).hasValue(7);
        assertThat(refused("a (b or c)", PLAIN).at()).hasValue(5);
    }

    /** Pieces of all kinds, in any order: whatever is refused, each suggestion can be read. */
    @Test
    void suggestionsCanBeRead() throws Exception {
        String[] pieces = {
            "-", "!", " ", " ", "(", ")", "\"", "or", "and", "not", "NOT", "AND", "OR", "a", "user", ":", "=", ">", "<",
            "=", "*", "?", "/", "~", "..", "5", "10.0.0.", "[", "]", " TO ", "|", "&&", "\\", "'", "\u201C", "\u201D",
            "\u2212", "\u202E", "\u6771", "level", "error", "temp", ",", "\uD800", "^", "{", "}"
        };
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int n = 0; n < 8_000; n++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            String query = text.toString();
            try {
                KeywordQuery.parse(query, RICH);
            } catch (MalformedQueryException e) {
                for (String suggestion : e.suggestions()) {
                    assertThat(suggestion).as("seed " + seed).isNotEqualTo(query);
                    assertThatCode(() -> KeywordQuery.parse(suggestion, RICH))
                            .as("seed " + seed + ": " + suggestion + " for " + query)
                            .doesNotThrowAnyException();
                }
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + query, e);
            }
        }
    }

    /** Whatever is repeated until a query is as long as it may be, reading it ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a..",
                "-",
                "a=",
                "*",
                "(",
                "-(",
                "\u201C",
                "a or ",
                "/",
                "user:(",
                "~",
                "a|",
                "'a ",
                "a:[b TO ",
                "hots:a ",
                "level:x "
            })
    void longQueriesAreReadOrRefused(String piece) {
        String query = piece.repeat(KeywordQuery.MAX_CHARACTERS / piece.length());
        try {
            KeywordQuery.parse(query, RICH);
        } catch (MalformedQueryException e) {
            assertThat(e.suggestions()).allMatch(suggestion -> suggestion.length() <= KeywordQuery.MAX_CHARACTERS);
        }
    }
}
