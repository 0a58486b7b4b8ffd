package dev.veilgate.extract.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogExtractorTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static Extraction extract(String record) {
        return extract(record, PROFILE, LogFormat.AUTO);
    }

    private static Extraction extract(String record, ExtractorProfile profile, LogFormat format) {
        return LogExtractor.of(profile, format).extract(record.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> shown(Extraction extraction) {
        return extraction.keywords().stream()
                .map(k -> k.field() + ":" + k.value())
                .toList();
    }

    private static String message(String record) {
        Extraction extraction = extract(record);
        return record.substring(extraction.messageFrom(), extraction.messageTo());
    }

    @Test
    void rfc5424() {
        String line = "<34>1 2026-11-21T22:14:15.003-07:00 mymachine.example.com su 77 ID47"
                + " [ex@32473 iut=\"3\" Source=\"App \\\"x\\\"\"][b] 'su root' failed";
        Extraction extraction = extract(line);
        assertThat(shown(extraction))
                .contains("host:mymachine.example.com", "app:su", "pid:77", "level:critical", "iut:3")
                .noneMatch(k -> k.startsWith("source:")) // that is what the sender says, not the record
                .contains(
                        "time:2026-11",
                        "time:d22",
                        "time:t05",
                        "time:m1x",
                        "time:mx4",
                        "word:id47",
                        "word:x",
                        "word:failed");
        assertThat(extraction.dated()).contains(Instant.parse("2026-11-22T05:14:15.003Z"));
        assertThat(message(line)).isEqualTo("'su root' failed");
        assertThat(shown(extract("<165>1 - - - - - - hello")))
                .containsExactly("level:notice", "number:165", "number:1", "word:hello");
    }

    @Test
    void rfc3164WithAndWithoutPriority() {
        String line = "<38>Oct  1 22:14:15 Press-4 sshd(pam_unix)[2203]: check pass; user unknown";
        assertThat(shown(extract(line)))
                .contains("host:press-4", "app:sshd", "pid:2203", "level:info", "time:--10", "time:d01", "word:pam")
                .doesNotContain("number:2203");
        assertThat(message(line)).isEqualTo("check pass; user unknown");
        assertThat(extract(line).dated()).isEmpty();
        assertThat(message("Oct 11 22:14:15 h kernel: Linux version 2.6")).isEqualTo("Linux version 2.6");
        assertThat(shown(extract("2026-11-21T12:00:01+01:00 h cron[9]: x")))
                .contains("host:h", "app:cron", "pid:9", "time:t11");
    }

    @Test
    void jsonLines() {
        String line =
                "{\"@timestamp\":\"2026-11-21T12:23:01Z\",\"Level\":\"WARNING\",\"user\":{\"Name\":\"Ann \\u0041\"},"
                        + "\"ids\":[7,8],\"ok\":true,\"none\":null,\"host\":\"h1\",\"msg\":\"disk full\"}";
        Extraction extraction = extract(line);
        assertThat(shown(extraction))
                .contains(
                        "level:warn",
                        "user.name:ann a",
                        "ids:7",
                        "ids:8",
                        "ok:true",
                        "host:h1",
                        "msg:disk full",
                        "word:ann",
                        "word:a")
                .contains("time:2026-11", "word:name", "number:7")
                .doesNotContain("none:null");
        assertThat(extraction.dated()).contains(Instant.parse("2026-11-21T12:23:01Z"));
        assertThat(message(line)).isEqualTo("disk full");
    }

    @Test
    void keyValuePairs() {
        String line = "ts=1795263781 level=err unit=\"Disk \\\"1\\\" pump\" path=/a/b dur=12ms msg=\"too hot\"";
        assertThat(shown(extract(line)))
                .contains(
                        "level:error",
                        "unit:disk \"1\" pump",
                        "dur:12ms",
                        "msg:too hot",
                        "path:/a/b",
                        "word:hot",
                        "time:2026-11");
        assertThat(message(line)).isEqualTo("too hot");
    }

    @Test
    void listedFieldsOfPlainTextOnly() {
        String line = "2026-11-21 12:00:00 pump on, temp=71.5, unit=p-7; speed=9";
        ExtractorProfile profile = PROFILE.withFields("unit").withNumericFields(new DyadicIntervals("temp", 0, 7));
        List<Keyword> keywords = extract(line, profile, LogFormat.AUTO).keywords();
        assertThat(keywords).contains(Keyword.text("unit", "p-7"));
        assertThat(keywords).containsAll(new DyadicIntervals("temp", 0, 7).keywordsOf(71));
        assertThat(keywords).noneMatch(k -> k.field().equals("speed"));
        assertThat(extract(line).keywords()).noneMatch(k -> k.field().equals("unit"));
    }

    @Test
    void networksWhereConfigured() {
        assertThat(shown(extract("from 10.20.30.40", PROFILE.withIpPrefixes(8, 12, 24), LogFormat.PLAIN)))
                .contains(
                        "ip:10.20.30.40", "ip-prefix:10.0.0.0/8", "ip-prefix:10.16.0.0/12", "ip-prefix:10.20.30.0/24");
    }

    /** Lines in the manner of real logs: line, time, level, program, message; - for none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "03-17 16:13:38.811  1702  2395 D Window: opening app; -; debug; window; opening app",
                "[Sun Dec 04 04:47:44 2005] [notice] init() ok; 2005-12-04T04:47:44Z; notice; -; init() ok",
                "- 1117838570 2005.06.03 R02-M1 2005-06-03-15.42.50.675872 R02-M1 RAS KERNEL INFO cache; 2005-06-03T22:42:50Z; info; -; cache",
                "081109 203615 148 INFO dfs.Node$P: ends; 2008-11-09T20:36:15Z; info; dfs.node$p; ends",
                "1 node-246 unix.hw state 1077804742 1 Component; 2004-02-26T14:12:22Z; -; -; 1 Component",
                "2015-10-18 18:01:47,978 INFO [main] org.x.App: Created; 2015-10-18T18:01:47.978Z; info; org.x.app; Created",
                "20171223-22:15:29:606|Step_LSC|3000|onStep 3; 2017-12-23T22:15:29.606Z; -; step_lsc; onStep 3",
                "20171224-1:2:35:789|Step_LSC|3000|on:x; 2017-12-24T01:02:35.789Z; -; step_lsc; on:x",
                "Jul  1 09:00:55 cal-10 com.apple.X[43]: ok; -; -; com.apple.x; ok",
                "n.log.1 2017-05-16 00:00:00.008 25746 INFO nova.api [req-1] x; 2017-05-16T00:00:00.008Z; info; nova.api; [req-1] x",
                "[10.30 16:49:06] chrome.exe - open proxy; -; -; chrome.exe; open proxy",
                "17/06/09 20:10:40 INFO executor.B: ok; 2017-06-09T20:10:40Z; info; executor.b; ok",
                "- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: closed; 2005-11-09T20:01:01Z; -; crond; closed",
                "2016-09-28 04:30:30, Info                  CBS    Loaded; 2016-09-28T04:30:30Z; info; cbs; Loaded",
                "2015-07-29 17:41:44,747 - INFO  [Q[myid=1]/0:0:0:0:0:0:0:0:2181:F@774] - Note; 2015-07-29T17:41:44.747Z; info; -; Note",
                "2026-11-21T00:00:00 press-0 level=error batch=0; 2026-11-21T00:00:00Z; error; -; batch=0",
                "10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /\" 200; 2000-10-10T20:55:36Z; -; -; GET /\" 200",
                "WARN nothing else; -; warn; -; nothing else",
                "2026-02-31 12:00:00 no such day; -; -; -; no such day",
                "no header at all; -; -; -; no header at all"
            })
    void recognisesHeaders(String line, String time, String level, String app, String message) {
        Extraction extraction = extract(line);
        assertThat(extraction.dated().map(Instant::toString).orElse("-")).isEqualTo(time);
        assertThat(value(extraction, "level")).isEqualTo(level);
        assertThat(value(extraction, "app")).isEqualTo(app);
        assertThat(message(line)).isEqualTo(message);
    }

    private static String value(Extraction extraction, String field) {
        return extraction.keywords().stream()
                .filter(k -> k.field().equals(field))
                .map(Keyword::value)
                .findFirst()
                .orElse("-");
    }

    @Test
    void lineEndsDoNotMatter() {
        for (LogFormat format : LogFormat.values()) {
            for (String line :
                    List.of("a=1 b=2", "{\"a\":1}", "<1>Oct 11 22:14:15 h x: y", "<1>1 - - - - - - y", "", "plain")) {
                List<Keyword> keywords = extract(line, PROFILE, format).keywords();
                assertThat(extract(line + "\n", PROFILE, format).keywords()).isEqualTo(keywords);
                assertThat(extract(line + "\r\n", PROFILE, format).keywords()).isEqualTo(keywords);
            }
        }
    }

    @Test
    void aPartOfABuffer() {
        byte[] buffer = "xxx\nlevel=info unit=a\nyyy".getBytes(StandardCharsets.UTF_8);
        Extraction extraction = LogExtractor.of(PROFILE, LogFormat.AUTO).extract(buffer, 4, 22);
        assertThat(shown(extraction))
                .containsExactly("unit:a", "level:info", "word:level", "word:info", "word:unit", "word:a");
        assertThat(extraction.messageFrom()).isEqualTo(4);
        assertThat(extraction.messageTo()).isEqualTo(21);
    }

    @Test
    void showsNoKeywords() {
        assertThat(extract("secret word").toString()).doesNotContain("secret");
    }

    /** As the first line of a file may begin, of programs that came from Windows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"level\":\"error\",\"user\":\"ada\",\"ts\":\"2026-11-21T12:23:01Z\"}",
                "<34>Nov 21 12:23:01 web1 su[17]: failed",
                "2026-11-21 12:23:01 ERROR disk full",
                "level=error user=ada status=500"
            })
    void aByteOrderMarkHidesNothing(String line) {
        byte[] plain = line.getBytes(StandardCharsets.UTF_8);
        byte[] marked = ("\uFEFF" + line).getBytes(StandardCharsets.UTF_8);
        LogExtractor extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
        Extraction expected = extractor.extract(plain);
        Extraction found = extractor.extract(marked);
        assertThat(found.keywords()).isEqualTo(expected.keywords());
        assertThat(found.dated()).isEqualTo(expected.dated());
        assertThat(found.messageFrom()).isEqualTo(expected.messageFrom() + 3);
        assertThat(found.messageTo()).isEqualTo(expected.messageTo() + 3);
    }
}
