package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.SigningCertificates;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Header fields in the envelope of a mail, and who may bind them. */
class MailBindingTest {
    private static final List<String> FIELDS = List.of(
            "From: Ada <ada@acme.example>",
            "To: dave@acme.example",
            "Date: Sun, 29 Nov 2026 09:00:00 +0000",
            "Message-ID: <1@acme.example>",
            "Subject: [...]");

    private static MailSigner authority;
    private static MailSigner ada;
    private static List<List<X509Certificate>> bundle;

    @BeforeAll
    static void make() throws Exception {
        authority = authority("acme.example");
        ada = authority.ofSender("ada@acme.example");
        bundle = List.of(authority.chain());
    }

    private static MailSigner authority(String domain) throws Exception {
        SigningCertificates.Identity made =
                new SigningCertificates().senders(domain).make();
        return MailSigner.of(made.key(), made.chain());
    }

    private static Envelope sealed(List<String> fields, MailSigner by) throws MalformedEncodingException {
        return Samples.mail(new MailBinding(fields, by));
    }

    private static Optional<String> bound(List<String> fields, MailSigner by) throws MalformedEncodingException {
        return OuterHeader.bound(sealed(fields, by), bundle).map(OuterHeader::text);
    }

    private static String lines(List<String> fields) {
        return String.join("\r\n", fields) + "\r\n";
    }

    private static List<String> with(String field) {
        List<String> fields = new ArrayList<>(FIELDS);
        String name = field.substring(0, field.indexOf(':'));
        fields.removeIf(each -> each.startsWith(name + ":"));
        fields.add(field);
        return fields;
    }

    @Test
    void theSenderBindsWhatIsOutside() throws Exception {
        Envelope envelope = sealed(FIELDS, ada);
        assertThat(envelope.outerFields()).isEqualTo(FIELDS);
        assertThat(envelope.isBoundBy(ada.leaf())).isTrue();
        assertThat(bound(FIELDS, ada)).hasValue(lines(FIELDS));
    }

    @Test
    void anyKeyOfAnyLengthBindsIt() throws Exception {
        for (String key : List.of("secp256r1", "secp384r1", "secp521r1", "2048", "4096")) {
            SigningCertificates.Identity made =
                    new SigningCertificates().key(key).make();
            MailSigner own = MailSigner.of(made.key(), made.chain());
            assertThat(OuterHeader.bound(sealed(FIELDS, own), List.of(own.chain())))
                    .as(key)
                    .isPresent();
        }
    }

    @Test
    void noAlteredBitIsBound() throws Exception {
        byte[] bytes = sealed(FIELDS, ada).bytes();
        int decoded = 0;
        int behindWraps = 8 * (bytes.length - 700); // certificate and signature: all of it
        for (int bit = 0; bit < 8 * bytes.length; bit += bit < behindWraps ? 3 : 1) {
            byte[] altered = bytes.clone();
            altered[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                Envelope other = Envelope.decode(altered);
                decoded++;
                assertThat(OuterHeader.bound(other, bundle)).as("bit %s", bit).isEmpty();
            } catch (MalformedEncodingException e) {
                continue;
            }
        }
        assertThat(decoded).isGreaterThan(1000);
    }

    @Test
    void othersBindNothing() throws Exception {
        assertThat(bound(FIELDS, authority.ofSender("bob@acme.example")))
                .as("another sender's")
                .isEmpty();
        MailSigner stranger = authority("acme.example");
        assertThat(bound(FIELDS, stranger.ofSender("ada@acme.example")))
                .as("another tenant's")
                .isEmpty();
        assertThat(bound(FIELDS, SigningCertificates.signer()))
                .as("nobody that is known")
                .isEmpty();
        assertThat(bound(with("From: Ada <ada@other.example>"), authority.ofTenant()))
                .as("a domain that is not the authority's")
                .isEmpty();
        assertThat(OuterHeader.bound(sealed(FIELDS, ada), List.of()))
                .as("taken out of the bundle")
                .isEmpty();
        SigningCertificates.Identity encrypts = new SigningCertificates()
                .usage(KeyUsage.digitalSignature)
                .purpose(KeyPurposeId.id_kp_serverAuth)
                .below(authority)
                .make();
        Envelope byServer = sealed(FIELDS, unchecked(encrypts));
        assertThat(byServer.isBoundBy(encrypts.chain().getFirst())).isTrue();
        assertThat(OuterHeader.bound(byServer, bundle)).as("not for mail").isEmpty();
        assertThat(OuterHeader.bound(sealed(FIELDS, authority), bundle))
                .as("the authority's key signs certificates alone")
                .isEmpty();
    }

