package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.StuckRandom;
import dev.veilgate.sse.UnsettledException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Archives that get a new key, and what those who have the old one can still do. */
class RekeyTest extends KeyedArchive {
    @Test
    void allIsFoundUnchangedAndCanBeChangedUnderTheNewKey() throws Exception {
        SegmentArchive old = create(12);
        add(old, "name3", 33);
        delete(old, "name7");
        Set<BlobName> before = old.state().objects();
        SegmentArchive archive = rekey();
        assertThat(settled).containsExactly(2);
        assertThat(archive.state().objects()).hasSize(1).doesNotContainAnyElementsOf(before);
        assertThat(archive.state().segments().getFirst().dead()).isNull();
        requireModel(archive);
        add(archive, "name1", 11);
        add(archive, "new", 50);
        delete(archive, "name2");
        requireModel(archive);
        requireModel(open(ring()));
        archive.compact(folder);
        requireModel(rekey());
        assertThat(settled).containsExactly(2, 3);
        assertThat(archive.digest(sha256(1))).isEqualTo(old.digest(sha256(1)));
    }

    @Test
    void anArchiveWithoutDocumentsGetsANewKeyToo() throws Exception {
        SegmentArchive old = create(1);
        delete(old, "name0");
        SegmentArchive archive = rekey();
        assertThat(archive.state().segments()).isEmpty();
        add(archive, "first", 1);
        requireModel(open(ring()));
    }

    @Test
    void theOldKeySaysSinceWhenThereIsANewOneAndWritesNothing() throws Exception {
        SegmentArchive old = create(3);
        HeadMemory memory = HeadMemory.inMemory();
        KeyRing first = ring();
        open(first, memory);
        SegmentArchive archive = rekey();
        add(archive, "later", 9);
        long last = manifests.newest();
        assertNeedsNewKey(() -> old.add(List.of(document(old, "lost", 1))), 5);
        assertNeedsNewKey(() -> old.delete(List.of("name0")), 5);
        assertNeedsNewKey(() -> old.search(ALL, 1, false), 5);
        assertNeedsNewKey(() -> open(first, memory), 5);
        assertNeedsNewKey(() -> SegmentArchive.accept(manifests, first, ID, memory, coins), 5);
        assertThat(manifests.newest()).isEqualTo(last);
        open(ring(), memory); // this device descends from what it saw with the old key
        requireModel(archive);
    }

    /** A file of a state as whoever has an old key makes it. */
    private byte[] forged(EpochKey by, long version, byte[] previous) throws Exception {
        Manifest manifest = Manifest.EMPTY;
        return new ManifestSealer(by, ID, coins)
                .seal(manifest, version, previous, ManifestHead.NO_TAG)
                .file();
    }

    private byte[] tag(long version) throws Exception {
        return ManifestSealer.head(manifests.bytes(version)).head().tag();
    }

    @Test
    void statesThatTheOldKeyForgesAreRefused() throws Exception {
        create(2);
        EpochKey first = newest;
        HeadMemory seenBefore = HeadMemory.inMemory();
        open(ring(), seenBefore);
        EpochKey second = newest.next(coins);
        KeyRing unsettled = ring(second);
        KeyRing onlyOld = ring();
        SegmentArchive archive = open(ring(second));
        archive.rekey(folder);
        newest = second;
        assertThat(manifests.newest()).isEqualTo(4);
        byte[] good = manifests.bytes(4);
        manifests.create(5, forged(first, 5, tag(4)));
        assertOldKeyIsRefused(() -> archive.search(ALL, 1, false));
        assertOldKeyIsRefused(() -> open(ring()));
        assertOldKeyIsRefused(() -> open(unsettled, seenBefore)); // a device that was cut off before it noted the key
        assertNeedsNewKey(() -> open(onlyOld, seenBefore), 4);
        HeadMemory seenNew = HeadMemory.inMemory();
        seenNew.saw(new SeenHead(4, tag(4)));
        assertOldKeyIsRefused(() -> open(unsettled, seenNew)); // its key was restored from a backup of both
        manifests.create(6, forged(first, 6, tag(5)));
        assertOldKeyIsRefused(() -> open(unsettled, seenBefore));
        TreeMap<Long, byte[]> behind = manifests.copy();
        behind.tailMap(4L).clear();
        manifests.restore(behind);
        manifests.create(4, forged(first, 4, tag(3))); // in the place of the new key's state
        assertOldKeyIsRefused(() -> open(ring()));
        assertOldKeyIsRefused(() -> archive.add(List.of(document(archive, "x", 1))));
        for (int i = 0; i < good.length; i++) {
            byte[] altered = good.clone();
            altered[i] ^= 1;
            manifests.replace(4, altered);
            assertThatThrownBy(() -> open(ring())).isInstanceOf(SseException.class);
        }
        manifests.replace(4, good);
        requireModel(open(ring()));
        manifests.replace(2, forged(first, 2, tag(1))); // what is before is proved by what follows
        assertThat(open(ring()).verify())
                .singleElement()
                .asString()
                .contains("state 3")
                .contains("does not follow");
    }

