package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.RecipientRequest;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.envelope.smime.MailAuthor.Kind;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.RecipientKey;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.envelope.smime.TenantSigners;
import dev.veilgate.envelope.smime.UncheckedSigner;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A user of mail signs with the key that they were enrolled with, by software of their own that does not look at what
 * the key is for. The certificate is by the tenant's authority, and says encryption only.
 */
class EnrolledKeyAttackTest {
    private static final String ADA = "ada@acme.example";
    private static final char[] PASSPHRASE = "correct horse battery".toCharArray();

    private final SecureRandom random = new SecureRandom();
    private final Instant now = Instant.now();

    @ParameterizedTest
    @EnumSource
    void signsForNobody(RecipientKey.Kind kind) throws Exception {
        for (List<String> domains : List.of(List.<String>of(), List.of("acme.example"))) {
            try (TenantKeys keys = TenantKeys.generate(
                    "acme", SearchScheme.DEFAULT, EpochPolicy.MONTHLY, new byte[0], domains, random, now)) {
                attack(keys, kind);
            }
        }
    }

    private void attack(TenantKeys keys, RecipientKey.Kind kind) throws Exception {
        RecipientKey key = RecipientKey.generate(kind, random);
        X509Certificate certificate =
                keys.issueRecipient(RecipientRequest.of(ADA, key.publicKey(), random), random, now);
        X509Certificate authority = keys.mailAuthority().orElseThrow();
        List<X509Certificate> chain = List.of(certificate, authority);
        byte[] file = key.toPkcs12(chain, ADA, PASSPHRASE);
        assertThatThrownBy(() -> MailSigner.fromPkcs12(file, PASSPHRASE, now))
                .as("as the key of an edge, and as a sender's own key there")
                .isInstanceOf(RefusedSignerException.class)
                .hasMessageContaining("digitalSignature");
        MailSigner hostile = UncheckedSigner.of(file, PASSPHRASE);
        Envelope bound = Samples.mail(new MailBinding(List.of("From: " + ADA), hostile));
        assertThat(bound.isBoundBy(certificate)).as("the key does sign").isTrue();

        List<List<X509Certificate>> bundle = keys.mailSigners();
        // No bundle names the authority itself as a signer; if one did, it would be no other.
        List<List<X509Certificate>> more = new ArrayList<>(bundle);
        more.add(List.of(authority));
        for (List<List<X509Certificate>> signers : List.of(bundle, more)) {
            TenantSigners tenant = new TenantSigners(signers);
            assertThat(MailAuthor.of(Samples.mail(null), Optional.of(certificate), from(ADA), tenant)
                            .kind())
                    .isEqualTo(Kind.STRANGER);
            assertThat(MailAuthor.of(bound, Optional.empty(), from(ADA), tenant))
                    .as("an envelope by a stranger says nothing")
                    .isEqualTo(MailAuthor.NONE);
            assertThat(OuterHeader.bound(bound, signers))
                    .as("the gateway takes the header for not signed")
                    .isEmpty();
        }
    }

    private static MailHeader from(String address) throws Exception {
        byte[] lines = ("From: " + address + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
        return MailHeader.read(new ByteArrayInputStream(lines)).header();
    }
}
