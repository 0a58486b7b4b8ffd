package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.Set;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "severity:error ; Nov 21 12:23:01 press-4 app[159]: ERROR pump stopped",
                "log.level:ERROR ; 2026-11-21T12:23:01Z ERROR pump stopped",
                "severity_text:err ; {\"severity\":\"ERROR\"}",
                "loglevel:warning ; level=warn pump=7",
                "levelname:info ; {\"levelname\":\"INFO\"}",
                "level:error ; {\"log\":{\"level\":\"error\"}}",
                "level:error ; {\"log.level\":\"error\"}",
                "level:error ; {\"levelname\":\"ERROR\",\"message\":\"x\"}",
                "level:error ; {\"level_name\":\"ERROR\",\"level\":400}",
                "level:error ; {\"level\":50,\"msg\":\"x\"}",
                "level:50 ; {\"level\":50,\"msg\":\"x\"}",
                "level:error ; {\"level\":3,\"short_message\":\"x\"}",
                "host.name:press-4 ; Nov 21 12:23:01 press-4 app[159]: x",
                "hostname:press-4 ; Nov 21 12:23:01 press-4 app[159]: x",
                "host:press-4 ; {\"host\":{\"name\":\"press-4\"}}",
                "service:app ; Nov 21 12:23:01 press-4 app[159]: x",
                "service.name:app ; {\"service\":{\"name\":\"app\"}}",
                "app:app ; {\"service.name\":\"app\"}",
                "process.pid:159 ; Nov 21 12:23:01 press-4 app[159]: x",
                "src_ip:10.0.0.7 ; Nov 21 12:23:01 press-4 sshd[1]: from 10.0.0.7 port 2",
                "source.ip:10.0.0.7 ; {\"source\":{\"ip\":\"10.0.0.7\"}}",
                "@timestamp:2026-11-21 ; 2026-11-21T12:23:01Z x",
                "src:ada ; {\"src\":\"ada\",\"x\":1}",
                "service:pump ; {\"service\":\"pump\",\"x\":1}",
                "user:root ; Level=Error, User=root, Id=7",
            })
    void aFieldIsFoundByTheNamesThatOthersHaveForIt(String query, String record) throws Exception {
        assertThat(finds(query, record)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "severity:info, ERROR x",
        "host.name:press-5, Nov 21 12:23:01 press-4 app: x",
        "src_ip:10.0.0.8, from 10.0.0.7"
    })
    void andNotByOtherValues(String query, String record) throws Exception {
        assertThat(finds(query, record)).isFalse();
    }
}
