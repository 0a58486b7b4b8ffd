package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a query is understood, in what order, and what may be a mistake. */
class ReadQueryTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults()
            .withNumericFields(new DyadicIntervals("temperature", -64, 8))
            .withIpPrefixes(8)
            .withWordPrefixes(new WordPrefixes(3, 6))
            .withFields("tenant");

    private static ReadQuery read(String query) throws MalformedQueryException {
        return KeywordQuery.read(query, PROFILE);
    }

    private static String meaning(ReadQuery read) {
        return read.meaning().stream()
                .map(part -> part.field().isEmpty() ? part.text() : part.field() + "=" + part.text())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "failed NOT root; word=failed AND NOT word=root",
                "42; number or pid=42",
                "level:err AND (unit:sshd OR ip:10.0.0.7); level=error AND ( unit=sshd OR ip=10.0.0.7 )",
                "a OR \"disk full\"; word=a OR ( word=disk AND word=full )",
                "a NOT (b c); word=a AND NOT ( word=b AND word=c )",
                "temperature:70..90; temperature=70..90",
                "temperature:-64..191; temperature=-64..191",
                "temperature:7; temperature=7",
                "overh*; prefix=overh",
                "ip:10.1.2.3/8; ip-prefix=10.0.0.0/8",
                "a NOT NOT a; word=a",
            })
    void meaningIsWhatIsSearched(String query, String meaning) throws Exception {
        assertThat(meaning(read(query))).isEqualTo(meaning);
    }

    @Test
    void mailsAreReadAsMails() throws Exception {
        assertThat(meaning(MailQuery.read("subject:urgent stem.en:running", PROFILE)))
                .isEqualTo("subject=urgent AND stem.en=run");
    }

    @Test
    void ofManyTermsTheFirstAreShown() throws Exception {
        String many =
                IntStream.range(0, 400).mapToObj(i -> "(x" + i + " y" + i + ")").collect(Collectors.joining(" OR "));
        ReadQuery read = read(many);
        assertThat(read.meaning().getLast().kind()).isEqualTo(QueryMeaning.Kind.MORE);
        assertThat(read.meaning().getLast().text()).isEqualTo("740");
        assertThat(read.meaning()).hasSizeLessThan(200);
        long open =
                read.meaning().stream().filter(part -> part.text().equals("(")).count();
        assertThat(read.meaning().stream().filter(part -> part.text().equals(")")))
                .hasSize((int) open);
    }

    @Test
    void notesSayWhatIsLeftOut() throws Exception {
        assertThat(read("overheat").notes()).isEmpty();
        assertThat(read("/var/log/x 10.0.0.1 3.14").notes()).isEmpty();
        assertThat(read("press-4").notes())
                .containsExactly(
                        "A term of several words is searched word by word, in any order.",
                        "Left out, as no keyword has it: -.");
        assertThat(read("100%").notes()).containsExactly("Left out, as no keyword has it: %.");
        assertThat(read("fa\u200bled").notes()).last().isEqualTo("Left out, as no keyword has it: U+200B.");
        assertThat(read("\"the disk\"").notes()).as("there are no stop words").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "hots:web-1, host:web-1",
        "failed AND (Hots:web-1), failed AND (host:web-1)",
        "level:warm, level:warn",
        "level:\"erorr\", level:error",
        "lvel:error, level:error",
        "temprature:70..90, temperature:70..90",
        "tenent:acme, tenant:acme",
        "message:webhook, webhook",
        "msg:\"web page\", \"web page\"",
    })
    void mistakesAreNear(String query, String instead) throws Exception {
        String typed = query.contains("..") ? query.replace("70..90", "7") : query;
        assertThat(read(typed).warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.instead()).containsExactly(instead.replace("70..90", "7"));
            assertThat(warning.message()).doesNotContain("web", "warm", "acme");
        });
    }

    @Test
    void levelThatIsNearNoneNamesThemAll() throws Exception {
        assertThat(read("level:banana").warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.instead()).isEmpty();
            assertThat(warning.message()).contains("trace, debug", "fatal");
        });
    }

    @Test
    void fieldsOfMailsAreNoneOfLogs() throws Exception {
        assertThat(read("subject:urgent").warnings()).hasSize(1);
        assertThat(MailQuery.read("subject:urgent", PROFILE).warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unit:sshd", "user:root", "level:WARNING", "stem.en:run", "@timestamp:2026-11-21"})
    void othersAreNoMistake(String query) throws Exception {
        assertThat(read(query).warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "host.name:a, host:a",
        "src_ip:10.0.0.7, ip:10.0.0.7",
        "disk NOT severity:error, disk NOT level:error",
        "src_ip:10.0.0.0/25, ip:10.0.0.0/25",
        "event.created:2026-11-21, time:2026-11-21",
    })
    void namesOfOtherProductsAreFieldsOfTheirOwnAndOursIsOffered(String query, String ours) throws Exception {
        assertThat(read(query).warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.instead()).containsExactly(ours));
    }

    @Test
    void namesThatRecordsAreKnownToHaveAreNotWarnedOf() throws Exception {
        assertThat(KeywordQuery.read("host.name:a NOT src_ip:10.0.0.7", PROFILE, Set.of("host.name", "src_ip"))
                        .warnings())
                .isEmpty();
        assertThat(KeywordQuery.read("client_ip:10.0.0.7", PROFILE.upgraded()).warnings())
                .as("a form of rules 2 has it")
                .isEmpty();
    }

    @Test
    void aLongValueIsSaidToBeSearchedByItsWords() throws Exception {
        List<String> notes = read("agent:\"" + "pump ".repeat(20) + "\"").notes();
        assertThat(notes)
                .contains("A value of more than 64 bytes is searched by its words,"
                        + " in whatever field of a record they are.");
    }

    /** Records may have any fields; whether some have this one is known once one of them was opened. */
    @ParameterizedTest
    @ValueSource(strings = {"id:7", "post:1", "tag:a", "code:5"})
    void fieldsThatNobodyHasSeenAreSaidToBeUnknown(String query) throws Exception {
        assertThat(read(query).warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.message()).contains("level, host").doesNotContain(query);
            assertThat(warning.instead()).as("text that was copied").containsExactly('"' + query + '"');
        });
        Set<String> seen = Set.of("id", "post", "tag", "code");
        assertThat(KeywordQuery.read(query, PROFILE, seen).warnings()).isEmpty();
    }

    @Test
    void saysNothingOfTheQuery() throws Exception {
        assertThat(read("secret")).hasToString("ReadQuery[hidden]");
    }
}
