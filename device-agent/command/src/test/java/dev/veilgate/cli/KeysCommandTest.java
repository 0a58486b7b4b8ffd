package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authority's keys by command. */
class KeysCommandTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
    }

    private PublicBundle bundle() throws Exception {
        site.newBundle();
        return PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now);
    }

    @Test
    void bundleIsVerifiedByTheFingerprintThatWasPrinted() throws Exception {
        PublicBundle bundle = bundle();
        assertThat(bundle.tenant()).isEqualTo("acme");
        assertThat(bundle.serial()).isEqualTo(2);
        assertThat(bundle.senders()).isEmpty();
        assertThat(bundle.sendersInRegistry()).isTrue();
        assertThat(bundle.notAfter()).isEqualTo(run.now.plusSeconds(90 * 86_400));
    }

    @Test
    void askedTwiceForANewPassphrase() {
        run.environment.remove("VEILGATE_PASSPHRASE");
        Path other = temporary.resolve("other");
        run.typed.addAll(java.util.List.of("four words or five", "four words or fife"));
        Result differ = run.run("keys", "init", "--tenant", "x", "--memory", "8", "--keys", other);
        assertThat(differ.code()).isEqualTo(ExitCode.KEY);
        assertThat(differ.err()).contains("differ").doesNotContain("words");
        run.typed.addAll(java.util.List.of("short", "short"));
        assertThat(run.run("keys", "init", "--tenant", "x", "--keys", other).code())
                .isEqualTo(ExitCode.KEY);
        run.typed.addAll(java.util.List.of("four words or five", "four words or five", "four words or five"));
        run.ok("keys", "init", "--tenant", "x", "--memory", "8", "--keys", other);
        run.ok("keys", "show", "--keys", other);
        assertThat(run.asked.getLast()).isEqualTo("Passphrase");
        Result nobody = run.run("keys", "show", "--keys", other);
        assertThat(nobody.code()).isEqualTo(ExitCode.KEY);
        assertThat(nobody.err()).contains("no terminal");
    }

    @Test
    void neverOverwrites() throws Exception {
        byte[] before = Files.readAllBytes(site.keys.resolve("keys.vgk"));
        assertThat(run.run("keys", "init", "--tenant", "acme").code()).isEqualTo(ExitCode.KEY);
        assertThat(site.keys.resolve("keys.vgk")).hasBinaryContent(before);
        assertThat(run.run("identity", "init", site.identity, "--sender", "x").code())
                .isEqualTo(ExitCode.IO);
    }

    @Test
    void wrongPassphraseAndDamageAreDifferentThings() throws Exception {
        Path file = temporary.resolve("passphrase");
        Files.writeString(file, "wrong horse battery\n");
        Result wrong = run.run("keys", "show", "--passphrase-file", file);
        assertThat(wrong.code()).isEqualTo(ExitCode.KEY);
        assertThat(wrong.err())
                .startsWith("veilgate keys show: wrong passphrase")
                .hasLineCount(1);
        Path keyFile = site.keys.resolve("keys.vgk");
        byte[] bytes = Files.readAllBytes(keyFile);
        bytes[bytes.length / 2] ^= 1;
        Files.write(keyFile, bytes);
        Result damaged = run.run("keys", "show");
        assertThat(damaged.code()).isEqualTo(ExitCode.KEY);
        assertThat(damaged.err()).contains("damaged").contains("backup");
        Files.write(keyFile, new byte[0]);
        assertThat(run.run("keys", "show").code()).isEqualTo(ExitCode.KEY);
    }

    @Test
    void warnsOfAReadableKeyFile() throws Exception {
        Files.setPosixFilePermissions(site.keys.resolve("keys.vgk"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run.ok("keys", "show").err()).contains("can be read by others");
    }

    @Test
    void refusesAReadableIdentity() throws Exception {
        Files.setPosixFilePermissions(site.identity, PosixFilePermissions.fromString("rw-r-----"));
        Result refused = run.run("identity", "show", site.identity);
        assertThat(refused.code()).isEqualTo(ExitCode.KEY);
        assertThat(refused.err()).contains("chmod 600");
    }

    @Test
    void showsNothingSecret() throws Exception {
        String shown = run.ok("keys", "show").out();
        assertThat(shown)
                .contains(site.authority)
                .contains("signatures   Ed25519, ML-DSA-65, SLH-DSA-SHA2-128f\n")
                .contains("ntru-peks")
                .contains("press-4")
                .contains("2026-11 (monthly)");
        String json = run.ok("keys", "show", "--json").out();
        assertThat(json)
                .startsWith("{\"tenant\":\"acme\"")
                .contains("\"signatures\":[\"Ed25519\",\"ML-DSA-65\",\"SLH-DSA-SHA2-128f\"]")
                .contains("\"current\":true")
                .hasLineCount(1);
    }

    @Test
    void rotationKeepsOldKeys() throws Exception {
        String before = run.ok("keys", "show").out();
        run.ok("keys", "rotate", "--index");
        assertThat(run.ok("keys", "show").out().lines().filter(line -> line.contains("ntru-peks")))
                .hasSize(2);
        run.ok("keys", "rotate");
        assertThat(run.ok("keys", "show").out().lines().filter(line -> line.contains("  wrap ")))
                .hasSize(2);
        assertThat(before.lines().filter(line -> line.contains("  wrap "))).hasSize(1);
        assertThat(bundle().indexKeys()).hasSize(3);
        run.ok("keys", "rotate", "--index", "--index-scheme", "bdop04-peks");
        assertThat(run.ok("keys", "show").out()).contains("bdop04-peks");
        assertThat(run.run("keys", "rotate", "--index-scheme", "rot13").err()).contains("there are ntru-peks");
        assertThat(run.run("keys", "rotate", "--index", "--lost-trapdoors").code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void profileIsWhatSendersGet() throws Exception {
        run.ok("keys", "profile", "--ip-prefixes", "8,16", "--numeric", "temperature=-50..200", "--no-templates");
        ExtractorProfile profile = ExtractorProfile.decode(bundle().extractorProfile());
        assertThat(profile.ipPrefixes()).containsExactly(8, 16);
        assertThat(profile.templates()).isFalse();
        assertThat(profile.numericFields()).hasSize(1);
        assertThat(profile.numericFields().getFirst().origin()).isEqualTo(-50);
        assertThat(profile.numericFields().getFirst().last()).isGreaterThanOrEqualTo(200);
        assertThat(run.ok("keys", "profile", "--json").out()).contains("\"ipPrefixes\":[8,16]");
        run.ok("keys", "profile", "--ip-prefixes", "");
        assertThat(ExtractorProfile.decode(bundle().extractorProfile()).ipPrefixes())
                .isEmpty();
        assertThat(run.run("keys", "profile", "--ip-prefixes", "99").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("keys", "profile", "--numeric", "x").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void sendersAndScopesComeAndGo() throws Exception {
        Path other = temporary.resolve("again.identity");
        run.input = run.ok("identity", "init", other, "--sender", "press-4").bytes();
        Result taken = run.run("keys", "add-sender", "-");
        assertThat(taken.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(taken.err()).contains("--replace");
        run.ok("keys", "add-sender", "--replace", "-");
        run.ok("keys", "add-scope", "plant-7");
        assertThat(bundle().scopes()).containsExactly("plant-7");
        run.ok("keys", "remove-sender", "press-4");
        run.ok("keys", "remove-scope", "plant-7");
        assertThat(run.run("keys", "remove-sender", "press-4").code()).isEqualTo(ExitCode.USAGE);
        run.input = "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(run.run("keys", "add-sender", "-").code()).isEqualTo(ExitCode.REFUSED);
        assertThat(run.run("keys", "add-recipient", "--address", "a@b.example", "--scope", "s", "--certificate", "-")
                        .code())
                .isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void takesARecipientsCertificateOutOfAMailThatTheySigned() throws Exception {
        run.now = java.time.Instant.now().plusSeconds(3600); // when what OpenSSL makes is valid
        Path key = temporary.resolve("ann.key");
        Path certificate = temporary.resolve("ann.pem");
        openssl(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ann -addext subjectAltName=email:ann@b.example",
                "-keyout",
                key,
                "-out",
                certificate);
        Path text = Files.writeString(temporary.resolve("text"), "Content-Type: text/plain\n\nhello\n");
        Path mail = temporary.resolve("hello.eml");
        openssl("cms -sign", "-in", text, "-signer", certificate, "-inkey", key, "-out", mail);
        Object[] arguments = {
            "keys", "add-recipient", "--address", "Ann@b.example", "--scope", "mail-ann", "--certificate", mail
        };
        assertThat(run.ok(arguments).out())
                .contains("recipient ann@b.example, certificate ")
                .doesNotContain("mail.authenticated");
        assertThat(bundle().recipient("ann@b.example")).isPresent();
        arguments[3] = "bob@b.example";
        assertThat(run.run(arguments).err()).contains("does not name the address");
        Files.writeString(mail, Files.readString(mail).replace("hello", "hallo"));
        arguments[3] = "ann@b.example";
        Result refused = run.run(arguments);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("neither a certificate nor a mail that its sender signed");
    }

    private static void openssl(String words, Object... more) throws Exception {
        java.util.List<String> command = new java.util.ArrayList<>(java.util.List.of("openssl"));
        command.addAll(java.util.List.of(words.split(" ")));
        for (Object each : more) {
            command.add(each.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void changesThePassphrase() throws Exception {
        Path file = temporary.resolve("new");
        Files.writeString(file, "a new passphrase\nsecond line");
        run.ok("keys", "passphrase", "--new-passphrase-file", file);
        assertThat(run.run("keys", "show").code()).isEqualTo(ExitCode.KEY);
        run.ok("keys", "show", "--passphrase-file", file);
    }

    @Test
    void noBinaryToATerminal() {
        run.outIsTerminal = true;
        assertThat(run.run("keys", "bundle").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.run("trapdoor", "--scope", "s", "x").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.ok("keys", "bundle", "-o", "-").bytes()).isNotEmpty();
    }
}
