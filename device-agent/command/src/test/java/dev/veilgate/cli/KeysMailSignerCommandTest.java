package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate that a tenant's mail is signed with, by command. */
class KeysMailSignerCommandTest {
    private static final String SECRET = "twelve or more letters";

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private Path file;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
        run.environment.put("VEILGATE_SIGNER_PASSPHRASE", SECRET);
        file = temporary.resolve("mail-signer.p12");
    }

    private Result signer(Object... arguments) {
        List<Object> all = new ArrayList<>(List.of("keys", "mail-signer"));
        all.addAll(List.of(arguments));
        return run.run(all.toArray());
    }

    private Result ok(Object... arguments) {
        Result result = signer(arguments);
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    private List<List<X509Certificate>> inNextBundle() throws Exception {
        site.newBundle();
        return PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now)
                .mailSigners();
    }

    private MailSigner exported() throws Exception {
        return MailSigner.fromPkcs12(Files.readAllBytes(file), SECRET.toCharArray(), run.now);
    }

    @Test
    void initMakesOneThatExportWritesForTheEdges() throws Exception {
        Result result = ok("export", "-o", file);
        MailSigner signer = exported();
        assertThat(result.out()).contains(signer.fingerprint()).doesNotContain(SECRET);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(inNextBundle()).containsExactly(signer.chain());
        assertThat(ok("show").out())
                .contains(signer.fingerprint(), "CN=Veilgate mail sealing of acme", "CN=Veilgate mail of acme")
                .contains("former       none");
        assertThat(run.ok("keys", "show").out()).contains(signer.fingerprint() + "  to 2031-11-21");
        assertThat(run.ok("keys", "show", "--json").out())
                .contains("\"mailSigners\":[{\"chain\":[{\"fingerprint\":\"" + signer.fingerprint());
    }

    @Test
    void exportOverwritesNothingUnasked() throws Exception {
        Files.writeString(file, "mine");
        Result refused = signer("export", "-o", file);
        assertThat(refused.code()).isEqualTo(ExitCode.IO);
        assertThat(refused.err()).contains("--replace");
        assertThat(file).hasContent("mine");
        ok("export", "--replace", "-o", file);
        exported();
        assertThat(signer("export", "-o", "-").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void exportWantsALongPassphrase() throws Exception {
        Path passphrase = Files.writeString(temporary.resolve("short"), "eleven char\n");
        assertThat(signer("export", "-o", file, "--signer-passphrase-file", passphrase)
                        .err())
                .contains("at least 12");
        assertThat(file).doesNotExist();
        run.environment.remove("VEILGATE_SIGNER_PASSPHRASE");
        run.typed.addAll(List.of(SECRET, SECRET));
        ok("export", "-o", file);
        assertThat(run.asked)
                .containsExactly("New passphrase of the PKCS #12 file", "New passphrase of the PKCS #12 file, again");
        exported();
    }

    @Test
    void aNewOneReplacesItAndTheFormerStaysInBundlesUntilItIsRemoved() throws Exception {
        ok("export", "-o", file);
        MailSigner former = exported();
        Result made = ok("new");
        assertThat(made.out()).contains("veilgate keys bundle", "mail-signer export");
        ok("export", "--replace", "-o", file);
        MailSigner present = exported();
        assertThat(made.out()).contains(present.fingerprint());
        assertThat(inNextBundle()).containsExactly(present.chain(), former.chain());
        assertThat(ok("show").out()).containsSubsequence(present.fingerprint(), "former", former.fingerprint());
        Result removed = ok("remove", former.fingerprint().toUpperCase(java.util.Locale.ROOT));
        assertThat(removed.out()).contains("veilgate keys bundle");
        assertThat(inNextBundle()).containsExactly(present.chain());
        assertThat(signer("remove", former.fingerprint()).err()).contains("no such mail signer");
        assertThat(signer("remove", present.fingerprint()).err()).contains("present");
        assertThat(signer("remove", "abc").err()).contains("mail-signer show");
    }

    @Test
    void signsAsSendersInDomainsThatAreNamedAndGoesOnSo() throws Exception {
        assertThat(ok("show").out()).contains("signs as     the tenant", "new --domain");
        ok("new", "--domain", "Acme.example", "--domain", "acme.test", "--domain", "acme.test");
        assertThat(ok("show").out()).contains("signs as     senders in acme.example, acme.test\n");
        ok("export", "-o", file);
        MailSigner first = exported();
        assertThat(first.permits("ada@acme.example")).isTrue();
        ok("new");
        ok("export", "--replace", "-o", file);
        assertThat(exported().domains()).isEqualTo(first.domains());
        assertThat(exported().leaf()).isNotEqualTo(first.leaf());
        ok("new", "--tenant-only");
        assertThat(ok("show").out()).contains("signs as     the tenant");
        assertThat(inNextBundle()).hasSize(4);
        assertThat(signer("new", "--domain", "acme example").err()).contains("is no mail domain");
        assertThat(signer("new", "--domain", "a.example", "--tenant-only").code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void initSignsAsSendersAtOnce() throws Exception {
        Path other = temporary.resolve("other");
        run.ok("keys", "init", "--tenant", "o", "--memory", "8", "--mail-domain", "o.example", "--keys", other);
        assertThat(ok("show", "--keys", other).out()).contains("senders in o.example", "former       none");
        assertThat(run.run("keys", "init", "--tenant", "p", "--mail-domain", "@x", "--keys", temporary.resolve("p"))
                        .err())
                .contains("--mail-domain: \"@x\" is no mail domain");
        assertThat(temporary.resolve("p")).doesNotExist();
    }

    /** Programs judge by the day on which they show a mail. */
    @Test
    void warnsFiveYearsBeforeAnAuthorityForSendersEnds() throws Exception {
        ok("new", "--domain", "acme.example");
        ok("export", "-o", file);
        Instant end = exported().leaf().getNotAfter().toInstant();
        run.now = end.minus(Duration.ofDays(5 * 365)).minusSeconds(1);
        assertThat(run.ok("keys", "show").err()).isEmpty();
        run.now = end.minus(Duration.ofDays(5 * 365));
        assertThat(run.ok("keys", "show").err()).contains("expires on " + end);
    }

    @Test
    void takesAKeyThatOpensslMade() throws Exception {
        run.now = Instant.now().plusSeconds(3600); // when what OpenSSL makes is valid
        Path made = openssl("rsa:2048", "");
        Result imported = ok("import", made);
        ok("export", "-o", file);
        MailSigner present = exported();
        assertThat(imported.out()).contains(present.fingerprint());
        assertThat(present.leaf().getPublicKey().getAlgorithm()).isEqualTo("RSA");
        assertThat(inNextBundle()).hasSize(2).first().isEqualTo(present.chain());
        // what export wrote, it reads
        shell("openssl", "pkcs12", "-in", file, "-passin", "pass:" + SECRET, "-nodes", "-out", temporary.resolve("o"));
        assertThat(temporary.resolve("o")).content().contains("BEGIN PRIVATE KEY", "BEGIN CERTIFICATE");
    }

    @Test
    void takesAnothersExport() throws Exception {
        Path other = temporary.resolve("other");
        run.ok("keys", "init", "--tenant", "other", "--memory", "8", "--keys", other);
        ok("export", "-o", file, "--keys", other);
        run.input = Files.readAllBytes(file);
        ok("import", "-");
        assertThat(inNextBundle()).hasSize(2).first().isEqualTo(exported().chain());
    }

    @Test
    void refusesWhatMustNotSignMail() throws Exception {
        ok("export", "-o", file);
        run.environment.put("VEILGATE_SIGNER_PASSPHRASE", "another passphrase");
        assertRefused("passphrase of the PKCS #12 file is wrong", file);
        run.environment.put("VEILGATE_SIGNER_PASSPHRASE", SECRET);
        run.now = run.now.plus(Duration.ofDays(6 * 366));
        assertRefused("expired on", file);
        run.now = Instant.now().plusSeconds(3600); // when what OpenSSL makes is valid
        assertRefused("1024 bits", openssl("rsa:1024", ""));
        assertRefused("digitalSignature", openssl("rsa:2048", "keyUsage=keyEncipherment"));
        assertRefused("not for mail", openssl("rsa:2048", "extendedKeyUsage=serverAuth"));
        assertRefused("more than 131072", Files.write(temporary.resolve("large"), new byte[200_000]));
        assertRefused("more than 1048576", Files.write(temporary.resolve("huge"), new byte[10 << 20]));
        assertRefused("cannot be read as PKCS #12", Files.writeString(temporary.resolve("text"), "hello"));
        assertThat(inNextBundle()).hasSize(1);
    }

    private void assertRefused(String why, Path named) {
        Result refused = signer("import", named);
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains(why).hasLineCount(1).doesNotContain(SECRET);
    }

    @Test
    void warnsSixtyDaysBeforeItEnds() throws Exception {
        MailSigner signer;
        ok("export", "-o", file);
        signer = exported();
        Instant end = signer.leaf().getNotAfter().toInstant();
        run.now = end.minus(Duration.ofDays(60)).minusSeconds(1);
        assertThat(run.ok("keys", "show").err()).isEmpty();
        run.now = end.minus(Duration.ofDays(60));
        assertThat(run.ok("keys", "show").err())
                .startsWith("warning: the mail signing certificate expires on " + end)
                .contains("mail-signer new");
        assertThat(run.ok("keys", "check").err()).contains("expires on", "0 findings");
        assertThat(run.ok("keys", "bundle", "-o", site.bundle).err()).contains("expires on");
        run.now = end;
        assertThat(run.ok("keys", "check").err()).contains("warning: the mail signing certificate expired on " + end);
        assertThat(ok("show").err()).contains("expired on");
        ok("new");
        assertThat(run.ok("keys", "check").err()).doesNotContain("warning");
    }

    @Test
    void printsThePresentChainAsPem() throws Exception {
        ok("export", "-o", file);
        ok("new");
        Path pem =
                Files.write(temporary.resolve("chain.pem"), ok("show", "--pem").bytes());
        assertThat(Files.readString(pem).lines().filter(line -> line.contains("BEGIN CERTIFICATE")))
                .hasSize(2);
        // each of both alone, the second as the authority of the first
        String[] parts = Files.readString(pem).split("(?<=END CERTIFICATE-----\n)");
        Path leaf = Files.writeString(temporary.resolve("leaf.pem"), parts[0]);
        Path authority = Files.writeString(temporary.resolve("authority.pem"), parts[1]);
        shell(
                "openssl",
                "verify",
                "-x509_strict",
                "-purpose",
                "smimesign",
                "-attime",
                run.now.getEpochSecond(),
                "-CAfile",
                authority,
                leaf);
        assertThat(signer("show", "--pem", "--json").code()).isEqualTo(ExitCode.USAGE);
    }

    /** One of them gets the folder, or one after the other. */
    @Test
    void twoAtOnceAreOneAfterTheOtherOrRefused() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Result>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 2; i++) {
                results.add(threads.submit(() -> {
                    start.await();
                    return signer("new");
                }));
            }
            start.countDown();
        }
        int done = 0;
        for (Future<Result> each : results) {
            Result result = each.get();
            if (result.code() == 0) {
                done++;
            } else {
                assertThat(result.code()).isEqualTo(ExitCode.IO);
                assertThat(result.err()).contains("another process is changing the keys");
            }
        }
        assertThat(done).isPositive();
        assertThat(inNextBundle()).hasSize(1 + done);
        ok("export", "-o", file);
        exported();
    }

    @Test
    void theIssuingLogTellsOfIt() throws Exception {
        run.ok("keys", "log", "--begin");
        ok("new");
        ok("export", "-o", file);
        String log = run.ok("keys", "log").out();
        assertThat(log)
                .contains("new mail signer " + exported().fingerprint())
                .contains("mail signer " + exported().fingerprint())
                .contains("exported");
    }

    @Test
    void saysWhatToDo() {
        assertThat(signer().err()).contains("show, new, import, export, remove");
        assertThat(run.ok("keys", "mail-signer", "--help").out()).contains("veilgate keys mail-signer new");
        assertThat(run.ok("keys", "mail-signer", "export", "--help").out()).contains("--signer-passphrase-file");
    }

    private Path openssl(String key, String extension) throws Exception {
        Path secret = temporary.resolve("made.key");
        Path certificate = temporary.resolve("made.pem");
        List<Object> request = new ArrayList<>(
                List.of("openssl", "req", "-x509", "-newkey", key, "-nodes", "-days", "9", "-subj", "/CN=mail"));
        request.addAll(List.of("-keyout", secret, "-out", certificate));
        if (!extension.isEmpty()) {
            request.addAll(List.of("-addext", extension));
        }
        shell(request.toArray());
        Path made = temporary.resolve("made.p12");
        shell(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                secret,
                "-in",
                certificate,
                "-passout",
                "pass:" + SECRET,
                "-out",
                made);
        return made;
    }

    private static void shell(Object... command) throws Exception {
        List<String> words = new ArrayList<>();
        for (Object word : command) {
            words.add(word.toString());
        }
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
    }
}
