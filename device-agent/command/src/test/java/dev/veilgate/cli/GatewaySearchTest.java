package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.CmsSealer;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.proxy.SealedParts;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.testing.AttachedPdf;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches on a gateway, over sockets, to the printed line. */
class GatewaySearchTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        site = new Site(temporary);
        run = site.run;
        gateway = new FakeGateway();
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_SCOPE", "plant-7");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private Path store(String name, String... lines) throws Exception {
        Path sealed = site.seal(name, lines);
        gateway.store(sealed);
        return sealed;
    }

    private Path[] threeDays() throws Exception {
        return new Path[] {
            store(
                    "one",
                    "2026-11-21T08:00:00Z press-4 sshd[7]: level=error login of root failed",
                    "2026-11-21T10:00:00Z press-4 sshd[7]: level=error login of ada failed"),
            store("two", "2026-11-21T10:00:05Z press-4 pump[9]: overheat"),
            store("three", "2026-11-21T10:00:07Z press-4 sshd[7]: login of bob failed at 10.0.0.7")
        };
    }

    @Test
    void findsWhatASearchOfTheSameFilesFinds() throws Exception {
        Path[] files = threeDays();
        String[][] searches = {
            {"failed", "--with-name"},
            {"app:sshd AND (root OR 10.0.0.7)", "--json"},
            {"login AND NOT (root OR bob)", "--from", "2026-11-21T09:00"},
            {"overheat OR root", "--sender", "press-4"},
            {"failed", "--sender", "x"},
            {"absent"}
        };
        for (String[] search : searches) {
            Result here = run.run(with(search, (Object[]) files));
            Result there = run.run(with(search));
            assertThat(there.out()).as(search[0] + there.err()).isEqualTo(here.out());
            assertThat(there.code()).isEqualTo(here.code());
        }
        assertThat(run.ok("search", "--from", "2026-11-21T09:00", "failed").out())
                .hasLineCount(2) // the first line of the first envelope is of another hour
                .doesNotContain("root");
        assertThat(gateway.removed).hasSize(1 + searches.length); // and the gateway forgets each
    }

    private static Object[] with(String[] search, Object... files) {
        return Stream.of(Stream.of("search"), Stream.of(search), Stream.of(files))
                .flatMap(part -> part)
                .toArray();
    }

    @Test
    void takesUpABrokenStreamBehindTheLastHit() throws Exception {
        threeDays();
        gateway.cutAfter = 1;
        gateway.failFetches = 2;
        assertThat(run.ok("search", "failed").out()).hasLineCount(3);
        assertThat(gateway.asked("GET").stream().filter(request -> request.contains("events")))
                .hasSize(2)
                .last()
                .asString()
                .endsWith("after 1");
    }

    @Test
    void endsWhereHitsCannotBeReadHoweverOftenTheyAreAskedFor() throws Exception {
        threeDays();
        gateway.spoilsHits = true;
        Result result = run.run("search", "failed");
        assertThat(result.code()).isEqualTo(ExitCode.IO);
        assertThat(result.err()).contains("the gateway's answer");
        assertThat(gateway.asked("GET").stream().filter(request -> request.contains("events")))
                .hasSize(8);
    }

    @Test
    void whatIsNotWhatWasFoundIsMarkedOrRefused() throws Exception {
        threeDays();
        UUID first = gateway.envelopes.keySet().iterator().next();
        List<byte[]> all = new ArrayList<>(gateway.envelopes.values());
        gateway.swapped.put(first, all.get(1));
        Result another = run.run("search", "failed");
        assertThat(another.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(another.err()).contains(first + ": refused: the gateway sent something else than it found");
        assertThat(another.out()).hasLineCount(1);
        byte[] altered = all.getFirst().clone();
        altered[altered.length / 2] ^= 1;
        gateway.swapped.put(first, altered);
        Result signature = run.run("search", "failed");
        assertThat(signature.err()).containsAnyOf("warning: 2 records found are not signed", "refused");
    }

    /** Anybody may send a mail with an id that is another's. */
    @Test
    void whatWasFoundIsAskedForByItsDigest() throws Exception {
        threeDays();
        gateway.namesDigests = true;
        UUID first = gateway.envelopes.keySet().iterator().next();
        byte[] genuine = gateway.envelopes.get(first);
        byte[] altered = genuine.clone();
        int at = Envelope.decode(genuine).payloadOffset(0) + 8;
        altered[at] ^=
                (byte) ((altered[at] & 16) != 0 ? 16 : 8); // of a coefficient, which stays below q: found no more
        gateway.envelopes.put(first, altered);
        gateway.others.add(genuine);
        Result found = run.ok("search", "failed");
        assertThat(found.out()).hasLineCount(3).contains("root", "ada", "bob");
        assertThat(found.err()).doesNotContain("refused", "not signed");
        gateway.swapped.put(first, altered);
        Result another = run.run("search", "failed");
        assertThat(another.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(another.err()).contains(first + ": refused: the gateway sent something else than it found");
    }

    @Test
    void namesAreShownOnlyIfProven() throws Exception {
        Path forger = temporary.resolve("forger.identity");
        IdentityFile.create(forger, "press-4", new SecureRandom()).close();
        Path log = temporary.resolve("forged.log");
        Files.writeString(log, "login failed\n");
        Path forged = temporary.resolve("forged.vge");
        run.ok("seal", "--identity", forger, "-o", forged, log);
        gateway.store(forged);
        Result found = run.ok("search", "--with-name", "failed");
        assertThat(found.out()).startsWith("- ");
        assertThat(found.err()).contains("warning: 1 records found are not signed by a registered sender");
    }

    @Test
    void aLimitEndsTheSearchThere() throws Exception {
        threeDays();
        gateway.endless = true;
        Result found = run.ok("search", "--limit", "1", "failed");
        assertThat(found.out()).hasLineCount(1).contains("root");
        assertThat(gateway.removed).hasSize(1);
    }

    @Test
    void explainsWhatTheGatewayLearned() throws Exception {
        threeDays();
        Result found = run.ok(
                "search",
                "--explain",
                "--grant-to",
                "auditor",
                "--epoch",
                "2026-10..2026-11",
                "failed AND NOT (root OR 9)");
        assertThat(found.err())
                .contains(" envelopes in 12 ms; ")
                .contains("form:      1 AND NOT (2 OR 3)")
                .contains("term 1:    2 trapdoors")
                .contains("term 3:    4 trapdoors") // as a number and as a process id
                .contains("scopes:    plant-7")
                .contains("epochs:    2026-10, 2026-11")
                .contains("grant:     of auditor until 2026-12-21T12:00:00Z")
                .contains(" record")
                .startsWith("understood as word:failed AND NOT (word:root OR number or pid:9)\n");
        assertThat(found.err().lines().skip(1)).noneMatch(line -> line.matches(".*(failed|root).*"));
        Path secret = Files.writeString(temporary.resolve("query"), "failed");
        assertThat(run.ok("search", "--explain", "@" + secret).err()).doesNotContain("understood", "failed");
        assertThat(run.run("search", "--explain", "failed", temporary.resolve("one.vge"))
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void problemsAreSaidAsTheGatewaySaysThem() throws Exception {
        run.environment.put("VEILGATE_TOKEN", "wrong");
        Result unknown = run.run("search", "failed");
        assertThat(unknown.code()).isEqualTo(ExitCode.KEY);
        assertThat(unknown.err())
                .contains("the gateway refused: a bearer token is needed")
                .doesNotContain("wrong");
        Path token = temporary.resolve("token");
        Files.writeString(token, FakeGateway.TOKEN + "\n");
        Result tenant = run.run("senders", "--token-file", token, "--tenant", "umbrella");
        assertThat(tenant.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(tenant.err()).contains("the tenant is not known here");
        run.environment.remove("VEILGATE_TOKEN");
        assertThat(run.run("search", "failed").code()).isEqualTo(ExitCode.KEY);
        assertThat(run.run("search", "--gateway", "gateway:80", "failed").code())
                .isEqualTo(ExitCode.USAGE);
        gateway.outcome = "failed";
        assertThat(run.run("search", "--token-file", token, "failed").code()).isEqualTo(ExitCode.IO);
        gateway.close();
        Result gone = run.run("search", "--token-file", token, "failed");
        assertThat(gone.code()).isEqualTo(ExitCode.IO);
        assertThat(gone.err()).contains("there is no gateway at " + gateway.url());
    }

    @Test
    void mailsAreOpenedByTheirIndex() throws Exception {
        Path certificate = certificateOfAda();
        run.now = Instant.now().plusSeconds(1); // within the certificate's time
        run.ok(
                "keys",
                "add-recipient",
                "--address",
                "ada@example.org",
                "--certificate",
                certificate,
                "--scope",
                "mailbox-ada");
        site.newBundle();
        Path signer = temporary.resolve("signer.p12");
        Path signerPassphrase = Files.writeString(temporary.resolve("signer.passphrase"), "a signing passphrase\n");
        run.ok("keys", "mail-signer", "export", "-o", signer, "--signer-passphrase-file", signerPassphrase);
        for (String subject : List.of("=?utf-8?q?urgent=3A_Pr=C3=BCfung?=", "lunch")) {
            Path mail = temporary.resolve("mail.eml");
            Path sealed = temporary.resolve("sealed.eml");
            Files.writeString(
                    mail,
                    "From: Bob <bob@example.com>\r\nTo: ada@example.org\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\nSubject: "
                            + subject + "\r\n\r\npump is hot\r\n");
            Files.deleteIfExists(sealed);
            run.ok(
                    "mail",
                    "send",
                    "--bundle",
                    site.bundle,
                    "--authority",
                    site.authority,
                    "--signing-key",
                    signer,
                    "--signing-passphrase-file",
                    signerPassphrase,
                    "-o",
                    sealed,
                    "--input",
                    mail);
            SealedParts parts = SealedParts.of(Files.readAllBytes(sealed));
            assertThat(new String(parts.delivered(), StandardCharsets.US_ASCII)).contains("Subject: [...]");
            Path index = temporary.resolve("index.vge");
            Files.write(index, parts.index());
            gateway.store(index);
            gateway.contents.put(
                    dev.veilgate.envelope.Envelope.decode(parts.index()).id(), parts.delivered());
        }
        Object[] search = {"search", "--scope", "mailbox-ada", "--mail", "subject:urgent"};
        assertThat(run.ok(search).out())
                .isEqualTo(
                        "[signed by the tenant] Sat, 21 Nov 2026 12:00:00 +0000  Bob <bob@example.com> -> ada@example.org: urgent: Pr\u00fcfung\n");
        assertThat(run.ok("search", "--scope", "mailbox-ada", "--mail", "--json", "hot AND NOT subject:urgent")
                        .out())
                .contains("\"subject\":\"lunch\"", "\"signed\":\"tenant\"")
                .doesNotContain("altered", "signedBy")
                .hasLineCount(1);
        Result others =
                run.run("search", "--scope", "mailbox-ada", "--mail", "--signed", "sender,nobody", "subject:urgent");
        assertThat(others.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(others.err()).contains("note: 1 more is signed by others");
        assertThat(run.ok("search", "--scope", "mailbox-ada", "--mail", "--signed", "tenant", "subject:urgent")
                        .out())
                .hasLineCount(1);
        assertThat(run.run("search", "--scope", "mailbox-ada", "--mail", "--signed", "me", "subject:urgent")
                        .code())
                .isEqualTo(ExitCode.USAGE);
        gateway.contents.replaceAll((_, mail) -> new String(mail, StandardCharsets.ISO_8859_1)
                .replace("Subject: [...]", "Subject: pay at once")
                .getBytes(StandardCharsets.ISO_8859_1));
        Result altered = run.run(search);
        assertThat(altered.out()).contains("urgent: Pr\u00fcfung");
        assertThat(altered.err()).contains("its header outside says something else than the sealed mail: Subject");
        assertThat(run.ok("search", "--scope", "mailbox-ada", "--mail", "--json", "subject:urgent")
                        .out())
                .contains("\"altered\":[\"Subject\"]");
        List<UUID> ids = List.copyOf(gateway.contents.keySet());
        byte[] one = gateway.contents.get(ids.get(0));
        gateway.contents.put(ids.get(0), gateway.contents.get(ids.get(1)));
        gateway.contents.put(ids.get(1), one);
        Result swapped = run.run(search);
        assertThat(swapped.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(swapped.err()).contains("is another one");
    }

    private Path certificateOfAda() throws Exception {
        openssl(
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-keyout",
                "ada.key",
                "-out",
                "ada.pem",
                "-days",
                "30",
                "-subj",
                "/CN=ada",
                "-addext",
                "subjectAltName=email:ada@example.org",
                "-addext",
                "keyUsage=keyEncipherment");
        return temporary.resolve("ada.pem");
    }

    /** Stores a mail to ada of nobody in particular, whose index names the word overheated whatever it says. */
    private UUID storeMail(RecipientCertificate ada, String subject, byte[] pdf) throws Exception {
        SecureRandom random = new SecureRandom();
        String header = "From: Eve <eve@example.com>\r\nTo: ada@example.org\r\nSubject: " + subject + "\r\n"
                + (subject.equals("undated") ? "" : "Date: Sat, 21 Nov 2026 12:00:00 +0000\r\n");
        byte[] message = AttachedPdf.mail(header, "see the file", pdf).getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream cms = new ByteArrayOutputStream();
        CmsSealer.Sealed sealed = new CmsSealer(random)
                .seal(target -> target.write(message), cms, List.of(ada), Encryption.AUTHENTICATED);
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, Instant.now());
        EnvelopeDraft draft = new EnvelopeDraft(
                "mailbox-ada",
                bundle.epochs().getFirst().name(),
                run.now,
                run.now,
                "application/pkcs7-mime",
                List.of(),
                List.of(),
                List.of(),
                0);
        List<Posting> lie = List.of(Posting.of(Keyword.text("word", "overheated"), 0));
        try (MailKey key = sealed.key();
                EnvelopeSealer sealer =
                        new EnvelopeSealer(bundle, null, Clock.fixed(run.now, ZoneOffset.UTC), random)) {
            byte[] envelope = sealer.sealDetached(draft, lie, sealed.digest(), key.toBytes(), ChainPosition.first())
                    .bytes();
            UUID id = Envelope.decode(envelope).id();
            gateway.envelopes.put(id, envelope);
            gateway.contents.put(
                    id,
                    ("Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                                    + Base64.getMimeEncoder().encodeToString(cms.toByteArray()))
                            .getBytes(StandardCharsets.US_ASCII));
            return id;
        }
    }

    @Test
    void mailsWhoseAttachmentsTakeTooLongAreNamedAndNotPrinted() throws Exception {
        RecipientCertificate ada = ada();
        Object[] search = {"search", "--scope", "mailbox-ada", "--mail", "overheated"};
        UUID slow = slowMail(ada, search);
        UUID costly = storeMail(ada, "costly", AttachedPdf.ofNestedForms(40, "it overheated"));
        String line = " [signed by nobody] Sat, 21 Nov 2026 12:00:00 +0000  Eve <eve@example.com> -> ada@example.org: ";
        for (String[] form : new String[][] {{}, {"--json"}}) {
            Result none =
                    run.run(Stream.concat(Stream.of(search), Stream.of(form)).toArray());
            assertThat(none.out()).isEmpty();
            assertThat(none.err().lines())
                    .containsOnlyOnce(
                            "not checked: " + costly + line + "costly", "not checked: " + slow + line + "slow")
                    .last()
                    .isEqualTo("note: 2 mails are not checked, since reading attachments takes too long;"
                            + " --attachment-time 10 takes ten times as long");
            assertThat(none.code()).isEqualTo(ExitCode.NO_MATCH);
        }
        Result more = run.ok("search", "--scope", "mailbox-ada", "--mail", "--attachment-time", "10", "overheated");
        assertThat(more.out()).isEqualTo(line.strip() + " slow\n");
        assertThat(more.err())
                .contains("not checked: " + costly, "note: 1 mail is not checked")
                .doesNotContain(slow.toString());
    }

    /** A mail that takes two to four times too long, of such as each take twice as long as the one before. */
    private UUID slowMail(RecipientCertificate of, Object... search) throws Exception {
        for (int work = 12; ; work++) {
            UUID slow = storeMail(of, "slow", AttachedPdf.ofNestedForms(work, "it overheated"));
            boolean isTooLong = run.run(search).err().contains("not checked: " + slow);
            gateway.envelopes.remove(slow);
            gateway.contents.remove(slow);
            if (isTooLong) {
                return storeMail(of, "slow", AttachedPdf.ofNestedForms(work + 1, "it overheated"));
            }
        }
    }

    @Test
    void mailsOfAHarmlessAttachmentArePrintedIfItHasTheWord() throws Exception {
        RecipientCertificate ada = ada();
        storeMail(ada, "hit", AttachedPdf.ofText("it overheated"));
        UUID lie = storeMail(ada, "lie", AttachedPdf.ofText("nothing of that"));
        Result found = run.run("search", "--scope", "mailbox-ada", "--mail", "overheated");
        assertThat(found.out()).hasLineCount(1).endsWith(": hit\n");
        assertThat(found.err())
                .contains(lie + ": the mail does not contain what it was found by")
                .doesNotContain("not checked");
    }

    @Test
    void mailsWithoutADateAreCounted() throws Exception {
        RecipientCertificate ada = ada();
        storeMail(ada, "dated", AttachedPdf.ofText("it overheated"));
        storeMail(ada, "undated", AttachedPdf.ofText("it overheated"));
        Result found = run.run("search", "--scope", "mailbox-ada", "--mail", "overheated");
        assertThat(found.out()).hasLineCount(2);
        assertThat(found.err())
                .contains("note: 1 mail has no date, or one that cannot be: the time of sealing counts instead");
    }

    @Test
    void theTimeOfAttachmentsIsOneToAHundred() {
        for (String times : List.of("0", "-1", "101")) {
            Result refused =
                    run.run("search", "--scope", "mailbox-ada", "--mail", "--attachment-time", times, "overheated");
            assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("--attachment-time: must be 1 to 100");
        }
        assertThat(gateway.requests).isEmpty();
    }

    private RecipientCertificate ada() throws Exception {
        X509Certificate certificate;
        try (InputStream in = Files.newInputStream(certificateOfAda())) {
            certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        return RecipientCertificate.check(
                certificate.getEncoded(), "ada@example.org", Instant.now().plusSeconds(1));
    }

    @Test
    void certificatesAreChecked() throws Exception {
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-keyout",
                "tls.key",
                "-out",
                "tls.pem",
                "-days",
                "30",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost");
        openssl("pkcs12", "-export", "-in", "tls.pem", "-inkey", "tls.key", "-out", "tls.p12", "-passout", "pass:x");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(temporary.resolve("tls.p12"))) {
            store.load(in, new char[] {'x'});
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[] {'x'});
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        try (FakeGateway https = new FakeGateway(context)) {
            https.store(store("one", "login failed"));
            Object[] search = {"search", "--gateway", https.url(), "failed"};
            Result untrusted = run.run(search);
            assertThat(untrusted.code()).isEqualTo(ExitCode.IO);
            assertThat(untrusted.err()).contains("certificate is not trusted");
            assertThat(https.requests).isEmpty();
            Path pem = temporary.resolve("tls.pem");
            assertThat(run.ok(Stream.concat(Stream.of(search), Stream.of("--gateway-ca", pem))
                                    .toArray())
                            .out())
                    .isEqualTo("login failed\n");
        }
    }

    /** As Ctrl-C does. */
    @Test
    void anInterruptedSearchIsCancelledThere() throws Exception {
        threeDays();
        gateway.endless = true;
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "search",
                "--epoch",
                "2026-11",
                "failed");
        builder.environment().putAll(run.environment);
        Process process = builder.redirectErrorStream(true).start();
        assertThat(gateway.firstHit.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.removed).isEmpty();
        process.destroy(); // SIGTERM: whoever runs tests in the background has SIGINT ignored in all of them
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(gateway.removed).hasSize(1);
    }

    @Test
    void routesAreInstalledListedAndRemoved() throws Exception {
        Result added = run.ok("route", "add", "root", "--webhook", "https://siem.example.org/hook", "root AND NOT ada");
        assertThat(added.out()).isEqualTo("secret s3cret\n");
        assertThat(added.err()).contains("finds nothing after 2027-01-01T00:00:00Z");
        assertThat(gateway.asked("PUT")).containsExactly("PUT /v1/tenants/acme/routes/root");
        assertThat(run.ok("route", "add", "heat", "--topic", "alarms", "overheat")
                        .out())
                .isEmpty();
        run.environment.remove("VEILGATE_PASSPHRASE"); // no key is needed for the rest
        assertThat(run.ok("route", "list", "--tenant", "acme").out())
                .isEqualTo("NAME  ACTION   TARGET                         ENDS\n"
                        + "heat  topic    alarms                         2027-01-01T00:00:00Z\n"
                        + "root  webhook  https://siem.example.org/hook  2027-01-01T00:00:00Z\n");
        run.ok("route", "remove", "--tenant", "acme", "heat");
        assertThat(run.run("route", "remove", "--tenant", "acme", "heat").code())
                .isEqualTo(ExitCode.REFUSED);
        assertThat(run.run("route", "add", "x", "--forward", "a@b", "--topic", "t", "overheat")
                        .code())
                .isEqualTo(ExitCode.USAGE);
        assertThat(run.run("route", "add", "x", "overheat").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void sendersAreListedWithWhatIsMissing() {
        gateway.senders = """
                [{"sender":"press-4","envelopes":7,"highestSequence":12,"gaps":[{"from":3,"to":5},{"from":9,"to":9}],"forks":0,
                "lastSealed":"2026-11-21T11:00:00Z","lastArrived":"2026-11-21T11:00:01Z","silentSince":null}]""";
        Result table = run.run("senders");
        assertThat(table.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(table.out())
                .isEqualTo(
                        "SENDER   ENVELOPES  HIGHEST  GAPS   FORKS  SEALED                ARRIVED               SILENT\n"
                                + "press-4  7          12       3-5,9  0      2026-11-21T11:00:00Z  2026-11-21T11:00:01Z  -\n");
        assertThat(run.run("senders", "--json").out()).contains("\"gaps\":[{\"from\":3,\"to\":5}");
        gateway.senders = "[{\"sender\":7}]";
        Result other = run.run("senders");
        assertThat(other.code()).isEqualTo(ExitCode.IO);
        assertThat(other.err()).contains("sender must be a string");
    }

    private void openssl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(temporary.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
