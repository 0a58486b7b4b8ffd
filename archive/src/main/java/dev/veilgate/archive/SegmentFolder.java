package dev.veilgate.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.veilgate.archive.store.FolderBlobs;
import dev.veilgate.archive.store.FolderManifests;
import dev.veilgate.archive.store.ObjectSweep;
import dev.veilgate.archive.words.ArchiveQuestion;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.UnsettledException;
import dev.veilgate.sse.segments.ArchivedDocument;
import dev.veilgate.sse.segments.HeadMemory;
import dev.veilgate.sse.segments.KeyRing;
import dev.veilgate.sse.segments.Manifest;
import dev.veilgate.sse.segments.PreparedAddition;
import dev.veilgate.sse.segments.SegmentArchive;
import dev.veilgate.sse.segments.SegmentPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * An archive of segments in a folder: {@code archive.json} with its id, {@code manifests} and {@code objects}. The key
 * is not there but in a folder of the device, so that the archive's may be on a share. Any number of processes and
 * devices may have it open at once; for one thread.
 */
@Secret
public final class SegmentFolder implements Archive {
    /** Name of the scheme. */
    public static final String SCHEME = "segments";

    private static final String DESCRIPTION = "archive.json";
    static final String MANIFESTS = "manifests";
    private static final String OBJECTS = "objects";
    private static final int VERSION = 2;
    private static final int MAX_BYTES = 1 << 16;
    private static final int USUAL_BATCH = 1 << 15;
    private static final int MAX_BYTES_OF_CHAR = 3; // in UTF-8
    private static final int FEWEST_PARTS = 1 << 10;
    private static final int MOST_PARTS = 1 << 16;
    private static final JsonFactory JSON = new JsonFactory();

    private final Path folder;
    private final byte[] id;
    private final FolderBlobs objects;
    private final FolderManifests manifests;
    private final DeviceKey key;
    private final HeadMemory memory;
    private final SecureRandom random;
    private KeyRing ring;

    /** Exchanged with the key. Another thread that prepares something takes it once. */
    private volatile SegmentArchive archive;

