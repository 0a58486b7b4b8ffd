package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.RecipientRequest;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Mail that a user of mail seals for another one, signed by the key that they were enrolled with: as genuine as a
 * stranger's, by whichever way it is opened.
 */
class EnrolledSignatureAttackTest {
    private static final char[] PASSPHRASE = "correct horse battery".toCharArray();
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = Instant.now();
    private static final byte[] FORGED =
            "From: boss@acme.example\r\n\r\nPay at once.\r\n".getBytes(StandardCharsets.UTF_8);

    private static TenantKeys keys;

    /** Keys of two users with their certificates; the second is to believe the first. */
    private static List<MailSigner> users;

    private static RecipientCertificate victim;

    @BeforeAll
    static void enrol() throws Exception {
        keys = TenantKeys.generate(
                "acme", SearchScheme.DEFAULT, EpochPolicy.MONTHLY, new byte[0], List.of("acme.example"), RANDOM, NOW);
        users = new ArrayList<>();
        for (String address : List.of("mallory@acme.example", "ada@acme.example")) {
            RecipientKey key = RecipientKey.generate(RecipientKey.Kind.P256, RANDOM);
            X509Certificate certificate =
                    keys.issueRecipient(RecipientRequest.of(address, key.publicKey(), RANDOM), RANDOM, NOW);
            byte[] file = key.toPkcs12(List.of(certificate, keys.mailAuthority().orElseThrow()), address, PASSPHRASE);
            users.add(UncheckedSigner.of(file, PASSPHRASE));
        }
        victim = RecipientCertificate.check(users.getLast().encodedLeaf(), "ada@acme.example", NOW);
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Result(byte[] cms, CmsSealer.Sealed sealed) {}

    private static Result sealedBy(MailSigner signer) throws Exception {
        List<RecipientCertificate> recipients = List.of(victim);
        SealedContent content = SignedEntity.of(
                SealedContent.of(new ByteArrayInputStream(FORGED)), new SignedAs(signer, NOW), recipients);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CmsSealer.Sealed sealed = new CmsSealer(RANDOM).seal(content, out, recipients, Encryption.SIGNED);
        return new Result(out.toByteArray(), sealed);
    }

    private static byte[] opened(byte[] cms, List<X509Certificate> signers) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CmsOpener.open(
                new ByteArrayInputStream(cms),
                users.getLast().privateKey(),
                users.getLast().leaf(),
                signers,
                out);
        return out.toByteArray();
    }

    private static List<X509Certificate> named() {
        return keys.mailSigners().stream().map(List::getFirst).toList();
    }

    @Test
    void whoeverOpensByTheirOwnKeyDoesNotBelieveIt() throws Exception {
        MailSigner genuine = keys.mailSigner().orElseThrow().ofSender("boss@acme.example");
        assertThat(opened(sealedBy(genuine).cms(), named())).isEqualTo(FORGED);
        List<X509Certificate> more = new ArrayList<>(named());
        more.add(keys.mailAuthority().orElseThrow()); // as no bundle has it
        for (List<X509Certificate> signers : List.of(named(), more)) {
            byte[] forged = sealedBy(users.getFirst()).cms();
            assertThatThrownBy(() -> opened(forged, signers)).isInstanceOf(UnopenableMailException.class);
        }
    }

    @Test
    void whoeverOpensByTheIndexIsToldThatItIsAStrangers() throws Exception {
        Result forged = sealedBy(users.getFirst());
        TenantSigners tenant = new TenantSigners(keys.mailSigners());
        Optional<X509Certificate> signer = CmsOpener.open(
                new ByteArrayInputStream(forged.cms()),
                forged.sealed().key(),
                forged.sealed().digest(),
                tenant,
                OutputStream.nullOutputStream());
        assertThat(signer).as("the signature holds").hasValue(users.getFirst().leaf());
        assertThat(tenant.isOwn(signer.get())).isFalse();
        assertThat(tenant.issuers(signer.get())).isEmpty();
    }
}
