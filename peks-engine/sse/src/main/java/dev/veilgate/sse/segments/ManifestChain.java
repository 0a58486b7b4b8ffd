package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.ManifestStore;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** States of an archive, one after the other, and how a writer puts one behind the newest. For one thread. */
@Secret
final class ManifestChain {
    /** States behind the newest that are kept whole, for readers that are at work on them. */
    private static final int WHOLE = 64;

    private static final int LONGEST_PAUSE_MILLIS = 1_000;

    /** Attempts to put the same state again while it is not known whether it was put. */
    private static final int MOST_SETTLING = 4;

    private final ManifestStore store;
    private final KeyRing keys;
    private final byte[] archive;
    private final HeadMemory memory;
    private final SecureRandom random;
    private ManifestSealer sealer;
    private @Nullable ManifestSealer next;
    private @Nullable State newest;
    private byte[] newestFile = {};

    ManifestChain(ManifestStore store, KeyRing keys, byte[] archive, HeadMemory memory, SecureRandom random) {
        this.store = store;
        this.keys = keys;
        this.archive = archive.clone();
        this.memory = memory;
        this.random = random;
        this.sealer = new ManifestSealer(keys.current(), archive, random);
        this.next =
                keys.next().map(key -> new ManifestSealer(key, archive, random)).orElse(null);
    }

    /** A state with its place in the chain. */
    record State(ManifestHead head, Manifest manifest) {
        long version() {
            return head.version();
        }
    }

    /** An operation, which is applied to the newest state; after a conflict once more to a newer one. */
    @FunctionalInterface
    interface Change {
        /** The segments afterwards; null if there is nothing to do. */
        @Nullable
        Manifest apply(Manifest base) throws IOException;
    }

    /** Objects that a state names and its base does not, sealed under the key of one epoch. */
    interface Objects {
        /** Epoch of that key. */
        int epoch();

        /** Makes sure that they are in the store. Called before the state is put there. */
        void keep(Manifest next) throws IOException;
    }

    /** Makes the first state. */
    void create() throws IOException {
        ManifestSealer.Sealed first = sealer.seal(Manifest.EMPTY, 1, ManifestHead.NO_TAG, ManifestHead.NO_TAG);
        if (store.newest() != 0 || !put(1, first)) {
            throw new SseException("there is an archive already");
        }
        note(new State(first.head(), Manifest.EMPTY), first.file(), false);
    }

    /**
     * The newest state.
     *
     * @throws RolledBackException if it does not descend from the one that was seen last
     * @throws OtherEpochException if the archive has another key than this device, or than when it was opened
     * @throws SseException if there is none, or what is there is none of this archive
     */
    State newest() throws IOException {
        long version = store.newest();
        Optional<SeenHead> seen = memory.last();
        if (seen.isPresent()
                && version < seen.get().version()
                && store.read(seen.get().version()).isPresent()) {
            version = Math.max(seen.get().version(), store.newest()); // a listing was older than the folder
        }
        if (version == 0) {
            throw new SseException("no state of the archive is there: it is damaged, or this is no archive");
        }
        State known = newest;
        byte[] file = file(version);
        if (known != null && Arrays.equals(file, newestFile)) {
            return known;
        }
        ManifestSealer.Opened opened = open(version, file);
        Manifest manifest = opened.state();
        if (manifest == null) {
            if (store.newest() > version) {
                return newest(); // others were at work while this one stood still
            }
            throw new SseException("the newest state of the archive, " + version + ", has lost what it says");
        }
        State found = new State(opened.head(), manifest);
        if (seen.isPresent()) {
            requireDescent(found, seen.get());
        }
        if (isNext(found.head())) {
            if (known != null) { // what is read by the key of before cannot be gone on with
                throw OtherEpochException.newer(firstOf(found.head().epoch(), version));
            }
            settle();
        }
        saw(found, file);
        return found;
    }

    private byte[] file(long version) throws IOException {
        return store.read(version)
                .orElseThrow(() -> new SseException("state " + version + " of the archive is missing"));
    }

    private ManifestSealer.Opened open(long version) throws IOException {
        return open(version, file(version));
    }

    /** Opens a state of the present key, or of the next one. */
    private ManifestSealer.Opened open(long version, byte[] file) throws IOException {
        ManifestHead head = head(version, file).head();
        try {
            if (head.epoch() < sealer.epoch()) {
                throw OtherEpochException.older(version);
            }
            if (isNext(head)) {
                return nextSealer().open(file);
            }
            if (head.epoch() > sealer.epoch()) {
                throw OtherEpochException.newer(firstOf(head.epoch(), version));
            }
            return sealer.open(file);
        } catch (MalformedEncodingException e) {
            throw none(version, e);
        }
    }

    private boolean isNext(ManifestHead head) {
        return next != null && next.isOurs(head);
    }

    private ManifestSealer nextSealer() {
        ManifestSealer there = next;
        if (there == null) {
            throw new IllegalStateException("there is no next key");
        }
        return there;
    }

