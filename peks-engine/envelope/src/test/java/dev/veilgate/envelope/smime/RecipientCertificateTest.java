package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;

class RecipientCertificateTest {
    private static final Instant NOW = Instant.now();

    @Test
    void takesACertificateOfTheAddressInAnyCase() throws Exception {
        var identity = Certificates.of("other@example.org", "Ada@Example.org")
                .usage(KeyUsage.keyAgreement)
                .purposes(KeyPurposeId.id_kp_emailProtection)
                .ec("secp256r1");
        var checked = RecipientCertificate.check(identity.der(), "ada@example.ORG", NOW);
        assertThat(checked.address()).isEqualTo("ada@example.ORG");
        assertThat(checked.certificate()).isEqualTo(identity.certificate());
    }

    @Test
    void takesTheSubjectsAddressOnlyIfThereIsNoAlternativeName() throws Exception {
        var subject = "E=ada@example.org,CN=Ada";
        RecipientCertificate.check(
                Certificates.of().subject(subject).ec("secp256r1").der(), "ada@example.org", NOW);
        refuses(
                Certificates.of("eve@example.org")
                        .subject(subject)
                        .ec("secp256r1")
                        .der(),
                "does not name the address");
    }

    @Test
    void refusesAnotherAddress() throws Exception {
        refuses(Certificates.of("eve@example.org").ec("secp256r1").der(), "does not name the address");
        refuses(Certificates.of().ec("secp256r1").der(), "does not name the address");
    }

    @Test
    void refusesWhatIsNotValidNow() throws Exception {
        Instant past = NOW.minus(Duration.ofDays(9));
        refuses(
                Certificates.of("ada@example.org")
                        .valid(past, past.plusSeconds(60))
                        .ec("secp256r1")
                        .der(),
                "expired on");
        refuses(
                Certificates.of("ada@example.org")
                        .valid(NOW.plusSeconds(3600), NOW.plusSeconds(7200))
                        .ec("secp256r1")
                        .der(),
                "not valid before");
    }

    /** Java takes it for an RSA key; no mail can be sealed for it. */
    @Test
    void refusesKeysForPssSignatures() throws Exception {
        refuses(Certificates.of("ada@example.org").pss().der(), "PSS");
    }

    /** Whoever writes a certificate chooses what its capabilities hold: nobody's mail fails for it. */
    @Test
    void takesMalformedCapabilitiesForAbsent() throws Exception {
        byte[] emptyElement = {0x30, 2, 0x30, 0};
        byte[] noIdentifier = {0x30, 5, 0x30, 3, 2, 1, 1};
        byte[] cut = {0x30, 0x7f, 1};
        byte[] nested = new byte[40_000];
        for (int i = 0; i < nested.length; i += 2) {
            nested[i] = 0x30;
            nested[i + 1] = (byte) 0x80;
        }
        for (byte[] each : List.of(emptyElement, noIdentifier, cut, nested, new byte[0])) {
            byte[] der = Certificates.of("ada@example.org")
                    .capabilities(each)
                    .ec("secp256r1")
                    .der();
            var checked = RecipientCertificate.check(der, "ada@example.org", NOW);
            assertThat(checked.readsAuthenticated()).isFalse();
            assertThat(checked.readsOaep()).isFalse();
        }
    }

    @Test
    void refusesWhatIsNotMeantForEncryption() throws Exception {
        refuses(
                Certificates.of("ada@example.org")
                        .usage(KeyUsage.digitalSignature)
                        .rsa(2048)
                        .der(),
                "keyEncipherment");
        refuses(
                Certificates.of("ada@example.org")
                        .usage(KeyUsage.digitalSignature)
                        .ec("secp256r1")
                        .der(),
                "keyAgreement");
        refuses(
                Certificates.of("ada@example.org")
                        .purposes(KeyPurposeId.id_kp_serverAuth)
                        .ec("secp256r1")
                        .der(),
                "not for mail");
    }

    @Test
    void refusesWeakOrUnknownKeys() throws Exception {
        refuses(Certificates.of("ada@example.org").rsa(1024).der(), "1024 bits");
        refuses(Certificates.of("ada@example.org").ed25519().der(), "RSA or on P-256");
    }

    @Test
    void refusesBytesThatAreNoCertificate() throws Exception {
        refuses(new byte[0], "cannot be read");
        refuses(new byte[70_000], "more than");
        byte[] der = Certificates.of("ada@example.org").ec("secp256r1").der();
        refuses(Arrays.copyOf(der, der.length - 1), "cannot be read");
        refuses(Arrays.copyOf(der, der.length + 1), "not DER");
    }

    private static void refuses(byte[] der, String why) {
        assertThatThrownBy(() -> RecipientCertificate.check(der, "ada@example.org", NOW))
                .isInstanceOf(RefusedCertificateException.class)
                .hasMessageContaining(why);
    }
}
