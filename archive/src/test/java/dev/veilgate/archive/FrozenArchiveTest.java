package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.authority.SecretBackup;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.segments.RolledBackException;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * An archive of segments that an earlier version wrote, under a second key, is searched, verified and changed, by the
 * device that had it and by one that restores the key from a backup.
 */
@ParameterizedClass
@FieldSource("SETS")
class FrozenArchiveTest {
    static final List<FrozenSet> SETS = List.of(new FrozenSet("009bb538", "2026-11-30T12:00:00Z"));

    /** Beginning of all names of documents. */
    static final String DOCUMENTS = "/proc/self/cwd/documents/";

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Documents that answer a question, the last added first. */
    private static final Map<String, List<String>> ANSWERS = Map.ofEntries(
            Map.entry("owl", List.of("birds.csv#1", "mail/owl.eml", "mail/lark.eml")),
            Map.entry("subject:owl", List.of("mail/owl.eml")),
            Map.entry("from:ada@example.org", List.of("mail/heron.eml", "mail/owl.eml")),
            Map.entry("heron NOT kingfisher", List.of("mail/heron.eml")),
            Map.entry("kingfisher OR cuckoo", List.of("notes.txt", "belt.log#1500", "belt.log#1000", "belt.log#500")),
            Map.entry("level:error", List.of("app.jsonl#1", "app.log#2")),
            Map.entry("level:>=error", List.of("app.log#4", "app.jsonl#1", "app.log#2")),
            Map.entry("status:500..599", List.of("app.log#4", "app.jsonl#1", "app.log#2")),
            Map.entry("ms:0.4..3", List.of("app.log#3", "app.log#1")),
            Map.entry("price_eur:<99", List.of("birds.csv#2", "birds.csv#1")),
            Map.entry("unit:belt-3 seq:1000..1020", List.of("belt.log#1018", "belt.log#1011", "belt.log#1004")),
            Map.entry("seen:>=2026-11-21", List.of("birds.csv#2")),
            Map.entry("time:2026-11-20T10", List.of("app.log#2", "app.log#1")),
            Map.entry("time:>=2026-11-22", List.of("app.log#4", "mail/heron.eml")),
            Map.entry("10.0.0.*", List.of("app.log#4", "app.log#2", "app.log#1")),
            Map.entry("host:press-5", List.of("app.jsonl#2", "app.jsonl#1", "app.log#3")),
            Map.entry("hoot*", List.of("mail/owl.eml")),
            Map.entry("?uck*", List.of("belt.log#1500", "belt.log#1000", "belt.log#500")),
            Map.entry("city:Oslo", List.of()), // in a row of before
            Map.entry("wryneck OR draft OR stork", List.of())); // of what was replaced and deleted, under both keys

    @TempDir
    private Path temporary;

    private final FrozenSet set;
    private Path folder;
    private DevicePlaces device;

    FrozenArchiveTest(FrozenSet set) {
        this.set = set;
    }

    @BeforeEach
    void copy() throws IOException {
        folder = set.copy("segments", temporary);
        Path places = set.copy("device", temporary);
        device = new DevicePlaces(places.resolve("keys"), places.resolve("states"));
        FrozenSchemesTest.makePrivate(DeviceKey.of(folder, device).file());
    }

    private SegmentFolder open() throws IOException {
        return SegmentFolder.open(folder, device, RANDOM);
    }

    private static List<String> names(Answer answer) {
        return answer.documents().stream()
                .map(found -> found.name().substring(DOCUMENTS.length()))
                .toList();
    }

