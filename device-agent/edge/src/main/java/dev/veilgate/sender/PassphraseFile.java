package dev.veilgate.sender;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** A file whose first line is a passphrase. */
public final class PassphraseFile {
    /** Most bytes of a passphrase. */
    public static final int MAX_BYTES = 4096;

    private PassphraseFile() {}

    /**
     * Reads the first line, whatever ends it, and little more of the file.
     *
     * @return its bytes, for the caller to erase; empty if there are none, or more than {@link #MAX_BYTES}
     */
    public static Optional<byte[]> read(Path file) throws IOException {
        byte[] read;
        try (InputStream in = Files.newInputStream(file)) {
            read = in.readNBytes(MAX_BYTES + 1);
        }
        try {
            int end = 0;
            while (end < read.length && read[end] != '\n' && read[end] != '\r') {
                end++;
            }
            return end == 0 || end > MAX_BYTES ? Optional.empty() : Optional.of(Arrays.copyOf(read, end));
        } finally {
            Arrays.fill(read, (byte) 0);
        }
    }
}
