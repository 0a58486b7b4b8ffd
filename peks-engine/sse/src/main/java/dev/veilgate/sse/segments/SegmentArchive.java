package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An archive of sealed segments in a store that cannot read it: objects that never change, and a chain of states that
 * says which of them count. Any number of writers on any machines may have it open at once; each operation sees the
 * newest state, and what it did is durable when it returns. What ends with an {@link UnsettledException} may have been
 * done, or may be yet, and can be done again; what ends with any other exception was not done. For one thread.
 *
 * <p><b>Security.</b> Whoever has the store and no key sees numbers, sizes (on a grid of eight to the octave) and times
 * of objects, which object has more deleted documents than before, and what is merged; no word, no name, no equality of
 * words. What it alters, exchanges or leaves out is an error with the object's name. It may show an older state to a
 * device that has not seen a newer one. Whoever watches reads in place learns which pages are read; see
 * docs/spec/segments.md.
 */
@Secret
public final class SegmentArchive implements AutoCloseable {
    /** Rounds of a change of keys, each of which writes what others added in the one before. */
    private static final int MOST_ROUNDS = 20;

    private final BlobStore objects;
    private final ManifestChain chain;
    private final KeyRing ring;
    private final byte[] id;
    private final SecureRandom random;
    private final MergePolicy policy;
    private final InstantSource clock;

    /** Segments of the present epoch, exchanged with the key. A thread that prepares something takes them once. */
    private volatile OpenSegments open;

    /** @param chain whose newest state was read, so that the ring's current key is the archive's */
    private SegmentArchive(
            BlobStore objects, ManifestChain chain, KeyRing ring, byte[] id, SecureRandom random, InstantSource clock) {
        this.objects = objects;
        this.chain = chain;
        this.ring = ring;
        this.id = id.clone();
        this.clock = clock;
        this.random = random;
        this.policy = MergePolicy.STANDARD;
        this.open = new OpenSegments(objects, SegmentKeys.of(ring.current(), id), random, clock);
    }

    /**
     * Makes an archive without documents.
     *
     * @param id 16 bytes, random
     */
    public static SegmentArchive create(
            BlobStore objects,
            ManifestStore manifests,
            ArchiveKey key,
            byte[] id,
            HeadMemory memory,
            SecureRandom random)
            throws IOException {
        KeyRing ring = KeyRing.of(key);
        ManifestChain chain = new ManifestChain(manifests, ring, id, memory, random);
        chain.create();
        return new SegmentArchive(objects, chain, ring, id, random, InstantSource.system());
    }

    /** Opens one that has its first key. */
    public static SegmentArchive open(
            BlobStore objects,
            ManifestStore manifests,
            ArchiveKey key,
            byte[] id,
            HeadMemory memory,
            SecureRandom random)
            throws IOException {
        return open(objects, manifests, KeyRing.of(key), id, memory, random);
    }

    /**
     * Opens one.
     *
     * @param ring is used as long as this is open; whoever opens it closes the ring
     * @throws RolledBackException if this device has seen a newer or another state
     * @throws OtherEpochException if the newest state is by a later key, or by an earlier one
     * @throws SseException if it is damaged, or the key is another
     */
    public static SegmentArchive open(
            BlobStore objects, ManifestStore manifests, KeyRing ring, byte[] id, HeadMemory memory, SecureRandom random)
            throws IOException {
        return open(objects, manifests, ring, id, memory, random, InstantSource.system());
    }

    /** Opens one by another clock than the system's. */
    static SegmentArchive open(
            BlobStore objects,
            ManifestStore manifests,
            KeyRing ring,
            byte[] id,
            HeadMemory memory,
            SecureRandom random,
            InstantSource clock)
            throws IOException {
        ManifestChain chain = new ManifestChain(manifests, ring, id, memory, random);
        chain.newest();
        return new SegmentArchive(objects, chain, ring, id, random, clock);
    }

    /**
     * The digest of a document. Nobody without the key can make two contents of one digest, or tell a content by it; a
     * content that changes has the same one with probability 2^-64.
     *
     * @param sha256 SHA-256 of the content
     */
    public byte[] digest(byte[] sha256) {
        return open.keys().digest(sha256);
    }

