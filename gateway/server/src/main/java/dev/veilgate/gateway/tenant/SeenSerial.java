package dev.veilgate.gateway.tenant;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;

/** The highest serial of an authority's files of one kind that was taken up here, kept so that an older one is refused after a restart too. */
final class SeenSerial {
    private final Path folder;
    private final String name;

    /**
     * @param authority fingerprint
     * @param suffix    of the kind
     */
    SeenSerial(Path folder, String authority, String suffix) {
        this.folder = folder;
        String hex = authority.replaceAll("[:\\s]", "").toLowerCase(Locale.ROOT);
        this.name = HexFormat.of().formatHex(HexFormat.of().parseHex(hex), 0, 16) + suffix;
    }

    /** 0 if there was none. */
    long last() throws IOException {
        Path file = folder.resolve(name);
        if (Files.notExists(file)) {
            return 0;
        }
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (NumberFormatException e) {
            throw new IOException(file + " is damaged: it must hold the serial that was seen last", e);
        }
    }

    /** Durably. */
    void keep(long serial) throws IOException {
        DurableFiles.replace(folder, name, null, (serial + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
