package dev.veilgate.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.veilgate.archive.store.FolderBlobs;
import dev.veilgate.archive.store.FolderManifests;
import dev.veilgate.archive.store.ObjectSweep;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.segments.HeadMemory;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * An archive of segments in a folder: {@code archive.json} with its id, {@code manifests} and {@code objects}. The key
 * is not there but in a folder of the device, so that the archive's may be on a share. Any number of processes and
 * devices may have it open at once; for one thread.
 */
@Secret
public final class SegmentFolder implements AutoCloseable {
    private static final String DESCRIPTION = "archive.json";
    private static final String MANIFESTS = "manifests";
    private static final String OBJECTS = "objects";
    private static final String SCHEME = "segments";
    private static final int VERSION = 2;
    private static final int MAX_BYTES = 1 << 16;
    private static final JsonFactory JSON = new JsonFactory();

    private final Path objectFolder;
    private final FolderBlobs objects;
    private final FolderManifests manifests;
    private final SegmentArchive archive;

    private SegmentFolder(Path folder, FolderBlobs objects, FolderManifests manifests, SegmentArchive archive) {
        this.objectFolder = folder.resolve(OBJECTS);
        this.objects = objects;
        this.manifests = manifests;
        this.archive = archive;
    }

    /** The key's file on a device. */
    public static Path keyFile(DevicePlaces device, byte[] id) {
        return device.keys().resolve(HexFormat.of().formatHex(id) + ".key");
    }

    /**
     * Makes an archive, and its key on this device.
     *
     * @param folder is made if it is not there, and must be empty if it is
     * @return its id, 16 bytes
     */
    public static byte[] create(Path folder, DevicePlaces device, SecureRandom random) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> content = Files.list(folder)) {
                if (content.findAny().isPresent()) {
                    throw new UnusableArchiveException(folder + " is not empty: an archive has a folder of its own");
                }
            }
        }
        byte[] id = new byte[16];
        random.nextBytes(id);
        Files.createDirectories(folder.resolve(MANIFESTS));
        Files.createDirectories(folder.resolve(OBJECTS));
        Path keyFile = keyFile(device, id);
        DurableFiles.createFolder(device.keys());
        try (ArchiveKey key = ArchiveKey.random(random);
                FolderBlobs objects = FolderBlobs.open(folder.resolve(OBJECTS));
                FolderManifests manifests = FolderManifests.open(folder.resolve(MANIFESTS))) {
            ArchiveKeyFile.write(device.keys(), String.valueOf(keyFile.getFileName()), key);
            SegmentArchive.create(objects, manifests, key, id, memory(device, id), random)
                    .close();
        }
        writeDescription(folder, id); // last: without it there is no archive
        return id;
    }

    /** Writes it with the permissions that files get there: another user's device may have to read it. */
    private static void writeDescription(Path folder, byte[] id) throws IOException {
        Path aside = folder.resolve(DESCRIPTION + "~");
        Files.write(aside, description(id));
        DurableFiles.force(aside);
        Files.move(aside, folder.resolve(DESCRIPTION), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.forceFolder(folder);
    }

    private static HeadMemory memory(DevicePlaces device, byte[] id) {
        return new HeadFile(device.states(), HexFormat.of().formatHex(id) + ".head");
    }

    /** Whether a folder has an archive of segments. */
    public static boolean isThere(Path folder) throws IOException {
        try {
            id(folder);
            return true;
        } catch (UnusableArchiveException | NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Opens an archive.
     *
     * @throws NoSuchFileException if there is no such folder
     * @throws UnusableArchiveException if it is no archive of segments, is damaged, or has a key in it
     * @throws UnusableKeyException if this device has no key of it
     * @throws dev.veilgate.sse.segments.RolledBackException if this device has seen another state of it
     */
    public static SegmentFolder open(Path folder, DevicePlaces device, SecureRandom random) throws IOException {
        byte[] id = id(folder);
        requireNoKey(folder);
        ArchiveKey key = ArchiveKeyFile.read(keyFile(device, id));
        try (key) {
            FolderBlobs objects = FolderBlobs.open(folder.resolve(OBJECTS));
            FolderManifests manifests = FolderManifests.open(folder.resolve(MANIFESTS));
            SegmentArchive archive = SegmentArchive.open(objects, manifests, key, id, memory(device, id), random);
            return new SegmentFolder(folder, objects, manifests, archive);
        }
    }

    /**
     * Goes on with the state that the folder has, though this device has seen another: after a
     * {@link dev.veilgate.sse.segments.RolledBackException}, if the folder was restored from a copy on purpose. What
     * the state that is given up had more has to be added again.
     *
     * @return false if there was nothing to give up
     */
    public static boolean accept(Path folder, DevicePlaces device, SecureRandom random) throws IOException {
        byte[] id = id(folder);
        requireNoKey(folder);
        try (ArchiveKey key = ArchiveKeyFile.read(keyFile(device, id));
                FolderBlobs objects = FolderBlobs.open(folder.resolve(OBJECTS));
                FolderManifests manifests = FolderManifests.open(folder.resolve(MANIFESTS))) {
            return SegmentArchive.accept(objects, manifests, key, id, memory(device, id), random);
        }
    }

    private static void requireNoKey(Path folder) throws IOException {
        try (DirectoryStream<Path> keys = Files.newDirectoryStream(folder, "*.key")) {
            for (Path key : keys) {
                throw new UnusableArchiveException(key + " is a key beside what it protects: whoever has the folder has"
                        + " both. Move it to the keys of this device");
            }
        }
    }

    /** The archive. */
    public SegmentArchive archive() {
        return archive;
    }

    /**
     * Merges what is due, and lets go of objects that no state needs any more; they stay in the folder's trash for
     * seven days.
     *
     * @param temporary folder for merges, which are sealed there
     */
    public void maintain(Path temporary) throws IOException {
        while (archive.merge(temporary)) {
            // until nothing is due
        }
        ObjectSweep sweep = ObjectSweep.begin(objectFolder);
        sweep.sweep(archive.state().objects());
    }

    private static byte[] description(byte[] id) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes).useDefaultPrettyPrinter()) {
            out.writeStartObject();
            out.writeNumberField("version", VERSION);
            out.writeStringField("scheme", SCHEME);
            out.writeStringField("id", HexFormat.of().formatHex(id));
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static byte[] id(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        Path file = folder.resolve(DESCRIPTION);
        if (!Files.isRegularFile(file)) {
            throw new UnusableArchiveException(folder + " is no archive: it has no " + DESCRIPTION);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw damaged(file);
        }
        String scheme = "";
        String id = "";
        int version = 0;
        try (JsonParser in = JSON.createParser(Files.readAllBytes(file))) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw damaged(file);
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (value.isScalarValue()) {
                    switch (name) {
                        case "scheme" -> scheme = in.getText();
                        case "id" -> id = in.getText();
                        case "version" -> version = in.getValueAsInt();
                        default -> {}
                    }
                } else {
                    in.skipChildren();
                }
            }
        } catch (JsonProcessingException e) {
            throw damaged(file);
        }
        if (version > VERSION) {
            throw new UnusableArchiveException(file + " is of a later version of Veilgate");
        }
        if (!scheme.equals(SCHEME) || !id.matches("[0-9a-f]{32}")) {
            throw new UnusableArchiveException(folder + " is no archive of segments");
        }
        return HexFormat.of().parseHex(id);
    }

    private static UnusableArchiveException damaged(Path file) {
        return new UnusableArchiveException(file + " is damaged: it does not say what archive this is");
    }

    @Override
    public void close() {
        archive.close();
        objects.close();
        manifests.close();
    }
}
