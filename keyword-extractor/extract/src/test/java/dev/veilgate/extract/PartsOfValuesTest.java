package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records by rules 2 are found by parts of their values: folders, networks, pairs of characters. */
class PartsOfValuesTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults().upgraded();

    private static boolean isFound(String query, String line) throws MalformedQueryException {
        List<Keyword> keywords = LogExtractor.of(PROFILE, LogFormat.AUTO)
                .extract(line.getBytes(StandardCharsets.UTF_8))
                .keywords();
        return KeywordQuery.parse(query, PROFILE).matches(keywords::contains);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/var/lib/docker | open /var/lib/docker/overlay2/x",
                "path:/var/lib/docker/ | open /var/lib/docker/overlay2/x",
                "path:/var | open /var/lib/docker/overlay2/x",
                "/var/lib/docker | open /var/lib/docker",
                "/var/lib/docker/containers | open /var/lib/docker/containers/0123456789abcdef0123/x.log",
                "path:C:\\Windows\\System32 | open C:\\Windows\\System32\\drivers\\etc\\hosts",
                "path:/api/v1 | 10.0.0.7 - - [28/Nov/2026:10:00:00 +0000] \"GET /api/v1/users/42 HTTP/1.1\" 200 12",
                "ip:2001:db8::/32 | app[1]: from 2001:db8:5::9",
                "ip:2001:db8:4000::/34 | app[1]: from 2001:db8:7fff::9",
                "ip:2001:db8:5::9/128 | app[1]: from 2001:db8:5::9",
                "ip:10.0.0.0/8 | app[1]: from 10.255.3.4",
                "ip:10.0.0.0/9 | app[1]: from 10.127.3.4",
                "ip:10.0.3.5/30 | app[1]: from 10.0.3.7",
                "ip:::1 | app[1]: from ::1",
                "\u65e5\u672c\u8a9e | app[1]: \u65e5\u672c\u8a9e\u30c6\u30ad\u30b9\u30c8",
                "\u6570\u636e\u5e93 | app[1]: \u6570\u636e\u5e93\u8fde\u63a5\u5931\u8d25",
                "\u8fde\u63a5\u5931\u8d25 | app[1]: \u6570\u636e\u5e93\u8fde\u63a5\u5931\u8d25",
            })
    void areFound(String query, String line) throws MalformedQueryException {
        assertThat(isFound(query, line)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/var/lib/dock | open /var/lib/docker/overlay2/x",
                "path:/lib/docker | open /var/lib/docker/overlay2/x",
                "ip:2001:db8::/32 | app[1]: from 2001:db9:5::9",
                "ip:2001:db8:4000::/34 | app[1]: from 2001:db8:8000::9",
                "ip:10.0.0.0/9 | app[1]: from 10.128.3.4",
                "ip:10.0.3.5/30 | app[1]: from 10.0.3.8",
                "ip:::1 | app[1]: from 1",
                "\u8a9e\u65e5 | app[1]: \u65e5\u672c\u8a9e\u30c6\u30ad\u30b9\u30c8",
            })
    void areNoOthers(String query, String line) throws MalformedQueryException {
        assertThat(isFound(query, line)).isFalse();
    }

    /** Against a plain calculation over bits. */
    @Test
    void networksAreThoseOfTheirBits() throws MalformedQueryException {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            int bits = 1 + random.nextInt(32);
            int network = random.nextInt();
            int address = random.nextBoolean() ? random.nextInt() : network ^ 1 << random.nextInt(32);
            boolean isIn = (network ^ address) >>> 32 - bits == 0;
            String query = "ip:" + dotted(network) + "/" + bits;
            assertThat(isFound(query, "app[1]: from " + dotted(address)))
                    .as(query + " " + dotted(address))
                    .isEqualTo(isIn);
        }
    }

    private static String dotted(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    @Test
    void networksThatWouldBeTooManyAreRefused() {
        for (String query : List.of("ip:2001:db8::/16", "ip:0.0.0.0/0", "ip:::/0", "ip:2001:db8::/65")) {
            assertThatThrownBy(() -> KeywordQuery.parse(query, PROFILE))
                    .as(query)
                    .isInstanceOf(MalformedQueryException.class)
                    .hasMessageContaining("length");
        }
        for (String query : List.of("ip:10.0.0.0/33", "ip:2001:db8::/129", "ip:1.2.3/8")) {
            assertThatThrownBy(() -> KeywordQuery.parse(query, PROFILE))
                    .as(query)
                    .isInstanceOf(MalformedQueryException.class)
                    .hasMessageContaining("10.0.0.0/8");
        }
    }

    @Test
    void networksOfIp6WithoutAFieldAreOffered() {
        assertThatThrownBy(() -> KeywordQuery.parse("2001:db8::/32", PROFILE))
                .isInstanceOfSatisfying(
                        MalformedQueryException.class,
                        e -> assertThat(e.suggestions()).containsExactly("ip:2001:db8::/32"));
    }

    @ParameterizedTest
    @CsvSource({
        "source:/var/log/auth.log, true",
        "source:auth.log, true",
        "source:/var/log, true",
        "source:/var/log/, true",
        "source:/var, true",
        "source:uth.log, false",
        "source:log, false",
        "source:/log, false"
    })
    void sourcesAreFoundByTheirLastNameAndTheirFolders(String query, boolean isFound) throws MalformedQueryException {
        Set<Keyword> keywords = SourceKeyword.ofRecord("/var/log/auth.log", PROFILE);
        assertThat(KeywordQuery.parse(query, PROFILE).matches(keywords::contains))
                .isEqualTo(isFound);
        Set<Keyword> ofRules1 = SourceKeyword.ofRecord("/var/log/auth.log", ExtractorProfile.defaults());
        assertThat(ofRules1).containsExactly(Keyword.text("source", "/var/log/auth.log"));
    }

    @Test
    void mailsAreFoundByFoldersToo() throws MalformedQueryException {
        byte[] mail = "Subject: x\r\n\r\nsee /srv/share/plans/2027/a.txt\r\n".getBytes(StandardCharsets.US_ASCII);
        try (MailExtractor extractor = new MailExtractor(PROFILE)) {
            List<Keyword> keywords = extractor.extract(mail).keywords();
            assertThat(MailQuery.parse("/srv/share/plans", PROFILE).matches(keywords::contains))
                    .isTrue();
        }
    }

    @Test
    void aLongPathHasAsManyFoldersAsItsValueIsLong() {
        String line = "open " + "/a".repeat(200_000);
        assertThat(LogExtractor.of(PROFILE, LogFormat.AUTO)
                        .extract(line.getBytes(StandardCharsets.UTF_8))
                        .keywords())
                .hasSizeLessThan(140);
    }
}
