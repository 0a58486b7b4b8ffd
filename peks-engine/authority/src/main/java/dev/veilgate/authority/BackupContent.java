package dev.veilgate.authority;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a key folder, one behind the other: {@code [ path, bytes ]}, long files in several pieces of the same path. First the keys in clear, under the path {@code keys}; then the registered senders, the
 * store of trapdoors, then the log's heads and entries, in this order, so that the log is at least as long as its last head says.
 */
@Secret
final class BackupContent {
    private static final int PIECE_BYTES = 1 << 20;
    private static final String KEYS = "keys";
    private static final String STORE = "trapdoors";
    private static final Pattern PATHS = Pattern.compile(
            "trapdoors/store-id|trapdoors/[0-9a-f]{2}/[0-9a-f]{62}|issuing/(heads|entries)\\.vgl|senders-[0-9]{1,19}\\.vgs");

    private BackupContent() {}

    static void write(KeyFolder folder, OutputStream out) throws IOException {
        TenantSenders senders = folder.keys().senders();
        if (senders.file().isEmpty()) { // of a folder that an earlier version wrote, which had them in the key file
            folder.save();
        }
        byte[] keys = TenantKeysCodec.encode(folder.keys());
        try {
            for (int at = 0; at < keys.length; at += PIECE_BYTES) {
                writePiece(KEYS, Arrays.copyOfRange(keys, at, Math.min(keys.length, at + PIECE_BYTES)), out);
            }
        } finally {
            Arrays.fill(keys, (byte) 0);
        }
        senders.check();
        writeFile(folder.path(), senders.file().orElseThrow(), out);
        try (Stream<Path> files = Files.walk(folder.path().resolve(STORE))) {
            for (Iterator<Path> each = files.filter(Files::isRegularFile).iterator(); each.hasNext(); ) {
                writeFile(folder.path(), each.next(), out);
            }
        }
        for (String name : new String[] {"heads.vgl", "entries.vgl"}) {
            Path file = AuthorityLog.path(folder.path()).resolve(name);
            if (Files.exists(file)) {
                writeFile(folder.path(), file, out);
            }
        }
    }

    private static void writeFile(Path folder, Path file, OutputStream out) throws IOException {
        String path = folder.relativize(file).toString().replace('\\', '/');
        if (!PATHS.matcher(path).matches()) {
            return; // a lock, or what a crash left aside
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] piece = in.readNBytes(PIECE_BYTES);
            do {
                writePiece(path, piece, out);
                piece = in.readNBytes(PIECE_BYTES);
            } while (piece.length > 0);
        }
    }

    /** Erases the piece. */
    private static void writePiece(String path, byte[] piece, OutputStream out) throws IOException {
        CborWriter item = new CborWriter(piece.length + 128).array(2).text(path).bytes(piece);
        byte[] encoded = item.toByteArray();
        item.wipe();
        out.write(encoded);
        Arrays.fill(encoded, (byte) 0);
        Arrays.fill(piece, (byte) 0);
    }

    /** Makes the folder beside its place, and moves it there when it is whole. */
    static void restore(InputStream content, Path folder, byte[] passphrase, PassphraseCost cost, SecureRandom random)
            throws IOException, MalformedEncodingException {
        Path absolute = folder.toAbsolutePath();
        Path aside = absolute.resolveSibling("." + absolute.getFileName() + "~restoring");
        deleteAll(aside);
        DurableFiles.createFolder(aside);
        try {
            byte[] keys = readFiles(content, aside);
            try (PassphraseLock lock = PassphraseLock.fresh(passphrase, cost, random)) {
                int version;
                try (TenantKeys decoded = TenantKeysCodec.decode(keys)) { // that they are keys
                    version = decoded.authority().version();
                }
                DurableFiles.replace(aside, KeyFolder.KEY_FILE, null, lock.seal(version, keys, random));
            } finally {
                Arrays.fill(keys, (byte) 0);
            }
            Files.move(aside, absolute, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.forceFolder(DurableFiles.folderOf(absolute));
        } finally {
            deleteAll(aside);
        }
    }

    /** Writes the files; the keys. */
    private static byte[] readFiles(InputStream content, Path folder) throws IOException, MalformedEncodingException {
        CborSequence pieces = new CborSequence("backup", new BufferedInputStream(content, 1 << 16), PIECE_BYTES + 256);
        ByteArrayOutputStream keys = new ByteArrayOutputStream();
        String last = "";
        for (Optional<byte[]> item = pieces.next(); item.isPresent(); item = pieces.next()) {
            CborReader in = new CborReader("backup", item.get());
            if (in.array("piece", 2) != 2) {
                throw in.malformed("piece", "must have a path and bytes");
            }
            String path = in.text("path", 128);
            byte[] bytes = in.bytes("bytes", PIECE_BYTES);
            in.end();
            if (path.equals(KEYS)) {
                if (keys.size() > PassphraseLock.MAX_FILE_BYTES) {
                    throw in.malformed("keys", "must have at most " + PassphraseLock.MAX_FILE_BYTES + " bytes");
                }
                keys.writeBytes(bytes);
            } else if (PATHS.matcher(path).matches()) {
                writePiece(folder.resolve(path), path.equals(last), bytes);
            } else {
                throw in.malformed("path", "must be that of a file of a key folder");
            }
            Arrays.fill(item.get(), (byte) 0);
            last = path;
        }
        return keys.toByteArray();
    }

    private static void writePiece(Path file, boolean more, byte[] bytes) throws IOException {
        if (!more) {
            Path folder = DurableFiles.folderOf(file);
            if (Files.notExists(folder)) {
                DurableFiles.createFolder(folder);
            }
            DurableFiles.replace(folder, file.getFileName().toString(), null, bytes);
            return;
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file, StandardOpenOption.APPEND))) {
            out.write(bytes);
        }
        DurableFiles.force(file);
    }

    private static void deleteAll(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