    /** The head under a number, which is genuine only if the one behind it says so, or its code is right. */
    private ManifestSealer.Unproved head(long version, byte[] file) throws SseException {
        try {
            ManifestSealer.Unproved found = ManifestSealer.head(file);
            if (found.head().version() != version) {
                throw new MalformedEncodingException("version", "must be " + version);
            }
            if (!Arrays.equals(found.head().archive(), archive)) {
                throw new MalformedEncodingException("archive", "must be this one");
            }
            return found;
        } catch (MalformedEncodingException e) {
            throw none(version, e);
        }
    }

    private static SseException none(long version, MalformedEncodingException cause) {
        return new SseException(
                "what is in the place of state " + version + " of the archive is none: " + cause.getMessage(), cause);
    }

    /** Number of the first state that has an epoch, as far as the store shows. */
    private long firstOf(int epoch, long version) throws IOException {
        for (long first = version; ; first--) {
            try {
                if (first == 1 || head(first - 1, file(first - 1)).head().epoch() != epoch) {
                    return first;
                }
            } catch (SseException e) { // it is only said
                return first;
            }
        }
    }

    /** The head before one of this archive, which names it: heads of former keys are proved by that alone. */
    private ManifestHead before(ManifestHead head) throws IOException {
        long version = head.version() - 1;
        byte[] file = file(version);
        ManifestHead before = head(version, file).head();
        if (before.epoch() > head.epoch()) {
            throw sealer.epoch() < before.epoch() && !isNext(before)
                    ? OtherEpochException.newer(version)
                    : OtherEpochException.older(head.version());
        }
        return before.epoch() < sealer.epoch() ? before : open(version, file).head();
    }

    /** Goes on under the next key only. */
    private void settle() throws IOException {
        keys.settle();
        sealer = nextSealer();
        next = null;
    }

    /** Walks back, by what each state says of that before it, to the one that was seen, or to one that gave it up. */
    private void requireDescent(State found, SeenHead seen) throws IOException {
        ManifestHead head = found.head();
        while (!Arrays.equals(head.tag(), seen.tag()) && !head.follows(seen.tag())) {
            if (head.version() == 1) {
                throw new RolledBackException(seen.version(), found.version());
            }
            ManifestHead before;
            try {
                before = before(head);
            } catch (OtherEpochException e) {
                throw e;
            } catch (SseException e) { // it cannot be told
                throw new RolledBackException(seen.version(), found.version(), e);
            }
            if (!head.follows(before.tag())) {
                throw new RolledBackException(seen.version(), found.version());
            }
            head = before;
        }
        if (next != null && head.version() > 1) {
            before(head); // a state of the next key that was seen is not followed by one of the present key
        }
    }

    /**
     * Goes on with the state that is there, though it does not descend from the one that this device has seen: puts one
     * behind it that says so, by which other devices know it too.
     *
     * @return false if there was nothing to give up
     */
    boolean accept() throws IOException {
        Optional<SeenHead> seen = memory.last();
        try {
            newest();
            return false;
        } catch (RolledBackException e) {
            ManifestSealer.Opened opened = open(e.found());
            Manifest manifest = opened.state();
            if (manifest == null || seen.isEmpty()) {
                throw e;
            }
            if (isNext(opened.head())) {
                settle();
            }
            ManifestSealer.Sealed sealed = sealer.seal(
                    manifest, e.found() + 1, opened.head().tag(), seen.get().tag());
            if (!put(e.found() + 1, sealed)) {
                throw new ConflictException("another writer was at work; try again");
            }
            try {
                store.force(e.found() + 1);
                memory.accept(new SeenHead(e.found() + 1, sealed.head().tag()));
            } catch (IOException failure) {
                throw unsettled(failure);
            }
            newest = new State(sealed.head(), manifest);
            newestFile = sealed.file();
            return true;
        }
    }

    /** Epoch of the key by which states are put. */
    int epoch() {
        return sealer.epoch();
    }

    /** Epoch of the key of a ring that the newest state is authenticated by; 0 if it is none of them. */
    int epochOfNewest() throws IOException {
        long version = store.newest();
        if (version == 0) {
            throw new SseException("no state of the archive is there: it is damaged, or this is no archive");
        }
        ManifestHead head = head(version, file(version)).head();
        if (sealer.isOurs(head) || isNext(head)) {
            return head.epoch();
        }
        if (head.epoch() > sealer.epoch()) {
            throw OtherEpochException.newer(firstOf(head.epoch(), version));
        }
        return 0;
    }

    /** Faults of the chain from the newest state to the first, in plain words. */
    List<String> verify() throws IOException {
        List<String> findings = new ArrayList<>();
        ManifestHead head = newest().head();
        while (head.version() > 1) {
            ManifestHead before;
            try {
                before = before(head);
            } catch (SseException e) {
                findings.add(String.valueOf(e.getMessage()));
                return findings;
            }
            if (!head.follows(before.tag())) {
                findings.add("state " + head.version()
                        + " of the archive does not follow what is in the place of state " + before.version());
            }
            head = before;
        }
        return findings;
    }

