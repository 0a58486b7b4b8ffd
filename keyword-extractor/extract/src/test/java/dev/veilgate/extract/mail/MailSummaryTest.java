package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MailSummaryTest {
    private static MailSummary of(String mail) {
        return MailSummary.of(mail.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void hasTheFirstFieldOfEachNameDecoded() {
        MailSummary summary = of("Subject: =?utf-8?q?Eulen_=C3=BCberall?=\r\nDate: Fri, 27 Nov 2026 12:34:56 +0200\r\n"
                + "From: =?utf-8?b?w4RkYQ==?= <ada@example.org>\r\nSubject: no\r\n\r\nSubject: body\r\n");
        assertThat(summary.subject()).isEqualTo("Eulen \u00fcberall");
        assertThat(summary.from()).isEqualTo("\u00c4da <ada@example.org>");
        assertThat(summary.date()).contains(Instant.parse("2026-11-27T10:34:56Z"));
    }

    @Test
    void theSenderIsShownWhereNobodyIsInFrom() {
        assertThat(of("Sender: bob@example.org\n\n").from()).isEqualTo("bob@example.org");
    }

    @Test
    void whatIsNoMailHasNothing() {
        for (String text : new String[] {"", "\n", "owl", "\u0000\u0001: x", "Date: never\n\n", "From"}) {
            MailSummary summary = of(text);
            assertThat(summary.date()).isEmpty();
            assertThat(summary.subject()).isEmpty();
        }
    }
}
