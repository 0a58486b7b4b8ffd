package dev.veilgate.sender;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * The key that a tenant's mail is signed with, in files for those who seal mail without a person: PKCS #12, and its passphrase, both readable by their owner only. Whoever has both signs as the tenant, and
 * opens nothing.
 */
public final class MailSignerFile {
    /** Name of the PKCS #12 file. */
    public static final String NAME = "mail-signer.p12";
    /** Name of the file whose first line is its passphrase. */
    public static final String PASSPHRASE_NAME = "mail-signer.passphrase";

    private static final int PASSPHRASE_BYTES = 24;

    private MailSignerFile() {}

    /** Writes both, under a passphrase that is drawn; the PKCS #12 file last. */
    public static void create(Path folder, MailSigner signer, SecureRandom random) throws IOException {
        byte[] drawn = new byte[PASSPHRASE_BYTES];
        random.nextBytes(drawn);
        byte[] passphrase = Base64.getUrlEncoder().withoutPadding().encode(drawn);
        char[] characters =
                StandardCharsets.US_ASCII.decode(ByteBuffer.wrap(passphrase)).array();
        try {
            DurableFiles.replace(folder, PASSPHRASE_NAME, null, passphrase);
            DurableFiles.replace(folder, NAME, null, signer.toPkcs12(characters));
        } finally {
            Arrays.fill(drawn, (byte) 0);
            Arrays.fill(passphrase, (byte) 0);
            Arrays.fill(characters, '\0');
        }
    }
}