    private void saw(State state, byte[] file) throws IOException {
        store.force(state.version());
        memory.saw(new SeenHead(state.version(), state.head().tag()));
        newest = state;
        newestFile = file;
    }

    /**
     * Puts a state behind the newest, durably.
     *
     * @return a state that has the change, or the newest one, in which there was nothing to do
     * @throws ConflictException if the objects are of another epoch than the state would be; nothing is changed
     * @throws UnsettledException if the change was made, or may be yet, and that could not be noted or found out
     * @throws IOException if it was not made, and will not be
     */
    State commit(Change change, Objects objects) throws IOException {
        return commit(change, objects, false);
    }

    /**
     * Puts a state under the next key behind the newest, durably; from then on that is the only key.
     *
     * @return as {@link #commit}
     */
    State commitUnderNext(Change change, Objects objects) throws IOException {
        return commit(change, objects, true);
    }

    private State commit(Change change, Objects objects, boolean underNext) throws IOException {
        for (int attempt = 0; ; attempt++) {
            State base = newest();
            ManifestSealer by = underNext ? nextSealer() : sealer;
            if (by.epoch() != objects.epoch()) {
                throw new ConflictException("the archive has got a new key since this was begun; do it again");
            }
            Manifest after = change.apply(base.manifest());
            if (after == null) {
                return base;
            }
            if (after.segments().size() > Manifest.MAX_SEGMENTS) {
                throw new RefusedException("the archive has too many segments; merge them first");
            }
            objects.keep(after);
            long version = base.version() + 1;
            ManifestSealer.Sealed sealed = by.seal(after, version, base.head().tag(), ManifestHead.NO_TAG);
            if (put(version, sealed)) {
                State made = new State(sealed.head(), after);
                note(made, sealed.file(), underNext);
                return made;
            }
            pause(attempt);
        }
    }

    /**
     * Puts a state under its number.
     *
     * @return false if another one stands there
     * @throws UnsettledException if it is not known, or it may be put yet
     */
    private boolean put(long version, ManifestSealer.Sealed sealed) throws IOException {
        UnsettledException open = null; // once it is, only what stands there settles it
        for (int attempt = 0; ; attempt++) {
            try {
                return store.create(version, sealed.file()) || stands(version, sealed);
            } catch (UnsettledException e) {
                open = e;
            } catch (IOException e) { // of a store that does not say what it does not know, too
                if (!isTaken(version, e)) {
                    throw open == null ? e : unsettled(e);
                }
                return stands(version, sealed);
            }
            if (isTaken(version, open)) {
                return stands(version, sealed);
            }
            if (attempt == MOST_SETTLING) {
                throw unsettled(open);
            }
            try {
                pause(attempt);
            } catch (IOException e) {
                throw unsettled(e);
            }
        }
    }

    private boolean isTaken(long version, IOException failure) throws IOException {
        try {
            return store.read(version).isPresent();
        } catch (IOException e) {
            e.addSuppressed(failure);
            throw unsettled(e);
        }
    }

    /** Compares what is under a number with a state that was sent, and may have been shortened since. */
    private boolean stands(long version, ManifestSealer.Sealed sealed) throws IOException {
        byte[] there;
        try {
            there = file(version);
        } catch (IOException e) {
            throw unsettled(e);
        }
        return Arrays.equals(head(version, there).head().tag(), sealed.head().tag());
    }

    /** Goes on from a state that stands, under its key. */
    private void note(State made, byte[] file, boolean underNext) throws IOException {
        try {
            if (underNext) {
                settle();
            }
            saw(made, file);
        } catch (IOException e) {
            throw unsettled(e);
        }
        shorten(made.version() - WHOLE);
    }

    /** An answer to a change that was made, or may be yet, when something failed behind it. */
    static UnsettledException unsettled(IOException cause) {
        return new UnsettledException(
                "what was asked for was done, or may be yet, and it could not be noted or found out: "
                        + cause.getMessage() + ". Do it again, which does no harm if it was",
                cause);
    }

    /** Leaves the head of an old state only, if nothing is wrong with it and the store can. */
    private void shorten(long version) {
        if (version < 1) {
            return;
        }
        try {
            Optional<byte[]> file = store.read(version);
            if (file.isPresent()) {
                ManifestSealer.Unproved found = head(version, file.get());
                if (found.isWhole()) {
                    store.shorten(version, file.get(), ManifestSealer.headOnly(found.head()));
                }
            }
        } catch (IOException _) {
            // it stays as it is, or another writer was there: what was asked for is done, and verify names what is
            // wrong
        }
    }

    private void pause(int attempt) throws IOException {
        try {
            Thread.sleep(random.nextInt(Math.min(LONGEST_PAUSE_MILLIS, 4 << Math.min(attempt, 10))));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SseException("interrupted while another writer was at work", e);
        }
    }
}
