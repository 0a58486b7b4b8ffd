package dev.veilgate.archive;

import dev.veilgate.archive.store.FolderManifests;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.EpochKey;
import dev.veilgate.sse.segments.KeyRing;
import dev.veilgate.sse.segments.OtherEpochException;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
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

    /** The place of the key of an archive that has an id. */
    DeviceKey(Path folder, byte[] id, DevicePlaces device) {
        this.folder = folder;
        this.id = id.clone();
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

    /** The keys of this device; whoever asks closes them. */
    KeyRing read() throws IOException {
        return ArchiveKeyFile.readRing(file, this::settled);
    }

    /** Leaves the next key alone in the file, if it still stands there behind another. */
    private void settled(EpochKey key) throws IOException {
        try (DeviceLock _ = lock()) {
            settledUnderLock(key);
        }
    }

    private void settledUnderLock(EpochKey key) throws IOException {
        try (KeyRing there = ArchiveKeyFile.readRing(file, _ -> {})) {
            if (there.next().filter(key::isSame).isPresent()) {
                ArchiveKeyFile.write(file, new KeyRing(key, null, _ -> {}));
            }
        }
    }

    /** Keeps other processes from changing the key. */
    DeviceLock lock() throws IOException {
        return DeviceLock.take(lock, file);
    }

    /**
     * The keys of this device with a next one, which is made and durably in the file if there was none.
     *
     * @param random draws the next key
     */
    KeyRing readWithNext(SecureRandom random) throws IOException {
        KeyRing ring = ArchiveKeyFile.readRing(file, this::settledUnderLock); // the caller has the lock
        if (ring.next().isPresent()) {
            return ring;
        }
        EpochKey current = ring.current();
        KeyRing both = new KeyRing(current, current.next(random), this::settledUnderLock);
        ArchiveKeyFile.write(file, both);
        return both;
    }

    /**
     * The key in clear, which the caller wipes.
     *
     * @throws UnusableKeyException if it is missing, or not this archive's
     */
    public byte[] encode() throws IOException {
        try (KeyRing ring = ArchiveKeyFile.readRing(file, _ -> {})) {
            epochOfNewest(ring, file + " is not the key of this archive");
            return ArchiveKeyFile.encode(ring);
        }
    }

    /**
     * Puts the key into its place on this device, durably, readable by its owner only; in the place of another one only
     * if that is of an earlier epoch.
     *
     * @param encoded what {@link #encode} gave; the caller wipes it
     * @return false if it is there already
     * @throws UnusableKeyException if it is not this archive's, or another key is in its place; nothing is changed
     */
    public boolean restore(byte[] encoded) throws IOException {
        try (KeyRing ring = ArchiveKeyFile.decode(encoded, _ -> {});
                DeviceLock _ = lock()) {
            int epoch = epochOfRestored(ring);
            EpochKey key = ring.current().epoch() == epoch
                    ? ring.current()
                    : ring.next().orElseThrow();
            if (Files.exists(file) && isThere(key)) {
                return false;
            }
            DurableFiles.createFolder(DurableFiles.folderOf(file));
            ArchiveKeyFile.write(file, key == ring.current() ? ring : new KeyRing(key, null, _ -> {}));
            return true;
        } catch (MalformedEncodingException e) {
            throw new UnusableKeyException("what the backup has is no archive's key: " + e.getMessage(), e);
        }
    }

    private boolean isThere(EpochKey key) throws IOException {
        try (KeyRing there = ArchiveKeyFile.readRing(file, _ -> {})) {
            if (there.current().isSame(key) || there.next().filter(key::isSame).isPresent()) {
                return true;
            }
            if (there.current().epoch() >= key.epoch()) {
                throw new UnusableKeyException(
                        file + " is another key, and is left as it is: move it away, then restore again");
            }
            return false;
        }
    }

    private int epochOfRestored(KeyRing ring) throws IOException {
        try {
            return epochOfNewest(ring, "the key of the backup is not that of this archive");
        } catch (OtherEpochException e) {
            throw new UnusableKeyException(
                    "the archive has had a new key since the backup was made: make one of that, on the device that has"
                            + " it; nothing was written",
                    e);
        }
    }

    private int epochOfNewest(KeyRing ring, String otherwise) throws IOException {
        try (FolderManifests manifests = FolderManifests.open(folder.resolve(SegmentFolder.MANIFESTS))) {
            int epoch = SegmentArchive.epochOfNewest(manifests, ring, id);
            if (epoch == 0) {
                throw new UnusableKeyException(otherwise + ", or its newest state was altered; nothing was written");
            }
            return epoch;
        }
    }
}
