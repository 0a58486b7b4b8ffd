package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sender who writes a body as mail programs still show it and a strict reader does not hides nothing: its words are found, or the mail has a refusal. */
class HiddenBodyAttackTest {
    private static final String HEAD = "From: a@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n";
    private static final String TEXT = "the urgent quarterly words\r\n";
    private static final String HTML = "<p>ur<b>gent</b> quar<font size=1>ter</font>ly words</p>";
    private static final String[] WORDS = {"urgent", "quarterly", "words"};
    private static final String PARTS =
            "--abcd\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64(TEXT)
                    + "\r\n--abcd\r\nContent-Type: text/html\r\n\r\n<p>sec<b>ond</b>\r\n--abcd--\r\n";
    private static final String MIXED = "Content-Type: multipart/mixed; boundary=abcd";
    private static final MailExtractor EXTRACTOR = new MailExtractor(ExtractorProfile.defaults());

    @AfterAll
    static void close() {
        EXTRACTOR.close();
    }

    private static String base64(String text) {
        return base64(text, StandardCharsets.UTF_8);
    }

    private static String base64(String text, Charset charset) {
        return Base64.getEncoder().encodeToString(text.getBytes(charset));
    }

    /** Bytes are given as the characters of the same number. */
    private static MailKeywords read(String mail) {
        return EXTRACTOR.extract(mail.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static MailKeywords read(String fields, String body) {
        return read(HEAD + fields + "\r\n\r\n" + body);
    }

    private static MailKeywords shows(MailKeywords mail, String... words) {
        assertThat(Mails.values(mail, "word")).contains(words);
        return mail;
    }

    private static void isReported(MailKeywords mail, Refusal.Reason reason) {
        assertThat(Mails.reasons(mail)).contains(reason);
    }

    private static String encoded(String encoding) {
        return "Content-Type: text/plain\r\nContent-Transfer-Encoding: " + encoding;
    }

    @Test
    void paddingInsideBase64EndsNothing() {
        String inPieces = base64("the urgent ") + "\r\n" + base64("quarterly") + "\r\n" + base64(" words");
        shows(read(encoded("base64"), inPieces), WORDS);
        String byLetter = base64("the urgent q") + base64("u") + base64("ar") + base64("terly words");
        shows(read(encoded("base64"), byLetter), WORDS);
        shows(read(encoded("base64"), "QUJD=\r\nREVG"), "abcdef");
        shows(read(encoded("base64"), base64("urgent!") + "==\r\n==" + base64("quarterly words")), WORDS);
        shows(read(encoded("base64"), base64(TEXT + "!!").replace("=", "")), WORDS);
    }

    /** Programs of mailing lists write a line behind a body in base64, which makes it no text in UTF-8 any more. */
    @Test
    void aFooterBehindBase64LeavesUmlautsWhole() {
        String body =
                base64("gr\u00fcne urgent quarterly words") + "\r\n____\r\nmailing list http://lists.example/\r\n";
        shows(shows(read(encoded("base64"), body), WORDS), "gr\u00fcne");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-base64",
                "\"base64\"",
                "'base64'",
                "<base64>",
                "base64;",
                "base64,",
                "base64 (c)",
                "(c) base64",
                "BASE64 junk",
                "base64; charset=x",
                "=base64",
                "base-64",
                "\r\n base64",
                "base64\r\n ;x"
            })
    void base64UnderOtherNames(String name) {
        assertThat(shows(read(encoded(name), base64(TEXT)), WORDS).refusals()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-quoted-printable",
                "\"quoted-printable\"",
                "quoted-printable;",
                "(c)quoted-printable",
                "QUOTED-PRINTABLE foo",
                "quotedprintable",
                "quoted_printable"
            })
    void quotedPrintableUnderOtherNames(String name) {
        assertThat(shows(read(encoded(name), "the =75rgent quarter=\r\nly wo=72ds"), WORDS)
                        .refusals())
                .isEmpty();
    }

    @Test
    void encodingsThatContradictEachOtherAreBothRead() {
        String twice = encoded("7bit") + "\r\nContent-Transfer-Encoding: base64";
        isReported(shows(read(twice, base64(TEXT)), WORDS), Refusal.Reason.DAMAGED);
        isReported(shows(read(twice, TEXT), WORDS), Refusal.Reason.DAMAGED);
        isReported(shows(read(encoded("x-foo"), TEXT), WORDS), Refusal.Reason.UNKNOWN_ENCODING);
    }

    private static String uuencoded(String name, byte[] content) {
        var lines = new StringBuilder("begin 644 " + name + "\r\n");
        for (int from = 0; from < content.length; from += 45) {
            int count = Math.min(45, content.length - from);
            lines.append((char) (' ' + count));
            for (int i = 0; i < count; i += 3) {
                int group = 0;
                for (int b = 0; b < 3; b++) {
                    group = group << 8 | (from + i + b < content.length ? content[from + i + b] & 0xff : 0);
                }
                for (int shift = 18; shift >= 0; shift -= 6) {
                    int value = group >> shift & 63;
                    lines.append(value == 0 ? '`' : (char) (' ' + value));
                }
            }
            lines.append("\r\n");
        }
        return lines + "`\r\nend\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"uuencode", "x-uuencode", "x-uue", "uue", "X-UUENCODE;"})
    void uuencodedBodies(String name) {
        String body = uuencoded("note.txt", TEXT.repeat(5).getBytes(StandardCharsets.US_ASCII));
        MailKeywords mail = shows(read(encoded(name), body), WORDS);
        assertThat(Mails.values(mail, "filename")).contains("note.txt", "*.txt");
        assertThat(mail.refusals()).isEmpty();
        isReported(read(encoded(name), "no such lines"), Refusal.Reason.DAMAGED);
    }

    @Test
    void uuencodedFilesInsideATextAreAttachments() {
        String file = uuencoded("note.txt", TEXT.repeat(5).getBytes(StandardCharsets.US_ASCII));
        for (String head : new String[] {"Content-Type: text/plain", "X-Mailer: old"}) {
            MailKeywords mail = shows(read(head, "hello\r\n" + file + "goodbye\r\n"), WORDS);
            shows(mail, "hello", "goodbye");
            assertThat(Mails.values(mail, "filename")).contains("note.txt");
            assertThat(mail.refusals()).isEmpty();
        }
        isReported(shows(read("X-A: b", file.replace("`\r\nend\r\n", "")), WORDS), Refusal.Reason.DAMAGED);
        byte[] picture = new byte[300];
        picture[1] = 7;
        MailKeywords mail = read("X-A: b", uuencoded("x.jpg", picture));
        assertThat(mail.refusals()).containsExactly(new Refusal("1/1", Refusal.Reason.UNSUPPORTED_TYPE));
        assertThat(Mails.values(mail, "filename")).contains("x.jpg");
        shows(read("X-A: b", "begin-base64 644 a.txt\r\n" + base64(TEXT) + "\r\n====\r\n"), WORDS);
        assertThat(read("X-A: b", "begin 644 friends\r\nhello there\r\n").refusals())
                .isEmpty();
    }

    @Test
    void filesInsideTextsInsideTextsAreBounded() {
        String text = "core\r\n";
        for (int i = 0; i < 3; i++) {
            text = "outside " + i + "\r\n" + uuencoded("n" + i, text.getBytes(StandardCharsets.US_ASCII));
        }
        shows(read("X-A: b", text), "core");
        for (int i = 3; i < 8; i++) {
            text = "outside " + i + "\r\n" + uuencoded("n" + i, text.getBytes(StandardCharsets.US_ASCII));
        }
        MailKeywords mail = read("X-A: b", text);
        isReported(mail, Refusal.Reason.TOO_DEEP);
        assertThat(Mails.values(mail, "word")).doesNotContain("core");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "boundary*0=\"ab\"; boundary*1=\"cd\"",
                "boundary*1=\"cd\"; boundary*0=\"ab\"",
                "boundary*=utf-8''ab%63d",
                "boundary*0*=us-ascii'en'ab; boundary*1*=%63%64",
                "boundary*=''abcd",
                "boundary = abcd",
                "BOUNDARY=abcd",
                "boundary=\"abcd",
                "boundary=\"abcd \"",
                "boundary=abcd (c)",
                "charset=utf-8 boundary=abcd",
                "type=\"a;boundary=zz\"; boundary=abcd",
                "x; boundary=abcd",
                "boundary=\"abcd\";boundary=\"efgh\"",
                "boundary=\r\n abcd",
                "(c) ; boundary=abcd"
            })
    void boundariesInOtherForms(String parameters) {
        shows(shows(read("Content-Type: multipart/mixed; " + parameters, PARTS), WORDS), "second");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/mixed boundary=abcd",
                "multipart; boundary=abcd",
                "multipart/; boundary=abcd",
                "\"multipart/mixed\"; boundary=abcd",
                "multipart / mixed; boundary=abcd",
                "(c) multipart/mixed (d); boundary=abcd",
                "Multipart/X-Foo; boundary=abcd"
            })
    void multipartsInOtherForms(String type) {
        shows(shows(read("Content-Type: " + type, PARTS), WORDS), "second");
    }

