package dev.veilgate.console.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A token of the gateway's access file, in the first line of a file that is read each time. */
final class FileToken implements GatewayToken {
    private final @Nullable Path file;

    FileToken(@Nullable Path file) {
        this.file = file;
    }

    @Override
    public String now() throws IOException {
        Path named = file;
        if (named == null) {
            throw new IOException("veilgate.gateway.token-file is not set, nor is veilgate.gateway.issuer");
        }
        String token;
        try {
            List<String> lines = Files.readAllLines(named);
            token = lines.isEmpty() ? "" : lines.getFirst().strip();
        } catch (IOException e) {
            throw new IOException(named + " (veilgate.gateway.token-file) cannot be read", e);
        }
        if (!token.matches("[!-~]+")) {
            throw new IOException(named + " (veilgate.gateway.token-file) must hold a token in its first line");
        }
        return token;
    }

    @Override
    public void refused() {
        // the next look at the file may find another
    }
}