    /**
     * Tells which of some documents are there as they are: by name, digest, and place in the file.
     *
     * @param names   one a document
     * @param digests of each by its index, as {@link #digest} gives them; asked for if the name is there
     * @param places  in the file, of each by its index
     */
    public boolean[] same(List<String> names, IntFunction<byte[]> digests, IntToLongFunction places)
            throws IOException {
        ManifestChain.State state = chain.newest();
        open.keepOnly(state.manifest());
        boolean[] same = new boolean[names.size()];
        WantedNames wanted = new WantedNames(names);
        for (Manifest.LiveSegment segment : state.manifest().segments()) {
            DeadSet dead = open.dead(segment);
            for (NameMatch match : open.reader(segment.entry()).matches(wanted)) {
                int index = match.place();
                same[index] |=
                        !dead.contains(match.number()) && match.isSame(digests.apply(index), places.applyAsLong(index));
            }
        }
        return same;
    }

    /**
     * Result of an addition.
     *
     * @param added    documents, those among them that took another's place
     * @param replaced of these
     * @param same     documents that were there as they are
     */
    public record Added(int added, int replaced, int same) {}

    /**
     * Adds documents, all of them or none; each takes the place of one with its name.
     *
     * @param documents no two of one name
     */
    public Added add(List<ArchivedDocument> documents) throws IOException {
        boolean[] same = same(
                documents.stream().map(ArchivedDocument::name).toList(),
                i -> documents.get(i).digest(),
                i -> documents.get(i).place());
        List<ArchivedDocument> other = IntStream.range(0, same.length)
                .filter(i -> !same[i])
                .mapToObj(documents::get)
                .toList();
        int added = 0;
        int replaced = 0;
        if (!other.isEmpty()) {
            Added result = add(prepare(other));
            added = result.added();
            replaced = result.replaced();
        }
        return new Added(added, replaced, documents.size() - added);
    }

    /**
     * Makes and stores a segment of documents, which is the most of the work of an addition; it changes nothing yet.
     * May be called by another thread while the archive is used, and gets a new key too: what was prepared under the
     * key of before is refused then.
     *
     * @param documents at least one, and no two of one name
     * @throws RefusedException if they are too many for a segment
     */
    public PreparedAddition prepare(List<ArchivedDocument> documents) throws IOException {
        return prepare(documents, SegmentLayout.FIRST_RULES);
    }

    /**
     * {@link #prepare(List)} of words of other rules, which the segment says: it is asked by these.
     *
     * @param rules by which the words were made
     */
    public PreparedAddition prepare(List<ArchivedDocument> documents, int rules) throws IOException {
        WantedNames names =
                new WantedNames(documents.stream().map(ArchivedDocument::name).toList());
        if (documents.isEmpty() || names.hasTwins()) {
            throw new IllegalArgumentException("no documents, or two documents of one name");
        }
        OpenSegments into = open;
        SegmentBuilder builder = new SegmentBuilder(into.keys(), rules, random);
        List<byte[]> digests = new ArrayList<>();
        for (ArchivedDocument document : documents) {
            if (builder.bytes() >= SegmentBuilder.MAX_BYTES) {
                throw new RefusedException("so many documents cannot be added at once; add them in smaller batches");
            }
            builder.add(document);
            digests.add(document.digest());
        }
        SealedSegment segment = builder.finish();
        Instant stored = into.store(segment.entry().name(), segment.object());
        return new PreparedAddition(
                into,
                names,
                digests,
                documents.stream().mapToLong(ArchivedDocument::place).toArray(),
                segment,
                stored);
    }

    /**
     * Adds documents, all of them or none; each takes the place of one with its name, and what became the same
     * meanwhile is left as it is.
     *
     * @throws ConflictException if the archive has got a new key since they were prepared; or if a clone of this
     *     machine, which draws the same random numbers, added the same documents, and some were replaced since. Nothing
     *     is changed, and they can be prepared and added again
     */
    public Added add(PreparedAddition prepared) throws IOException {
        if (!prepared.isFor(open)) {
            throw new ConflictException(
                    "the archive has got a new key since these documents were prepared; prepare and add them again");
        }
        open.stored(prepared.segment().entry().name(), prepared.segment().object(), prepared.stored());
        Additions additions = new Additions(prepared, open);
        commit(additions);
        int documents = prepared.names().size();
        return new Added(additions.added(), additions.replaced(), documents - additions.added());
    }

    private void commit(ManifestChain.Change change) throws IOException {
        try {
            Manifest state = chain.commit(change, open).manifest();
            keep(open, state);
            open.keepOnly(state);
        } finally {
            open.forgetFresh();
        }
    }

    /** Makes sure once more that the objects of a state are there, which stands now. */
    private static void keep(OpenSegments segments, Manifest state) throws IOException {
        try {
            segments.keep(state);
        } catch (IOException e) {
            throw ManifestChain.unsettled(e);
        }
    }

