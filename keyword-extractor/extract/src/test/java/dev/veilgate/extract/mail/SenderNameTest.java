package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.address.MailboxList;
import org.apache.james.mime4j.field.address.LenientAddressParser;
import org.apache.james.mime4j.stream.RawField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No name of a sender hides the mail from who searches for its address. */
class SenderNameTest {
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults();

    private static Set<Keyword> keywords(byte[] mail) {
        try (MailExtractor extractor = new MailExtractor(PROFILE)) {
            return new HashSet<>(extractor.extract(mail).keywords());
        }
    }

    private static Set<Keyword> keywords(String header, Charset charset) {
        return keywords((header + "\r\nSubject: hello\r\n\r\nhello\r\n").getBytes(charset));
    }

    private static boolean finds(String query, Set<Keyword> keywords) throws Exception {
        return MailQuery.parse(query, PROFILE).matches(keywords::contains);
    }

    private static List<String> names() throws Exception {
        return Files.readAllLines(
                        Path.of("peks-engine", "envelope", "src", "test", "resources", "mail", "sender-names.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void eachNameOfAListOfTwoHundredLeavesTheAddressFindable() throws Exception {
        assertThat(names()).hasSizeGreaterThanOrEqualTo(200);
        for (String name : names()) {
            Set<Keyword> found = keywords(
                    "From: " + name + " <x@evil.example>\r\nTo: Bob <bob@y.example>, " + name
                            + " <x@evil.example>\r\nCc: " + name + "\r\n <x@evil.example>,\r\n zoe@z.example",
                    StandardCharsets.UTF_8);
            for (String query : new String[] {
                "from:x@evil.example",
                "from:@evil.example",
                "to:x@evil.example",
                "to:bob@y.example",
                "cc:x@evil.example",
                "cc:zoe@z.example"
            }) {
                assertThat(finds(query, found)).as(query + " of " + name).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "From: O\u2019Brien <p1@evil.example>                           | from:p1@evil.example",
                "From: J\u00fcrgen M\u00fcller <a@x.example>                    | from:\"J\u00fcrgen M\u00fcller\"",
                "From: eva@m\u00fcnchen.example                                 | from:eva@m\u00fcnchen.example",
                "From: eva@m\u00fcnchen.example                                 | from:eva@xn--mnchen-3ya.example",
                "From: eva@xn--mnchen-3ya.example                               | from:eva@m\u00fcnchen.example",
                "From: eva@xn--mnchen-3ya.example                               | from:@m\u00fcnchen.example",
                "From: ceo@demo.example <x@evil.example>                        | from:x@evil.example",
                "From: a@x.example <a@x.example>                                | from:a@x.example",
                "From: a@x.example (Ada Lovelace)                               | from:\"Ada Lovelace\"",
                "From: a@x.example.                                             | from:a@x.example",
                "From: a\u200b@x.example                                        | from:a@x.example",
                "From: =?utf-8?q?Ada_<a@x.example>?=                            | from:a@x.example",
                "From: =?utf-8?q?Love=C2=ADlace?= <a@x.example>                 | from:lovelace",
                "From: \"Love\u200blace\" <a@x.example>                         | from:lovelace",
                "From: team: a@x.example, Bob <b@y.example>;                    | from:b@y.example",
                "From: team: a@x.example, Bob <b@y.example>;                    | from:team",
                "To: undisclosed-recipients:;                                   | to:undisclosed",
                "To: =?utf-8?q?Eva_<a@x.example>?=, b@y.example                 | to:a@x.example",
                "From: =?utf-8?q?a?=@x.example                                  | from:a@x.example",
                "From: Bob <a@=?utf-8?q?x.example?=>                            | from:@x.example",
                "From: \"a@x.example\"                                          | from:a@x.example",
                "From: \"Bob <a@x.example>\"                                    | from:a@x.example",
                "From: (a@x.example)                                            | from:a@x.example",
                "From: Bob <\"a@x.example\">                                    | from:a@x.example",
                "From: Bob <'a@x.example'>                                      | from:a@x.example",
                "From: Bob [a@x.example]                                        | from:a@x.example",
                "From: <mailto:a@x.example?subject=hi>                          | from:a@x.example",
                "From: Bob\uff1ca@x.example\uff1e                                | from:a@x.example",
                "From: a@x\u3002example                                         | from:@x.example",
                "From: <a@x.exa\u0001mple>                                      | from:a@x.example",
                "From: Bob~<a@x.example>                                       | from:a@x.example",
                "From: \u001b$B!\"\u001b(B <a@x.example>, \u001b$B!\"\u001b(B <b@y.example> | from:a@x.example",
                "From: \u001b$B4A;z\u001b(B <a@x.example> :)                    | from:a@x.example",
                "From: \u001b$B4A;z\u001b(B <a@x.example>                       | from:\u6f22\u5b57",
                "Subject: \u001b$B4A;z\u001b(B~~From: a@x.example             | subject:\u6f22\u5b57",
                "Sender: a@x.example                                            | from:a@x.example",
                "From: nobody~~Sender: a@x.example                            | from:a@x.example",
                "Subject: very~urgent                                          | subject:urgent"
            })
    void isFound(String header, String query) throws Exception {
        String lines = header.replace("~~", "\r\n").replace('~', '\r');
        assertThat(finds(query, keywords(lines, StandardCharsets.UTF_8))).isTrue();
    }

    @Test
    void aSenderBesideAnAuthorIsNoAuthor() throws Exception {
        Set<Keyword> found = keywords("Sender: b@y.example\r\nFrom: a@x.example", StandardCharsets.UTF_8);
        assertThat(finds("from:b@y.example", found)).isFalse();
    }

    @Test
    void thousandsOfRecipientsHideNeitherAuthorNorSubject() throws Exception {
        StringBuilder to = new StringBuilder("To: ");
        for (int i = 0; i < 9_000; i++) {
            to.append('u').append(i).append("@d").append(i).append(".example,\r\n ");
        }
        Set<Keyword> found = keywords((to + "z@z.example\r\nFrom: x@evil.example\r\nSubject: urgent\r\n\r\nhello\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        assertThat(finds("from:x@evil.example", found)).isTrue();
        assertThat(finds("subject:urgent", found)).isTrue();
        assertThat(found.size()).isLessThanOrEqualTo(PROFILE.limits().keywords());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ur<x></x>gent",
                "ur<o:p></o:p>gent",
                "ur<style>a{}</style>gent",
                "ur<script>x</script>gent",
                "ur<template>x</template>gent",
                "ur<meta>gent",
                "ur<label>gent</label>",
                "ur<img src=x alt=y>gent",
                "ur<input type=hidden>gent",
                "ur<span style='Display : none'>zz</span>gent",
                "ur<span style=\"font-size:0px\">zz</span>gent",
                "ur<span hidden>zz</span>gent",
                "ur&shy;gent",
                "ur<wbr>gent",
                "ur&#1;gent"
            })
    void aWordWithMarkupInsideThatNobodySeesIsFoundWhole(String markup) throws Exception {
        String html = "<p>so it is " + markup + " now</p><p style='font-size:0.8em'>and&nbsp;small</p>";
        Set<Keyword> found = keywords(("From: a@x.example\r\nContent-Type: text/html\r\n\r\n" + html + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        for (String query : new String[] {"urgent", "so", "now", "small"}) {
            assertThat(finds(query, found)).as(query).isTrue();
        }
        if (markup.contains("zz")) {
            assertThat(finds("zz", found))
                    .as("what is hidden is found as before")
                    .isTrue();
        }
        assertThat(finds("nowand", found)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "base64; | dXJnZW50",
                "\"base64\" | dXJnZW50",
                "base64 (as it is) | dXJnZW50",
                "Quoted-Printable; | ur=67ent",
                "quoted-printable (x) | ur=67ent",
                "base64 | dXJnZW50"
            })
    void aBodyIsDecodedWhateverStandsBehindTheNameOfItsEncoding(String encoding, String body) throws Exception {
        Set<Keyword> found = keywords(("From: a@x.example\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: "
                        + encoding + "\r\n\r\n" + body + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        assertThat(finds("urgent", found)).isTrue();
    }

    @Test
    void japaneseTextWithoutACharsetIsRead() throws Exception {
        byte[] mail = "From: a@x.example\r\n\r\n\u001b$B4A;z\u001b(B\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(finds("\u6f22\u5b57", keywords(mail))).isTrue();
    }

    @Test
    void whatIsOnlyAnUnquotedNameIsNoAddress() throws Exception {
        Set<Keyword> found = keywords("From: ceo@demo.example <x@evil.example>", StandardCharsets.UTF_8);
        assertThat(finds("from:ceo@demo.example", found)).isFalse();
    }

    @Test
    void namesInOneByteCharsetsWithoutEncodingAreRead() throws Exception {
        Set<Keyword> found =
                keywords("From: J\u00fcrgen M\u00fcller <a@x.example>, b@y.example", StandardCharsets.ISO_8859_1);
        assertThat(finds("from:a@x.example", found)).isTrue();
        assertThat(finds("from:b@y.example", found)).isTrue();
        assertThat(finds("from:m\u00fcller", found)).isTrue();
    }

    @Test
    void aSubjectOfGbkBytesThatSaysGb2312IsRead() throws Exception {
        byte[] gbk = "\u6771\u4eac\u9577".getBytes("GBK"); // traditional characters, which GB 2312 has not
        String word = "=?gb2312?b?" + java.util.Base64.getEncoder().encodeToString(gbk) + "?=";
        Set<Keyword> found = keywords("From: a@x.example\r\nX: y".getBytes(StandardCharsets.UTF_8));
        assertThat(finds("subject:\u6771\u4eac", found)).isFalse();
        byte[] mail =
                ("From: a@x.example\r\nSubject: " + word + "\r\n\r\nhello\r\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(finds("subject:\u6771\u4eac", keywords(mail))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ur\u200bgent",
                "ur\u00adgent",
                "u\u200dr\u2060gent",
                "urgent\ufe0f",
                "\u202eurgent",
                "\ufeffurgent,"
            })
    void aWordWithCharactersThatNobodySeesIsFoundWithoutThem(String written) throws Exception {
        byte[] mail = ("From: a@x.example\r\nSubject: so " + written
                        + "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nit is " + written + " now\r\n")
                .getBytes(StandardCharsets.UTF_8);
        Set<Keyword> found = keywords(mail);
        for (String query : new String[] {"urgent", "subject:urgent", "so", "now"}) {
            assertThat(finds(query, found)).as(query).isTrue();
        }
        boolean refused = written.indexOf('\u202e') >= 0; // a query may not turn the direction of writing
        assertThat(refused || finds(written.replace(",", ""), found))
                .as("as it was indexed before")
                .isTrue();
    }

    @Test
    void aWordThatWasBrokenAtTheEndOfALineIsFoundWhole() throws Exception {
        String body = "a long over \r\nheating of pumps\r\n> and quo \r\n> ted words\r\n-- \r\nsignature\r\n";
        byte[] mail = ("From: a@x.example\r\nContent-Type: text/plain; format=flowed; delsp=yes\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        Set<Keyword> found = keywords(mail);
        for (String query : new String[] {"overheating", "quoted", "signature", "over", "heating"}) {
            assertThat(finds(query, found)).as(query).isTrue();
        }
        byte[] plain = ("From: a@x.example\r\nContent-Type: text/plain; format=flowed\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        assertThat(finds("overheating", keywords(plain))).isFalse();
    }

    /** A megabyte of addresses, names or brackets takes no longer than the other fields of a mail may. */
    @ParameterizedTest
    @ValueSource(strings = {"a@b,", "<a@b>,", "(", "\"", "a@b ", "=?utf-8?q?a@b?= ", "\u200b@\u200b"})
    void longFieldsAreReadInTheirTime(String pump) {
        ByteArrayOutputStream mail = new ByteArrayOutputStream();
        mail.writeBytes("From: ".getBytes(StandardCharsets.UTF_8));
        String line = pump.repeat(900 / pump.length()) + "\r\n ";
        for (int i = 0; i < 900; i++) {
            mail.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        }
        mail.writeBytes("<x@evil.example>\r\nTo: b@y.example\r\n\r\nhello\r\n".getBytes(StandardCharsets.UTF_8));
        long before = System.nanoTime();
        assertThat(keywords(mail.toByteArray())).isNotNull();
        assertThat(System.nanoTime() - before).isLessThan(30_000_000_000L);
    }

    /** What mime4j reads in fields of ASCII that it understands, is found in real mail as before; it is the parser by which mail was indexed before. */
    @Test
    void realMailIsFoundByWhatMime4jReads() throws Exception {
        int compared = 0;
        Set<String> other = new TreeSet<>();
        for (Path folder : RealMailTest.folders()) {
            for (Path file : Mails.files(folder)) {
                for (RawField field : Mails.fields(Mails.real(file), Set.of("from", "to", "cc"))) {
                    String text = field.getBody();
                    if (text.chars().anyMatch(c -> c > 126) || text.contains("=?")) {
                        continue;
                    }
                    MailboxList read =
                            LenientAddressParser.DEFAULT.parseAddressList(text).flatten();
                    Set<String> expected = read.stream()
                            .map(Mailbox::getAddress)
                            .filter(address -> address != null && address.matches("[^:;,@]+@[^:;,@]+"))
                            .map(HeaderText::address)
                            .collect(Collectors.toSet());
                    Set<String> found = new HashSet<>();
                    HeaderText.people(field, person -> found.addAll(person.addresses()));
                    compared++;
                    if (!found.containsAll(expected)) {
                        other.add(text + " -> " + found + " not " + expected);
                    }
                }
            }
        }
        System.out.println("SenderNameTest: " + compared + " fields of real mail");
        assertThat(compared).isPositive();
        assertThat(other).isEmpty();
    }
}
