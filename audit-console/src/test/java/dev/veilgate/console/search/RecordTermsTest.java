package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each button of a record: what it adds keeps the record, and behind NOT leaves it out. */
class RecordTermsTest {
    private static final String ORIGIN = "/var/log/press line 4/plc.log";
    private static final ExtractorProfile PLAIN = ExtractorProfile.defaults();
    private static final ExtractorProfile LATER = ExtractorProfile.defaults().upgraded();
    private static final ExtractorProfile RICH = ExtractorProfile.defaults()
            .withIpPrefixes(8, 16, 24)
            .withFields("user", "rhost")
            .withNumericFields(new DyadicIntervals("temperature", -100, 10));

    private static final List<String> LINES = List.of(
            "Nov 21 12:23:05 press-4 sshd[4711]: Failed password for root from 10.0.0.7 port 22 ssh2",
            "2026-11-21T12:23:45.678+02:00 press-4 plc: temperature=71.5 user=\"disk pump\" state=over-heated",
            "<11>1 2026-11-21T12:23:45Z press-4 plc 42 ID7 [x@1 user=\"a b\" k=\"v]\"] disk full",
            "{\"time\":\"2026-11-21T12:23:45Z\",\"level\":\"WARNING\",\"unit\":\"a, b\",\"tags\":[\"x\",\"y z\",\"NOT\"],\"n\":1.50,"
                    + "\"temperature\":70,\"nested\":{\"id\":7,\"empty\":\"\"},\"sender\":\"alice\",\"source\":\"there\",\"a\":1,\"ok\":true,\"none\":null}",
            "{\"severity\":\"error\",\"f(x\":\"1\",\"a:b\":\"2\",\"q\\\"t\":\"3\",\"path\":\"C:\\\\Temp\\\\x\",\"url\":\"http://example.org/?a=b|c\"}",
            "{\"value\":\"" + "long ".repeat(100)
                    + "\",\"word\":\"and\",\"number\":\"7\",\"user\":\"-root\",\"re\":\"/x.*/\",\"star\":\"over*\"}",
            "{\"hidden\":\"a\\u200bb\\u202ec\",\"quote\":\"say \\\"hi\\\" \\\\ now\",\"level\":5,\"lines\":\"one\\ntwo\\tthree\"}",
            "level=err unit=\"ssh.service\" user=! pid=12 ip=fe80::1 when=2026-11-21T12:23:45Z range=5..7 or=or not=NOT",
            "10.0.0.7 - - [21/Nov/2026:12:23:45 +0100] \"GET /a?b=c HTTP/1.1\" 404 17",
            "no fields at all, NOT even a time OR a number",
            "STRASSE stra\u00dfe \u65e5\u672c\u8a9e \u0e20\u0e32\u0e29\u0e32 na\u00efve \ufb01le x~ y? (z) [w] {v} <u> 1/2 3.14 1e5");

    /** Lines of one log have most of their terms in common. */
    private static final Map<List<Object>, KeywordQuery> READ = new HashMap<>();

    private static void everyTermIsTrue(
            String of, RecordTerms terms, Set<Keyword> record, ExtractorProfile profile, boolean mail)
            throws Exception {
        List<String> all = new ArrayList<>();
        terms.searchable(Integer.MAX_VALUE).forEach(each -> add(all, each.term()));
        terms.fields("2026-11-21T12:23:45Z", "plant", ORIGIN).forEach(field -> add(all, field.term()));
        String anything = all.stream()
                .filter(term -> term.matches("[a-z]{3,}"))
                .filter(term -> holds(term, record, profile, mail))
                .findFirst()
                .orElse(null);
        for (String term : all) {
            assertThat(holds(term, record, profile, mail))
                    .as("%s: %s", of, term)
                    .isTrue();
            if (anything != null) {
                assertThat(holds(anything + " AND " + term, record, profile, mail))
                        .as("%s: + %s", of, term)
                        .isTrue();
                assertThat(holds(anything + " AND NOT " + term, record, profile, mail))
                        .as("%s: - %s", of, term)
                        .isFalse();
            }
        }
    }

    private static void add(List<String> to, @Nullable String term) {
        if (term != null) {
            to.add(term);
        }
    }

    private static boolean holds(String query, Set<Keyword> record, ExtractorProfile profile, boolean mail) {
        return READ.computeIfAbsent(List.of(query, profile, mail), _ -> read(query, profile, mail))
                .matches(record::contains);
    }