    /**
     * Deletes documents by their names.
     *
     * @return how many there were
     */
    public int delete(Collection<String> names) throws IOException {
        Deletions deletions = new Deletions(names, open);
        commit(deletions);
        return deletions.deleted();
    }

    /**
     * Merges some segments into one, if there are as many that it is worth it.
     *
     * @param temporary folder for what does not fit into memory; sealed
     * @return whether something was merged, so that there may be more to do
     */
    public boolean merge(Path temporary) throws IOException {
        Optional<DueMerge> due = due();
        return due.isPresent() && merge(due.get(), temporary);
    }

    /**
     * Merges all segments into as few as the largest size allows, and leaves out what is deleted.
     *
     * @param temporary folder for what does not fit into memory; sealed
     */
    public void compact(Path temporary) throws IOException {
        for (List<Manifest.LiveSegment> group : policy.all(chain.newest().manifest())) {
            merge(due(group), temporary);
        }
    }

    private boolean merge(DueMerge due, Path temporary) throws IOException {
        try (PreparedMerge prepared = prepare(due, temporary)) {
            return merge(prepared);
        }
    }

    /** Segments of the newest state that it is worth to merge. */
    public Optional<DueMerge> due() throws IOException {
        Optional<List<Manifest.LiveSegment>> inputs = policy.next(chain.newest().manifest());
        return inputs.isPresent() ? Optional.of(due(inputs.get())) : Optional.empty();
    }

    private DueMerge due(List<Manifest.LiveSegment> inputs) throws IOException {
        List<SegmentReader> readers = new ArrayList<>();
        List<DeadSet> dead = new ArrayList<>();
        for (Manifest.LiveSegment input : inputs) {
            readers.add(open.reader(input.entry()));
            dead.add(open.dead(input));
        }
        return new DueMerge(open, inputs, readers, dead);
    }

    /**
     * Makes and stores the segment of a merge; it changes nothing yet. May be called by another thread while the
     * archive is used, and gets a new key too: then the merge is not made.
     *
     * @param temporary folder for what does not fit into memory; sealed
     */
    public PreparedMerge prepare(DueMerge due, Path temporary) throws IOException {
        return prepare(due, due.open(), temporary);
    }

    private PreparedMerge prepare(DueMerge due, OpenSegments into, Path temporary) throws IOException {
        Merged merged = SegmentMerger.merge(due.readers(), due.dead(), into.keys(), temporary, random);
        boolean done = false;
        try {
            SegmentEntry entry = merged.segment().entry();
            Instant stored = entry.layout().documents() == 0
                    ? Instant.EPOCH
                    : into.store(entry.name(), merged.segment().object());
            done = true;
            return new PreparedMerge(due, merged, stored);
        } finally {
            if (!done) {
                merged.close();
            }
        }
    }

    /**
     * Puts a merged segment in the place of those that it was made of.
     *
     * @return false if one of them is gone, as somebody else merged it, or the archive has got a new key since, under
     *     which all were written anew: then nothing is changed
     */
    public boolean merge(PreparedMerge prepared) throws IOException {
        SegmentEntry entry = prepared.merged().segment().entry();
        if (!prepared.isEmpty()) {
            open.stored(entry.name(), prepared.merged().segment().object(), prepared.stored());
        }
        Merge merge = new Merge(
                prepared.of().inputs(),
                prepared.of().dead(),
                prepared.merged().newNumbers(),
                prepared.isEmpty() ? null : entry,
                open,
                open);
        commit(merge);
        return merge.made();
    }

    /**
     * Writes all documents that are not deleted anew, under the next key of the ring, and puts a state by that key in
     * which nothing of before is named. From then on the next key is the only one. What others do meanwhile with the
     * present key is in it, or they are told that the archive has a new key.
     *
     * @param temporary folder for what does not fit into memory; sealed
     * @throws IllegalStateException if the ring has no next key
     * @throws ConflictException if others change the archive all the time; what was written is used the next time
     */
    public void rekey(Path temporary) throws IOException {
        SegmentKeys next =
                SegmentKeys.of(ring.next().orElseThrow(() -> new IllegalStateException("there is no next key")), id);
        OpenSegments into = new OpenSegments(objects, next, random, clock);
        List<Rewritten> rewritten = new ArrayList<>();
        try {
            for (int round = 0; round < MOST_ROUNDS; round++) {
                Manifest state = chain.newest().manifest();
                open.keepOnly(state);
                rewrite(state, rewritten, into, temporary);
                Rekeying rekeying = new Rekeying(rewritten, open, into);
                Manifest after = chain.commitUnderNext(rekeying, into).manifest();
                if (rekeying.made()) {
                    keep(into, after);
                    return;
                }
            }
            throw new ConflictException("others change the archive all the time; stop them, then try again");
        } finally {
            if (chain.epoch() == into.epoch()) { // also if what came behind the new state failed
                open = into;
            }
            into.forgetFresh();
            for (Rewritten each : rewritten) {
                each.close();
            }
        }
    }

