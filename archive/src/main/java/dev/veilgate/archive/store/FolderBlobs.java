package dev.veilgate.archive.store;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects as files of a folder, named as they are, in 256 subfolders. An object is written beside its place,
 * synchronised with the disk, moved there at once, and the folder synchronised: after a crash it is whole or not there.
 * Several processes may use a folder at a time, as the same name has the same bytes.
 *
 * <p>Objects that {@link ObjectSweep} moved to the trash are read there, and are not listed. Whoever names an object in
 * a manifest calls {@link #restore} before that, and after.
 */
public final class FolderBlobs implements BlobStore {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Filesystem files;
    private final ObjectPlaces places;

    /** Subfolders that are durable themselves. */
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    FolderBlobs(Filesystem files, Path folder) {
        this.files = files;
        places = new ObjectPlaces(files, folder);
    }

    /** Opens a folder, which is made if it is not there. */
    public static FolderBlobs open(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        Filesystem files = new SystemFiles();
        if (files.look(absolute).isEmpty()) {
            DurableFiles.createFolder(absolute);
        }
        return new FolderBlobs(files, absolute);
    }

    @Override
    public void put(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
        try {
            putOnce(name, object);
        } catch (NoSuchFileException e) { // a sweep took it for a leftover: the computer slept for days
            putOnce(name, object);
        }
        force(name);
    }

    private void putOnce(BlobName name, Message.Body object) throws IOException, MalformedEncodingException {
        Path aside = places.aside();
        MessageDigest digest = BlobName.sha256();
        try {
            files.create(aside, out -> write(object, out, digest));
            name.require(BlobName.of(digest));
            move(aside, name);
        } finally {
            files.delete(aside);
        }
    }

    private static void write(Message.Body object, FileChannel out, MessageDigest digest) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = object.open()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
        }
    }

    /** Moves a file to the place of an object. */
    private void move(Path file, BlobName name) throws IOException {
        Path place = places.place(name);
        files.createFolder(DurableFiles.folderOf(place));
        files.rename(file, place);
    }

    /** Makes an object's place durable; whoever made the subfolder may have been killed. */
    private void force(BlobName name) throws IOException {
        Path subfolder = DurableFiles.folderOf(places.place(name));
        files.force(subfolder);
        if (!durable.contains(subfolder)) {
            files.force(places.folder());
            durable.add(subfolder);
        }
    }

    /**
     * Makes sure that an object is in its place, durably, and will not be swept for an hour by the folder's clock:
     * before a manifest names it, and again when one does.
     *
     * @return false if there is no such object, in the trash neither: it has to be put again
     */
    @Override
    public boolean restore(BlobName name) throws IOException {
        Instant now = places.now();
        Optional<Path> restored = places.find(name, path -> {
            touch(path, now);
            if (!path.equals(places.place(name))) {
                move(path, name);
            }
            return Optional.of(path);
        });
        if (restored.isPresent()) {
            force(name);
        }
        return restored.isPresent();
    }

    /** A file of another user's keeps its time: it may be swept sooner. */
    private void touch(Path file, Instant now) throws IOException {
        try {
            files.touch(file, now);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            if (files.look(file).isEmpty()) {
                throw new NoSuchFileException(file.toString());
            }
        }
    }

    @Override
    public OptionalLong length(BlobName name) throws IOException {
        Optional<Filesystem.Entry> entry = places.find(name, files::look);
        return entry.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entry.get().bytes());
    }

    @Override
    public byte[] read(BlobName name, long from, int length) throws IOException {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("a range begins at 0 or behind it and has 0 bytes or more");
        }
        try (FileChannel in = places.find(name, path -> Optional.of(files.open(path)))
                .orElseThrow(() -> new NoSuchFileException(name.value()))) {
            long left = Math.max(0, in.size() - from);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, left));
            while (bytes.hasRemaining() && in.read(bytes, from + bytes.position()) >= 0) {
                // a read may give less than there is
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    @Override
    public List<BlobName> list() throws IOException {
        return places.inPlace();
    }

    @Override
    public void remove(BlobName name) throws IOException {
        remove(places.place(name));
        remove(places.olderPlace(name));
        for (LocalDate day : places.days()) {
            remove(places.trash(day).resolve(name.value()));
        }
    }

    private void remove(Path file) throws IOException {
        if (files.look(file).isPresent()) {
            files.delete(file);
            files.force(DurableFiles.folderOf(file));
        }
    }

    @Override
    public void close() {}
}
