package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Work that was prepared under one key is never part of a state under another. */
class PreparedOverRekeyTest extends KeyedArchive {
    private static void assertChangesNothing(FaultyManifests manifests, Callable<?> work) throws Exception {
        long before = manifests.newest();
        work.call();
        assertThat(manifests.newest()).isEqualTo(before);
    }

    @Test
    void anAdditionIsRefusedAndCanBePreparedAgain() throws Exception {
        create(3);
        EpochKey next = newest.next(coins);
        SegmentArchive archive = open(ring(next));
        List<ArchivedDocument> late = List.of(document(archive, "late", 9), document(archive, "name1", 10));
        PreparedAddition prepared = archive.prepare(late);
        archive.rekey(folder);
        newest = next;
        assertChangesNothing(
                manifests,
                () -> assertThatThrownBy(() -> archive.add(prepared))
                        .isInstanceOf(ConflictException.class)
                        .hasMessageContaining("new key"));
        requireModel(archive);
        assertThat(archive.add(archive.prepare(late))).isEqualTo(new SegmentArchive.Added(2, 1, 0));
        model.put("late", 9);
        model.put("name1", 10);
        requireModel(archive);
        requireModel(open(ring()));
    }

    @Test
    void aMergeIsNotMadeWhicheverOfItsStepsWasBefore() throws Exception {
        create(9);
        EpochKey next = newest.next(coins);
        SegmentArchive archive = open(ring(next));
        DueMerge due = archive.due().orElseThrow();
        try (PreparedMerge before = archive.prepare(archive.due().orElseThrow(), folder)) {
            archive.rekey(folder);
            newest = next;
            assertChangesNothing(
                    manifests, () -> assertThat(archive.merge(before)).isFalse());
        }
        try (PreparedMerge between = archive.prepare(due, folder)) {
            assertChangesNothing(
                    manifests, () -> assertThat(archive.merge(between)).isFalse());
        }
        requireModel(archive);
        requireModel(open(ring()));
    }

    /** The new state stands, and what notes it fails: the archive goes on under the key of that state. */
    @Test
    void aRekeyThatFailsBehindItsStateIsARekey() throws Exception {
        create(4);
        EpochKey next = newest.next(coins);
        HeadMemory remembered = HeadMemory.inMemory();
        AtomicBoolean full = new AtomicBoolean();
        HeadMemory memory = new HeadMemory() {
            @Override
            public Optional<SeenHead> last() throws IOException {
                return remembered.last();
            }

            @Override
            public void saw(SeenHead head) throws IOException {
                if (full.get()) {
                    throw new IOException("the device is full");
                }
                remembered.saw(head);
            }

            @Override
            public void accept(SeenHead head) throws IOException {
                remembered.accept(head);
            }
        };
        SegmentArchive archive = open(ring(next), memory);
        PreparedAddition before = archive.prepare(List.of(document(archive, "late", 9)));
        full.set(true);
        assertThatThrownBy(() -> archive.rekey(folder))
                .isInstanceOf(UnsettledException.class)
                .hasMessageContaining("the device is full");
        full.set(false);
        newest = next;
        assertThat(settled).containsExactly(2);
        assertThatThrownBy(() -> archive.add(before)).isInstanceOf(ConflictException.class);
        requireModel(archive);
        add(archive, "after", 5);
        delete(archive, "name2");
        archive.compact(folder);
        requireModel(archive);
        requireModel(open(ring()));
    }

