package dev.veilgate.transport.smtp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A message to send: lines that end in CR LF, dots not doubled. May be read several times. */
public interface SmtpMessage {
    /** Its length. */
    long bytes() throws IOException;

    /** Its bytes from the start. */
    InputStream open() throws IOException;

    /** One in memory; not copied. */
    static SmtpMessage of(byte[] message) {
        return new SmtpMessage() {
            @Override
            public long bytes() {
                return message.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(message);
            }
        };
    }

    /** One in a file. */
    static SmtpMessage of(Path file) {
        return new SmtpMessage() {
            @Override
            public long bytes() throws IOException {
                return Files.size(file);
            }

            @Override
            public InputStream open() throws IOException {
                return Files.newInputStream(file);
            }
        };
    }
}