    private static void requireAnswers(SegmentFolder archive, Map<String, List<String>> answers) throws IOException {
        for (Map.Entry<String, List<String>> each : answers.entrySet()) {
            assertThat(names(archive.search(each.getKey(), 20, false)))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    private static NewDocument document(String name, String text) {
        byte[] digest = new Sha256().add(text.getBytes(StandardCharsets.UTF_8)).finish();
        return new NewDocument(DOCUMENTS + name, digest, 0, text.length(), words -> words.text(text));
    }

    private static ReadDocument read(String name, String text) throws IOException {
        return ReadDocument.of(document(name, text), new DocumentWords(true));
    }

    @Test
    void findsWhatIsThereAndNothingThatWasReplacedOrDeleted() throws Exception {
        try (SegmentFolder archive = open()) {
            requireAnswers(archive, ANSWERS);
            assertThat(archive.search("tick", 20, false).count()).isEqualTo(1500);
            assertThat(archive.search("NOT tick", 20, false).count()).isEqualTo(12);
            assertThat(archive.sizes().documents()).isEqualTo(1512);
        }
    }

    @Test
    void putsTheBestFirst() throws Exception {
        try (SegmentFolder archive = open()) {
            Answer best = archive.search("pump OR overheated OR again", 20, true);
            assertThat(names(best)).hasSize(6).startsWith("app.log#4");
            assertThat(best.documents())
                    .extracting(Answer.Found::score)
                    .allMatch(score -> score > 0)
                    .isSortedAccordingTo((a, b) -> Double.compare(b, a));
        }
    }

    @Test
    void isAsItWasPut() throws Exception {
        try (SegmentFolder archive = open()) {
            assertThat(archive.verify()).isEmpty();
            assertThat(archive.sizes().segments()).isGreaterThan(2);
            assertThat(archive.sizes().deleted()).isPositive();
        }
    }

    @Test
    void passesOverWhatItHasAsItIs() throws Exception {
        String text = "A heron, and a kingfisher since.\n";
        try (SegmentFolder archive = open()) {
            assertThat(archive.same(List.of(document("notes.txt", text), document("other.txt", text))))
                    .containsExactly(true, false);
            assertThat(archive.same(List.of(document("notes.txt", text + "An owl.\n"))))
                    .containsExactly(false);
        }
    }

    @Test
    void goesOnUnderItsKeyAndUnderTheNextOne() throws Exception {
        try (SegmentFolder archive = open()) {
            assertThat(archive.add(List.of(read("notes.txt", "An ibis."), read("new.txt", "An owl, and an ibis."))))
                    .isEqualTo(new Archive.Added(2, 1, 0));
            assertThat(archive.deleteNamed(List.of(DOCUMENTS + "mail/owl.eml", DOCUMENTS + "mail/draft.eml")))
                    .isEqualTo(1);
            assertThat(archive.deletePartsAbove(DOCUMENTS + "belt.log", 1010, () -> true))
                    .isEqualTo(490);
            requireChanged(archive);
            archive.maintain();
            requireChanged(archive);
            assertThat(archive.rekey()).isEqualTo(3);
            requireChanged(archive);
        }
        try (SegmentFolder archive = open()) {
            requireChanged(archive);
            archive.compact();
            archive.purge();
            requireChanged(archive);
            assertThat(archive.verify()).isEmpty();
            assertThat(archive.sizes().deleted()).isZero();
        }
    }

    private static void requireChanged(SegmentFolder archive) throws IOException {
        assertThat(names(archive.search("owl", 20, false)))
                .containsExactlyInAnyOrder("new.txt", "birds.csv#1", "mail/lark.eml");
        assertThat(names(archive.search("ibis", 20, false))).containsExactlyInAnyOrder("new.txt", "notes.txt");
        assertThat(names(archive.search("kingfisher OR hooting", 20, false))).isEmpty();
        assertThat(archive.search("tick", 20, false).count()).isEqualTo(1010);
    }

    @Test
    void itsDeviceRefusesAnEarlierCopyOfTheFolder() throws Exception {
        folder = set.copy("earlier", temporary);
        assertThatThrownBy(this::open).isInstanceOf(RolledBackException.class);
        assertThat(SegmentFolder.accept(folder, device, RANDOM)).isTrue();
        try (SegmentFolder archive = open()) {
            assertThat(names(archive.search("stork", 20, false))).containsExactly("mail/gone.eml");
        }
    }

    @Test
    void aBackupBringsTheKeyToAnotherDevice() throws Exception {
        byte[] passphrase = "frozen sample passphrase".getBytes(StandardCharsets.UTF_8);
        byte[] key = Files.readAllBytes(DeviceKey.of(folder, device).file());
        String what = DeviceKey.of(folder, device).of();
        requireRestored("one", SecretBackup.open(what, set.bytes("backup/key.vgbackup"), passphrase), key);
        SecretBackup.Restored shared =
                SecretBackup.restore(what, set.bytes("backup/shares/key.vgbackup"), List.of(share(3), share(1)));
        assertThat(shared.wrongShares()).isEmpty();
        requireRestored("two", shared.secret(), key);
        byte[] former = SecretBackup.open(what, set.bytes("backup/former.vgbackup"), passphrase);
        device = new DevicePlaces(temporary.resolve("three/keys"), temporary.resolve("three/states"));
        assertThatThrownBy(() -> DeviceKey.of(folder, device).restore(former))
                .isInstanceOf(UnusableKeyException.class)
                .hasMessageContaining("had a new key since the backup was made");
    }

    private KeyShare share(int number) throws Exception {
        return KeyShare.parse(set.text("backup/shares/share-" + number + ".txt"));
    }

    private void requireRestored(String name, byte[] secret, byte[] key) throws IOException {
        device = new DevicePlaces(temporary.resolve(name + "/keys"), temporary.resolve(name + "/states"));
        assertThat(DeviceKey.of(folder, device).restore(secret)).isTrue();
        assertThat(DeviceKey.of(folder, device).file()).hasBinaryContent(key);
        try (SegmentFolder archive = open()) {
            requireAnswers(archive, ANSWERS);
        }
    }
}
