package dev.veilgate.sender;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A sender's signing key in a file: {@code [ "veilgate-identity", 1, key: bstr ]}, in clear, for an agent starts without a person. So it is refused when others may read
 * it. Whoever has it can sign as this sender; it opens nothing.
 */
public final class IdentityFile {
    private static final String MAGIC = "veilgate-identity";
    private static final int VERSION = 1;
    private static final int MAX_BYTES = 4096;

    private IdentityFile() {}

    /**
     * Makes a new identity.
     *
     * @throws FileAlreadyExistsException if there is a file of that name; it is left alone
     */
    public static SigningKey create(Path file, String sender, SecureRandom random) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(
                    file.toString(), null, "exists already; an identity is never overwritten");
        }
        SigningKey key = SigningKey.generate(sender, random);
        byte[] secret = key.encode();
        CborWriter out = new CborWriter(secret.length + 64);
        byte[] encoded = out.array(3).text(MAGIC).integer(VERSION).bytes(secret).toByteArray();
        try {
            Path absolute = file.toAbsolutePath();
            Path folder = DurableFiles.folderOf(absolute);
            DurableFiles.createFolder(folder);
            DurableFiles.replace(folder, absolute.getFileName().toString(), null, encoded);
        } finally {
            out.wipe();
            Arrays.fill(secret, (byte) 0);
            Arrays.fill(encoded, (byte) 0);
        }
        return key;
    }

    /**
     * Reads an identity; close it.
     *
     * @throws CommandFailure if others may read the file, or it is damaged
     */
    public static SigningKey read(Path file) throws IOException, CommandFailure {
        if (DurableFiles.readableByOthers(file)) {
            throw new CommandFailure(ExitCode.KEY, file + " can be read by others; make it private: chmod 600 " + file);
        }
        byte[] encoded = new byte[0];
        byte[] secret = new byte[0];
        try (InputStream bytes = Files.newInputStream(file)) {
            encoded = bytes.readNBytes(MAX_BYTES + 1);
            CborReader in = new CborReader("identity", encoded);
            if (in.array("identity", 3) != 3
                    || !in.text("magic", MAGIC.length()).equals(MAGIC)
                    || in.uint("version", Integer.MAX_VALUE) != VERSION) {
                throw in.malformed("magic", "must be " + MAGIC + ", version " + VERSION);
            }
            secret = in.bytes("key", MAX_BYTES);
            in.end();
            return SigningKey.decode(secret);
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.KEY, file + " is not an identity file, or damaged: " + e.getMessage(), e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
            Arrays.fill(secret, (byte) 0);
        }
    }
}
