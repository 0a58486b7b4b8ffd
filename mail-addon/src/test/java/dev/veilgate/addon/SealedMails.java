package dev.veilgate.addon;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.SealedMailWriter;
import dev.veilgate.envelope.smime.SignedAs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;

/** Mails as edges seal them for one reader, in the form that a gateway delivers. */
final class SealedMails {
    static final String READER = "reader@example.org";
    static final String PASSPHRASE = "x";

    private final SealedMailWriter writer = new SealedMailWriter(new SecureRandom());
    private final Path folder;
    private final RecipientCertificate recipient;

    /** The authority for senders of example.org. */
    final MailSigner authority;

    /** An authority for the same addresses that nobody trusts. */
    final MailSigner stranger;

    /** @param folder for the reader's key */
    SealedMails(Path folder) throws Exception {
        this.folder = folder;
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=reader",
                "-addext",
                "subjectAltName=email:" + READER,
                "-keyout",
                file("reader.key"),
                "-out",
                file("reader.crt"));
        String pem = Files.readString(folder.resolve("reader.crt"));
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        recipient = RecipientCertificate.check(der, READER, Instant.now());
        authority = senders();
        stranger = senders();
    }

    private static MailSigner senders() throws Exception {
        try (TenantKeys keys = TenantKeys.generate(
                "acme",
                SearchScheme.DEFAULT,
                EpochPolicy.MONTHLY,
                new byte[0],
                List.of("example.org"),
                new SecureRandom(),
                Instant.now())) {
            return keys.mailSigner().orElseThrow();
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    /** The reader's key and certificate. */
    Path pkcs12() throws IOException, InterruptedException {
        String out = file("reader.p12");
        run(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                file("reader.key"),
                "-in",
                file("reader.crt"),
                "-out",
                out,
                "-passout",
                "pass:" + PASSPHRASE);
        return Path.of(out);
    }

    /** The certificate that programs are to trust. */
    Path trusted() throws Exception {
        return Files.writeString(
                folder.resolve("authority.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(authority.chain().getLast().getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }

    static String now() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atOffset(ZoneOffset.UTC));
    }

    /**
     * A mail sealed for the reader.
     *
     * @param mail   its lines end in LF; characters are bytes of UTF-8
     * @param signer of what is inside
     */
    String sealed(String mail, MailSigner signer) throws Exception {
        byte[] bytes = mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        try (InputStream in = new ByteArrayInputStream(bytes)) {
            MailHeader.Split split = MailHeader.read(in);
            var header = HeaderProtection.protect(split.header(), "ada@example.org", Instant.now());
            var out = new ByteArrayOutputStream();
            InputStream body = new SequenceInputStream(new ByteArrayInputStream(split.start()), in);
            SignedAs as = new SignedAs(signer, Instant.now());
            writer.write(header, body, List.of(recipient), Encryption.SIGNED, as, null, out);
            return out.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
