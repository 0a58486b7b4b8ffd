package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.envelope.smime.MailAuthor.Kind;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.SigningCertificates;
import dev.veilgate.envelope.smime.TenantSigners;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who signed a mail, by the signature of its envelope and the one inside. */
class MailAuthorTest {
    private static final String ADA = "ada@acme.example";
    private static final MailAuthor BY_ADA = new MailAuthor(Kind.SENDER, ADA);

    private static MailSigner authority;
    private static MailSigner ada;
    private static MailSigner bob;
    private static MailSigner stranger;
    private static TenantSigners tenant;

    @BeforeAll
    static void make() throws Exception {
        authority = authority();
        ada = authority.ofSender(ADA);
        bob = authority.ofSender("bob@acme.example");
        stranger = authority().ofSender(ADA);
        tenant = new TenantSigners(List.of(authority.chain()));
    }

    private static MailSigner authority() throws Exception {
        SigningCertificates.Identity made =
                new SigningCertificates().senders("acme.example").make();
        return MailSigner.of(made.key(), made.chain());
    }

    private static Envelope sealed(@Nullable MailSigner by) throws MalformedEncodingException {
        return Samples.mail(by == null ? null : new MailBinding(List.of("From: " + ADA), by));
    }

    private static MailHeader header(String from) throws Exception {
        byte[] lines = (from + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        return MailHeader.read(new ByteArrayInputStream(lines)).header();
    }

    private static MailAuthor author(@Nullable MailSigner envelope, @Nullable MailSigner inside, String from)
            throws Exception {
        Optional<X509Certificate> inner = Optional.ofNullable(inside).map(MailSigner::leaf);
        return MailAuthor.of(sealed(envelope), inner, header(from), tenant);
    }

    @Test
    void eitherSignatureProvesTheSender() throws Exception {
        for (String from :
                List.of("From: " + ADA, "From: Ada <" + ADA + ">", "from: =?utf-8?q?=C3=84da?= <ADA@ACME.example>")) {
            assertThat(author(ada, null, from)).as(from).isEqualTo(BY_ADA);
            assertThat(author(null, ada, from)).as(from).isEqualTo(BY_ADA);
            assertThat(author(ada, stranger, from)).as(from).isEqualTo(BY_ADA);
        }
    }

    @Test
    void somebodyElseOfTheTenantIsNamed() throws Exception {
        MailAuthor byBob = new MailAuthor(Kind.ANOTHER, "bob@acme.example");
        assertThat(author(bob, null, "From: " + ADA)).isEqualTo(byBob);
        assertThat(author(null, bob, "From: " + ADA)).isEqualTo(byBob);
        assertThat(author(authority.ofTenant(), bob, "From: " + ADA)).isEqualTo(byBob);
        for (String odd :
                List.of("Subject: x", "From: bob@acme.example, " + ADA, "From: \"<" + ADA + ">\" <bob@acme.example>")) {
            assertThat(author(null, bob, odd)).as(odd).isEqualTo(byBob);
        }
        assertThat(author(null, bob, "From: " + ADA + "\r\nFrom: bob@acme.example"))
                .isEqualTo(byBob);
    }

    @Test
    void theTenantNamesNobody() throws Exception {
        MailAuthor byTenant = new MailAuthor(Kind.TENANT, "");
        assertThat(author(authority.ofTenant(), null, "From: " + ADA)).isEqualTo(byTenant);
        assertThat(author(null, authority.ofTenant(), "From: eve@elsewhere.example"))
                .isEqualTo(byTenant);
        MailSigner own = SigningCertificates.signer();
        List<List<X509Certificate>> both = List.of(authority.chain(), own.chain());
        assertThat(MailAuthor.of(sealed(own), Optional.of(own.leaf()), header("From: " + ADA), new TenantSigners(both)))
                .as("an own certificate, whatever it names")
                .isEqualTo(byTenant);
    }

    @Test
    void aStrangersCertificateProvesNothingOfFrom() throws Exception {
        MailAuthor byStranger = new MailAuthor(Kind.STRANGER, "");
        assertThat(author(null, stranger, "From: " + ADA)).isEqualTo(byStranger);
        assertThat(author(stranger, null, "From: " + ADA))
                .as("whoever puts an envelope beside a content says nothing of it")
                .isEqualTo(MailAuthor.NONE);
        assertThat(author(null, null, "From: " + ADA)).isEqualTo(MailAuthor.NONE);
        assertThat(author(null, authority, "From: " + ADA))
                .as("an authority signs certificates alone")
                .isEqualTo(byStranger);
    }

    /** The answer of who issued a certificate is remembered: thousands of others must not change it. */
    @Test
    void itIsTheSameHoweverManyOthersWereAsked() throws Exception {
        List<X509Certificate> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(authority.ofSender("u" + i + "@acme.example").leaf());
        }
        Envelope unsigned = sealed(null);
        MailHeader from = header("From: " + ADA);
        for (int i = 0; i < 3000; i++) {
            assertThat(MailAuthor.of(unsigned, Optional.of(others.get(i % 20)), from, tenant)
                            .kind())
                    .isEqualTo(Kind.ANOTHER);
        }
        assertThat(MailAuthor.of(unsigned, Optional.of(stranger.leaf()), from, tenant)
                        .kind())
                .isEqualTo(Kind.STRANGER);
        assertThat(MailAuthor.of(unsigned, Optional.of(ada.leaf()), from, tenant))
                .isEqualTo(BY_ADA);
    }

    @Test
    void wordsSayWho() {
        assertThat(BY_ADA.words()).isEqualTo("signed by " + ADA);
        assertThat(new MailAuthor(Kind.ANOTHER, "bob@acme.example").words())
                .isEqualTo("signed by bob@acme.example, who is not in From");
        for (Kind kind : Kind.values()) {
            assertThat(Kind.of(kind.label())).hasValue(kind);
        }
        assertThat(Kind.of("SENDER")).isEmpty();
    }
}
