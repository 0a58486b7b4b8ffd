package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings.Unproven;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Mail in the name of a sender of the site, by SMTP: what is refused, taken, counted and logged. */
class OwnSenderTest extends OwnSenderSite {
    @Test
    void plainMailOfAStrangerNamesStrangersOnly() throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail("From: Mallory <" + STRANGER + ">")))
                .startsWith("250");
        assertThat(send(STRANGER, PLAIN_TO, mail("From: Ada <" + ADA + ">")))
                .startsWith(REFUSED)
                .contains("login");
        assertThat(send(ADA, PLAIN_TO, mail("From: Mallory <" + STRANGER + ">")))
                .startsWith(REFUSED);
        assertThat(send("bob@plain.example", PLAIN_TO, mail("From: bob@plain.example")))
                .startsWith(REFUSED);
        assertThat(counted).containsExactly(Kind.PLAIN_REFUSED, Kind.PLAIN_REFUSED, Kind.PLAIN_REFUSED);
        assertThat(lab.count("unproven_sender")).isEqualTo(3);
        for (String named : List.of("from", "reverse_path", "both")) {
            assertThat(lab.meters
                            .get("veilgate.mail.unproven.senders")
                            .tags("mail", "plain", "outcome", "refused", "named", named)
                            .counter()
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void aReportComesFromThoseWhoReport() throws Exception {
        for (String from : List.of(
                "Mail Delivery System <MAILER-DAEMON@acme.example>",
                "postmaster@plain.example",
                "MAILER-DAEMON@plain.example (Mail Delivery System)",
                "\"Mail Delivery Subsystem\" <mailer-daemon@plain.example>",
                "<mailer-daemon@elsewhere.example>")) {
            assertThat(send("", "bob@example.org", report(from))).as(from).startsWith("250");
            assertThat(send("", PLAIN_TO, report(from))).as(from).startsWith("250");
        }
        for (String from : List.of(
                ADA,
                "mailer-daemon@acme.example, " + ADA,
                "\"" + ADA + "\" <mailer-daemon@acme.example>",
                "ada@ac\\me.example, mailer-daemon@acme.example",
                "ada@ac\u0001me.example, mailer-daemon@acme.example",
                "ada@ac me.example, mailer-daemon@acme.example",
                "ada@ac(\\))me.example, mailer-daemon@acme.example",
                "ada\\mailer-daemon@acme.example",
                "=?utf-7?Q?ada?= <mailer-daemon@acme.example>",
                "not-mailer-daemon@acme.example")) {
            assertThat(send("", "bob@example.org", report(from))).as(from).startsWith(refused(from));
        }
        assertThat(send("", PLAIN_TO, mail("From: mailer-daemon@acme.example"))).startsWith(REFUSED);
        assertThat(send(STRANGER, PLAIN_TO, report("mailer-daemon@acme.example")))
                .startsWith(REFUSED);
        assertThat(send("", PLAIN_TO, mail("From: mallory@elsewhere.example"))).startsWith("250");
    }

    /** Whatever it says, whether its recipient's domain takes other plain mail or not. */
    @Test
    void aReportIsDeliveredWithoutNamesAndSubject() throws Exception {
        String report = "Subject: Transfer the money\r\nReply-To: \"Bob\" <bob@third.example>\r\n"
                + report("\"bob@third.example\" <mailer-daemon@elsewhere.example>");
        for (String to : List.of("bob@example.org", PLAIN_TO)) {
            assertThat(send("", to, report)).startsWith("250");
            assertThat(delivered.getLast())
                    .matches("(?s)Received: .*\r\nFrom: mailer-daemon@elsewhere\\.example\r\nTo: .*")
                    .contains("\r\nSubject: [...]\r\n")
                    .doesNotContain("third.example", "Transfer", "Reply-To");
        }
        assertThat(delivered).hasSize(2);
    }

    @Test
    void plainMailIsCountedAloneWhereTheOperatorTakesIt() throws Exception {
        check(own(Unproven.TAKE, Unproven.TAKE), SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, PLAIN_TO, mail("From: " + ADA))).startsWith("250");
        assertThat(counted).containsExactly(Kind.PLAIN_TAKEN);
    }

    /** Mails with an index in the name of ada whom nothing proves. */
    private Map<String, byte[]> unproven() throws Exception {
        String own = mail("From: Ada <" + ADA + ">");
        byte[] genuine = mails.sealAs(authority.ofSender(ADA), own, "owls");
        return Map.of(
                "of an edge that binds nothing", mails.sealUnbound(own, "owls"),
                "of an edge that signs for nobody", mails.sealBoundBy(authority.ofTenant(), own, "owls"),
                "signed by the tenant itself", mails.seal(own, "owls"),
                "signed by another sender", mails.sealBoundBy(authority.ofSender("bob@acme.example"), own, "owls"),
                "altered, and so not signed", ForgedMail.bitFlipped(genuine, 0));
    }

    @Test
    void sealedMailIsSignedByWhomItNames() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        String genuine = sealed(mails.sealAs(authority.ofSender(ADA), mail("From: Ada <" + ADA + ">"), "owls"));
        for (String reversePath : List.of("", ADA, "Ada@ACME.example", STRANGER)) {
            assertThat(send(reversePath, TestMail.ADDRESS, genuine))
                    .as(reversePath)
                    .startsWith("250");
        }
        assertThat(send("bob@acme.example", TestMail.ADDRESS, genuine)).startsWith(REFUSED);
        String other = genuine.replace("From: Ada <" + ADA + ">", "From: bob@acme.example");
        assertThat(other).isNotEqualTo(genuine);
        assertThat(send(STRANGER, TestMail.ADDRESS, other)).startsWith("250"); // delivered with the From that is signed
        for (Map.Entry<String, byte[]> each : unproven().entrySet()) {
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(each.getValue())))
                    .as(each.getKey())
                    .startsWith(REFUSED);
        }
        assertThat(counted).hasSize(6).containsOnly(Kind.SEALED_REFUSED);
    }

    /** An edge of before binds no header, and its mail keeps the one that it came with for a time. */
    @Test
    void sealedMailInCharsetsThatAreNotKnownNeedsAProof() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        for (String charset : List.of("x-gbk", "cn-big5", "x".repeat(70))) {
            String from = "From: =?" + charset + "?Q?bob=A3=C0acme.example?= <" + STRANGER + ">";
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail(from), "owls"))))
                    .as(charset)
                    .startsWith(REFUSED);
            assertThat(send(STRANGER, PLAIN_TO, mail(from))).as(charset).startsWith("250");
            assertThat(delivered.getLast()).contains("\r\nFrom: " + STRANGER + "\r\n");
        }
        String known = "From: =?gbk?B?1tDOxA==?= <" + STRANGER + ">";
        assertThat(send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail(known), "owls"))))
                .startsWith("250");
    }

    @Test
    void sealedMailThatNobodyProvesIsTakenAndCounted() throws Exception {
        int there = 0;
        for (Map.Entry<String, byte[]> each : unproven().entrySet()) {
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(each.getValue())))
                    .as(each.getKey())
                    .startsWith("250");
            assertThat(counted).as(each.getKey()).hasSize(++there).containsOnly(Kind.SEALED_TAKEN);
        }
        String strangers = sealed(mails.sealUnbound(mail("From: " + STRANGER), "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, strangers)).startsWith("250");
        assertThat(counted).hasSize(there);
        assertThat(send("bob@example.org", TestMail.ADDRESS, strangers)).startsWith("250");
        assertThat(counted).hasSize(there + 1);
    }

    @Test
    void theLogHasTheNetworkAndTheDomainAndNoName() throws Exception {
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("dev.veilgate.gateway.ingest.SenderCheck");
        said.start();
        log.addAppender(said);
        try {
            send(STRANGER, PLAIN_TO, mail("From: Ada <" + ADA + ">"));
            send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail("From: Ada <" + ADA + ">"), "owls")));
            send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA));
            send(STRANGER, PLAIN_TO, mail("From: =?utf-7?Q?ada?= <mallory@elsewhere.example>"));
        } finally {
            log.detachAppender(said);
        }
        assertThat(said.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "PLAIN_REFUSED from 127.0.0.0/24, without a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "SEALED_TAKEN from 127.0.0.0/24, without a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "PLAIN_REFUSED from 127.0.0.0/24, with a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "PLAIN_REFUSED from 127.0.0.0/24, without a login: nothing proves a sender of a field that"
                                + " cannot be read in from");
    }

    /** Or else a copy under another index would count what is refused for good. */
    @Test
    void whatIsRefusedForAnotherReasonIsNotCounted() throws Exception {
        byte[] own = mails.sealUnbound(mail("From: " + ADA), "owls");
        assertThat(send(STRANGER, TestMail.ADDRESS, sealed(ForgedMail.otherMask(own))))
                .startsWith("554 5.6.0");
        assertThat(send(STRANGER, TestMail.ADDRESS, mail("From: " + ADA))).startsWith("550 5.7.10");
        assertThat(counted).isEmpty();
    }
}