    /** Another process of the device, which has both keys too, is first. */
    @Test
    void anArchiveThatWasOpenedBeforeAnotherProcessRekeyedIsRefusedWhateverItDoes() throws Exception {
        create(9);
        EpochKey next = newest.next(coins);
        EpochKey current = copy(newest);
        List<SegmentArchive> opened = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            opened.add(open(ring(next)));
        }
        PreparedAddition prepared = opened.get(1).prepare(List.of(document(opened.get(1), "late", 9)));
        try (PreparedMerge merge = opened.get(2).prepare(opened.get(2).due().orElseThrow(), folder)) {
            open(ring(next)).rekey(folder);
            newest = next;
            long state = manifests.newest();
            assertNeedsNewKey(() -> opened.get(0).add(List.of(document(opened.get(0), "late", 9))), state);
            assertNeedsNewKey(() -> opened.get(1).add(prepared), state);
            assertNeedsNewKey(() -> opened.get(2).merge(merge), state);
            assertNeedsNewKey(() -> opened.get(3).delete(List.of("name1")), state);
            assertNeedsNewKey(() -> opened.get(4).search(ALL, 1, false), state);
            assertNeedsNewKey(() -> opened.get(5).compact(folder), state);
            assertNeedsNewKey(() -> opened.get(6).rekey(folder), state);
            assertThat(manifests.newest()).isEqualTo(state);
        }
        assertThat(current.epoch()).isEqualTo(1);
        assertThat(settled).as("by the process that made the state alone").containsExactly(2);
        requireModel(open(ring()));
    }

    /** Objects of a state are sealed under the state's key, whoever asks: the chain looks itself. */
    @Test
    void theChainPutsNoStateThatNamesObjectsOfAnotherEpoch() throws Exception {
        create(2);
        EpochKey next = newest.next(coins);
        ManifestChain chain = new ManifestChain(manifests, ring(next), ID, HeadMemory.inMemory(), coins);
        OpenSegments ofNext = new OpenSegments(objects, SegmentKeys.of(next, ID), coins, InstantSource.system());
        OpenSegments ofNow = new OpenSegments(objects, SegmentKeys.of(newest, ID), coins, InstantSource.system());
        assertChangesNothing(
                manifests,
                () -> assertThatThrownBy(() -> chain.commit(base -> Manifest.EMPTY, ofNext))
                        .isInstanceOf(ConflictException.class));
        assertChangesNothing(
                manifests,
                () -> assertThatThrownBy(() -> chain.commitUnderNext(base -> Manifest.EMPTY, ofNow))
                        .isInstanceOf(ConflictException.class));
        requireModel(open(ring()));
    }

    /** Puts a state under the newest key that names what another key sealed, as a fault of a writer would. */
    private void putState(Manifest manifest) throws Exception {
        long version = manifests.newest();
        byte[] tag = ManifestSealer.head(manifests.bytes(version)).head().tag();
        manifests.create(
                version + 1,
                new ManifestSealer(newest, ID, coins)
                        .seal(manifest, version + 1, tag, ManifestHead.NO_TAG)
                        .file());
    }

    @Test
    void aSegmentUnderAnotherKeyIsNamedAndCanBeLeftOut() throws Exception {
        SegmentArchive old = create(2);
        PreparedAddition stale = old.prepare(List.of(document(old, "late", 9)));
        SegmentArchive archive = rekey();
        List<Manifest.LiveSegment> segments = new ArrayList<>(archive.state().segments());
        SegmentEntry entry = stale.segment().entry();
        segments.add(new Manifest.LiveSegment(entry, null));
        putState(new Manifest(segments));
        assertThatThrownBy(() -> archive.search(ALL, 9, false)).isInstanceOf(DamagedObjectException.class);
        assertCanBeLeftOut(archive, entry.name(), 1);
    }

    @Test
    void aDeadSetUnderAnotherKeyIsNamedAndItsSegmentCanBeLeftOut() throws Exception {
        create(2);
        SealedObject stale = DeadSet.of(0).seal(SegmentKeys.of(newest, ID), coins);
        objects.put(stale.name(), stale.object());
        SegmentArchive archive = rekey();
        add(archive, "name4", 4);
        Manifest.LiveSegment first = archive.state().segments().getFirst();
        Manifest.LiveSegment last = archive.state().segments().getLast();
        putState(new Manifest(List.of(
                new Manifest.LiveSegment(first.entry(), new Manifest.DeadEntry(stale.name(), stale.v(), 1)), last)));
        assertThatThrownBy(() -> archive.search(ALL, 9, false)).isInstanceOf(DamagedObjectException.class);
        model.keySet().retainAll(List.of("name4"));
        assertCanBeLeftOut(archive, stale.name(), first.documents() - 1);
    }

    private void assertCanBeLeftOut(SegmentArchive archive, BlobName name, int documents) throws Exception {
        assertThat(archive.verify())
                .singleElement()
                .asString()
                .contains("object " + name + " is what was put there, and cannot be read by the archive's key");
        List<SegmentArchive.Lost> lost = archive.damaged();
        assertThat(lost).extracting(SegmentArchive.Lost::documents).containsExactly(documents);
        assertThat(archive.dropDamaged()).isEqualTo(lost);
        assertThat(archive.damaged()).isEmpty();
        requireModel(archive);
        requireModel(open(ring()));
    }

    /** Another thread prepares all the time, while the archive gets new keys. */
    @Test
    void whatAnotherThreadPreparesWhileTheKeyChangesIsAddedOrPreparedAgain() throws Exception {
        create(1);
        int refused = 0;
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 30; i++) {
                EpochKey next = newest.next(coins);
                SegmentArchive archive = open(ring(next));
                String name = "late" + i;
                int content = 100 + i;
                ArchivedDocument document = document(archive, name, content);
                Future<PreparedAddition> preparing = thread.submit(() -> archive.prepare(List.of(document)));
                if (i % 3 == 0) {
                    preparing.get();
                }
                archive.rekey(folder);
                newest = next;
                try {
                    archive.add(preparing.get());
                } catch (ConflictException e) {
                    refused++;
                    archive.add(archive.prepare(List.of(document)));
                }
                model.put(name, content);
                requireModel(archive);
            }
        }
        assertThat(refused).isPositive();
        requireModel(open(ring()));
        assertThat(Map.copyOf(model)).hasSize(31);
    }
}
