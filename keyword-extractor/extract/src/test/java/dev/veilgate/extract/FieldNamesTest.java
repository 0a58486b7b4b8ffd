package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records and queries that name fields as other products do. */
class FieldNamesTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static boolean finds(String query, String record) throws Exception {
        byte[] utf8 = record.getBytes(StandardCharsets.UTF_8);
        Set<Keyword> keywords = Set.copyOf(
                LogExtractor.of(PROFILE, LogFormat.AUTO).extract(utf8).keywords());
        return KeywordQuery.parse(query, PROFILE).matches(keywords::contains);
    }

    /** A record's own name of a field finds it, and ours as well. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "levelname:info ; {\"levelname\":\"INFO\"}",
                "level:error ; {\"log\":{\"level\":\"error\"}}",
                "level:error ; {\"log.level\":\"error\"}",
                "log.level:error ; {\"log.level\":\"error\"}",
                "level:error ; {\"levelname\":\"ERROR\",\"message\":\"x\"}",
                "level:error ; {\"level_name\":\"ERROR\",\"level\":400}",
                "level:error ; {\"level\":50,\"msg\":\"x\"}",
                "level:50 ; {\"level\":50,\"msg\":\"x\"}",
                "level:error ; {\"level\":3,\"short_message\":\"x\"}",
                "host:press-4 ; {\"host\":{\"name\":\"press-4\"}}",
                "host.name:press-4 ; {\"host\":{\"name\":\"press-4\"}}",
                "service.name:app ; {\"service\":{\"name\":\"app\"}}",
                "app:app ; {\"service.name\":\"app\"}",
                "ip:10.0.0.7 ; {\"source\":{\"ip\":\"10.0.0.7\"}}",
                "source.ip:10.0.0.7 ; {\"source\":{\"ip\":\"10.0.0.7\"}}",
                "source.ip:2001:db8::7 ; {\"source.ip\":\"2001:db8::7\"}",
                "source.ip:2001:DB8:0:0::7 ; {\"source.ip\":\"2001:db8::7\"}",
                "@timestamp:2026-11-21 ; 2026-11-21T12:23:01Z x",
                "@timestamp:2026-11-21 ; {\"@timestamp\":\"2026-11-21T12:23:01Z\"}",
                "event.created:2026-11-21 ; {\"event.created\":\"2026-11-21T12:23:01Z\"}",
                "src:ada ; {\"src\":\"ada\",\"x\":1}",
                "service:pump ; {\"service\":\"pump\",\"x\":1}",
                "user:root ; Level=Error, User=root, Id=7",
                "user:bob ; {\"username\":\"bob\"}",
                "username:bob ; {\"username\":\"bob\"}",
            })
    void aFieldIsFoundByTheNameThatARecordHasForItAndByOurs(String query, String record) throws Exception {
        assertThat(finds(query, record)).isTrue();
    }

    /** Two fields that have one name here are two fields still. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "source.ip:10.0.0.7 ; {\"source.ip\":\"10.0.0.5\",\"destination.ip\":\"10.0.0.7\"}",
                "service.name:bash ; {\"process.name\":\"bash\",\"service.name\":\"shop\"}",
                "src_user:bob ; {\"src_user\":\"ada\",\"user\":\"bob\"}",
                "priority:info ; {\"priority\":\"high\",\"level\":\"info\"}",
                "severity:error ; Nov 21 12:23:01 press-4 app[159]: ERROR pump stopped",
                "host.name:press-4 ; Nov 21 12:23:01 press-4 app[159]: x",
                "severity:info; ERROR x",
                "src_ip:10.0.0.8; from 10.0.0.7",
            })
    void aFieldIsNotFoundByTheNameOfAnother(String query, String record) throws Exception {
        assertThat(finds(query, record)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "flow NOT client.ip:10.0.0.5 ; {\"client.ip\":\"10.0.0.9\",\"dst_ip\":\"10.0.0.5\",\"m\":\"flow\"}",
                "web NOT host.name:b1 ; {\"host.name\":\"b2\",\"agent.hostname\":\"b1\",\"message\":\"web\"}",
                "disk NOT (user.name:ada OR full) ; {\"user.name\":\"bob\",\"user\":\"ada\",\"message\":\"disk\"}",
            })
    void nothingIsLeftOutForTheValueOfAnotherField(String query, String record) throws Exception {
        assertThat(finds(query, record)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "disk NOT source.ip:10.0.0.0/25, disk NOT ip:10.0.0.0/25",
        "disk NOT (full OR source.ip:10.0.0.0/25), disk NOT (full OR ip:10.0.0.0/25)",
        "disk NOT event.created:2026-11-21, disk NOT time:2026-11-21",
    })
    void nothingIsLeftOutByAFieldThatIsNotIndexedUnderItsName(String query, String instead) {
        assertThatThrownBy(() -> KeywordQuery.parse(query, PROFILE))
                .isInstanceOfSatisfying(MalformedQueryException.class, e -> {
                    assertThat(e)
                            .hasMessageContaining(
                                    "leaves out by a field that is not indexed under this name; write NOT ");
                    assertThat(e.suggestions()).containsExactly(instead);
                });
    }

    /** Compares the table in docs/log-formats.md, or with {@code -Dveilgate.update-docs=true} writes it. */
    @Test
    void thePageListsTheNames() throws Exception {
        StringBuilder made = new StringBuilder("| ours | theirs |\n|---|---|\n");
        FieldNames.byOurs()
                .forEach((ours, others) -> made.append("| `%s` | %s |\n"
                        .formatted(
                                ours,
                                others.stream().map(name -> '`' + name + '`').collect(Collectors.joining(", ")))));
        Path page = Path.of("docs/log-formats.md");
        String text = Files.readString(page);
        int start = text.indexOf('\n', text.indexOf("<!-- names: made by ")) + 1;
        int end = text.indexOf("<!-- /names -->");
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(page, text.substring(0, start) + made + text.substring(end));
        } else {
            assertThat(made.toString()).isEqualTo(text.substring(start, end));
        }
    }

    @Test
    void withoutFieldsOfRecordsOursIsAskedAndSaid() throws Exception {
        ExtractorProfile.Limits limits = PROFILE.limits();
        ExtractorProfile none = new ExtractorProfile(
                PROFILE.rules(),
                new ExtractorProfile.Limits(
                        limits.keywords(), limits.valueBytes(), limits.fieldValueBytes(), 0, limits.recordBytes()),
                PROFILE.ipPrefixes(),
                PROFILE.fields(),
                PROFILE.numericFields(),
                PROFILE.wordPrefixes(),
                PROFILE.templates(),
                PROFILE.stemLanguages(),
                PROFILE.ip6Prefixes());
        ReadQuery read = KeywordQuery.read("host.name:press-4", none);
        assertThat(read.query().keywords()).containsExactly(Keyword.text("host", "press-4"));
        assertThat(read.warnings())
                .extracting(ReadQuery.Warning::message)
                .containsExactly(
                        "this is not indexed under this name; host is searched, by whatever name a record has it");
    }
}