    private SegmentFolder(Path folder, byte[] id, DevicePlaces device, SecureRandom random) throws IOException {
        this.folder = folder;
        this.id = id;
        this.key = new DeviceKey(folder, id, device);
        this.memory = memory(device, id);
        this.random = random;
        this.ring = key.read();
        boolean done = false;
        try {
            this.objects = FolderBlobs.open(folder.resolve(OBJECTS));
            this.manifests = FolderManifests.open(folder.resolve(MANIFESTS));
            this.archive = SegmentArchive.open(objects, manifests, ring, id, memory, random);
            done = true;
        } finally {
            if (!done) {
                ring.close();
            }
        }
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

    /** Tells archives of segments from those of other schemes, and from other folders, by what is in the folder. */
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
     * @throws dev.veilgate.sse.segments.OtherEpochException if the archive has another key than this device
     */
    public static SegmentFolder open(Path folder, DevicePlaces device, SecureRandom random) throws IOException {
        byte[] id = id(folder);
        requireNoKey(folder);
        return new SegmentFolder(folder, id, device, random);
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
        try (KeyRing ring = new DeviceKey(folder, id, device).read();
                FolderManifests manifests = FolderManifests.open(folder.resolve(MANIFESTS))) {
            return SegmentArchive.accept(manifests, ring, id, memory(device, id), random);
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

    /** The archive's id, 16 bytes: the name of its key and of what a device knows of it. */
    public byte[] id() {
        return id.clone();
    }

    @Override
    public String schemeName() {
        return SCHEME;
    }

    /** Nothing: what a killed process had not finished is not there. */
    @Override
    public Resumed resumed() {
        return new Resumed(0, 0, 0);
    }

    @Override
    public boolean answersRanges() {
        return true;
    }

    @Override
    public int usualBatch() {
        return USUAL_BATCH;
    }

    @Override
    public boolean[] same(List<NewDocument> documents) throws IOException {
        List<String> names = new ArrayList<>();
        for (NewDocument each : documents) {
            names.add(each.name());
        }
        return archive.same(
                names,
                i -> archive.digest(documents.get(i).digest()),
                i -> documents.get(i).place());
    }

    @Override
    public Added add(List<ReadDocument> added) throws IOException {
        return commit(prepare(added), added);
    }

    private Added commit(PreparedAddition addition, List<ReadDocument> added) throws IOException {
        SegmentArchive.Added result;
        try {
            result = archive.add(addition);
        } catch (ConflictException e) { // a new key since, or a cloned machine; the random numbers are others now
            result = archive.add(prepare(added));
        }
        return new Added(result.added(), result.replaced(), result.same());
    }

    private PreparedAddition prepare(List<ReadDocument> added) throws IOException {
        SegmentArchive present = archive;
        List<ArchivedDocument> documents = new ArrayList<>();
        for (ReadDocument each : added) {
            if (each.name().length() > ArchivedDocument.MAX_NAME_BYTES / MAX_BYTES_OF_CHAR
                    && each.name().getBytes(StandardCharsets.UTF_8).length > ArchivedDocument.MAX_NAME_BYTES) {
                throw new RefusedException("its name has more than " + ArchivedDocument.MAX_NAME_BYTES + " bytes");
            }
            documents.add(new ArchivedDocument(each.name(), present.digest(each.digest()), each.place(), each.words()));
        }
        return present.prepare(documents, rules(added));
    }

    /** A segment says one. */
    private static int rules(List<ReadDocument> added) {
        int rules = added.getFirst().rules();
        if (added.stream().anyMatch(each -> each.rules() != rules)) {
            throw new IllegalArgumentException("documents that are added together have words of the same rules");
        }
        return rules;
    }

    @Override
    public Preparation preparation(List<ReadDocument> added) {
        return () -> {
            PreparedAddition addition = prepare(added);
            return () -> commit(addition, added);
        };
    }

    @Override
    public Optional<Preparation> upkeep() throws IOException {
        SegmentArchive present = archive;
        return present.due().map(due -> () -> ReadyMerge.of(present, () -> archive, due));
    }

    @Override
    public boolean has(String name) throws IOException {
        return archive.named(name) != null;
    }

    @Override
    public List<String> present(List<String> names) throws IOException {
        return names.isEmpty() ? names : archive.present(names);
    }

    @Override
    public int deleteNamed(Collection<String> names) throws IOException {
        return names.isEmpty() ? 0 : archive.delete(names);
    }

    /** {@inheritDoc} Behind 1,024 in a row that are not there, as they could not be read, none is looked for. */
    @Override
    public long deletePartsAbove(String file, long parts, BooleanSupplier asRead) throws IOException {
        long deleted = 0;
        long next = parts + 1;
        for (int window = FEWEST_PARTS; ; window = Math.min(MOST_PARTS, 8 * window)) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < window; i++) {
                names.add(Archive.partName(file, next++));
            }
            List<String> there = archive.present(names);
            if (there.isEmpty() || !asRead.getAsBoolean()) {
                return deleted;
            }
            deleted += archive.delete(there);
        }
    }

    @Override
    public Answer search(String query, int most, boolean best) throws IOException {
        ArchiveQuestion.parse(query); // refused also where there is no segment to be asked
        SegmentArchive.Found found = archive.search(rules -> ArchiveQuestion.parse(query, rules), most, best);
        List<Answer.Found> documents = new ArrayList<>();
        for (SegmentArchive.Hit hit : found.hits()) {
            documents.add(new Answer.Found(
                    Optional.empty(), hit.document().name(), hit.document().place(), hit.score()));
        }
        return new Answer(found.count(), documents, List.of(), TrafficCount.NONE);
    }

    /**
     * Merges what is due, and lets go of objects that no state needs any more; they stay in the folder's trash for
     * seven days.
     */
    @Override
    public void maintain() throws IOException {
        boolean changed = true;
        while (changed && archive.due().isPresent()) {
            try (TemporaryFolder temporary = TemporaryFolder.create()) {
                changed = archive.merge(temporary.path());
            }
        }
        sweep();
    }

    /** Merges all segments into as few as the largest size allows, so that nothing of what is deleted is in them. */
    public void compact() throws IOException {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            archive.compact(temporary.path());
        }
        sweep();
    }

