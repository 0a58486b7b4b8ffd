package dev.veilgate.gateway.settings;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which data folder this is, for a database that several gateways share.
 *
 * @param value a UUID; the same after a restart
 */
public record GatewayId(String value) {
    private static final String FILE = "gateway-id";

    /** Reads it, or makes it. */
    static GatewayId of(Path dataDir) throws IOException {
        Path file = dataDir.resolve(FILE);
        if (Files.notExists(file)) {
            DurableFiles.createFolder(dataDir);
            DurableFiles.replace(
                    dataDir, FILE, null, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
        }
        return new GatewayId(UUID.fromString(Files.readString(file).strip()).toString());
    }
}