    /** Rewrites segments of a state that are not, and lets go of what was rewritten and is not needed any more. */
    private void rewrite(Manifest state, List<Rewritten> rewritten, OpenSegments into, Path temporary)
            throws IOException {
        Set<BlobName> covered = new HashSet<>();
        for (Rewritten each : List.copyOf(rewritten)) {
            if (each.merge(open, into).fits(state)) {
                each.of().inputs().forEach(input -> covered.add(input.entry().name()));
            } else {
                rewritten.remove(each);
                each.close();
            }
        }
        List<Manifest.LiveSegment> left = state.segments().stream()
                .filter(segment -> !covered.contains(segment.entry().name()))
                .toList();
        for (List<Manifest.LiveSegment> group : policy.groups(left)) {
            PreparedMerge prepared = prepare(due(group), into, temporary);
            if (prepared.isEmpty()) {
                prepared.close();
                rewritten.add(new Rewritten(prepared.of(), null));
            } else {
                SealedSegment segment = prepared.merged().segment();
                rewritten.add(new Rewritten(prepared.of(), segment));
                into.stored(segment.entry().name(), segment.object(), prepared.stored());
            }
        }
    }

    /**
     * Found documents.
     *
     * @param count   of all that answer
     * @param hits    the first of them, as many as were asked for
     * @param version of the state that was searched
     */
    public record Found(long count, List<Hit> hits, long version) {
        /** Copies. */
        public Found {
            hits = List.copyOf(hits);
        }
    }

    /**
     * A document that answers.
     *
     * @param score higher is better; 0 if the best were not asked for
     */
    public record Hit(StoredName document, double score) {}

    /** {@link #search(QuestionByRules, int, boolean)} of a question that all rules read alike. */
    public Found search(Question question, int most, boolean best) throws IOException {
        return search(_ -> question, most, best);
    }

    /**
     * Searches. Each segment is asked by the rules of its words.
     *
     * @param most how many hits, 0 for the count alone
     * @param best whether the first hits are those that say most of the words; else the last ones in the order of
     *             segments, which is that of additions but for what merges bring together
     * @throws RefusedException if the question is too large, or a pattern stands for too many words
     */
    public Found search(QuestionByRules asked, int most, boolean best) throws IOException {
        ManifestChain.State state = chain.newest();
        open.keepOnly(state.manifest());
        List<SegmentReader> readers = new ArrayList<>();
        List<DeadSet> dead = new ArrayList<>();
        for (Manifest.LiveSegment segment : state.manifest().segments()) {
            readers.add(open.reader(segment.entry()));
            dead.add(open.dead(segment));
        }
        List<Question> questions = new ArrayList<>();
        Map<Integer, Question> byRules = new LinkedHashMap<>();
        for (SegmentReader reader : readers) {
            int rules = reader.entry().layout().rules();
            Question question = byRules.get(rules);
            if (question == null) {
                question = asked.of(rules);
                byRules.put(rules, question);
            }
            questions.add(question);
        }
        List<BitSet> matches = new SegmentSearch(readers, dead).matches(questions);
        long count = matches.stream().mapToLong(BitSet::cardinality).sum();
        List<Keyword> scored = byRules.values().stream()
                .flatMap(question -> SegmentSearch.scored(question).stream())
                .toList();
        List<Ranking.Place> places = best ? new Ranking(readers, scored).best(matches, most) : latest(matches, most);
        List<Hit> hits = new ArrayList<>();
        for (Ranking.Place place : places) {
            hits.add(new Hit(readers.get(place.segment()).document(place.number()), place.score()));
        }
        return new Found(count, hits, state.version());
    }

    private static List<Ranking.Place> latest(List<BitSet> matches, int most) {
        List<Ranking.Place> places = new ArrayList<>();
        for (int segment = matches.size() - 1; segment >= 0; segment--) {
            BitSet found = matches.get(segment);
            for (int number = found.length() - 1; number >= 0 && places.size() < most; ) {
                places.add(new Ranking.Place(segment, number, 0));
                number = found.previousSetBit(number - 1);
            }
        }
        return places;
    }

