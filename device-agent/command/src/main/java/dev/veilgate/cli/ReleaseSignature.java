package dev.veilgate.cli;

import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SecretBackup;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureParameters;
import dev.veilgate.pq.SignatureScheme;
import dev.veilgate.pq.SignatureSecretKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Signatures of releases: plain SLH-DSA-SHA2-128f (FIPS 205, pure, empty context) of a file's bytes, so that other
 * software verifies them too. The public key has 32 bytes, as a fingerprint has, and is given in its place. The secret
 * key is a seed, sealed by a passphrase.
 */
final class ReleaseSignature {
    /** End of a signature's file name, behind that of the file it is of. */
    static final String EXTENSION = ".slh";

    private static final String WHAT = "release key";
    private static final int MAX_FILE_BYTES = 64 << 20;
    private static final Pattern SEPARATORS = Pattern.compile("[:\\s]");

    /** Bytes before the key in a SubjectPublicKeyInfo: id-slh-dsa-sha2-128f, and the head of a string of 32 bytes. */
    private static final byte[] X509 = HexFormat.of().parseHex("3030300b0609608648016503040315032100");

    private ReleaseSignature() {}

    private static SignatureScheme scheme() {
        return PostQuantum.current().slhDsaSha2128f();
    }

    /** A fresh key. */
    record Made(byte[] sealed, byte[] publicKey) {}

    static Made make(byte[] passphrase, PassphraseCost cost, SecureRandom random) {
        byte[] seed = new byte[SignatureParameters.SLH_DSA_SHA2_128F.seedBytes()];
        random.nextBytes(seed);
        try (SignatureSecretKey key = scheme().key(seed)) {
            return new Made(SecretBackup.seal(WHAT, seed, passphrase, cost, random), key.publicKey());
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /** Signature of a file; verified before it is given. */
    static byte[] sign(Path key, byte[] passphrase, Path file) throws Exception {
        byte[] content = read(file, MAX_FILE_BYTES);
        byte[] seed = SecretBackup.open(WHAT, read(key, SecretBackup.MAX_BYTES), passphrase);
        try (SignatureSecretKey secret = scheme().key(seed)) {
            byte[] signature = secret.sign(content, new SecureRandom());
            if (!scheme().publicKey(secret.publicKey()).verify(content, signature)) {
                throw new IllegalStateException("the signature that was made does not verify");
            }
            return signature;
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException(WHAT, "must be that of releases");
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /** Verifies the signature that lies beside a file. */
    static boolean verify(byte[] publicKey, Path file) throws IOException, CommandFailure {
        byte[] signature = read(signatureOf(file), MAX_FILE_BYTES);
        return scheme().publicKey(publicKey).verify(read(file, MAX_FILE_BYTES), signature);
    }

    static Path signatureOf(Path file) {
        return file.resolveSibling(file.getFileName() + EXTENSION);
    }

    /** The public key that somebody typed or copied; case, spaces and colons do not matter. */
    static byte[] publicKey(String typed) throws CommandFailure {
        String hex = SEPARATORS.matcher(typed).replaceAll("").toLowerCase(Locale.ROOT);
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--key: the public key of releases has 64 hex digits; SECURITY.md has it");
        }
        return HexFormat.of().parseHex(hex);
    }

    /** The public key in the form that OpenSSL and others read. */
    static byte[] pem(byte[] publicKey) {
        byte[] der = Arrays.copyOf(X509, X509.length + publicKey.length);
        System.arraycopy(publicKey, 0, der, X509.length, publicKey.length);
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return ("-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] read(Path file, int maxBytes) throws IOException, CommandFailure {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new CommandFailure(ExitCode.REFUSED, file + " has more than " + maxBytes + " bytes");
            }
            return bytes;
        }
    }

    /** Writes a secret, readable by its owner only, where there must be no file. */
    static void writeSecret(Path file, byte[] content) throws IOException, CommandFailure {
        requireNew(file);
        Path absolute = file.toAbsolutePath();
        DurableFiles.replace(DurableFiles.folderOf(absolute), String.valueOf(absolute.getFileName()), null, content);
    }

    /** Writes a file that is to be published, where there must be none. */
    static void writePublic(Path file, byte[] content) throws IOException, CommandFailure {
        requireNew(file);
        Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** @throws CommandFailure if there is such a file */
    static void requireNew(Path file) throws CommandFailure {
        if (Files.exists(file)) {
            throw new CommandFailure(ExitCode.IO, file + " exists already; name a new file");
        }
    }
}
