package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Queries as users of Kibana, Graylog, Splunk, Loki, Gmail and Outlook write them. Each finds what its users expect, is refused with a reason, or is searched with a warning; none finds nothing in
 * silence of what is there.
 */
class HabitsOfOtherProductsTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static final List<String> LOGS = List.of(
            "Nov 21 12:23:01 press-4 sshd[159]: error: failed login of root from 10.0.0.7", // 0
            "Nov 21 12:23:02 press-4 sshd[160]: accepted login of ada from 10.0.0.8", // 1
            "{\"@timestamp\":\"2026-11-21T12:23:03Z\",\"log\":{\"level\":\"warn\"},\"host\":{\"name\":\"oven-1\"},"
                    + "\"service\":{\"name\":\"pump\"},\"source\":{\"ip\":\"10.0.0.9\"},\"user\":{\"name\":\"ada\"},\"message\":\"pump stops\"}", // 2
            "time=2026-11-21T12:23:04Z level=error service=pump user=root msg=\"disk full\"", // 3
            "[2026-11-21 12:23:05] local.ERROR: timeout of request {\"id\":7}", // 4
            "{\"level\":50,\"hostname\":\"oven-2\",\"pid\":7,\"msg\":\"disk full\"}"); // 5

    private static final List<String> MAILS = List.of(
            "From: Alice Smith <alice@example.org>\nTo: bob@example.com\nSubject: Quarterly report\n"
                    + "Date: Sat, 21 Nov 2026 12:23:01 +0000\nMessage-ID: <1@example.org>\n\nThe invoice is attached.\n", // 0
            "From: mallory@evil.example\nTo: Alice <alice@example.org>\nCc: bob@example.com\nSubject: Urgent payment\n\nPlease pay.\n", // 1
            "From: bob@example.com\nTo: alice@example.org\nSubject: Report\nList-Id: <pumps.example.org>\nMIME-Version: 1.0\n"
                    + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee the file.\n--b\n"
                    + "Content-Type: application/pdf; name=report.pdf\nContent-Disposition: attachment; filename=report.pdf\n\nx\n--b--\n"); // 2

    private static final List<Set<Keyword>> KEYWORDS_OF_LOGS =
            LOGS.stream().map(HabitsOfOtherProductsTest::log).toList();
    private static final List<Set<Keyword>> KEYWORDS_OF_MAILS =
            MAILS.stream().map(HabitsOfOtherProductsTest::mail).toList();

    private static Set<Keyword> log(String record) {
        byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
        return new HashSet<>(
                LogExtractor.of(PROFILE, LogFormat.AUTO).extract(bytes).keywords());
    }

    private static Set<Keyword> mail(String message) {
        try (MailExtractor extractor = new MailExtractor(PROFILE)) {
            return new HashSet<>(
                    extractor.extract(message.getBytes(StandardCharsets.UTF_8)).keywords());
        }
    }

    /** Which are found, with ! if there is a warning; a dash and the suggestion, if any, if it is refused. */
    private static String answer(String query, boolean mail) {
        try {
            ReadQuery read = mail ? MailQuery.read(query, PROFILE) : KeywordQuery.read(query, PROFILE);
            List<Set<Keyword>> held = mail ? KEYWORDS_OF_MAILS : KEYWORDS_OF_LOGS;
            String found = IntStream.range(0, held.size())
                    .filter(i -> read.query().matches(held.get(i)::contains))
                    .mapToObj(String::valueOf)
                    .collect(Collectors.joining(" "));
            return (found + (read.warnings().isEmpty() ? "" : " !")).strip();
        } catch (MalformedQueryException e) {
            return e.suggestions().isEmpty() ? "-" : "- " + e.suggestions().getFirst();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "severity:error ; !",
                "level:ERROR ; 0 3 4 5",
                "log.level:warn ; 2 !",
                "log.level: warn ; - log.level:warn",
                "level:(error OR warn) ; - (level:error OR level:warn)",
                "level IN (error, warn) ; - (level:error OR level:warn)",
                "level=error ; - level:error",
                "level=\"error\" ; - level:\"error\"",
                "level!=error ; -",
                "NOT level:error AND disk ; `",
                "-level:error pump ; - NOT level:error pump",
                "host.name:oven-1 ; 2 !",
                "host:oven-1 ; 2",
                "hostname:press-4 ; !",
                "hostname:oven-2 ; 5 !",
                "host=~\"oven.*\" ; -",
                "host:oven-* ; -",
                "service:pump ; 3 !",
                "service.name:pump ; 2 !",
                "app:sshd ; 0 1",
                "process.name:sshd ; !",
                "process.pid:159 ; !",
                "src_ip:10.0.0.7 ; !",
                "source.ip:10.0.0.9 ; 2 !",
                "clientip:10.0.0.8 ; !",
                "10.0.0.7-10.0.0.9 ; - (ip:10.0.0.7 OR ip:10.0.0.8 OR ip:10.0.0.9)",
                "10.0.0.0/24 ; -",
                "user:root ; 3",
                "user.name:ada ; 2 !",
                "username:root ; !",
                "user!=root ; -",
                "login user!=root ; - login NOT user:root",
                "@timestamp:2026-11-21 ; 0 1 2 3 4",
                "@timestamp>=now-1h ; -",
                "@message:timeout ; ! ",
                "message:\"disk full\" ; !",
                "msg:\"disk full\" ; 3 5 !",
                "_raw:timeout ; !",
                "error | head 10 ; -",
                "error | stats count by host ; -",
                "{app=\"sshd\"} ; - app:\"sshd\"",
                "{app=\"sshd\", host=\"press-4\"} ; - app:\"sshd\" AND host:\"press-4\"",
                "{app=~\"ss.*\"} ; -",
                "error, timeout ; 4 !",
                "login XOR accepted ; - (login AND NOT accepted) OR (accepted AND NOT login)",
                "disk NEAR/5 full ; -",
                "\"disk full\"~2 ; -",
                "disk AND full ; 3 5",
                "disk and full ; - disk AND full",
                "disk || timeout ; - disk OR timeout",
                "*timeout* ; - timeout",
                "/time.ut/ ; -",
                "index:main ; !",
                "sourcetype:sshd ; !",
                "facility:auth ; !",
                "tags:web ; !",
                "status:[400 TO 499] ; -",
                "user LIKE 'ro%' ; -",
                "_exists_:user ; -",
                "severity:3 ; !",
                "level:50 ; 0 3 4 5",
                "user:ada ; 2",
                "username:ada ; !",
                "host.name.keyword:oven-1 ; 2 !",
                "level in (\"error\",\"warn\") ; - (level:error OR level:warn)",
                "level in [error, warn] ; - (level:error OR level:warn)",
                "host IS \"press-4\" ; - host:\"press-4\"",
                "earliest=-24h error ; -",
                "10.0.0. ; -",
                "\"disk\", \"full\" ; -",
            })
    void logs(String query, String expected) {
        assertThat(answer(query, false)).isEqualTo(expected.strip());
    }

    /** Signs, quotes and commands around terms: what they mean is neither lost nor turned round. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "+level:error +user:root ; - level:error user:root",
                "+level:error -user:root ; - level:error NOT user:root",
                "+(disk timeout) ; - (disk timeout)",
                "+disk +full ; 3 5",
                "log.level : (error or warn) ; - (log.level:error OR log.level:warn)",
                "level = (error OR warn) ; - (level:error OR level:warn)",
                "login host != (oven-1 OR oven-2) ; - login NOT (host:oven-1 OR host:oven-2)",
                "user:(-root ada) ; - (NOT user:root AND user:ada)",
                "login host:(-\"oven-1\") ; - login (NOT host:\"oven-1\")",
                "host:(+press-4) ; - (host:press-4)",
                "url.path:\\/api\\/v1 ; - url.path:/api/v1",
                "host:press\\-4 ; - host:press-4",
                "10\\.0\\.0\\.7 ; - 10.0.0.7",
                "user:root,ada ; - (user:root OR user:ada)",
                "user:root, disk ; - user:root disk",
                "level: error, user: root ; - level:error user:root",
                "#user:root;# ; - user:root",
                "user:root. ; - user:root",
                "user:1,5 ; `",
                "user:{ name:ada } ; -",
                "_stream:{app=\"sshd\"} ; -",
                "user:=\"root\" ; - user:\"root\"",
                "login user:!=\"root\" ; - login NOT user:\"root\"",
                "user:~\"ro.*\" ; -",
                "timestamp:[\"2026-11-21 00:00:00\" TO \"2026-11-22 00:00:00\"] ; -",
                "timestamp:>=\"2026-11-21\" ; -",
                "level:in(error,warn) ; - (level:error OR level:warn)",
                "login user<>root ; - login NOT user:root",
                "login user<>\"root\" ; - login NOT user:\"root\"",
                "user===root ; - user:root",
                "user := root ; - user:root",
                "\"user\":\"root\" ; - user:\"root\"",
                "host=\"press-*\" ; -",
                "host=press-* ; -",
                "login host!=\"press-*\" ; -",
                "host IN (\"press-*\", oven-1) ; -",
                "host:\"press-4\" ; 0 1",
                "{app=\"sshd\"} |= \"failed\" ; - app:\"sshd\" \"failed\"",
                "{app=\"sshd\"} != \"failed\" ; -",
                "{app=\"sshd\"} !~ \"failed\" ; -",
                "{app=\"sshd\"} |~ \"failed|accepted\" ; - app:\"sshd\" (failed OR accepted)",
                "{app=\"sshd\"} |~ \"f[ao]il\" ; -",
                "{ app = \"sshd\" } ; - app:\"sshd\"",
                "{app=\"sshd\", host!=\"press-5\"} ; - app:\"sshd\" AND NOT host:\"press-5\"",
                "{app=~\"sshd|cron\"} ; - (app:sshd OR app:cron)",
                "\"login\" != \"failed\" ; -",
                "-u sshd ; - unit:sshd",
                "journalctl -t sshd ; - app:sshd",
                "-p crit ; - (level:critical OR level:alert OR level:emergency OR level:fatal)",
                "grep -v error ; -",
                "--since yesterday ; -",
                "search level=error ; - level:error",
                "where user == \"root\" ; - user:\"root\"",
                "TERM(10.0.0.7) ; - \"10.0.0.7\"",
                "host::press-4 ; - host:press-4",
                "disk\\s+full ; -",
                "\\berror\\b ; -",
                "[Ee]rror ; - Error",
                "[0-9]+ ; -",
                "10.0.0.[789] ; -",
                "error.+timeout ; -",
                "error\\|timeout ; - (error OR timeout)",
                "(?i)ERROR ; - ERROR",
                "level contains \"err\" ; -",
                "level is \"error\" ; - level:error",
                "user !in (root) login ; -",
                "user is not root ; - user is NOT root",
                "level:{warn TO critical} ; - level:error",
                "level>fatal ; -",
                "@timestamp:\"2026-11-21T12:23:03Z\" ; !",
                "@timestamp:yesterday ; !",
                "time:2026-11-21T12:23 ; 0 1 2 3 4",
                "source:press-4 ; !",
                "source:/var/log/syslog ; `",
                "_msg:disk ; !",
                "sshd[159]: ; 0",
            })
    void signsOfOtherProducts(String query, String expected) {
        String held = expected.equals("`") ? "" : expected;
        assertThat(answer(query, false)).isEqualTo(held);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "from:alice ; 0",
                "from:alice@example.org ; 0",
                "from:evil.example ; 1",
                "from:@evil.example ; 1",
                "from:(alice OR mallory) ; - (from:alice OR from:mallory)",
                "to:alice ; 1 2",
                "to:example.org ; 1 2",
                "cc:bob ; 1",
                "bcc:bob ; -",
                "subject:report ; 0 2",
                "subject:(quarterly report) ; - (subject:quarterly AND subject:report)",
                "subject:\"quarterly report\" ; 0",
                "has:attachment ; -",
                "hasattachments:yes ; -",
                "filename:pdf ; - filename:*.pdf",
                "filename:report.pdf ; 2",
                "filename:*.pdf ; 2",
                "attachment:report.pdf ; - filename:report.pdf",
                "in:inbox ; -",
                "is:unread ; -",
                "label:work ; -",
                "before:2026/11/22 ; -",
                "after:2026-11-20 ; -",
                "newer_than:2d ; -",
                "older_than:1y ; -",
                "received:2026-11-21 ; - date:2026-11-21",
                "date:2026-11-21 ; 0",
                "list:pumps.example.org ; - list-id:pumps.example.org",
                "rfc822msgid:1@example.org ; - message-id:1@example.org",
                "larger:10M ; -",
                "sender:mallory@evil.example ; - from:mallory@evil.example",
                "body:invoice ; - invoice",
                "invoice ; 0",
                "-invoice report ; - NOT invoice report",
                "report AROUND 3 invoice ; -",
                "{invoice pay} ; - (invoice OR pay)",
                "mallory@evil.example ; 1",
                "alice@example.org ; 0 1 2",
                "from:alice@ ; 0",
                "from:me ; - from:\"me\"",
                "date:2026/11/21 ; - date:2026-11-21",
                "date:21.11.2026 ; - date:2026-11-21",
                "date:today ; -",
                "+from:alice ; - from:alice",
                "+from:alice -to:bob ; - from:alice NOT to:bob",
                "from:(-alice) report ; - (NOT from:alice) report",
                "from:<alice@example.org> ; 0",
                "from:\"Alice Smith <alice@example.org>\" ; 0",
                "from:alice@example.org. ; - from:alice@example.org",
                "from:alice,mallory ; - (from:alice OR from:mallory)",
                "from:alice, to:bob ; - from:alice to:bob",
                "to:(alice, bob) ; - (to:alice AND to:bob)",
                "to:alice@example.org,carol@example.org ; - (to:\"alice@example.org\" OR to:\"carol@example.org\")",
                "<alice@example.org> ; 0 1 2",
                "mailto:alice@example.org ; - alice@example.org",
                "@evil.example ; 1",
                "filename:report* ; -",
                "filename:report ; !",
                "attachment:report ; - filename:report",
                "attachment-type:pdf ; !",
                "attachment-type:application/* ; -",
                "list:pumps ; - list-id:pumps",
                "list-id:pumps ; !",
                "message-id:1 ; !",
                "message-id:<1@example.org> ; 0",
            })
    void mails(String query, String expected) {
        assertThat(answer(query, true)).isEqualTo(expected.strip());
    }
}
