package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.testing.ProcessorTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of files as parameters of Content-Disposition give them. */
class MimeParametersTest {
    private static MimeParameters read(String parameters) {
        return MimeParameters.read("attachment; " + parameters);
    }

    private static String name(String parameters) {
        return read(parameters).parameter("filename").orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // pieces
                "filename*0=\"1 a 'b' c\"; filename*1=.eml | 1 a 'b' c.eml",
                "filename*1=b; filename*0=a; filename*2=.c | ab.c",
                "filename*10=c; filename*2=b; filename*0=a | abc",
                "filename*0=a; filename*2=c; filename*7=.d | ac.d",
                "filename*1=b; filename*2=.c | b.c",
                "filename*00=a; filename*01=.b | a.b",
                "filename*0=a; filename*0=b; filename*1=.c | ab.c",
                "filename*99999999999999999999=b; filename*0=a | ab",
                "FileName*0=a; FILENAME*1=.b | a.b",
                // percent-encoded
                "filename*=utf-8''%C3%84%20b.txt | \u00c4 b.txt",
                "filename*=\"utf-8'en'%C3%84.txt\" | \u00c4.txt",
                "filename*=iso-8859-1'de'%E4%20b | \u00e4 b",
                "filename*=''a%20b | a b",
                "filename*=a%20b.txt | a b.txt",
                "filename*=utf-8'a%20b | utf-8'a b",
                "filename*=\"a 'b' c.eml\" | a 'b' c.eml",
                "filename*=utf-8''it%27s%20'so'.txt | it's 'so'.txt",
                "filename*=utf-8''100%.txt | 100%.txt",
                "filename*=utf-8''%zz%4.%C3%84% | %zz%4.\u00c4%",
                "filename*=utf-8''a\u00e4%C3%84 | a\u00e4\u00c4",
                "filename*=x-unknown''a%20%C3%84 | a \u00c4",
                "filename*=iso-2022-jp''%1B$B%46%7C%1B(B.txt | \u65e5.txt",
                "filename*=us-ascii''%E4.txt | \u00e4.txt",
                // both kinds of pieces
                "filename*0*=utf-8''%C3; filename*1*=%84; filename*2=\" %41.txt\" | \u00c4 %41.txt",
                "filename*0=\"a 'b' \"; filename*1*=%41.txt | a 'b' A.txt",
                "filename*0*=utf-8''a; filename*1*=\"'b'c\" | a'b'c",
                "filename*1*=utf-8''%C3%84; filename*3=.txt | \u00c4.txt",
                // quotation marks, backslashes
                "filename=\"a;b.txt\"; size=1 | a;b.txt",
                "filename=\"a\\\"b\\\\c\\d.txt\" | a\"b\\c\\d.txt",
                "filename=\"C:\\new\\tab.txt\" | C:\\new\\tab.txt",
                "filename=\"a.txt; size=1 | a.txt; size=1",
                "filename=\"a\".txt | a.txt",
                "filename=\"a\" \"b.txt\" | a b.txt",
                "filename=\"a.txt\" size=1 | a.txt",
                "filename=it's.txt | it's.txt",
                "filename=a\"b;c\"d.txt | a\"b;c\"d.txt",
                "filename=\"a(b)c.txt\" | a(b)c.txt",
                // without quotation marks
                "filename=a b.txt; size=1 | a b.txt",
                "filename=a;b.txt; size=1 | a;b.txt",
                "filename=a; b ;c.txt | a; b ;c.txt",
                "filename = a.txt | a.txt",
                "filename=a=b.txt | a=b.txt",
                "filename=report (1).pdf | report (1).pdf",
                "filename=report(1).pdf | report(1).pdf",
                "filename=<a.txt> | <a.txt>",
                // comments
                "filename=a.txt (one (two)) (three; filename=x) | a.txt",
                "(one) filename (two) = (three) \"a.txt\" (four); size=1 | a.txt",
                "(filename=x; \\) ) filename=a.txt | a.txt",
                "(unended ; filename=a.txt | a.txt",
                // several
                "filename=a.txt; filename=b.txt | a.txt",
                "filename=a.txt; filename*=utf-8''b.txt | b.txt",
                "filename*=utf-8''b.txt; filename=a.txt | b.txt",
                "filename=a.txt; filename*0=b; filename*1=.txt | b.txt",
                "filename=a.txt; filename*1=b | a.txt",
                "filename*0=c; filename*=utf-8''b.txt | b.txt",
                "filename*=utf-8''; filename=a.txt | a.txt",
                // encoded words
                "filename=\"=?utf-8?B?w4QgYg==?=.txt\" | \u00c4 b.txt",
                "filename==?utf-8?Q?=C3=84_b=3F.txt?= | \u00c4 b?.txt",
                "filename=\"=?utf-8?B?w4?= =?utf-8?Q?=84?=\" | \u00c4",
                "filename=\"=?utf-8?Q?=C3?= =?utf-8?Q?=84 b.txt?=\" | \u00c4 b.txt",
                "filename*0=\"=?utf-8?B?w4Q\"; filename*1=\"uYg==?=.txt\" | \u00c4.b.txt",
                "filename=\"=?utf-8?B?YW?=\" | a",
                "filename=\"=?utf-8?B?!YWJj?=\" | abc",
                "filename=\"=?utf-8?B?YWJjZ?=\" | abc",
                "filename=\"=?utf-8?B?Y29ud=HJhY3QuZXhl?=\" | contract.exe",
                "filename=\"=?utf-8?B?YWJj======?=.txt\" | abc.txt",
                "filename=\"=?utf-8?B?w4Q!?= =?utf-8?B?!=?=\" | \u00c4=?utf-8?B?!=?=",
                "filename=\"=?utf-8?B??YWJj?=\" | =?utf-8?B??YWJj?=",
                "filename=\"=?utf-8?B?YQ?YWJj?=\" | =?utf-8?B?YQ?YWJj?=",
                "filename*=utf-16''%00a%00.%00b | a.b",
                "filename*=utf-16''%FF%FEa%00.%00b%00 | a.b",
                "filename*=utf-16le''a%00.%00b%00 | a.b",
                "filename=\"=?utf-8?Q?a=ZZb?=\" | a=ZZb",
                "filename=\"=?x-unknown?Q?=C3=84?=\" | \u00c4",
                "filename=\"=?utf-8*de?Q?=C3=84?=\" | \u00c4",
                "filename=\"=?utf-8?X?a?= =?utf-8?Q?b\" | =?utf-8?X?a?= =?utf-8?Q?b",
                "filename*=utf-8''=%3Futf-8%3FQ%3Fa%3F%3D | =?utf-8?Q?a?=",
                // raw
                "filename=\"\u00c4\u65e5.txt\" | \u00c4\u65e5.txt",
                "filename=\"a\u0000\u202eb\" | a\u0000\u202eb",
            })
    void readsNames(String parameters, String name) {
        assertThat(name(parameters)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attachment (hidden); filename=a.txt",
                "attachment; filename=a.txt (hidden)",
                "attachment; filename=\"a.txt\" (hidden); x=1",
                "attachment; filename=a.txt; filename=hidden",
                "attachment; filename*=utf-8''a.txt; filename=hidden",
                "attachment; filename*0=a; filename=hidden; filename*1=.txt",
                "attachment; filename=\"a.txt\"; hidden",
                "attachment; filename=\"a.txt\"; hidden (comment)",
                "attachment; filename=\"a.txt\"; \"hidden\"",
                "attachment; filename=\"a.txt\"; hidden*0*0=",
                "attachment; filename=\"a.txt\"; size=1; hidden",
                "attachment; filename=\"a.txt\"; x**=hidden",
                "attachment; filename=\"a.txt\"; =hidden",
                "attachment hidden; filename=a.txt",
                "attachment, hidden; filename=a.txt",
                "attachment; filename*=hidden''a.txt",
                "attachment; filename*=utf-8'hidden'a.txt",
                "attachment; filename==?hidden?Q?a.txt?=",
                "attachment; filename==?utf-8*hidden?Q?a.txt?=",
            })
    void whatIsNoNameIsRest(String field) {
        MimeParameters read = MimeParameters.read(field);
        assertThat(read.parameter("filename").orElse("")).doesNotContain("hidden");
        assertThat(read.value() + read.parameter("filename") + read.parameter("hidden") + read.rest())
                .contains("hidden");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "filename*=utf-16''a%00.%00e%00x%00e%00 | a.exe",
                "filename*=UTF-16'en'a%00.%00e%00x%00e%00 | a.exe",
                "filename*=iso-10646-ucs-2''a%00.%00e%00x%00e%00 | a.exe",
                "filename*=unicode''a%00.%00e%00x%00e%00 | a.exe",
                "filename*=utf-16le''%00a%00.%00e%00x%00e | a.exe",
                "filename*0*=utf-16''a%00.; filename*1*=%00e%00x%00e; filename*2*=%00 | a.exe",
                "filename=\"\u65e5 =?utf-16?B?YQAuAGUAeABlAA==?=\" | \u65e5 a.exe",
                "filename=\"=?utf-16?Q?a=00.=00e=00x=00?= =?utf-16?Q?e=00?= z\" | a.exe z",
                "filename=\"=?utf-8?B?Y29ud=HJhY3QuZXhl?=\" | =?utf-8?B?Y29ud=HJhY3QuZXhl?=",
                "filename=\"=?utf-8*de?b?!YWJj?=.txt\" | =?utf-8*de?b?!YWJj?=",
            })
    void otherReadingsOfANameAreRest(String parameters, String other) {
        assertThat(name(parameters)).isNotEqualTo(other);
        assertThat(read(parameters).rest()).contains(other);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filename*=utf-16''%00a%00.%00b",
                "filename*=utf-16''%FF%FEa%00",
                "filename*=utf-16''%FE%FF%00a",
                "filename=\"=?utf-16?B?AGE=?=\"; filename*=utf-8''a",
                "filename=\"=?utf-8?B?YWJj?=\""
            })
    void whatIsReadInOneWayHasNoOtherReading(String parameters) {
        assertThat(read(parameters).rest().stream().filter(text -> !text.equals("\u6100")))
                .allMatch(text -> text.equals("\u6100\u2e00\u6200"));
    }

    /** Programs guess, and people read what is there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Disposition: attachment; filename=a.txt; 'filename'=hidden.exe",
                "Content-Disposition: attachment; filename=a.txt; file_name=hidden.exe",
                "Content-Disposition: attachment; file name=hidden.exe",
                "Content-Disposition: attachment; filename=\"a.txt\"; file name=hidden.exe",
                "Content-Disposition: attachment; filename=\"a.txt\"; 'filename*'=hidden.exe",
                "Content-Disposition: attachment; filename=a.txt; name=hidden.exe",
                "Content-Disposition: attachment; filename=a.txt; f\u0456lename=hidden.exe",
                "Content-Disposition: attachment; filename=a.txt; x=hidden.exe",
                "Content-Disposition: attachment; filename=a.txt; x*=utf-8''h%69dden.exe",
                "Content-Disposition: attachment; filename=a.txt; hidden.exe=",
                "Content-Disposition: attachment; size=1 filename=hidden.exe",
                "Content-Type: text/plain; charset=utf-8 name=hidden.exe",
                "Content-Type: text/plain; filename=hidden.exe; name=a.txt",
                "Content-Type: text/plain; name=a.txt\r\nContent-Type: text/plain; 'name'=hidden.exe",
            })
    void aLabelSaysAllThatSomebodyMayReadAsAName(String header) {
        PartLabel label = Mails.label(header.getBytes(StandardCharsets.UTF_8));
        assertThat(label.name() + label.rest()).contains("hidden.exe");
    }

    @Test
    void aLabelDoesNotSayWhatIsCommonOrSaidBefore() {
        PartLabel label =
                Mails.label(("Content-Type: text/plain; charset=utf-8; format=flowed; x=a.txt; filename=a.txt\r\n"
                                + "Content-Disposition: attachment; size=1; filename=a.txt; name=a.txt;"
                                + " creation-date=\"Mon, 1 Jan 2024 00:00:00 +0000\"")
                        .getBytes(StandardCharsets.US_ASCII));
        assertThat(label.name()).isEqualTo("a.txt");
        assertThat(label.rest()).isEmpty();
    }

    @Test
    void whatLooksLikeANameComesBeforeTheRest() {
        PartLabel label =
                Mails.label(("Content-Disposition: attachment; x=y; \"z\"; 'filename'=hidden.exe; filename=a; "
                                + "u=v; ".repeat(MimeParameters.MAX_PARAMETERS) + "name=b")
                        .getBytes(StandardCharsets.US_ASCII));
        assertThat(label.rest()).startsWith("'filename'=hidden.exe", "\"z\"");
        assertThat(label.rest()).contains("x=y", "u=v").hasSizeLessThan(10);
    }

    @Test
    void readsValues() {
        assertThat(MimeParameters.read("ATTACHMENT").value()).isEqualTo("attachment");
        assertThat(MimeParameters.read(" (x) \"inline\" (y);").value()).isEqualTo("inline");
        assertThat(MimeParameters.read("Text/HTML ; charset=x").value()).isEqualTo("text/html");
        assertThat(MimeParameters.read("").value()).isEmpty();
        for (String field :
                List.of("filename=a", "attachment filename=a", "attachment;;filename=a;", ";filename=\"a\"")) {
            assertThat(MimeParameters.read(field).parameter("filename"))
                    .as(field)
                    .contains("a");
        }
        assertThat(MimeParameters.read("attachment; filename=\"\"").parameter("filename"))
                .contains("");
        assertThat(MimeParameters.read("attachment; name=a").parameter("filename"))
                .isEmpty();
    }

    @Test
    void readsFoldedLinesAndBytesThatAreNoAscii() {
        String lines = "Content-Disposition: attachment;\r\n\tfilename*0=\"a\r\n b\";\r\n filename*1=\"\u00e4.txt\"";
        for (var charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
            assertThat(Mails.label(lines.getBytes(charset)).name()).isEqualTo("a b\u00e4.txt");
        }
    }

    @Test
    void ofSeveralFieldsTheFirstNamesThePart() {
        PartLabel label =
                Mails.label(("Content-Type: text/plain (x); name=c\r\nContent-Disposition: inline; filename=a\r\n"
                                + "content-disposition: attachment; filename=b\r\nContent-Type: text/html")
                        .getBytes(StandardCharsets.US_ASCII));
        assertThat(label.name()).isEqualTo("a");
        assertThat(label.isAttachment()).isFalse();
        assertThat(label.type()).isEqualTo("text/plain");
        assertThat(label.rest()).containsExactly("b", "c", "(x)");
        assertThat(label.toString()).isEqualTo("PartLabel[hidden]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "(",
                "((",
                ")",
                "\"",
                "\\",
                ";",
                "; ",
                "=",
                "*",
                "'",
                "%",
                "%4",
                "=?",
                "=?utf-8?Q?",
                "=?utf-8?B?a?=",
                "x (a; ",
                "x (a); ",
                "x=(a); ",
                "a=\"b\" (c) ",
                "filename=a;",
                "filename*0=a;",
                "filename*=utf-8''a%;",
                "filename*1*=%C3;",
                "\"a\" ",
                "\" (",
                " (",
                "a b=",
                "\u00e4a",
                "\u0000",
                ";b",
                "filename=\"a\"; b (",
                "=?a?q?b?= ",
                "filename*0=\"=?utf-8?Q?=C3?=\";",
                "filename*=iso-2022-jp''%1B$B;",
                "=?utf-8?B?YWJj=?= ",
                "=?utf-8?B?=",
                "=?utf-16?B?YQA=?= ",
                "filename*=utf-16''a%00;",
            })
    void timeIsLinearInTheLength(String piece) throws Exception {
        String text = piece.repeat((1 << 20) / piece.length());
        for (String before :
                List.of("", "attachment; filename=", "attachment; filename=\"", "attachment; filename*=")) {
            ProcessorTime.bounded(Duration.ofSeconds(10), () -> MimeParameters.read(before + text));
        }
    }

    @Test
    void parametersBeyondTheMostAreRest() {
        String many = "x=1; ".repeat(MimeParameters.MAX_PARAMETERS);
        assertThat(read(many.substring(5) + "filename=a; y=2").parameter("filename"))
                .contains("a");
        assertThat(read(many + "filename=a; y=2").parameter("filename")).isEmpty();
        assertThat(read(many + "filename=a; y=2").rest()).contains("filename=a; y=2");
    }

    /** Changed keywords of a mail that is sealed already would make a reader take its honest hit for a lie. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "filename*0=\"1 a 'b' c\"; filename*1=.eml | *.eml c.eml",
                "filename*1=b; filename*0=a; filename*2=.c | *.c ba.c",
                "filename*0=a; filename*2=.c | *.c a.c",
                "filename*=utf-8''%C3%84%20b.txt | *.txt \u00e4 b.txt",
                "filename*0*=utf-8''%C3; filename*1*=%84; filename*2=\" %41.txt\" | *.txt \u00e4 a.txt",
                "filename=a.txt; filename*=utf-8''b.txt | *.txt b.txt",
                "filename=a b;c.txt | a b",
                "filename=a.txt (one) | *.txt a.txt",
                "filename=\"a\\\"b.txt | *.txt a\"b.txt",
                "filename=\"=?utf-8?B?w4QgYg==?=.txt\" | *.txt \u00e4 b.txt",
                "filename=\"C:\\new\\tab.txt\" | *.txt tab.txt",
                "filename=a.txt; filename=b.txt | *.txt a.txt",
            })
    void keywordsOfNamesAreAsBefore(String parameters, String keywords) {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            byte[] mail = ("Content-Type: application/octet-stream\r\nContent-Disposition: attachment; " + parameters
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8);
            assertThat(String.join(" ", Mails.values(extractor.extract(mail), "filename")))
                    .isEqualTo(keywords);
        }
    }
}
