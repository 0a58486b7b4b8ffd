package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.authority.KeyFolderCheck.Problem;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.SigningCertificates;
import dev.veilgate.peks.FileTrapdoorStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys that a tenant's mail is signed with: made, renewed, brought along, kept. */
class MailSigningTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = SealedWord.NOW;

    private Path folder;

    @BeforeEach
    void makeKeys(@TempDir Path temporary) throws Exception {
        folder = SealedWord.keys(temporary);
    }

    private static MailSigning made() {
        return MailSigning.NONE.rotated("acme", List.of(), RANDOM, NOW);
    }

    private static MailSigner imported() throws Exception {
        var identity = new SigningCertificates().make();
        return MailSigner.of(identity.key(), identity.chain());
    }

    private static Instant inYears(int years) {
        return NOW.atOffset(ZoneOffset.UTC).plusYears(years).toInstant();
    }

    @Test
    void newKeysHaveASignerByTheTenantsOwnAuthority() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            MailSigner signer = read.keys().mailSigner().orElseThrow();
            signer.requireValid(NOW);
            X509Certificate leaf = signer.leaf();
            X509Certificate authority = signer.chain().get(1);
            assertThat(signer.chain()).hasSize(2);
            assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=Veilgate mail sealing of acme");
            assertThat(authority.getSubjectX500Principal().getName()).isEqualTo("CN=Veilgate mail of acme");
            assertThat(authority.getIssuerX500Principal()).isEqualTo(authority.getSubjectX500Principal());
            assertThat(leaf.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofDays(6)));
            assertThat(leaf.getNotAfter().toInstant()).isEqualTo(inYears(5));
            assertThat(authority.getNotAfter().toInstant()).isEqualTo(inYears(30));
            assertThat(leaf.getKeyUsage()).containsExactly(usage(0));
            assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.4");
            assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
            assertThat(authority.getKeyUsage()).containsExactly(usage(5));
            assertThat(authority.getBasicConstraints()).isOne();
            assertThat(leaf.getSerialNumber()).isNotEqualTo(authority.getSerialNumber());
            assertThat(leaf.getSerialNumber().bitLength()).isBetween(100, 159);
            var authorityKey =
                    SubjectKeyIdentifier.fromExtensions(new JcaX509CertificateHolder(authority).getExtensions());
            assertThat(AuthorityKeyIdentifier.fromExtensions(new JcaX509CertificateHolder(leaf).getExtensions())
                            .getKeyIdentifierOctets())
                    .isEqualTo(authorityKey.getKeyIdentifier());
            assertThat(new JcaX509CertificateHolder(leaf).getExtension(Extension.subjectKeyIdentifier))
                    .isNotNull();
        }
    }

    private static boolean[] usage(int bit) {
        boolean[] usage = new boolean[9];
        usage[bit] = true;
        return usage;
    }

    /** Commas and quotes mean something in the text of a name, and 64 characters are the most. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,CN=b+\"c\"\\",
                "Zürich",
                "🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑"
            })
    void namesEveryTenant(String tenant) throws Exception {
        MailSigner signer = MailSigning.NONE
                .rotated(tenant, List.of(), RANDOM, NOW)
                .signer()
                .orElseThrow()
                .signer();
        for (X509Certificate certificate : signer.chain()) {
            String name = IETFUtils.valueToString(
                    X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded())
                            .getRDNs(BCStyle.CN)[0]
                            .getFirst()
                            .getValue());
            String shown = name.replace("\\", "");
            assertThat(shown.codePointCount(0, shown.length())).isLessThanOrEqualTo(64);
            if (tenant.length() < 20) {
                assertThat(shown).endsWith(tenant.replace("\\", ""));
            }
        }
    }

    @Test
    void aNewSignerIsOfTheSameAuthorityAndTheFormerStaysInBundles() throws Exception {
        List<X509Certificate> first;
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            first = change.keys().mailSigners().getFirst();
            change.keys().rotateMailSigner(List.of(), RANDOM, NOW);
            change.save();
        }
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            MailSigner now = keys.mailSigner().orElseThrow();
            assertThat(now.chain().get(1)).isEqualTo(first.get(1));
            assertThat(now.leaf()).isNotEqualTo(first.getFirst());
            assertThat(now.leaf().getPublicKey()).isNotEqualTo(first.getFirst().getPublicKey());
            PublicBundle bundle = PublicBundle.verify(
                    keys.nextBundle(NOW, Duration.ofDays(1)), keys.authority().fingerprint(), NOW);
            assertThat(bundle.mailSigners()).containsExactly(now.chain(), first);
            assertThat(keys.removeMailSigner(MailSigner.fingerprint(first.getFirst())))
                    .isTrue();
            assertThat(keys.removeMailSigner(MailSigner.fingerprint(first.getFirst())))
                    .isFalse();
            assertThat(keys.mailSigners()).containsExactly(now.chain());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keys.removeMailSigner(now.fingerprint()))
                    .withMessageContaining("present");
        }
    }

    @Test
    void anAuthorityForSendersIsBelowTheTenantsAndNamesItsDomains() throws Exception {
        MailSigning tenant = made();
        MailSigning senders = tenant.rotated("acme", List.of("acme.example", "acme.test"), RANDOM, NOW);
        assertThat(senders.authority()).isEqualTo(tenant.authority());
        assertThat(senders.former()).isEqualTo(tenant.chains());
        MailSigner signer = senders.signer().orElseThrow().signer();
        assertThat(signer.isAuthority()).isTrue();
        assertThat(signer.domains()).containsExactly("acme.example", "acme.test");
        assertThat(signer.permits("ada@acme.test")).isTrue();
        assertThat(signer.permits("ada@other.test")).isFalse();
        X509Certificate certificate = signer.leaf();
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=Veilgate senders of acme");
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(inYears(20));
        assertThat(certificate.getKeyUsage()).containsExactly(usage(5));
        assertThat(certificate.getBasicConstraints()).isZero();
        // gpgsm refuses what is critical and unknown to it
        assertThat(certificate.getCriticalExtensionOIDs()).doesNotContain(Extension.nameConstraints.getId());
        MailSigning back = senders.rotated("acme", List.of(), RANDOM, NOW);
        assertThat(back.signer().orElseThrow().signer().isAuthority()).isFalse();
        assertThat(back.chains()).hasSize(3);
    }

    /** Such as keys of before have, with path length 0: programs would refuse what is two below. */
    @Test
    void anAuthorityThatMayNotHaveOneBelowItIsReplaced() throws Exception {
        MailSigning first = made();
        KeptMailKey shallow = new KeptMailKey(
                first.signer().orElseThrow().encoded(),
                List.of(first.signer().orElseThrow().chain().getFirst()));
        MailSigning before = new MailSigning(first.signer(), List.of(), Optional.of(shallow));
        MailSigning after = before.rotated("acme", List.of("acme.example"), RANDOM, NOW);
        assertThat(after.authority()).isNotEqualTo(before.authority());
        assertThat(after.authority().orElseThrow().chain().getFirst().getBasicConstraints())
                .isOne();
    }

    @Test
    void anAuthorityThatWouldEndFirstIsReplaced() {
        MailSigning first = made();
        MailSigning later = first.rotated("acme", List.of(), RANDOM, inYears(25));
        assertThat(later.authority()).isEqualTo(first.authority());
        MailSigning afterIt =
                later.rotated("acme", List.of(), RANDOM, inYears(25).plusSeconds(1));
        assertThat(afterIt.authority()).isNotEqualTo(first.authority());
        assertThat(afterIt.chains()).hasSize(3);
    }

    @Test
    void takesAnotherMakersKeyAndKeepsItsOwnAuthority() throws Exception {
        MailSigning own = made();
        MailSigner site = imported();
        MailSigning with = own.with(site);
        assertThat(with.chains()).containsExactly(site.chain(), own.chains().getFirst());
        assertThat(with.signer().orElseThrow().signer().privateKey()).isEqualTo(site.privateKey());
        assertThat(with.with(site).chains()).isEqualTo(with.chains());
        MailSigning again = with.rotated("acme", List.of(), RANDOM, NOW).with(site);
        assertThat(again.chains()).hasSize(3).startsWith(site.chain());
        assertThat(again.authority()).isEqualTo(own.authority());
    }

    @Test
    void thereAreAsManyAsABundleHolds() throws Exception {
        MailSigning full = made();
        for (int i = 1; i < 32; i++) {
            full = full.rotated("acme", List.of(), RANDOM, NOW);
        }
        MailSigning most = full;
        assertThatIllegalStateException()
                .isThrownBy(() -> most.rotated("acme", List.of(), RANDOM, NOW))
                .withMessageContaining("mail-signer remove");
        MailSigner another = imported();
        assertThatIllegalStateException().isThrownBy(() -> most.with(another));
        MailSigner present = most.signer().orElseThrow().signer();
        assertThat(most.with(present).chains()).isEqualTo(most.chains());
        MailSigning less = most.without(
                        MailSigner.fingerprint(most.chains().getLast().getFirst()))
                .orElseThrow();
        assertThat(less.with(another).chains()).hasSize(32);
    }

    @Test
    void certificatesThatABundleDoesNotHoldAreRefusedAndChangeNothing() throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            for (int i = 0; i < 4; i++) {
                var large = new SigningCertificates()
                        .padding(62 << 10)
                        .authorities(0)
                        .make();
                keys.setMailSigner(MailSigner.of(large.key(), large.chain()));
            }
            List<List<X509Certificate>> before = keys.mailSigners();
            var large =
                    new SigningCertificates().padding(62 << 10).authorities(0).make();
            MailSigner more = MailSigner.of(large.key(), large.chain());
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keys.setMailSigner(more))
                    .withMessageContaining("bytes in all");
            assertThat(keys.mailSigners()).isEqualTo(before);
            keys.nextBundle(NOW, Duration.ofDays(1));
        }
    }

    @Test
    void survivesTheKeyFile() throws Exception {
        MailSigner site = imported();
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().setMailSigner(site);
            change.save();
        }
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            byte[] encoded = TenantKeysCodec.encode(read.keys());
            assertThat(read.keys().mailSigner().orElseThrow().privateKey()).isEqualTo(site.privateKey());
            assertThat(read.keys().mailSigners()).hasSize(2);
            try (TenantKeys again = TenantKeysCodec.decode(encoded)) {
                assertThat(TenantKeysCodec.encode(again)).isEqualTo(encoded);
            }
        }
    }

    /** What was written before mail was signed has no field 17, and neither has it when it is written again. */
    @Test
    void keysFromBeforeMailWasSignedHaveNoSignerUntilOneIsMade() throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().setMailSigning(MailSigning.NONE);
            change.save();
        }
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            assertThat(TenantKeysCodec.encode(change.keys())[0]).isEqualTo((byte) 0xb0); // a map of 16
            assertThat(change.keys().mailSigner()).isEmpty();
            assertThat(change.keys().mailSigners()).isEmpty();
            change.keys().nextBundle(NOW, Duration.ofDays(1));
            change.keys().rotateMailSigner(List.of(), RANDOM, NOW);
            change.save();
        }
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            assertThat(read.keys().mailSigner()).isPresent();
            assertThat(read.keys().mailSigners()).hasSize(1);
        }
    }

    @Test
    void refusesAKeyFileWhoseFieldsAreOutOfOrder() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            byte[] encoded = TenantKeysCodec.encode(read.keys());
            byte[] without = withoutMail(read.keys());
            byte[] field = Arrays.copyOfRange(encoded, without.length, encoded.length);
            byte[] twice = Arrays.copyOf(encoded, encoded.length + field.length);
            System.arraycopy(field, 0, twice, encoded.length, field.length);
            assertThat(encoded[0]).isEqualTo((byte) 0xb1);
            assertThatThrownBy(() -> TenantKeysCodec.decode(twice)).isInstanceOf(MalformedEncodingException.class);
            for (int at = without.length; at < encoded.length; at += 3) {
                byte[] cut = Arrays.copyOf(encoded, at);
                assertThatThrownBy(() -> TenantKeysCodec.decode(cut)).isInstanceOf(MalformedEncodingException.class);
            }
        }
    }

    private static byte[] withoutMail(TenantKeys keys) {
        MailSigning before = keys.mailSigning();
        keys.setMailSigning(MailSigning.NONE);
        byte[] encoded = TenantKeysCodec.encode(keys);
        keys.setMailSigning(before);
        return encoded;
    }

    @Test
    void aChangeThatFailsLeavesTheSigner() throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            List<List<X509Certificate>> before = keys.mailSigners();
            assertThatThrownBy(() -> keys.allOrNothing(() -> {
                        keys.rotateMailSigner(List.of(), RANDOM, NOW);
                        throw new IllegalStateException("the disk is full");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(keys.mailSigners()).isEqualTo(before);
            assertThat(keys.mailSigner()).isPresent();
        }
    }

    @Test
    void theCheckFindsKeysThatAreNoPair() throws Exception {
        MailSigning one = made();
        MailSigning other = made();
        KeptMailKey signer = new KeptMailKey(
                other.signer().orElseThrow().encoded(),
                one.signer().orElseThrow().chain());
        KeptMailKey authority = new KeptMailKey(
                other.authority().orElseThrow().encoded(),
                one.authority().orElseThrow().chain());
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE);
                FileTrapdoorStore store = change.trapdoors()) {
            assertThat(KeyFolderCheck.of(change.keys(), store, null).findings()).isEmpty();
            change.keys().setMailSigning(new MailSigning(Optional.of(signer), List.of(), Optional.of(authority)));
            assertThat(KeyFolderCheck.of(change.keys(), store, null).findings())
                    .allMatch(finding -> finding.problem() == Problem.KEY_PAIR)
                    .extracting(finding -> finding.detail().split(":")[0])
                    .containsExactly("mail-signer", "mail-authority");
            change.keys()
                    .setMailSigning(new MailSigning(
                            Optional.of(new KeptMailKey(new byte[9], signer.chain())), List.of(), Optional.empty()));
            assertThat(KeyFolderCheck.of(change.keys(), store, null).findings()).hasSize(1);
        }
    }

    @Test
    void doesNotPrintKeysAndErasesThem() {
        MailSigning made = made();
        KeptMailKey signer = made.signer().orElseThrow();
        assertThat(Stream.of(signer, made.authority().orElseThrow()))
                .allMatch(key -> key.toString().equals("KeptMailKey[hidden]"));
        MailSigning next = made.rotated("acme", List.of(), RANDOM, NOW);
        made.closeBut(next);
        assertThat(signer.encoded()).containsOnly(0);
        assertThat(made.authority().orElseThrow().encoded())
                .isEqualTo(next.authority().orElseThrow().encoded());
    }
}
