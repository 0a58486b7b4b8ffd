package dev.veilgate.transport.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SmtpReplyTest {
    @Test
    void statusIsTheServersOrFollowsFromTheCode() {
        assertThat(SmtpReply.parse("550 5.1.1 no such user").status()).isEqualTo("5.1.1");
        assertThat(SmtpReply.parse("550 4.1.1 of another class").status()).isEqualTo("5.0.0");
        assertThat(SmtpReply.parse("451 later").status()).isEqualTo("4.0.0");
        assertThat(SmtpReply.parse("250").status()).isEqualTo("2.0.0");
    }

    @Test
    void whatIsNoReplyIsForNow() {
        for (String line : new String[] {"", "hello", "12", "199 x", "600 x"}) {
            SmtpReply reply = SmtpReply.parse(line);
            assertThat(reply.code()).as(line).isEqualTo(451);
            assertThat(reply.isFinal() || reply.isTaken()).isFalse();
        }
    }

    @Test
    void textIsOneBoundedLineOfPrintableAscii() {
        SmtpReply reply = SmtpReply.parse("550 a\0X: y\t\u00e9 b" + "c".repeat(1000));
        assertThat(reply.text()).startsWith("a X: y  b").hasSize(450).matches("[ -~]*");
    }
}
