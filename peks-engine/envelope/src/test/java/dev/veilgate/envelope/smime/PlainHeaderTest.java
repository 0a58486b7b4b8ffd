package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of mail that nobody sealed: what stays, and what becomes a bare address. */
class PlainHeaderTest {
    private static final String SENDER = "e@e.example";

    private static MailHeader header(String lines) throws Exception {
        byte[] bytes = (lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return MailHeader.read(new ByteArrayInputStream(bytes)).header();
    }

    private static String delivered(String lines) throws Exception {
        return PlainHeader.of(header(lines), SENDER).text();
    }

    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@acme.example",
                "Ada Lovelace <ada@acme.example>",
                "John Q. Public <john@acme.example>",
                "\"Public, John Q.\" <john@acme.example>",
                "\"ada@acme.example\" <ada@acme.example>",
                "=?iso-8859-1?Q?J=F6rg?= <joerg@acme.example>",
                "Ada Bücher <ada@acme.example>",
                "MAILER-DAEMON@mx.example (Mail Delivery System)",
                "Ada\r\n <ada@acme.example>"
            })
    void whatAllProgramsReadAlikeStaysToTheByte(String from) throws Exception {
        String came = "Received: by x\r\nfrom: " + utf8(from)
                + "\r\nSender: A <a@b.example>\r\nReply-To: B <b@c.example>\r\n" + "Subject: hello\r\nX: \u00ff\r\n";
        PlainHeader header = PlainHeader.of(header(came), SENDER);
        assertThat(header.text()).isEqualTo(came);
        assertThat(header.isFromBare()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            From: "bob@acme.example" <a@x.example>                | From: a@x.example
            From: Bob <bob@acme).example>                         | From: e@e.example
            From: a@x.example, b@x.example                        | From: e@e.example
            From: Bob                                             | From: e@e.example
            From : A <a@x.example>                                | From: a@x.example
            Sender: A <a@x.example>                               | From: e@e.example~Sender: A <a@x.example>
            From: a@x.example~Sender: "b@y.example" <c@z.example> | From: a@x.example~Sender: c@z.example
            From: a@x.example~Sender: b@y).example                | From: a@x.example
            From: a@x.example~Reply-To: b@y.example, C <c@z.net>  | From: a@x.example~Reply-To: b@y.example,~ c@z.net
            From: a@x.example~Reply-To: "d@y.net" <b@y.example>   | From: a@x.example~Reply-To: b@y.example
            From: a@x.example~Reply-To: b@y).example              | From: a@x.example
            From: a@x.example~From: a@x.example                   | From: a@x.example
            From: a@x.example~X: y~no field~Subject: s            | From: a@x.example~Subject: s
            """)
    void whatTheyDoNotBecomesBareAddresses(String came, String delivered) throws Exception {
        assertThat(delivered(came.replace("~", "\r\n") + "\r\n")).isEqualTo(delivered.replace("~", "\r\n") + "\r\n");
    }

    @Test
    void whatIsDeliveredIsReadInOneWayWhateverCame() throws Exception {
        List<String> parts = List.of(
                "From: ",
                "Sender: ",
                "FROM:",
                "\r\n",
                "\r\n ",
                "\r\n\t",
                " ",
                "<",
                ">",
                "\"",
                "(",
                ")",
                "\\",
                ",",
                ";",
                ":",
                "@",
                ".",
                "bob@acme.example",
                "bob",
                "acme",
                ".example",
                "=?utf-8?Q?",
                "=?gbk?B?",
                "?=",
                "=40",
                "=",
                "\u001b(B",
                "\u00ff",
                "\u00c3\u00a9",
                "[",
                "]",
                "\u0001",
                "X: ",
                "Resent-From: ",
                "Ym9i",
                "\u00e2\u0080\u00ae");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int bare = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder came = new StringBuilder(random.nextBoolean() ? "From: " : "");
            for (int n = random.nextInt(14); n > 0; n--) {
                came.append(parts.get(random.nextInt(parts.size())));
            }
            PlainHeader header = PlainHeader.of(header(came + "\r\n"), SENDER);
            MailHeader delivered = header(header.text());
            Set<String> senders =
                    PlainHeader.senders(delivered).orElseThrow(() -> new AssertionError(seed + " " + came));
            assertThat(senders).as("%s %s", seed, came).isNotEmpty();
            assertThat(delivered.all("from")).as("%s %s", seed, came).hasSize(1);
            assertThat(PlainHeader.of(delivered, "").text())
                    .as("%s %s", seed, came)
                    .isEqualTo(header.text());
            bare += header.isFromBare() ? 1 : 0;
        }
        assertThat(bare).isBetween(5_000, 19_990);
    }

    @Test
    void aHeaderThatIsNotReadInOneWayHasNoSenders() throws Exception {
        assertThat(PlainHeader.senders(header("From: Bob <bob@acme).example>\r\n")))
                .isEmpty();
        assertThat(PlainHeader.senders(header("From: a@x.example\r\nSender: b@\r\n")))
                .isEmpty();
        assertThat(PlainHeader.senders(header("From: a@x.example\r\nSender: B <b@y.example>\r\n")))
                .contains(Set.of("a@x.example", "b@y.example"));
    }
}
