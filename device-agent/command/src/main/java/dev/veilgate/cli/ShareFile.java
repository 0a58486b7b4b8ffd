package dev.veilgate.cli;

import dev.veilgate.authority.KeyShare;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A share of a backup's key in a file, as it was printed. */
final class ShareFile {
    /** Most bytes of a file. */
    static final int MAX_BYTES = 1 << 16;

    private ShareFile() {}

    static KeyShare read(Path file) throws IOException, CommandFailure {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(MAX_BYTES);
        }
        return parse(file, text);
    }

    /**
     * Reads a share, and wipes its text.
     *
     * @param file which is named if the share is malformed
     */
    static KeyShare parse(Path file, byte[] text) throws CommandFailure {
        try {
            return KeyShare.parse(new String(text, StandardCharsets.UTF_8));
        } catch (MalformedEncodingException e) {
            throw new CommandFailure(ExitCode.REFUSED, file + ": " + e.getMessage(), e);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }
}
