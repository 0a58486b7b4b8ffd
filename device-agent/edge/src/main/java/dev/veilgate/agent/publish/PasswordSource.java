package dev.veilgate.agent.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a password is; never the password itself, which would show in a list of processes or in a dump. */
public sealed interface PasswordSource {
    /** The first line of a file. */
    record OfFile(Path file) implements PasswordSource {
        @Override
        public byte[] read() throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            int end = 0;
            while (end < bytes.length && bytes[end] != '\n' && bytes[end] != '\r') {
                end++;
            }
            return java.util.Arrays.copyOf(bytes, end);
        }
    }

    /** A variable of the environment. */
    record OfEnvironment(String name) implements PasswordSource {
        @Override
        public byte[] read() throws IOException {
            String value = System.getenv(name);
            if (value == null) {
                throw new IOException("the environment has no " + name);
            }
            return value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    /** The password now. */
    byte[] read() throws IOException;
}
