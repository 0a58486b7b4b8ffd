package dev.veilgate.proxy;

import dev.veilgate.testing.Thunderbird;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Programs that people read mail with, each with the keys of some recipients and with the signer's certificate as one
 * that is trusted.
 */
final class MailPrograms implements AutoCloseable {
    private static final int SECONDS = 60;

    /** A header section of S/MIME, of ours or of an author's message. */
    private static final Pattern SIGNED =
            Pattern.compile("(?i)(?:[!-9;-~]+:.*\\r\\n(?:[ \\t].*\\r\\n)*)*?Content-Type: application/pkcs7-mime;");

    private final Path folder;
    private final MailLab lab;
    private @Nullable Thunderbird thunderbird;

    /**
     * What a program makes of a mail.
     *
     * @param text      of the message, with its header; empty if it does not open
     * @param verified  whether the program says that the signature is good
     * @param complains whether the program says that something is wrong with the signature
     * @param said      why it does not open, in the program's words
     */
    record Opened(String text, boolean verified, boolean complains, String said) {
        /** By a program that complains by its exit code. */
        static Opened by(String text, int exitCode) {
            return new Opened(text, exitCode == 0, exitCode != 0, "");
        }

        static Opened not(String said) {
            return new Opened("", false, true, said);
        }
    }

    MailPrograms(Path folder, MailLab lab) {
        this.folder = folder;
        this.lab = lab;
    }

    /** @param command cms, or smime, which knows nothing newer than PKCS #7 */
    Opened openssl(String command, byte[] mail, String address) throws Exception {
        Path out = folder.resolve("openssl.out");
        Files.deleteIfExists(out);
        MailLab.Identity who = lab.identity(address);
        MailLab.Result decrypted = run(
                Map.of(),
                "openssl",
                command,
                "-decrypt",
                "-in",
                file("mail.eml", mail),
                "-inkey",
                who.keyFile().toString(),
                "-recip",
                who.certificateFile().toString(),
                "-out",
                out.toString());
        if (decrypted.code() != 0) {
            return Opened.not(decrypted.output());
        }
        Path message = folder.resolve("openssl.message");
        MailLab.Result verified = run(
                Map.of(),
                "openssl",
                command,
                "-verify",
                "-in",
                out.toString(),
                "-CAfile",
                lab.signerCertificate.toString(),
                "-out",
                message.toString());
        boolean signed = verified.code() == 0;
        return Opened.by(Files.readString(signed ? message : out, StandardCharsets.ISO_8859_1), verified.code());
    }

    /** @param libraries of NSS; empty for the system's */
    Opened cmsutil(Optional<Path> libraries, byte[] mail, String address) throws Exception {
        Map<String, String> environment = libraries
                .map(path -> Map.of("LD_LIBRARY_PATH", path.toString()))
                .orElse(Map.of());
        Path database = Files.createDirectories(folder.resolve("nss-" + libraries.isPresent() + "-" + address));
        String db = "sql:" + database;
        if (!Files.exists(database.resolve("cert9.db"))) {
            must(environment, "certutil", "-N", "-d", db, "--empty-password");
            must(environment, "pk12util", "-i", pkcs12(address, List.of()), "-d", db, "-W", "x", "-K", "");
            must(
                    environment,
                    "certutil",
                    "-A",
                    "-d",
                    db,
                    "-n",
                    "signer",
                    "-t",
                    "C,C,",
                    "-i",
                    lab.signerCertificate.toString());
        }
        Path out = folder.resolve("nss.out");
        Files.deleteIfExists(out);
        MailLab.Result decrypted = run(
                environment,
                "cmsutil",
                "-D",
                "-d",
                db,
                "-i",
                file("mail.der", SealedParts.of(mail).cms()),
                "-o",
                out.toString());
        if (decrypted.code() != 0) {
            return Opened.not(decrypted.output());
        }
        Path message = folder.resolve("nss.content");
        Files.deleteIfExists(message);
        MailLab.Result verified = run(
                environment,
                "cmsutil",
                "-D",
                "-d",
                db,
                "-i",
                file("signed.der", signedData(out)),
                "-u",
                "4",
                "-o",
                message.toString());
        return Opened.by(text(message), verified.code());
    }

