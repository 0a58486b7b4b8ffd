package dev.veilgate.console.mailusers;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret in a link that hands files over: who has it finds them and opens them, and the database without it does
 * neither.
 *
 * <p>32 bytes {@code s} that are drawn. The files are found by HKDF-SHA-256({@code s}, "lookup") and sealed by
 * AES-256-GCM under HKDF-SHA-256({@code s}, "files") with the id of the link as associated data, once for each key, so
 * that the nonce is fixed. Gives: confidentiality and integrity of the files against whoever reads or changes the
 * database, as long as the link is unknown. Does not give: anything against whoever sees the link; the private key in
 * the files has its own passphrase for that.
 */
final class LinkSecret implements AutoCloseable {
    private static final int BYTES = 32;
    private static final int TEXT_CHARACTERS = 43;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final String LABEL = "veilgate enrolment link ";

    private final byte[] secret;

    private LinkSecret(byte[] secret) {
        this.secret = secret;
    }

    /** A new one. */
    static LinkSecret draw(SecureRandom random) {
        byte[] drawn = new byte[BYTES];
        random.nextBytes(drawn);
        return new LinkSecret(drawn);
    }

    /** The secret of a text; empty if it is none. */
    static Optional<LinkSecret> read(String text) {
        if (text.length() != TEXT_CHARACTERS) {
            return Optional.empty();
        }
        try {
            byte[] read = Base64.getUrlDecoder().decode(text);
            return read.length == BYTES ? Optional.of(new LinkSecret(read)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The text in a link: base64url without padding. */
    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** Digest by which the link is found, lower-case hex. */
    String lookup() {
        return HexFormat.of().formatHex(derived("lookup"));
    }

    /** Seals the files of a link; once only. */
    byte[] seal(UUID link, byte[] files) {
        try {
            return crypt(Cipher.ENCRYPT_MODE, link, files);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot seal by AES-256-GCM", e);
        }
    }

    /**
     * Opens what {@link #seal} made.
     *
     * @throws GeneralSecurityException if it is of another link, or was changed
     */
    byte[] open(UUID link, byte[] sealed) throws GeneralSecurityException {
        return crypt(Cipher.DECRYPT_MODE, link, sealed);
    }

    private byte[] crypt(int mode, UUID link, byte[] input) throws GeneralSecurityException {
        byte[] key = derived("files");
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, new byte[NONCE_BYTES]));
            cipher.updateAAD(link.toString().getBytes(StandardCharsets.US_ASCII));
            return cipher.doFinal(input);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private byte[] derived(String use) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .thenExpand((LABEL + use).getBytes(StandardCharsets.US_ASCII), BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        }
    }

    /** Wipes it. */
    @Override
    public void close() {
        Arrays.fill(secret, (byte) 0);
    }

    @Override
    public String toString() {
        return "LinkSecret[hidden]";
    }
}