    /**
     * Writes all documents that are not deleted anew under a new key, after which the one before opens nothing that
     * comes. A new key is durably in the device's file before anything is written under it; one that an earlier run
     * left there is used. Objects of before are as after {@link #compact}.
     *
     * @return the epoch of the key
     * @throws UnusableKeyException if another process of this device changes the key
     */
    public int rekey() throws IOException {
        try (DeviceLock _ = key.lock();
                KeyRing both = key.readWithNext(random);
                TemporaryFolder temporary = TemporaryFolder.create()) {
            SegmentArchive anew = SegmentArchive.open(objects, manifests, both, id, memory, random);
            if (both.next().isPresent()) { // else an earlier run had put the state by it
                anew.rekey(temporary.path());
            }
        }
        goOnUnderTheNewKey();
        try {
            sweep();
        } catch (IOException _) {
            // the archive has its key, which is what was asked for; a later command sweeps
        }
        return ring.current().epoch();
    }

    private void goOnUnderTheNewKey() throws IOException {
        try {
            KeyRing settled = key.read();
            SegmentArchive opened = SegmentArchive.open(objects, manifests, settled, id, memory, random);
            ring.close();
            ring = settled;
            archive = opened;
        } catch (IOException e) {
            throw new UnsettledException(
                    "the archive has a new key, but could not be opened under it: " + e.getMessage(), e);
        }
    }

    /**
     * Objects after a purge.
     *
     * @param removed which are gone
     * @param young   which no state names, and came within the last hour: they may belong to an operation that is not
     *                through, and are left
     */
    public record Purged(int removed, int young) {}

    /**
     * Removes all objects of before the newest state at once, with the words of deleted documents that are in them,
     * also those in the trash. An operation of another process that reads an older state may end with a missing object.
     */
    public Purged purge() throws IOException {
        ObjectSweep sweep = ObjectSweep.begin(folder.resolve(OBJECTS));
        ObjectSweep.Swept swept = sweep.purge(archive.state().objects());
        return new Purged(swept.removed(), sweep.young());
    }

    private void sweep() throws IOException {
        ObjectSweep sweep = ObjectSweep.begin(folder.resolve(OBJECTS));
        sweep.sweep(archive.state().objects());
    }

    /** Reads all of it; what is missing, altered or unreadable, in plain words. */
    public List<String> verify() throws IOException {
        return archive.verify();
    }

    /** Fields that a query names and no document has. */
    public List<String> unknownFields(String query) throws IOException {
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, List<String>> each :
                ArchiveQuestion.fields(query).entrySet()) {
            if (!archive.hasAnyField(each.getValue())) {
                unknown.add(each.getKey());
            }
        }
        return unknown;
    }

    /** Segments that are missing, altered or unreadable: what is in them cannot be found, and no search ends. */
    public List<SegmentArchive.Lost> damaged() throws IOException {
        return archive.damaged();
    }

    /** Goes on without these; they are what was damaged. */
    public List<SegmentArchive.Lost> dropDamaged() throws IOException {
        return archive.dropDamaged();
    }

    /**
     * Sizes.
     *
     * @param documents that are found
     * @param deleted   documents that are in segments, and not found
     * @param segments  how many there are
     * @param bytes     of all objects that the newest state names
     * @param parts     bytes of each part of the segments
     */
    public record Sizes(long documents, long deleted, int segments, long bytes, Map<String, Long> parts) {
        /** Copies. */
        public Sizes {
            parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
        }
    }

    /** Sizes of the newest state. */
    public Sizes sizes() throws IOException {
        Manifest state = archive.state();
        long documents = 0;
        long all = 0;
        long bytes = 0;
        Map<String, Long> parts = new LinkedHashMap<>();
        for (Manifest.LiveSegment segment : state.segments()) {
            documents += segment.documents();
            all += segment.entry().layout().documents();
            for (SegmentPart part : SegmentPart.values()) {
                parts.merge(
                        part.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        segment.entry().layout().bytesOf(part),
                        Long::sum);
            }
        }
        for (BlobName name : state.objects()) {
            bytes += objects.length(name).orElse(0);
        }
        return new Sizes(documents, all - documents, state.segments().size(), bytes, parts);
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

    /** The id of the archive in a folder. */
    static byte[] id(Path folder) throws IOException {
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
        ring.close();
        objects.close();
        manifests.close();
    }
}