    private static KeywordQuery read(String query, ExtractorProfile profile, boolean mail) {
        try {
            return mail ? MailQuery.parse(query, profile) : KeywordQuery.parse(query, profile);
        } catch (MalformedQueryException e) {
            throw new AssertionError("cannot be read: " + query, e);
        }
    }

    private static RecordTerms of(byte[] line, ExtractorProfile profile) throws Exception {
        return RecordTerms.ofRecord(
                LogExtractor.of(profile, LogFormat.AUTO).extract(line).keywords(), ORIGIN, profile);
    }

    private static RecordTerms of(String line, ExtractorProfile profile) throws Exception {
        return of(line.getBytes(StandardCharsets.UTF_8), profile);
    }

    private static Map<String, @Nullable String> fields(String line, ExtractorProfile profile) throws Exception {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        of(line, profile)
                .fields("2026-11-21T12:23:45Z", "plant", ORIGIN)
                .forEach(field -> fields.put(field.name() + "=" + field.value(), field.term()));
        return fields;
    }

    private static Set<Keyword> keywords(LogExtractor extractor, byte[] line, ExtractorProfile profile) {
        Set<Keyword> keywords = new HashSet<>(extractor.extract(line).keywords());
        keywords.addAll(SourceKeyword.ofRecord(ORIGIN, profile));
        return keywords;
    }

    /** As its look suggests; and as pairs, since an envelope does not say in which format it was read. */
    private static void everyLine(String name, List<byte[]> lines, ExtractorProfile profile) throws Exception {
        for (LogFormat format : List.of(LogFormat.AUTO, LogFormat.KEY_VALUE)) {
            LogExtractor extractor = LogExtractor.of(profile, format);
            for (byte[] line : lines) {
                RecordTerms terms = RecordTerms.ofRecord(extractor.extract(line).keywords(), ORIGIN, profile);
                everyTermIsTrue(name, terms, keywords(extractor, line, profile), profile, false);
            }
        }
    }

    @Test
    void keepTheRecordAndLeaveItOut() throws Exception {
        List<byte[]> lines = LINES.stream()
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
        everyLine("own lines", lines, PLAIN);
        everyLine("own lines", lines, RICH);
        everyLine("own lines", lines, LATER);
    }

    @Test
    void aPathIsShownOnceAndNotAsItsFoldersToo() throws Exception {
        assertThat(fields("open /var/lib/docker/x and /var/lib/other", LATER).keySet())
                .filteredOn(field -> field.startsWith("path="))
                .containsExactly("path=/var/lib/docker/x", "path=/var/lib/other");
    }