    Opened gpgsm(byte[] mail, String address) throws Exception {
        Path home = folder.resolve("gpgsm-" + address);
        if (!Files.exists(home)) {
            Files.createDirectory(
                    home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(home.resolve("gpg-agent.conf"), "allow-loopback-pinentry\n");
            Files.writeString(
                    home.resolve("gpgsm.conf"), "disable-crl-checks\ndisable-policy-checks\ndisable-dirmngr\n");
            String fingerprint = must(
                            Map.of(),
                            "openssl",
                            "x509",
                            "-in",
                            lab.signerCertificate.toString(),
                            "-noout",
                            "-fingerprint",
                            "-sha1")
                    .replaceAll("(?s).*=", "")
                    .strip();
            Files.writeString(home.resolve("trustlist.txt"), fingerprint + " S relax\n");
            Files.writeString(home.resolve("passphrase"), "x\n");
            importKey(home, address);
            gpgsm(home, "--import", lab.signerCertificate.toString());
        }
        Path out = folder.resolve("gpgsm.out");
        Files.deleteIfExists(out);
        MailLab.Result decrypted = gpgsm(
                home,
                "--output",
                out.toString(),
                "--decrypt",
                file("mail.der", SealedParts.of(mail).cms()));
        if (decrypted.code() != 0) {
            return Opened.not(decrypted.output());
        }
        Path message = folder.resolve("gpgsm.message");
        Files.deleteIfExists(message);
        MailLab.Result verified =
                gpgsm(home, "--output", message.toString(), "--verify", file("signed.der", signedData(out)));
        return Opened.by(text(message), verified.code());
    }

    /** The structure in a signed entity; the whole, if it is none. */
    private static byte[] signedData(Path entity) throws IOException {
        String text = Files.readString(entity, StandardCharsets.ISO_8859_1);
        try {
            return SIGNED.matcher(text).lookingAt()
                    ? Base64.getMimeDecoder().decode(text.substring(text.indexOf("\r\n\r\n")))
                    : Files.readAllBytes(entity);
        } catch (IllegalArgumentException e) {
            return new byte[0]; // no base64: it was altered
        }
    }

    private static String text(Path message) throws IOException {
        return Files.exists(message) ? Files.readString(message, StandardCharsets.ISO_8859_1) : "";
    }

    /**
     * Up to GnuPG 2.2.40 at least, one PKCS #12 file in a hundred cannot be read, by its random salt: there is
     * another salt in the next. Elliptic curves some versions
     * read in none.
     */
    private void importKey(Path home, String address) throws Exception {
        List<String> old = List.of("-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1");
        MailLab.Result imported = gpgsm(home, "--import", pkcs12(address, old));
        for (int i = 0; address.startsWith("rsa") && imported.code() != 0; i++) {
            if (i == 5) {
                throw new AssertionError("gpgsm --import: " + imported.output());
            }
            imported = gpgsm(home, "--import", pkcs12(address, old));
        }
    }

    private static MailLab.Result gpgsm(Path home, String... more) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("gpgsm", "--batch", "--pinentry-mode", "loopback", "--passphrase-fd", "0"));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("GNUPGHOME", home.toString());
        return MailLab.run(builder.redirectInput(home.resolve("passphrase").toFile()));
    }

    /** Thunderbird itself, which has the keys of all recipients: what its window shows. */
    Opened thunderbird(byte[] mail, List<String> recipients) throws Exception {
        if (thunderbird == null) {
            List<Path> keys = new ArrayList<>();
            for (String each : recipients) {
                keys.add(lab.pkcs12(each));
            }
            thunderbird = Thunderbird.start(
                    Files.createDirectory(folder.resolve("thunderbird")),
                    List.of(lab.signerCertificate),
                    keys,
                    MailLab.PASSPHRASE,
                    recipients.getFirst());
        }
        Thunderbird.Shown shown = thunderbird.open(mail, null);
        boolean isGood = shown.signature().equals("Good signature");
        return new Opened(shown.text(), isGood, !isGood && !shown.signature().isEmpty(), shown.encryption());
    }

    /** Mutt, as its Debian package sets it up: it shows the mail in a pager, which is a copy here. */
    Opened mutt(byte[] mail, String address) throws Exception {
        Path home = Files.createDirectories(folder.resolve("mutt-" + address));
        MailLab.Identity who = lab.identity(address);
        for (String kind : List.of("keys", "certificates")) {
            Path store = Files.createDirectories(home.resolve(".smime").resolve(kind));
            Files.writeString(
                    store.resolve("mine.0"),
                    Files.readString(kind.equals("keys") ? who.keyFile() : who.certificateFile()));
            Files.writeString(store.resolve(".index"), address + " mine.0 mine ? u\n");
        }
        Path shown = home.resolve("shown");
        Files.deleteIfExists(shown);
        Files.writeString(home.resolve("pager"), "#!/bin/sh\ncp \"$1\" " + shown + "\n");
        Files.setPosixFilePermissions(home.resolve("pager"), PosixFilePermissions.fromString("rwx------"));
        Path settings = Files.writeString(home.resolve("muttrc"), """
                source /etc/Muttrc.d/smime.rc
                set crypt_use_gpgme=no
                set smime_is_default=yes
                set smime_default_key="mine.0"
                set smime_keys="%1$s/.smime/keys"
                set smime_certificates="%1$s/.smime/certificates"
                set smime_ca_location="%2$s"
                set crypt_verify_sig=yes
                set pager="%1$s/pager"
                set prompt_after=no
                set folder="%1$s"
                set move=no
                set quit=yes
                """.formatted(home, lab.signerCertificate));
        Path box = home.resolve("box");
        Files.writeString(
                box,
                "From sender@example.org Mon Nov 23 12:00:00 2026\n"
                        + new String(mail, StandardCharsets.ISO_8859_1).replace("\r\n", "\n"),
                StandardCharsets.ISO_8859_1);
        show(home, "mutt -n -F " + settings + " -f " + box + " -e 'push <display-message><quit>'");
        String text = Files.exists(shown) ? Files.readString(shown, StandardCharsets.ISO_8859_1) : "";
        return text.contains("[-- End of S/MIME encrypted data. --]")
                ? new Opened(text, text.contains("Verification successful"), text.contains("Verification failure"), "")
                : Opened.not(text);
    }

    /** Runs a program in a terminal, and types a passphrase, which no key here needs, when it asks for one. */
    private static void show(Path home, String command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("script", "-qfec", "stty rows 40 cols 100; " + command, "/dev/null");
        builder.environment().putAll(Map.of("TERM", "vt100", "HOME", home.toString(), "LC_ALL", "C.UTF-8"));
        Process process = builder.redirectErrorStream(true).start();
        try (OutputStream keys = process.getOutputStream();
                InputStream screen = process.getInputStream()) {
            StringBuffer seen = new StringBuffer();
            Thread.ofVirtual().start(() -> {
                boolean typed = false;
                try {
                    byte[] bytes = new byte[4096];
                    for (int n = screen.read(bytes); n >= 0; n = screen.read(bytes)) {
                        seen.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
                        if (!typed && seen.indexOf("passphrase:") >= 0) {
                            typed = true;
                            keys.write("x\r".getBytes(StandardCharsets.US_ASCII));
                            keys.flush();
                        }
                    }
                } catch (IOException e) {
                    // it ended
                }
            });
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(command + " did not end: " + seen);
            }
        }
    }

    private String pkcs12(String address, List<String> options) throws Exception {
        MailLab.Identity who = lab.identity(address);
        Path file = folder.resolve(address + (options.isEmpty() ? "" : "-old") + ".p12");
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                who.keyFile().toString(),
                "-in",
                who.certificateFile().toString(),
                "-out",
                file.toString(),
                "-passout",
                "pass:x",
                "-name",
                address));
        command.addAll(options);
        must(Map.of(), command.toArray(String[]::new));
        return file.toString();
    }

    private String file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toString();
    }

    private static String must(Map<String, String> environment, String... command) throws Exception {
        MailLab.Result result = run(environment, command);
        if (result.code() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + result.output());
        }
        return result.output();
    }

    private static MailLab.Result run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return MailLab.run(builder);
    }

    /** Ends what gpgsm left running. */
    @Override
    public void close() throws IOException {
        if (thunderbird != null) {
            thunderbird.close();
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path home : files.filter(file -> file.getFileName().toString().startsWith("gpgsm-"))
                    .toList()) {
                ProcessBuilder kill = new ProcessBuilder("gpgconf", "--kill", "all");
                kill.environment().put("GNUPGHOME", home.toString());
                kill.start().onExit().join();
            }
        }
    }
}
