package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.service.LineLog;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether two submissions are the same mail: HMAC-SHA-256 over the envelope and the whole message without its trace fields, which a
 * mail server in between writes anew each time it brings the message. The values are kept on disk, where the messages are not in clear: without
 * the key nobody can check a guess of a message by them. The key lies in the spool's folder, readable by its owner only.
 */
final class RepetitionKey {
    /** Name of the file in the proxy's spool. */
    static final String IN_SPOOL = "repetition-key";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int CHUNK_BYTES = 64 << 10;
    /** Longer than any sender, whose length stands there without a login. */
    private static final byte[] LOGGED_IN = {-1, -1, -1, -1};

    /** What servers on the way say of the transport of a message: RFC 5321, 7208, 8601, 9228, and fields that Postfix, Exim and others add. */
    private static final Set<String> TRACE = Set.of(
            "authentication-results",
            "delivered-to",
            "envelope-to",
            "received",
            "received-spf",
            "return-path",
            "x-envelope-to",
            "x-original-to",
            "x-received");

    private final SecretKeySpec key;

    private RepetitionKey(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
        Arrays.fill(secret, (byte) 0);
    }

    /**
     * Reads the key, or makes it. A key that is lost or damaged is replaced: then a mail that was taken before may be sent twice, but none is lost.
     *
     * @param spool a folder that no other process uses
     */
    static RepetitionKey keptIn(Path spool, SecureRandom random, LineLog log) throws IOException {
        Path file = spool.resolve(IN_SPOOL);
        byte[] secret = new byte[0];
        try (InputStream in = Files.newInputStream(file)) {
            secret = in.readNBytes(KEY_BYTES + 1);
            if (secret.length != KEY_BYTES) {
                log.warn(file
                        + " is damaged and is made anew; what was submitted before is not recognized as a repetition");
            }
        } catch (NoSuchFileException e) {
            // the first start
        }
        if (secret.length != KEY_BYTES) {
            secret = new byte[KEY_BYTES];
            random.nextBytes(secret);
            DurableFiles.replace(spool, IN_SPOOL, null, secret);
        }
        return new RepetitionKey(secret);
    }

    /**
     * The same for two submissions of one message by the same login and sender to the same recipients, and for no others:
     * a message is signed as of its login, so that it may not count as sent because another one sent it. RFC 5322 gives one Message-ID
     * to one version of one message; a message without it is never taken for a repetition.
     *
     * @param login null for nobody who logged in
     * @return hexadecimal digits; empty if the message has no Message-ID
     */
    String of(PlainMail mail, String sender, List<String> recipients, @Nullable String login)
            throws IOException, MalformedMailException {
        try (InputStream in = new BufferedInputStream(mail.open())) {
            MailHeader.Split split = MailHeader.read(in);
            Optional<String> id = split.header()
                    .first("message-id")
                    .map(MailHeader.Field::value)
                    .filter(value -> !value.isEmpty());
            if (id.isEmpty()) {
                return "";
            }
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            if (login != null) {
                mac.update(LOGGED_IN);
                text(mac, login);
            }
            text(mac, sender);
            mac.update(ByteBuffer.allocate(4).putInt(recipients.size()).flip());
            recipients.stream().sorted().forEach(recipient -> text(mac, recipient));
            for (MailHeader.Field field : split.header().fields()) {
                mac.update(untraced(field).getBytes(StandardCharsets.ISO_8859_1));
            }
            mac.update(new byte[] {'\r', '\n'});
            mac.update(split.start());
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                mac.update(chunk, 0, read);
            }
            Arrays.fill(chunk, (byte) 0);
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    private static void text(Mac mac, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
        mac.update(bytes);
    }

    /** What counts of a field: of one of transport only the lines that are kept with it but are no part of it. */
    private static String untraced(MailHeader.Field field) {
        if (!TRACE.contains(field.name())) {
            return field.raw();
        }
        int end = 0;
        do {
            end = field.raw().indexOf("\r\n", end) + 2;
        } while (end < field.raw().length()
                && (field.raw().charAt(end) == ' ' || field.raw().charAt(end) == '\t'));
        return field.raw().substring(end);
    }
}