    @Test
    void doSoForEveryRecordOfTheHeldLogs() throws Exception {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            assertThat(System.getenv("CI")).as("-Dveilgate.data in CI").isNotEqualTo("true");
            return;
        }
        int systems = 0;
        int without = 0;
        int with = 0;
        try (Stream<Path> files = Files.walk(Path.of(data, "loghub"))) {
            for (Path file : files.filter(each -> each.toString().endsWith("_2k.log"))
                    .sorted()
                    .toList()) {
                systems++;
                List<byte[]> lines = every(60, Files.readString(file, StandardCharsets.ISO_8859_1));
                everyLine(file.getFileName().toString(), lines, PLAIN);
                for (byte[] line : lines) {
                    for (RecordTerms.Searchable each : of(line, PLAIN).searchable(Integer.MAX_VALUE)) {
                        without += each.term() == null ? 1 : 0;
                        with += each.term() == null ? 0 : 1;
                    }
                }
            }
        }
        assertThat(systems).isEqualTo(16);
        assertThat(without).as("of %d keywords that have a term", with).isZero();
    }

    private static List<byte[]> every(int step, String file) {
        String[] lines = file.split("\r?\n");
        List<byte[]> some = new ArrayList<>();
        for (int i = 0; i < lines.length; i += step) {
            some.add(lines[i].getBytes(StandardCharsets.ISO_8859_1));
        }
        return some;
    }

    @Test
    void doSoForMails() throws Exception {
        List<byte[]> mails = new ArrayList<>();
        mails.add(
                ("From: \"Smith, Alice\" <alice@m\u00fcnchen.example>\r\nTo: <bob@example.org>\r\nCc: @odd\r\nSubject: Quarterly"
                                + " report NOT running\r\nDate: Sat, 21 Nov 2026 12:23:45 +0100\r\nMessage-ID: <1.2@example.org>\r\nList-Id: x"
                                + " <l.example.org>\r\n\r\nThe runners were running, and/or not: the 42 files of /var/log\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        String data = System.getProperty("veilgate.data");
        if (data != null) {
            try (Stream<Path> files = Files.list(Path.of(data, "mail"))) {
                for (Path file : files.sorted().limit(40).toList()) {
                    mails.add(Files.readAllBytes(file));
                }
            }
        }
        try (MailExtractor extractor = new MailExtractor(PLAIN)) {
            for (byte[] mail : mails) {
                List<Keyword> keywords = extractor.extract(mail).keywords();
                RecordTerms terms = RecordTerms.ofMail(keywords, PLAIN);
                everyTermIsTrue("mail", terms, new HashSet<>(keywords), PLAIN, true);
                assertThat(terms.searchable(500))
                        .filteredOn(each -> each.keyword().startsWith("word:"))
                        .allSatisfy(each -> assertThat(each.term()).isNotNull());
            }
        }
    }

    @Test
    void senderIsAFilterAndNoTerm() throws Exception {
        assertThat(of(LINES.get(3), PLAIN).fields(null, "plant", ORIGIN))
                .filteredOn(field -> field.name().equals("sender"))
                .extracting(RecordTerms.Field::value, RecordTerms.Field::term, RecordTerms.Field::filter)
                .containsExactly(tuple("plant", null, "sender"), tuple("alice", "sender:alice", null));
    }

    @Test
    void timeIsTheMinuteInUtcThatTheRecordIsIndexedBy() throws Exception {
        assertThat(fields(LINES.get(1), PLAIN)).containsEntry("time=2026-11-21T12:23:45Z", "time:2026-11-21T10:23");
        assertThat(fields(LINES.get(0), PLAIN)).containsEntry("time=2026-11-21T12:23:45Z", "time:11-21T12:23");
        assertThat(fields(LINES.get(9), PLAIN)).containsEntry("time=2026-11-21T12:23:45Z", null);
        assertThat(of(LINES.get(0), PLAIN).searchable(500))
                .filteredOn(each -> each.keyword().startsWith("time:"))
                .containsExactly(new RecordTerms.Searchable("time:11-21T12:23", "time:11-21T12:23"));
    }

    @Test
    void eachValueOfAFieldHasATermOfItsOwn() throws Exception {
        assertThat(fields(LINES.get(3), PLAIN))
                .containsEntry("tags=x", "tags:x")
                .containsEntry("tags=y z", "tags:\"y z\"")
                .containsEntry("tags=not", "tags:\"not\"")
                .containsEntry("unit=a, b", "unit:\"a, b\"");
    }

    @Test
    void aNumericFieldIsShownAndSearchedAsItsNumber() throws Exception {
        assertThat(fields(LINES.get(3), RICH)).containsEntry("temperature=70", "temperature:70");
        assertThat(fields(LINES.get(1), RICH)).containsEntry("temperature=71", "temperature:71");
    }

    @Test
    void aNameThatTheLanguageReadsAsTextHasNoTerm() throws Exception {
        assertThat(fields(LINES.get(3), PLAIN)).containsEntry("a=1", null);
    }

    @Test
    void valuesAreQuotedWhereAnotherLanguageHasAnOperator() throws Exception {
        assertThat(fields(LINES.get(5), PLAIN))
                .containsEntry("user=-root", "user:\"-root\"")
                .containsEntry("re=/x.*/", "re:\"/x.*/\"")
                .containsEntry("star=over*", "star:\"over*\"");
        assertThat(fields(LINES.get(6), PLAIN))
                .containsEntry("quote=say \"hi\" \\ now", "quote:\"say \\\"hi\\\" \\\\ now\"");
    }

    @Test
    void doSoForAnyText() throws Exception {
        String seed = System.getProperty("veilgate.seed", "1");
        System.out.println("RecordTermsTest: -Dveilgate.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed.hashCode());
        String signs = "aZ0 .,:;()[]{}\"'\\/|&!~*?<>=+-_@#$%^\u00e9\u200b\u202e\u65e5\u03c2\u00df\t";
        for (int i = 0; i < 3000; i++) {
            StringBuilder value = new StringBuilder();
            for (int n = random.nextInt(1, 12); n > 0; n--) {
                value.append(signs.charAt(random.nextInt(signs.length())));
            }
            String line = "{\"unit\":\""
                    + value.toString()
                            .replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\t", "\\t") + "\",\"text\":\"something\"}";
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            LogExtractor extractor = LogExtractor.of(RICH, LogFormat.AUTO);
            everyTermIsTrue(value.toString(), of(bytes, RICH), keywords(extractor, bytes, RICH), RICH, false);
        }
    }
}
