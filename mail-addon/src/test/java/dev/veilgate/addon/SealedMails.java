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
import java.util.Arrays;
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

    /**
     * A mail around an entity that is encrypted for the reader as it is, which anybody can make.
     *
     * @param header lines that end in LF, without those of the body
     * @param entity its lines end in LF
     */
    String enveloped(String header, String entity) throws Exception {
        Path in = Files.writeString(folder.resolve("entity.eml"), entity.replace("\n", "\r\n"));
        Path out = folder.resolve("enveloped.der");
        run(
                "openssl",
                "cms",
                "-encrypt",
                "-binary",
                "-aes256",
                "-outform",
                "DER",
                "-in",
                in.toString(),
                "-out",
                out.toString(),
                file("reader.crt"));
        return (header + structure("enveloped-data", Files.readAllBytes(out))).replaceAll("\r?\n", "\r\n");
    }

    /** A mail whose body is in base64, in the transfer encoding that its header names. */
    static String reencoded(String mail) {
        int end = mail.indexOf("\r\n\r\n") + 4;
        String header = mail.substring(0, end);
        byte[] body = Base64.getMimeDecoder().decode(mail.substring(end));
        if (header.contains("quoted-printable")) {
            StringBuilder lines = new StringBuilder(header);
            for (int i = 0; i < body.length; i++) {
                lines.append("=%02X".formatted(body[i])).append(i % 20 == 19 ? "=\r\n" : "");
            }
            return lines.append("\r\n").toString();
        }
        return header.contains("x-uuencode") ? header + uuencoded(body) : mail;
    }

    private static String uuencoded(byte[] body) {
        StringBuilder lines = new StringBuilder("begin 644 smime.p7m\r\n");
        for (int i = 0; i < body.length; i += 45) {
            byte[] line = Arrays.copyOfRange(body, i, i + 45);
            lines.append((char) (' ' + Math.min(45, body.length - i)));
            for (int j = 0; j < 45; j += 3) {
                int bits = (line[j] & 0xff) << 16 | (line[j + 1] & 0xff) << 8 | line[j + 2] & 0xff;
                for (int shift = 18; shift >= 0; shift -= 6) {
                    int sixth = bits >> shift & 0x3f;
                    lines.append(sixth == 0 ? '`' : (char) (' ' + sixth));
                }
            }
            lines.append("\r\n");
        }
        return lines.append("`\r\nend\r\n").toString();
    }

    /** Lines of a MIME entity that is a CMS structure. */
    static String structure(String type, byte[] der) {
        return "Content-Type: application/pkcs7-mime; smime-type=" + type + "; name=smime.p7m\n"
                + "Content-Transfer-Encoding: base64\n\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n";
    }

    /** Lines of a MIME entity that is {@link #signedDataOfStranger}. */
    String signedByStranger(String message) throws Exception {
        return structure("signed-data", signedDataOfStranger(message));
    }

    /** SignedData around a message, by a certificate that names ada and that nobody trusts. */
    byte[] signedDataOfStranger(String message) throws Exception {
        String key = file("stranger.key");
        String certificate = file("stranger.crt");
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-subj",
                "/CN=ada",
                "-addext",
                "subjectAltName=email:ada@example.org",
                "-keyout",
                key,
                "-out",
                certificate);
        Path in = Files.writeString(folder.resolve("message.eml"), message.replace("\n", "\r\n"));
        Path out = folder.resolve("signed.der");
        run(
                "openssl",
                "cms",
                "-sign",
                "-nodetach",
                "-binary",
                "-outform",
                "DER",
                "-signer",
                certificate,
                "-inkey",
                key,
                "-in",
                in.toString(),
                "-out",
                out.toString());
        return Files.readAllBytes(out);
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
