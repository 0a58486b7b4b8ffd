package dev.veilgate.archive;

import dev.veilgate.archive.store.FolderManifests;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The key of an archive of segments on a device, which is backed up, and put in its place from a backup. Both are done
 * only with the key that the newest state of the archive is authenticated by.
 */
@Secret
public final class DeviceKey {
    private final Path folder;
    private final byte[] id;
    private final Path file;
    private final Path lock;

    private DeviceKey(Path folder, byte[] id, DevicePlaces device) {
        this.folder = folder;
        this.id = id;
        this.file = SegmentFolder.keyFile(device, id);
        this.lock = device.states().resolve(file.getFileName() + ".lock");
    }

    /**
     * The place of an archive's key, whether or not there is one.
     *
     * @throws RefusedException if the archive is of another scheme, which has its key in its folder
     * @throws UnusableArchiveException if the folder has no archive
     */
    public static DeviceKey of(Path folder, DevicePlaces device) throws IOException {
        if (Files.isDirectory(folder) && !SegmentFolder.isThere(folder)) {
            ArchiveDescription other = ArchiveDescription.read(folder);
            if (!other.scheme().equals(SegmentFolder.SCHEME)) {
                throw new RefusedException("the key of an archive of the scheme " + other.scheme() + " is "
                        + folder.resolve(other.keyFile()) + ": back up the whole folder, on a medium of your own");
            }
        }
        return new DeviceKey(folder, SegmentFolder.id(folder), device);
    }

    /** Name of the archive, for a backup to say whose key it has. */
    public String of() {
        return "archive " + HexFormat.of().formatHex(id);
    }

    /** The key's file. */
    public Path file() {
        return file;
    }

    /**
     * The key in clear, which the caller wipes.
     *
     * @throws UnusableKeyException if it is missing, or not this archive's
     */
    public byte[] encode() throws IOException {
        try (ArchiveKey key = ArchiveKeyFile.read(file)) {
            requireOurs(key, file + " is not the key of this archive");
            return ArchiveKeyFile.encode(key);
        }
    }

    /**
     * Puts the key into its place on this device, durably, readable by its owner only.
     *
     * @param encoded what {@link #encode} gave; the caller wipes it
     * @return false if it is there already
     * @throws UnusableKeyException if it is not this archive's, or another key is in its place; nothing is changed
     */
    public boolean restore(byte[] encoded) throws IOException {
        try (ArchiveKey key = ArchiveKeyFile.decode(encoded);
                DeviceLock _ = DeviceLock.take(lock, file)) {
            requireOurs(key, "the key of the backup is not that of this archive");
            if (Files.exists(file)) {
                requireSame(key);
                return false;
            }
            Path keys = DurableFiles.folderOf(file);
            DurableFiles.createFolder(keys);
            ArchiveKeyFile.write(keys, String.valueOf(file.getFileName()), key);
            return true;
        } catch (MalformedEncodingException e) {
            throw new UnusableKeyException("what the backup has is no archive's key: " + e.getMessage(), e);
        }
    }

    private void requireSame(ArchiveKey key) throws IOException {
        try (ArchiveKey there = ArchiveKeyFile.read(file)) {
            if (!there.equals(key)) {
                throw new UnusableKeyException(
                        file + " is another key, and is left as it is: move it away, then restore again");
            }
        }
    }

    private void requireOurs(ArchiveKey key, String otherwise) throws IOException {
        try (FolderManifests manifests = FolderManifests.open(folder.resolve(SegmentFolder.MANIFESTS))) {
            if (!SegmentArchive.isKeyOf(manifests, key, id)) {
                throw new UnusableKeyException(otherwise + ", or its newest state was altered; nothing was written");
            }
        }
    }
}