    @Test
    void boundariesOfOtherLetters() {
        String eightBit = "Content-Type: multipart/mixed; boundary=\"ab\u00c3\u00bc\"";
        shows(read(eightBit, PARTS.replace("abcd", "ab\u00c3\u00bc")), WORDS);
        String latin = "Content-Type: multipart/mixed; boundary=\"ab\u00fc\"";
        shows(read(latin, PARTS.replace("abcd", "ab\u00fc")), WORDS);
        String percent = "Content-Type: multipart/mixed; boundary*=utf-8''ab%C3%BC";
        shows(read(percent, PARTS.replace("abcd", "ab\u00c3\u00bc")), WORDS);
    }

    @Test
    void messagesInsideTheMailInAnyEncoding() {
        String inner = "Subject: inner\r\nContent-Type: text/html\r\n"
                + "Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>ur=67ent quar<b>terly</b> words</p>\r\n";
        for (String type : new String[] {"message/rfc822", "message/global", "message/news"}) {
            for (String encoding : new String[] {"7bit", "base64", "base64;", "x-base64", "quoted-printable"}) {
                String written = encoding.contains("base64")
                        ? base64(inner)
                        : encoding.startsWith("quoted") ? inner.replace("=", "=3D") : inner;
                String part = "--abcd\r\nContent-Type: " + type + "\r\nContent-Transfer-Encoding: " + encoding
                        + "\r\n\r\n" + written + "\r\n--abcd\r\n\r\nbehind\r\n--abcd--\r\n";
                MailKeywords mail = shows(shows(read(MIXED, part), WORDS), "inner", "behind");
                assertThat(mail.refusals()).as(type + " " + encoding).isEmpty();
                assertThat(Mails.values(mail, "attachment-type")).contains(type);
            }
        }
        String digest = "--abcd\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64(inner) + "\r\n--abcd--\r\n";
        shows(read("Content-Type: multipart/digest; boundary=abcd", digest), WORDS);
        String sameBoundary = "Subject: inner\r\n" + MIXED + "\r\n\r\n" + PARTS;
        shows(
                read(
                        MIXED,
                        "--abcd\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                                + base64(sameBoundary) + "\r\n--abcd\r\n\r\nbehind\r\n--abcd--\r\n"),
                "urgent",
                "second",
                "behind");
    }

    @Test
    void messagesInsideMessagesAreBoundedInAnyEncoding() {
        String mail = "Subject: core\r\n\r\n" + TEXT;
        for (int i = 0; i < 12; i++) {
            mail = "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64(mail);
        }
        shows(read(mail), WORDS);
        MailLimits base = MailLimits.DEFAULT;
        var shallow = new MailLimits(
                base.maxMessageBytes(),
                base.maxHeaderBytes(),
                base.maxHeaderFields(),
                base.maxParts(),
                5,
                base.maxTextChars(),
                base.processorMillis(),
                base.attachments());
        try (var extractor = new MailExtractor(ExtractorProfile.defaults(), shallow)) {
            isReported(extractor.extract(mail.getBytes(StandardCharsets.US_ASCII)), Refusal.Reason.TOO_DEEP);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html charset=utf-8",
                "text/html; charset",
                "html",
                "/html",
                "text/html,",
                "TEXT/HTML",
                "text / html",
                "\"text/html\"",
                "'text/html'",
                "<text/html>",
                "text/html (c)",
                "text//html",
                "text\\html",
                "text/html/x",
                "=?utf-8?Q?text/html?=",
                "text/html: charset=utf-8",
                "text/html\0",
                "text/x-amp-html",
                "text/html\r\n\tcharset=utf-8",
                "text/html; charset=utf-8; charset=us-ascii",
                "text/plain\r\nContent-Type: text/html",
                "text/html\r\nContent-Type: text/plain"
            })
    void htmlUnderMalformedTypes(String type) {
        shows(read("Content-Type: " + type, HTML), WORDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "text/",
                "plain",
                "foo",
                ";",
                "charset=utf-8",
                "text/plain/",
                "text;charset=utf-8",
                "content-type: text/plain",
                "text/markdown",
                "text/foo"
            })
    void textUnderMalformedTypes(String type) {
        shows(read("Content-Type: " + type, TEXT), WORDS);
    }

    @Test
    void typesThatContradictEachOtherAreReported() {
        for (String fields : new String[] {
            "Content-Type: text/plain\r\n" + MIXED,
            MIXED + "\r\nContent-Type: text/plain",
            MIXED + "; boundary=efgh",
            MIXED + "\r\n" + MIXED.replace("abcd", "efgh")
        }) {
            isReported(shows(shows(read(fields, PARTS), WORDS), "second"), Refusal.Reason.DAMAGED);
        }
        assertThat(read(MIXED + "\r\n" + MIXED, PARTS).refusals()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/calendar; method=REQUEST", "text/x-vcalendar", "application/ics"})
    void calendars(String type) {
        String calendar = "BEGIN:VEVENT\r\nSUMMARY:the ur\r\n gent meeting\r\nDESCRIPTION:line\\nquarter\r\n\tly\\, x"
                + "\r\nLOCATION:ro\r\n om\r\nATTENDEE;CN=\"Zoe Muel\r\n ler\":mailto:zoe@ex\r\n ample.org\r\nEND:VEVENT";
        shows(read("Content-Type: " + type, calendar), "urgent", "quarterly", "room", "mueller", "zoe", "example");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/vcard", "text/x-vcard", "text/directory"})
    void cards(String type) {
        String card = "BEGIN:VCARD\r\nFN:ur\r\n gent\r\nNOTE;ENCODING=QUOTED-PRINTABLE:quar=\r\nterly=0Awor=64s gr=C3="
                + "\r\n=BCn\r\nEND:VCARD\r\n";
        shows(shows(read("Content-Type: " + type, card), WORDS), "gr\u00fcn");
    }

    @Test
    void enrichedAndRichText() {
        shows(
                read(
                        "Content-Type: text/enriched",
                        "<bold>ur</bold>gent <color><param>red</param>quar</color>terly wo<italic>rds</italic> a<<b"),
                WORDS);
        shows(read("Content-Type: text/richtext", "<bold>ur</bold>gent<nl>quar<italic>terly</italic> words"), WORDS);
        shows(read("Content-Type: text/rtf", "{\\rtf1\\ansi\\pard ur{\\b gent} quarterly words\\par}"), WORDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utf-16",
                "utf-16le",
                "utf-16be",
                "utf-32",
                "utf-7",
                "foo",
                "\"utf-8\"",
                "'utf-8'",
                "\"utf-8",
                "utf-8 (c)",
                "(c) utf-8",
                "=?us-ascii?Q?utf-8?=",
                "unicode",
                "cp037",
                "IBM1047",
                "*",
                "utf8",
                "utf-8; charset=utf-16",
                "iso-2022-kr",
                "hz-gb-2312"
            })
    void asciiUnderAnyCharset(String charset) {
        shows(read("Content-Type: text/plain; charset=" + charset, TEXT), WORDS);
        shows(read("Content-Type: text/html; charset=" + charset, HTML), WORDS);
    }

    @Test
    void charsetsByTheNamesThatMailGivesThem() {
        for (List<String> names : List.of(
                List.of("utf-16le", "utf-16"),
                List.of("utf-16be", "utf-16"),
                List.of("utf-16", "utf-8"),
                List.of("utf-8", "'utf-8'"),
                List.of("utf-8", "utf8; x"),
                List.of("utf-8", "no-such-charset"),
                List.of("windows-1252", "win-1252"),
                List.of("windows-1252", "cp-1252"),
                List.of("iso-8859-1", "ISO_8859-1"),
                List.of("iso-8859-15", "iso8859_15"))) {
            String fields = encoded("base64").replace("plain", "plain; charset=" + names.getLast());
            String body = base64("gr\u00fcne urgent quarterly words", Charset.forName(names.getFirst()));
            MailKeywords mail = shows(shows(read(fields, body), WORDS), "gr\u00fcne");
            assertThat(Mails.reasons(mail).contains(Refusal.Reason.UNKNOWN_CHARSET))
                    .isEqualTo(names.getLast().startsWith("no"));
        }
        String russian = "\u0441\u0440\u043e\u0447\u043d\u043e";
        for (String charset :
                new String[] {"=koi8r", "*0=koi; charset*1=8-r", "*=us-ascii'en'koi8-r", "=us-ascii; charset=koi8-r"}) {
            String fields = encoded("base64").replace("plain", "plain; charset" + charset);
            shows(read(fields, base64(russian, Charset.forName("koi8-r"))), russian);
        }
        shows(read("Content-Type: text/plain; charset=utf-7", "gr+APw-ne +AHU-rgent 1 +- 1"), "gr\u00fcne", "urgent");
    }

    @Test
    void bareReturnsEndLinesAsInMailPrograms() {
        String mail = HEAD + MIXED + "\r\n\r\n" + PARTS;
        shows(shows(read(mail.replace("\r\n", "\r")), WORDS), "second");
        shows(shows(read(mail.replace("\r\n", "\n")), WORDS), "second");
        shows(shows(read(HEAD + MIXED + "\r\n\r\n" + PARTS.replace("\r\n", "\r")), WORDS), "second");
        isReported(shows(read("X-A: b\rContent-Type: text/html", HTML), WORDS), Refusal.Reason.DAMAGED);
        isReported(shows(read(encoded("base64").replace("\r\n", "\r"), base64(TEXT)), WORDS), Refusal.Reason.DAMAGED);
        isReported(shows(shows(read("X-A: b\r" + MIXED, PARTS), WORDS), "second"), Refusal.Reason.DAMAGED);
        isReported(shows(read("X-A: b\r\rurgent quarterly words", "more"), WORDS), Refusal.Reason.DAMAGED);
        MailKeywords sender = read("To: b@example.org\rFrom: urgent@example.org\r\nSubject: one\rtwo\r\n\r\nx");
        assertThat(Mails.values(sender, "from")).contains("urgent@example.org");
        assertThat(Mails.values(sender, "subject")).contains("one", "two");
        isReported(sender, Refusal.Reason.DAMAGED);
    }

    @Test
    void binaryFilesKeepTheirReturns() throws Exception {
        String file = "PK\ra\r\r\n--\rb\r--c\r\n";
        assertThat(seen("Content-Type: application/zip\r\n\r\n" + file)).endsWith(file);
        String part = "--abcd\r\nContent-Type: application/zip\r\n\r\n" + file;
        assertThat(seen(MIXED + "\r\n\r\n" + part + "--abcd--\r\n")).contains(part);
        assertThat(seen(MIXED + "\r\n\r\na\r--abcd\rb: c\r\rd\re")).endsWith("a\r\n--abcd\r\nb: c\r\n\r\nd\re");
    }

    private static String seen(String mail) throws Exception {
        byte[] bytes = mail.getBytes(StandardCharsets.ISO_8859_1);
        return new String(new LineEnds(new ByteArrayInputStream(bytes)).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void wordsWhereAHeaderOrABoundaryShouldBe() {
        isReported(
                shows(
                        read(MIXED, "--abcd\r\nContent-Type: text/plain\r\nurgent quarterly words\r\n\r\n--abcd--\r\n"),
                        WORDS),
                Refusal.Reason.DAMAGED);
        isReported(shows(read("urgent quarterly words", ""), WORDS), Refusal.Reason.DAMAGED);
        for (String line : new String[] {
            "--abcd urgent quarterly words\r\n",
            "--abcd--x\r\nurgent quarterly words\r\n",
            "--abcd-\r\nurgent quarterly words\r\n"
        }) {
            isReported(
                    shows(read(MIXED, "--abcd\r\n\r\nfirst\r\n" + line + "\r\n--abcd--\r\n"), WORDS),
                    Refusal.Reason.DAMAGED);
        }
        assertThat(read(MIXED, PARTS.replace("--abcd\r", "--abcd \t\r")).refusals())
                .isEmpty();
    }

    @Test
    void partsBehindTheLastOneAreReadAndReported() {
        MailKeywords mail = read(MIXED, "--abcd\r\n\r\nfirst\r\n--abcd--\r\n" + PARTS);
        isReported(shows(shows(mail, WORDS), "first", "second"), Refusal.Reason.DAMAGED);
        isReported(shows(read(MIXED, "--abcd--\r\n" + PARTS), "urgent", "second"), Refusal.Reason.DAMAGED);
        assertThat(Mails.values(read(MIXED, PARTS + "\r\nepilogue\r\n"), "word"))
                .doesNotContain("epilogue");
    }

    @Test
    void multipartsInsideEachOtherWithLikeBoundaries() {
        for (List<String> pair : List.of(
                List.of("aa", "aa"),
                List.of("aa", "aab"),
                List.of("aab", "aa"),
                List.of("aa", "aa-b"),
                List.of("aa", "aa b"))) {
            for (boolean ended : new boolean[] {true, false}) {
                String outer = pair.getFirst();
                String inner = pair.getLast();
                String body = "--" + outer + "\r\nContent-Type: multipart/alternative; boundary=\"" + inner
                        + "\"\r\n\r\n" + PARTS.replace("abcd", inner).replace("--" + inner + "--\r\n", "")
                        + (ended ? "--" + inner + "--\r\n" : "") + "--" + outer
                        + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64("outer third") + "\r\n"
                        + (ended ? "--" + outer + "--\r\n" : "");
                Set<String> words =
                        Mails.values(read("Content-Type: multipart/mixed; boundary=\"" + outer + "\"", body), "word");
                assertThat(words).as("%s", pair).contains(WORDS).contains("second", "third");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\\rtf1\\ansi ur{\\b gent} quarterly words\\par}",
                "{\\rtf1\\ansi{\\fonttbl{\\f0 tabled;}}{urgent} {\\i quarterly} words}",
                "{\\rtf1\\ansi\\ansicpg1252 urg{}ent qu\\'61rterly \\u119?ords{\\*\\generator tabled;}}"
            })
    void textInTheHeadOfRichText(String document) {
        for (String type : new String[] {"text/rtf", "application/rtf"}) {
            MailKeywords mail = shows(read("Content-Type: " + type, document), WORDS);
            assertThat(Mails.values(mail, "word")).doesNotContain("tabled");
        }
    }

    /** Programs show what the header says that it is, whatever file it looks like. */
    @Test
    void textsThatBeginLikeFiles() {
        shows(read("Content-Type: text/plain", "{\\rtf1 hello} urgent quarterly words"), WORDS);
        shows(read("Content-Type: text/html", "%PDF-1.4<p>ur<b>gent</b> quarterly words"), WORDS);
        shows(read("Content-Type: application/pgp; format=text", TEXT), WORDS);
        shows(read(encoded("quoted-printable"), "ur=\rgent quarterly words"), WORDS);
    }

    @Test
    void aPieceOfAMessageIsReported() {
        isReported(
                shows(read("Content-Type: message/partial; id=x; number=1; total=2", TEXT), WORDS),
                Refusal.Reason.UNSUPPORTED_TYPE);
    }
}
