package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.SenderChecks;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings.Unproven;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import dev.veilgate.gateway.tenant.Tenants;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site for tests of mail in the name of its senders, by SMTP. Domains of the site are example.org (sealed mail),
 * plain.example, bücher.example, straße.example and xn--wei-7ka.example (plain mail too), and acme.example, whose
 * senders the tenant's authority signs for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OwnSenderSite {
    static final TestTenant TENANT = TestTenant.of("acme-with-own-senders");
    static final String ADA = "ada@acme.example";
    static final String STRANGER = "mallory@elsewhere.example";
    static final String PLAIN_TO = "carol@plain.example";
    static final String REFUSED = "550 5.7.1 MAIL FROM or From names a sender of a domain of this site";

    Path folder;
    Tenants tenants;
    MailSigner authority;
    TestMail mails;
    SmtpLab lab;

    final List<Kind> counted = new CopyOnWriteArrayList<>();
    final List<String> delivered = new CopyOnWriteArrayList<>();

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        this.folder = folder;
        authority = TENANT.signAsSenders("acme.example");
        mails = new TestMail(folder, TENANT);
        tenants = TestTenant.tenants(TENANT);
        lab = new SmtpLab(folder, settings(SmtpSettings.ReversePath.DOMAIN), tenants);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    @BeforeEach
    void admit() {
        counted.clear();
        delivered.clear();
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.DOMAIN);
    }

    static SmtpSettings settings(SmtpSettings.ReversePath reversePath) {
        SmtpSettings base = SmtpLab.settings();
        SmtpSettings.Domain relayed = new SmtpSettings.Domain(SmtpSettings.Plain.RELAY, null);
        SmtpSettings.Domain sealed = new SmtpSettings.Domain(SmtpSettings.Plain.REFUSE, SmtpSettings.Recipients.ANY);
        return new SmtpSettings(
                base.listeners(),
                base.sslBundle(),
                Map.of(
                        "example.org",
                        sealed,
                        "Plain.example",
                        relayed,
                        "bücher.example",
                        relayed,
                        "straße.example",
                        relayed,
                        "xn--wei-7ka.example",
                        relayed),
                base.plainElsewhere(),
                base.reports(),
                reversePath,
                base.maxMessage(),
                base.timeout(),
                base.stopTimeout(),
                base.limits());
    }

    static OwnSenderSettings own(Unproven plain, Unproven sealed) {
        return new OwnSenderSettings(plain, sealed, List.of(), Set.of(), Map.of());
    }

    void check(OwnSenderSettings own, SmtpSettings.ReversePath reversePath) {
        check(tenants, own, reversePath);
    }

    void check(Tenants served, OwnSenderSettings own, SmtpSettings.ReversePath reversePath) {
        SmtpConfiguration smtp = new SmtpConfiguration();
        SmtpSettings settings = settings(reversePath);
        SenderRights rights = smtp.senderRights(settings);
        lab.meters.clear();
        lab.answer = SenderChecks.admission(
                served,
                smtp.plainMailPolicy(settings),
                rights,
                own,
                counted::add,
                mail -> delivered.add(sealed(mail)),
                lab.meters);
    }

    static String mail(String header) {
        return header + "\r\nTo: Carol <carol@plain.example>\r\nSubject: the owls\r\n\r\nare not what they seem\r\n";
    }

    String send(String from, String to, String message) throws IOException {
        return send(false, from, to, message);
    }

    String send(boolean logsIn, String from, String to, String message) throws IOException {
        try (RawSmtp client = new RawSmtp(lab.clear())) {
            client.say("EHLO client.example");
            if (logsIn) {
                String login = "\0ada@example.org\0" + SmtpLab.PASSWORD;
                String reply = client.say(
                        "AUTH PLAIN " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.US_ASCII)));
                assertThat(reply).startsWith("235");
            }
            return client.send(from, List.of(to), message);
        }
    }

    static String sealed(byte[] mail) {
        return new String(mail, StandardCharsets.ISO_8859_1);
    }

    /** A header with control characters is refused before anybody asks whose it is. */
    static String refused(String header) {
        return header.chars().anyMatch(c -> c < ' ' && "\t\r\n\u001b".indexOf(c) < 0) ? "55" : REFUSED;
    }

    static String report(String from) {
        return "From: " + from + "\r\nTo: bob@example.org\r\n"
                + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
                + "--b\r\nContent-Type: text/plain\r\n\r\nnot delivered\r\n"
                + "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n--b--\r\n";
    }
}
