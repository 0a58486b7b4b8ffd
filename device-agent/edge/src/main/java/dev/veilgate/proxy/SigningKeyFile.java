package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.sender.PassphraseFile;
import dev.veilgate.transport.PemFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Files with a key for signing mail and its certificates: PKCS #12, or PEM. */
final class SigningKeyFile {
    private static final long MAX_KEY_BYTES = 1 << 20;
    private static final byte[] PEM_START = "-----BEGIN".getBytes(StandardCharsets.US_ASCII);

    private SigningKeyFile() {}

    /**
     * Reads a key, whether its certificate is valid now or not.
     *
     * @param setting        what names the file
     * @param passphraseFile of a key in PKCS #12; null for none
     * @throws UnusableSignerException saying what is wrong with it
     */
    static MailSigner read(String setting, Path file, @Nullable Path passphraseFile) throws UnusableSignerException {
        if (!Files.isReadable(file)) {
            throw new UnusableSignerException(setting, file, "cannot be read", null);
        }
        try {
            if (Files.size(file) > MAX_KEY_BYTES) {
                throw new UnusableSignerException(setting, file, "has more than " + MAX_KEY_BYTES + " bytes", null);
            }
            byte[] bytes = Files.readAllBytes(file);
            try {
                return isPem(bytes) ? ofPem(file) : ofPkcs12(bytes, passphraseFile);
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        } catch (RefusedSignerException | IOException e) {
            throw new UnusableSignerException(setting, file, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isPem(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .contains(new String(PEM_START, StandardCharsets.US_ASCII));
    }

    private static MailSigner ofPem(Path file) throws IOException, RefusedSignerException {
        try {
            var chain = PemFile.certificates(file);
            return MailSigner.of(PemFile.privateKey(file, chain.getFirst()), chain);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("it is no PEM of a private key and its certificates", e);
        }
    }

    private static MailSigner ofPkcs12(byte[] bytes, @Nullable Path passphraseFile)
            throws IOException, RefusedSignerException {
        if (passphraseFile == null) {
            throw new IOException("a signing key in PKCS 12 needs mail.signing-passphrase-file");
        }
        char[] passphrase = passphrase(passphraseFile);
        try {
            return MailSigner.fromPkcs12(bytes, passphrase);
        } finally {
            Arrays.fill(passphrase, '\0');
        }
    }

    private static char[] passphrase(Path file) throws IOException {
        Optional<byte[]> line;
        try {
            line = PassphraseFile.read(file);
        } catch (IOException e) {
            throw new IOException("mail.signing-passphrase-file: " + file + " cannot be read", e);
        }
        byte[] bytes = line.orElseThrow(() -> new IOException("mail.signing-passphrase-file: " + file
                + ": its first line must have 1 to " + PassphraseFile.MAX_BYTES + " bytes"));
        CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(bytes));
        char[] passphrase = new char[decoded.remaining()];
        decoded.get(passphrase);
        Arrays.fill(decoded.array(), '\0');
        Arrays.fill(bytes, (byte) 0);
        return passphrase;
    }

    /** The key cannot be signed with. */
    static final class UnusableSignerException extends IOException {
        private static final long serialVersionUID = 1L;

        UnusableSignerException(String setting, Path file, String why, @Nullable Throwable cause) {
            super(setting + ": " + file + ": " + why, cause);
        }
    }
}
