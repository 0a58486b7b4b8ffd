package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A domain that takes sealed mail only takes reports all the same, and nothing that only looks a bit like one. */
class ReportFormTest {
    private static final List<String> ADA = List.of("ada@example.org");
    private static final String REPORT = """
            Received: from edge by mx with ESMTP; Sat, 21 Nov 2026 10:00:00 +0000
            From: <mailer-daemon@edge>
            To: <ada@example.org>
            Auto-Submitted: auto-replied
            Subject: Your sealed mail was not delivered
            MIME-Version: 1.0
            Content-Type: multipart/report; report-type=delivery-status;
             boundary="veilgate-b"

            --veilgate-b
            Content-Type: text/plain; charset=us-ascii

            The next mail server did not take your sealed mail for: bob@example.org

            --veilgate-b
            Content-Type: message/delivery-status

            Reporting-MTA: dns; edge

            Final-Recipient: rfc822; bob@example.org
            Action: failed
            Status: 5.0.0

            --veilgate-b
            Content-Type: text/rfc822-headers

            From: ada@example.org
            Subject: [...]

            --veilgate-b--
            """.replace("\n", "\r\n");

    private static Submission.OfMail mail(String reversePath, List<String> to, String text) {
        return new Submission.OfMail(Optional.empty(), reversePath, to, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void check(SmtpSettings.Plain reports, Submission.OfMail mail) throws RefusedException {
        SmtpSettings base = SmtpLab.settings();
        var settings = new SmtpSettings(
                base.listeners(),
                base.sslBundle(),
                Map.of("example.org", new SmtpSettings.Domain(SmtpSettings.Plain.REFUSE, null)),
                base.plainElsewhere(),
                reports,
                base.reversePath(),
                base.maxMessage(),
                base.timeout(),
                base.stopTimeout(),
                base.limits());
        new SmtpConfiguration().plainMailPolicy(settings).check(mail);
    }

    @Test
    void takesReportsOfProxiesAndServers() {
        String whole = REPORT.replace("text/rfc822-headers", "message/rfc822");
        String without =
                REPORT.replaceFirst("(?s)--veilgate-b\r\nContent-Type: text/rfc822-headers.*", "--veilgate-b--\r\n");
        String ofSendmail = REPORT.replace("Content-Type: text/plain; charset=us-ascii\r\n", "");
        String ofPostfix = REPORT.replace(
                        "--veilgate-b\r\nContent-Type: text",
                        "--veilgate-b\r\nContent-Description: Notification\r\nContent-Type: text")
                .replace(
                        "\r\n\r\n--veilgate-b\r\nContent-Description",
                        "\r\n\r\nThis is a MIME-encapsulated message.\r\n\r\n--veilgate-b\r\nContent-Description");
        for (String each : List.of(REPORT, whole, without, ofSendmail, ofPostfix)) {
            assertThatCode(() -> check(SmtpSettings.Plain.RELAY, mail("", ADA, each)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void refusesThemWhereTheSettingsSaySo() {
        assertThatThrownBy(() -> check(SmtpSettings.Plain.REFUSE, mail("", ADA, REPORT)))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void refusesReportsFromSomebodyToSeveralOrOfAnyLength() {
        for (Submission.OfMail each : List.of(
                mail("bob@example.org", ADA, REPORT),
                mail("", List.of("ada@example.org", "bob@example.org"), REPORT),
                mail(
                        "",
                        ADA,
                        REPORT.replace(
                                "Final-Recipient", "X: " + ("y".repeat(70) + "\r\n ").repeat(4_000) + "\r\nF")))) {
            assertThatThrownBy(() -> check(SmtpSettings.Plain.RELAY, each)).isInstanceOf(RefusedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/report|multipart/mixed",
                "text/plain; charset=us-ascii|text/html",
                "message/delivery-status|text/plain",
                "text/rfc822-headers|application/zip",
                "text/rfc822-headers|text/html",
                "--veilgate-b--|--veilgate-b\r\nContent-Type: application/zip\r\n\r\nPK\r\n--veilgate-b--",
                "boundary=\"veilgate-b\"|boundary=other",
                "MIME-Version: 1.0|Content-Type: multipart/signed; boundary*0=s",
                "MIME-Version: 1.0|Content-Type: multipart/signed; boundary*=us-ascii''s",
                "MIME-Version: 1.0|Content-Type: multipart/signed; boundary=s",
                "boundary=\"veilgate-b\"|boundary*0=\"veilgate-b\"",
                "boundary=\"veilgate-b\"|boundary=\"veilgate-b\"; boundary=s",
                "Content-Type: multipart/report|\u0001Content-Type: multipart/report",
                "Content-Type: multipart/report|X\f: 1\r\nContent-Type: multipart/report",
                "From: <mailer|From\f: \"Bob\" <bob@example.org>\r\nFrom: <mailer",
                "From: <mailer|From\u0000: \"Bob\" <bob@example.org>\r\nFrom: <mailer",
                "MIME-Version: 1.0|no field at all",
                "Content-Type: text/plain|Content-Type: multipart/signed; boundary*0=s\r\nContent-Type: text/plain",
                "Content-Type: message/delivery|Content-Type\f: text/html\r\nContent-Type: message/delivery",
                "--veilgate-b\r\nContent-Type: message/delivery|--veilgate-b x\r\nContent-Type: message/delivery",
                "--veilgate-b--|--veilgate-b--\r\n--veilgate-b\r\nContent-Type: text/html\r\n\r\nx",
                "Received: from|From ada\r\nReceived: from"
            })
    void refusesWhatCarriesAnythingElse(String change) {
        String[] parts = change.split("\\|");
        String forged = REPORT.replace(parts[0], parts[1]);
        assertThat(forged).isNotEqualTo(REPORT);
        assertThatThrownBy(() -> check(SmtpSettings.Plain.RELAY, mail("", ADA, forged)))
                .isInstanceOf(RefusedException.class);
    }
}