    /** A signer whose certificate we ourselves would refuse. */
    private static MailSigner unchecked(SigningCertificates.Identity made) throws Exception {
        var construct = MailSigner.class.getDeclaredConstructor(java.security.PrivateKey.class, List.class);
        construct.setAccessible(true);
        return construct.newInstance(made.key(), made.chain());
    }

    @Test
    void whoSpeaksForNobodyBindsNoNameWhereSendersHaveAnAuthority() throws Exception {
        List<String> fields = with("Sender: Bob <bob@acme.example>");
        assertThat(bound(fields, authority.ofTenant()).orElseThrow())
                .contains("From: ada@acme.example\r\n")
                .contains("Sender: bob@acme.example\r\n")
                .contains("To: dave@acme.example\r\n");
        MailSigner tenant = SigningCertificates.signer();
        assertThat(OuterHeader.bound(sealed(FIELDS, tenant), List.of(tenant.chain()))
                        .orElseThrow()
                        .text())
                .isEqualTo(lines(FIELDS));
        assertThat(OuterHeader.bound(sealed(FIELDS, tenant), List.of(tenant.chain(), authority.chain()))
                        .orElseThrow()
                        .text())
                .contains("From: ada@acme.example\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From: \"bob@acme.example\" <ada@acme.example>",
                "From: bob@acme.example, ada@acme.example",
                "From: =?utf-8?B?Ym9iQGFjbWUuZXhhbXBsZQ==?= <ada@acme.example>",
                "From: <bob@acme.example> <ada@acme.example>",
                "From: Bob <bob@acme.example>",
                "From: ",
                "Sender: \"bob@acme.example\" <ada@acme.example>",
                "X-Face: bob",
                "Content-Type: text/html",
                "Received: by x",
                "Bcc: dave@acme.example",
                "Subject : other",
                " Subject: other",
                "To:",
                "no field"
            })
    void fieldsThatNoEdgeLeavesOutsideAreNotBound(String field) throws Exception {
        List<String> fields = new ArrayList<>(FIELDS);
        if (field.startsWith("From:")) {
            fields.removeFirst();
        }
        fields.add(field);
        assertThat(bound(fields, ada)).isEmpty();
    }

    @Test
    void everyFieldIsThereOnce() throws Exception {
        for (String field : FIELDS) {
            List<String> twice = new ArrayList<>(FIELDS);
            twice.add(field.toUpperCase(java.util.Locale.ROOT));
            assertThat(bound(twice, ada)).as(field).isEmpty();
        }
        assertThat(bound(FIELDS.subList(1, FIELDS.size()), ada)).as("no From").isEmpty();
    }

    @Test
    void aLineEndCannotBeInAField() {
        for (String field : List.of("Subject: a\r\nFrom: b", "Subject: a\nb", "Subject: \u0000", "Subject: \u00e4")) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> sealed(with(field), ada))
                    .as(field)
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("printable ASCII");
        }
    }

    @Test
    void aHeaderWithoutRoomIsNotBound() {
        assertThat(MailBinding.isShort(List.of("To: " + "x".repeat(70_000)))).isFalse();
        assertThat(MailBinding.isShort(Collections.nCopies(33, "To: x"))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new MailBinding(List.of(), ada));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new MailBinding(List.of("To: " + "x".repeat(70_000)), ada));
    }

    /** Folded by the edge, unfolded into the envelope, folded again by whoever delivers: the same bytes. */
    @Test
    void longFieldsAreFoldedAsTheEdgeDid() throws Exception {
        String to = "To: " + String.join(", ", Collections.nCopies(300, "somebody@acme.example"));
        String outside =
                OuterHeader.bound(sealed(with(to), ada), bundle).orElseThrow().text();
        assertThat(outside.lines().mapToInt(String::length).max().orElseThrow()).isLessThan(110);
        assertThat(OuterHeader.unfolded(outside)).isEqualTo(with(to));
    }
}