    /** Work of a device with the old key between the copy and the state. */
    private interface Meanwhile {
        void run(SegmentArchive old) throws Exception;
    }

    @Test
    void whatTheOldKeyDoesMeanwhileIsNotLost() throws Exception {
        List<Meanwhile> works = List.of(
                old -> add(old, "meanwhile", 70),
                old -> add(old, "name4", 44),
                old -> delete(old, "name5"),
                old -> {
                    add(old, "name1", 71);
                    old.compact(folder);
                },
                old -> {
                    for (String name : List.copyOf(model.keySet())) {
                        delete(old, name);
                    }
                });
        SegmentArchive old = create(8);
        for (Meanwhile work : works) {
            EpochKey next = newest.next(coins);
            SegmentArchive archive = open(ring(next));
            SegmentArchive other = open(ring());
            manifests.between = () -> {
                try {
                    work.run(other);
                } catch (IOException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            };
            int conflicts = manifests.conflicts;
            archive.rekey(folder);
            newest = next;
            assertThat(manifests.conflicts).isGreaterThan(conflicts);
            requireModel(archive);
            requireModel(open(ring()));
        }
        assertThat(model).isEmpty();
        assertThatThrownBy(old::state).isInstanceOf(OtherEpochException.class);
    }

    @Test
    void othersThatNeverStopKeepTheOldKey() throws Exception {
        create(1);
        SegmentArchive other = open(ring());
        manifests.between = new FaultyManifests.Between() {
            private int next = 100;

            @Override
            public void run() throws IOException {
                add(other, "name" + next, next++);
                manifests.between = this;
            }
        };
        EpochKey next = newest.next(coins);
        KeyRing ring = ring(next);
        assertThatThrownBy(() -> open(ring).rekey(folder)).isInstanceOf(ConflictException.class);
        manifests.between = () -> {};
        requireModel(open(ring()));
        SegmentArchive archive = open(ring);
        archive.rekey(folder);
        newest = next;
        requireModel(archive);
    }

    @Test
    void aRekeyThatIsCutOffAnywhereIsGoneOnWithByTheSameKey() throws Exception {
        create(6);
        EpochKey next = newest.next(coins);
        for (int puts = 0; puts < 2; puts++) {
            KeyRing ring = ring(next);
            SegmentArchive archive = open(ring);
            objects.putsUntilOneFails = puts;
            if (puts == 1) { // the object is there; a dead set for what dies meanwhile is not
                SegmentArchive other = open(ring());
                manifests.between = () -> {
                    objects.putsUntilOneFails = Integer.MAX_VALUE;
                    delete(other, "name0");
                    objects.putsUntilOneFails = 0;
                };
            }
            assertThatThrownBy(() -> archive.rekey(folder)).hasMessage("the disk is full");
            objects.putsUntilOneFails = Integer.MAX_VALUE;
            requireModel(open(ring)); // as before, with both keys
            add(open(ring), "after" + puts, puts);
        }
        KeyRing beforeCommit = ring(next);
        manifests.next = FaultyManifests.Fault.LOST_BEFORE;
        assertThatThrownBy(() -> open(beforeCommit).rekey(folder)).hasMessage("lost before");
        requireModel(open(beforeCommit));
        requireModel(open(ring()));
        assertThat(settled).isEmpty();
        KeyRing unnoted = new KeyRing(copy(newest), copy(next), _ -> {
            throw new IOException("the key's file cannot be written");
        });
        HeadMemory memory = HeadMemory.inMemory();
        manifests.next = FaultyManifests.Fault.LOST_AFTER;
        assertThatThrownBy(() -> open(unnoted, memory).rekey(folder)).hasMessageContaining("key's file");
        assertThat(memory.last().orElseThrow().version()).isEqualTo(manifests.newest() - 1); // noted behind the key
        assertThatThrownBy(() -> open(unnoted, memory)).hasMessageContaining("key's file");
        assertThat(memory.last().orElseThrow().version()).isEqualTo(manifests.newest() - 1);
        requireModel(open(ring(next), memory));
        assertThat(settled).containsExactly(2);
        newest = next;
        requireModel(open(ring(), memory));
    }

    @Test
    void anAnswerThatIsLostIsNoFailure() throws Exception {
        create(2);
        manifests.next = FaultyManifests.Fault.LOST_AFTER;
        SegmentArchive archive = rekey();
        assertThat(settled).containsExactly(2);
        requireModel(archive);
    }

    @Test
    void aStateOfWhichNobodyKnowsWhetherItWasPutIsPutAgain() throws Exception {
        create(2);
        manifests.next = FaultyManifests.Fault.OPEN;
        SegmentArchive archive = rekey();
        manifests.next = FaultyManifests.Fault.OPEN;
        add(archive, "later", 7);
        assertThat(manifests.newest()).isEqualTo(5);
        requireModel(archive);
        requireModel(open(ring()));
    }

    @Test
    void whatIsOpenOnceStaysOpenWhateverFailsBehindIt() throws Exception {
        SegmentArchive archive = create(1);
        for (boolean interrupted : new boolean[] {false, true}) {
            String name = "late" + interrupted;
            manifests.next = interrupted ? FaultyManifests.Fault.OPEN : FaultyManifests.Fault.OPEN_THEN_FULL;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            assertThatThrownBy(() -> archive.add(List.of(document(archive, name, 9))))
                    .isInstanceOf(UnsettledException.class);
            assertThat(Thread.interrupted()).isEqualTo(interrupted);
            assertThat(found(archive, ALL)).doesNotContain(name);
        }
        manifests.arrive();
        assertThat(found(archive, ALL)).contains("latefalse");
        archive.add(List.of(document(archive, "latefalse", 9)));
        assertThat(found(archive, ALL)).containsExactly("latefalse", "name0");
    }

    @Test
    void whatStandsAndIsNotForcedIsOpen() throws Exception {
        manifests.next = FaultyManifests.Fault.NOT_FORCED;
        assertThatThrownBy(() -> create(0)).isInstanceOf(UnsettledException.class);
        HeadMemory memory = HeadMemory.inMemory();
        SegmentArchive archive = open(ring(), memory);
        TreeMap<Long, byte[]> early = manifests.copy();
        add(archive, "lost", 1);
        manifests.restore(early);
        manifests.next = FaultyManifests.Fault.NOT_FORCED;
        assertThatThrownBy(() -> SegmentArchive.accept(manifests, ring(), ID, memory, coins))
                .isInstanceOf(UnsettledException.class);
        assertThat(found(open(ring(), memory), ALL)).isEmpty();
    }

    @Test
    void objectsThatAreSweptBeforeTheStateStandsArePutAgain() throws Exception {
        create(3);
        manifests.between = () -> {
            for (BlobName name : objects.list()) {
                objects.remove(name);
            }
        };
        requireModel(rekey());
        requireModel(open(ring()));
    }

    @Test
    void ofTwoNewKeysTheArchiveHasOne() throws Exception {
        create(4);
        EpochKey mine = newest.next(coins);
        EpochKey theirs = newest.next(coins);
        KeyRing ring = ring(mine);
        SegmentArchive archive = open(ring);
        SegmentArchive other = open(ring(theirs));
        manifests.between = () -> other.rekey(folder);
        assertNeedsNewKey(() -> archive.rekey(folder), 6);
        assertNeedsNewKey(() -> open(ring), 6);
        assertThat(settled).containsExactly(2);
        requireModel(other);
    }

    @Test
    void aRollbackBehindANewKeyIsNoticedAndCanBeAccepted() throws Exception {
        create(2);
        TreeMap<Long, byte[]> early = manifests.copy();
        HeadMemory memory = HeadMemory.inMemory();
        SegmentArchive archive = rekey();
        TreeMap<Long, byte[]> copy = manifests.copy();
        add(archive, "lost", 1);
        model.remove("lost");
        open(ring(), memory);
        manifests.restore(copy);
        assertThatThrownBy(() -> open(ring(), memory)).isInstanceOf(RolledBackException.class);
        assertThat(SegmentArchive.accept(manifests, ring(), ID, memory, coins)).isTrue();
        requireModel(open(ring(), memory));
        manifests.restore(early);
        assertOldKeyIsRefused(() -> open(ring(), memory));
        KeyRing old = new KeyRing(EpochKey.first(ArchiveKey.decode(key.encode())), null, _ -> {});
        assertThatThrownBy(() -> open(old, memory)).isInstanceOf(RolledBackException.class);
        assertThat(SegmentArchive.accept(manifests, old, ID, memory, coins)).isTrue();
        requireModel(open(old, memory));
    }

    @Test
    void headsAreWrittenAsTheyWere() throws Exception {
        ArchiveKey fixed = ArchiveKey.random(new StuckRandom());
        EpochKey second = EpochKey.of(2, fixed, new byte[EpochKey.DIGESTS_BYTES]);
        String zeros = "00".repeat(32);
        Map<EpochKey, String> clear = Map.of(
                EpochKey.first(fixed),
                "87" + "7819" + hex("veilgate-archive-manifest") + "01" + "50" + "00".repeat(16),
                second,
                "88" + "7819" + hex("veilgate-archive-manifest") + "02" + "50" + "00".repeat(16) + "02");
        for (Map.Entry<EpochKey, String> each : clear.entrySet()) {
            byte[] file = new ManifestSealer(each.getKey(), ID, new StuckRandom())
                    .seal(Manifest.EMPTY, 7, new byte[32], new byte[32])
                    .file();
            byte[] sealed = Arrays.copyOfRange(file, file.length - 49, file.length);
            String head = each.getValue() + "07" + ("5820" + zeros).repeat(2) + "5820"
                    + HexFormat.of().formatHex(new Sha256().add(sealed).finish());
            Prf km = fixed.prf("segments/manifest/mac");
            assertThat(HexFormat.of().formatHex(file))
                    .isEqualTo("83" + head + "5820"
                            + HexFormat.of().formatHex(km.apply(HexFormat.of().parseHex(head))) + "5831"
                            + HexFormat.of().formatHex(sealed));
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }
}