    /** The names that documents have, of some. */
    public List<String> present(List<String> names) throws IOException {
        Manifest state = chain.newest().manifest();
        open.keepOnly(state);
        WantedNames wanted = new WantedNames(names);
        BitSet found = new BitSet();
        for (Manifest.LiveSegment segment : state.segments()) {
            DeadSet dead = open.dead(segment);
            for (NameMatch match : open.reader(segment.entry()).matches(wanted)) {
                found.set(match.place(), found.get(match.place()) || !dead.contains(match.number()));
            }
        }
        return found.stream().mapToObj(names::get).toList();
    }

    /** The document of a name; null if there is none. */
    public @Nullable StoredName named(String name) throws IOException {
        for (Manifest.LiveSegment segment : chain.newest().manifest().segments()) {
            SegmentReader reader = open.reader(segment.entry());
            for (int number : reader.numbers(name)) {
                if (!open.dead(segment).contains(number)) {
                    return reader.document(number);
                }
            }
        }
        return null;
    }

    /** Tells if some document, deleted ones among them, has a word of one of some fields. */
    public boolean hasAnyField(Collection<String> fields) throws IOException {
        List<byte[]> beginnings = fields.stream()
                .distinct()
                .map(field -> WordBytes.beginning(field, ""))
                .toList();
        boolean[] found = {false};
        for (Manifest.LiveSegment segment : chain.newest().manifest().segments()) {
            for (byte[] beginning : beginnings) {
                if (!found[0]) {
                    open.reader(segment.entry()).scan(beginning, word -> {
                        found[0] = word.startsWith(beginning);
                        return false;
                    });
                }
            }
        }
        return found[0];
    }

    /** The newest state. */
    public Manifest state() throws IOException {
        return chain.newest().manifest();
    }

    /**
     * Goes on with what the store has, though this device has seen another state: the only way to write again after a
     * {@link RolledBackException}. What the given-up state had more is not added again.
     *
     * @return false if there was nothing to give up
     */
    public static boolean accept(
            BlobStore objects,
            ManifestStore manifests,
            ArchiveKey key,
            byte[] id,
            HeadMemory memory,
            SecureRandom random)
            throws IOException {
        return accept(manifests, KeyRing.of(key), id, memory, random);
    }

    /** Goes on with what the store has, as above. */
    public static boolean accept(
            ManifestStore manifests, KeyRing ring, byte[] id, HeadMemory memory, SecureRandom random)
            throws IOException {
        return new ManifestChain(manifests, ring, id, memory, random).accept();
    }

    /**
     * Epoch of the key of a ring by which the newest state of an archive is authenticated; 0 if it is by none of them.
     *
     * @throws OtherEpochException if the state is of a later epoch than the ring has
     * @throws SseException if there is no state, or what is there is none
     */
    public static int epochOfNewest(ManifestStore manifests, KeyRing ring, byte[] id) throws IOException {
        return new ManifestChain(manifests, ring, id, HeadMemory.inMemory(), new SecureRandom()).epochOfNewest();
    }

    /**
     * Reads every object of the newest state, all of it as searches, additions and deletions read parts of it, and the
     * chain of states to the first.
     *
     * @return what is wrong, in plain words; nothing if all is as it was put, and can be read
     */
    public List<String> verify() throws IOException {
        List<String> findings = new ArrayList<>(chain.verify());
        Manifest state = chain.newest().manifest();
        Map<Manifest.LiveSegment, List<String>> faults = new LinkedHashMap<>();
        SegmentCheck check = new SegmentCheck(objects, open.keys());
        for (Manifest.LiveSegment segment : state.segments()) {
            faults.put(segment, check.faults(segment));
        }
        faults.keySet().retainAll(chain.newest().manifest().segments()); // others may have purged some meanwhile
        faults.values().forEach(findings::addAll);
        return findings;
    }

    /**
     * A segment that cannot be read.
     *
     * @param fault     object and what is wrong with it, in plain words
     * @param documents of it that were not deleted
     */
    public record Lost(String fault, int documents) {}

    /** Segments of the newest state that are missing, altered or unreadable, or whose deleted documents are. */
    public List<Lost> damaged() throws IOException {
        Repair repair = new Repair(new SegmentCheck(objects, open.keys()));
        repair.apply(chain.newest().manifest());
        return repair.lost();
    }

    /**
     * Goes on without the segments that are damaged, so that the others can be searched and what was in those can be
     * added again.
     *
     * @return which they were
     */
    public List<Lost> dropDamaged() throws IOException {
        Repair repair = new Repair(new SegmentCheck(objects, open.keys()));
        commit(repair);
        return repair.lost();
    }

    @Override
    public void close() {}
}
