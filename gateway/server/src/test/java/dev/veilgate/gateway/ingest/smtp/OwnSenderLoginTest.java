package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings.Unproven;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders of the site whom a login or a setting proves. */
class OwnSenderLoginTest extends OwnSenderSite {
    @Test
    void aLoginProvesWhatReversePathPermits() throws Exception {
        String own = mail("From: Ada <ada@example.org>");
        assertThat(send(true, "ada@example.org", PLAIN_TO, own)).startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: bob@example.org")))
                .startsWith("250");
        assertThat(send(true, "", PLAIN_TO, own)).startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: Bob <bob@bücher.example>")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA)))
                .startsWith(REFUSED);
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: 'ada@example.org' <Ada@Example.org>")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: Ada Lovelace (x) <ada@example.org> (y)")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: bob@example.org")))
                .startsWith(REFUSED);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: ada@example.org, bob@example.org")))
                .startsWith(REFUSED);
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.ANY);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA)))
                .startsWith("250");
    }

    /** Other senders of the domain are seen too where they are spelled so that few programs read them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bob@exam\\ple.org, ada@example.org",
                "bob@exam\u0001ple.org, ada@example.org",
                "bob@exam ple.org, ada@example.org",
                "bob@exam\"ple.org\", ada@example.org",
                "bob@exam(\\))ple.org, ada@example.org",
                "bob\\ada@example.org",
                "bob ada@example.org",
                "bob\"ada\"@example.org",
                "<@example.org:ada@example.org>"
            })
    void aLoginProvesNobodyBesideItself(String from) throws Exception {
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + from)))
                .startsWith(refused(from));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@example.org",
                "ADA@Example.ORG (Ada, of the \\) site)",
                "\"Lovelace, Ada\" <ada@example.org>",
                "=?utf-8?Q?Ada_L=C3=B6velace_=28ada=40example.org=29?= <ada@example.org>",
                "=?utf-8?B?QWRh?= =?utf-8?B?IEwu?= <ada@example.org>",
                "'ada@example.org' <ada@example.org>",
                "\"ada@example.org\" <ada@example.org>",
                "Ada Lovelace\r\n <ada@example.org>"
            })
    void aLoginProvesItselfAsProgramsWriteIt(String from) throws Exception {
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + from)))
                .startsWith("250");
    }

    @Test
    void listsThatAreNamedSendBackWhatIsOfTheSite() throws Exception {
        String own = mail("From: Ada <ada@acme.example>\r\nSender: list@elsewhere.example");
        List<String> clients = List.of("192.0.2.0/24", "127.0.0.0/8", "::1");
        check(
                new OwnSenderSettings(Unproven.REFUSE, Unproven.REFUSE, clients, Set.of(), Map.of()),
                SmtpSettings.ReversePath.DOMAIN);
        assertThat(send("list@elsewhere.example", PLAIN_TO, own)).startsWith("250");
        assertThat(send("list@elsewhere.example", "bob@example.org", sealed(mails.sealUnbound(own, "owls"))))
                .startsWith("250");
        check(
                new OwnSenderSettings(
                        Unproven.REFUSE, Unproven.REFUSE, List.of("192.0.2.0/24"), Set.of("Ada@example.org"), Map.of()),
                SmtpSettings.ReversePath.LOGIN);
        assertThat(send("list@elsewhere.example", PLAIN_TO, own)).startsWith(REFUSED);
        assertThat(send(true, "ada@example.org", PLAIN_TO, own)).startsWith("250");
        assertThat(counted).containsExactly(Kind.PLAIN_REFUSED);
    }

    /** An edge with a login, whatever signs. */
    @Test
    void sealedMailOfALoginIsProvenByIt() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        String own = mail("From: Bob <bob@example.org>");
        for (byte[] mail : List.of(mails.sealUnbound(own, "owls"), mails.seal(own, "owls"))) {
            assertThat(send(true, "bob@example.org", TestMail.ADDRESS, sealed(mail)))
                    .startsWith("250");
            assertThat(send("bob@example.org", TestMail.ADDRESS, sealed(mail))).startsWith(REFUSED);
        }
    }
}
