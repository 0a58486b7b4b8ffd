package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings.Unproven;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.tenant.Tenant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Senders of the site that tenants of one gateway sign for, or claim to. */
class OwnSenderTenantsTest extends OwnSenderSite {
    /** Each tenant publishes its bundle itself, and may write any address into certificates of its own. */
    @Test
    void aTenantProvesSendersOfItsOwnDomainsOnly() throws Exception {
        TestTenant other = TestTenant.of("globex-with-own-senders");
        Path own = Files.createDirectory(folder.resolve("globex"));
        other.keys().setMailSigner(signer(own, ADA));
        TestMail others = new TestMail(own, other);
        String forged = sealed(others.seal(mail("From: Ada <" + ADA + ">"), "owls"));
        String genuine = sealed(mails.sealAs(authority.ofSender(ADA), mail("From: Ada <" + ADA + ">"), "owls"));
        OwnSenderSettings refuse = own(Unproven.REFUSE, Unproven.REFUSE);
        check(TestTenant.tenants(TENANT, other), refuse, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        assertThat(send(ADA, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        assertThat(send(ADA, TestMail.ADDRESS, genuine)).startsWith("250");
        other.signAsSenders("globex.example");
        check(TestTenant.tenants(TENANT, other), refuse, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        other.keys().setMailSigner(signer(own, "ada@example.org"));
        check(TestTenant.tenants(other), refuse, SmtpSettings.ReversePath.DOMAIN);
        String alone = sealed(new TestMail(own, other).seal(mail("From: ada@example.org"), "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, alone)).startsWith("250");
    }

    /** An envelope names the tenant whose bundle is asked, so any of them could put a name above another's content. */
    @Test
    void aTenantBindsNoHeaderWithSendersOfAnother() throws Exception {
        TestTenant other = TestTenant.of("initech-with-own-senders");
        Tenant acme = TENANT.tenant();
        assertThat(senders(Map.of(), TENANT, other).mayBind(acme, ADA)).isTrue();
        assertThat(senders(Map.of(), TENANT, other).mayBind(other.tenant(), ADA))
                .isFalse();
        assertThat(senders(Map.of(), TENANT, other).mayBind(other.tenant(), "eve@elsewhere.example"))
                .isTrue();
        String mail = mail("From: Bob <" + ADA + ">");
        String claiming = sealed(mails.sealAs(authority.ofSender(ADA), mail, "owls"));
        other.signAsSenders("acme.example");
        for (Tenant each : List.of(acme, other.tenant())) {
            assertThat(senders(Map.of(), TENANT, other).mayBind(each, ADA))
                    .as(each.name())
                    .isFalse();
            Map<String, String> owner = Map.of("ACME.example", TENANT.tenant().name());
            assertThat(senders(owner, TENANT, other).mayBind(each, ADA))
                    .as(each.name())
                    .isEqualTo(each == acme);
        }
        check(
                TestTenant.tenants(TENANT, other),
                own(Unproven.REFUSE, Unproven.REFUSE),
                SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, claiming))
                .as("nobody can tell whose")
                .startsWith(REFUSED);
        OwnSenderSettings named = new OwnSenderSettings(
                Unproven.REFUSE, Unproven.REFUSE, List.of(), Set.of(), Map.of("acme.example", acme.name()));
        check(TestTenant.tenants(TENANT, other), named, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, claiming)).startsWith("250");
        Path theirs = Files.createDirectory(folder.resolve("initech"));
        String forged = sealed(new TestMail(theirs, other)
                .sealAs(other.keys().mailSigner().orElseThrow().ofSender(ADA), mail, "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
    }

    private static OwnSenders senders(Map<String, String> owners, TestTenant... served) throws Exception {
        OwnSenderSettings settings = new OwnSenderSettings(Unproven.REFUSE, Unproven.TAKE, List.of(), Set.of(), owners);
        SenderRights rights = new SmtpConfiguration().senderRights(settings(SmtpSettings.ReversePath.DOMAIN));
        return new OwnSenders(TestTenant.tenants(served), rights, settings);
    }

    /** A certificate of a tenant's own making. */
    private static MailSigner signer(Path folder, String address) throws Exception {
        Path file = folder.resolve("signer.p12");
        Path key = folder.resolve("signer.key");
        Path certificate = folder.resolve("signer.crt");
        TestMail.run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=globex",
                "-addext",
                "subjectAltName=email:" + address,
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        TestMail.run(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                key.toString(),
                "-in",
                certificate.toString(),
                "-out",
                file.toString(),
                "-passout",
                "pass:x"));
        return MailSigner.fromPkcs12(Files.readAllBytes(file), "x".toCharArray());
    }
}
