package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.files.Frozen;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.issuing.LogVerifier;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** A key folder, its backup and its readers' files that an earlier version wrote are read, and go on being used. */
@ParameterizedClass
@FieldSource("dev.veilgate.files.Frozen#SETS")
class FrozenKeyFolderTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    private final FrozenSet set;
    private final Clock clock;
    private final List<String> both;
    private Path folder;

    FrozenKeyFolderTest(FrozenSet set) {
        this.set = set;
        this.clock = Clock.fixed(set.now(), ZoneOffset.UTC);
        this.both = Frozen.epochs(set);
    }

    @BeforeEach
    void copy() throws Exception {
        folder = set.copy("keys", temporary);
    }

    private static KeyFolder open(Path folder, Access access) throws Exception {
        return KeyFolder.open(folder, utf8(Frozen.PASSPHRASE), access, RANDOM);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Envelope envelope(String name) throws Exception {
        return Envelope.decode(Frozen.envelopes(set, name).getFirst());
    }

    private static List<String> text(List<byte[]> records) {
        return records.stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }

    private static SearchRequest search(TenantKeys keys, FileTrapdoorStore store, List<String> epochs)
            throws Exception {
        List<List<Keyword>> terms = List.of(List.of(Keyword.text("word", "overheated")));
        return keys.request("plant-7", epochs, terms, Expression.allOf(1), store);
    }

    private int[] found(SearchRequest request, String envelope) throws Exception {
        return PreparedSearch.of(request, IndexSchemes.load())
                .match(envelope(envelope), IndexAdmission.trust(envelope(envelope), IndexSchemes.load()))
                .ordinals()
                .toArray();
    }

    @Test
    void hasEveryKeyOfBeforeAndAfterTheRotation() throws Exception {
        try (KeyFolder read = open(folder, Access.READ)) {
            TenantKeys keys = read.keys();
            assertThat(keys.tenant()).isEqualTo("acme");
            assertThat(keys.epochs()).isEqualTo(EpochPolicy.MONTHLY);
            assertThat(keys.authority().fingerprint()).isEqualTo(Frozen.authority(set));
            assertThat(keys.keys().stream()
                            .collect(Collectors.groupingBy(
                                    key -> key.kind() + " " + key.parameters(), Collectors.counting())))
                    .hasSize(9)
                    .containsValues(1L, 2L);
            assertThat(keys.scopes()).containsExactly("plant-7");
            assertThat(keys.recipients())
                    .extracting("address")
                    .containsExactly("p256@example.org", "p384@example.org", "p521@example.org", "rsa@example.org");
            assertThat(keys.senders().list())
                    .extracting(SenderPublicKey::sender)
                    .containsExactly("press-4");
            assertThat(keys.readers().keySet()).containsExactly("ada", "ben");
            assertThat(keys.issuedTo("ada").orElseThrow().searches()).isTrue();
            assertThat(keys.mailSigners()).hasSize(set.equals(Frozen.FIRST) ? 2 : 3);
            assertThat(keys.mailSigner()).isPresent();
            assertThat(keys.profiles().first()).isNotEmpty();
        }
    }

    @Test
    void isWhatWasWritten() throws Exception {
        try (KeyFolder change = open(folder, Access.CHANGE);
                FileTrapdoorStore store = change.trapdoors();
                IssuingLog log = AuthorityLog.open(change, HeadPolicy.DEFAULT, clock, RANDOM)) {
            KeyFolderCheck.Result result = KeyFolderCheck.of(change.keys(), store, log);
            assertThat(result.findings()).isEmpty();
            assertThat(result.trapdoors()).isEqualTo(4); // two epochs, a key of before and one of after the rotation
            assertThat(result.proven()).isEqualTo(result.trapdoors());
        }
    }

    @Test
    void findsAndOpensWhatWasSealedUnderItsKeys() throws Exception {
        try (KeyFolder read = open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest request = search(read.keys(), store, both);
            for (String each : List.of("former", "tenant-key", "tenant-key-next-epoch")) {
                assertThat(found(request, each)).as(each).containsExactly(1);
                assertThat(text(read.keys().opener().open(envelope(each)))).isEqualTo(Frozen.lines(each));
            }
        }
    }

    @Test
    void givesTheTrapdoorsOutThatItGaveBefore() throws Exception {
        try (KeyFolder read = open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest issued = SearchRequest.decode(set.bytes("overheated.vgs"));
            SearchRequest again = search(read.keys(), store, both);
            List<List<Byte>> stored = ntru(issued);
            assertThat(stored).hasSize(4);
            assertThat(ntru(again)).isEqualTo(stored);
            assertThat(store.names()).as("none was sampled").hasSize(4);
            assertThat(issued.grant()).isPresent();
            issued.grant().orElseThrow().verify(read.keys().authority(), issued, set.now());
        }
    }

    private static List<List<Byte>> ntru(SearchRequest request) {
        return request.terms().getFirst().stream()
                .filter(trapdoor -> trapdoor.scheme().equals("ntru-peks"))
                .map(trapdoor -> bytes(trapdoor.encode()))
                .toList();
    }

    private static List<Byte> bytes(byte[] array) {
        Byte[] boxed = new Byte[array.length];
        Arrays.setAll(boxed, i -> array[i]);
        return List.of(boxed);
    }

    @Test
    void theKeyFileOfBeforeTheLastChangeOpensWithTheRegistryThatItNames() throws Exception {
        Files.move(
                folder.resolve("keys.vgk.previous"), folder.resolve("keys.vgk"), StandardCopyOption.REPLACE_EXISTING);
        try (KeyFolder read = open(folder, Access.READ)) {
            assertThat(read.keys().senders().list())
                    .extracting(SenderPublicKey::sender)
                    .containsExactly("press-4", "press-5");
        }
    }

    @Test
    void changesAndIsReadAgain() throws Exception {
        try (KeyFolder change = open(folder, Access.CHANGE)) {
            change.keys().rotateWrapKey(RANDOM, set.now());
            change.keys().addScope("plant-8");
            change.save();
        }
        try (KeyFolder read = open(folder, Access.READ)) {
            assertThat(read.keys().scopes()).containsExactly("plant-7", "plant-8");
            assertThat(text(read.keys().opener().open(envelope("former")))).isEqualTo(Frozen.lines("former"));
        }
    }

    @Test
    void itsIssuingLogVerifiesAndGoesOn() throws Exception {
        try (KeyFolder change = open(folder, Access.CHANGE);
                IssuingLog log = AuthorityLog.open(change, HeadPolicy.DEFAULT, clock, RANDOM)) {
            long before = log.size();
            assertThat(before).isGreaterThan(set.equals(Frozen.FIRST) ? 15 : 8);
            List<LogEntry> entries = log.newestFirst(before + 1, 1000);
            assertThat(entries)
                    .extracting(LogEntry::kind)
                    .contains(EntryKind.KEY_CHANGE, EntryKind.BUNDLE, EntryKind.ATTRIBUTE_KEY, EntryKind.BACKUP);
            assertThat(entries.stream()
                            .flatMap(entry -> AuthorityLog.unseal(change.keys(), entry).stream())
                            .flatMap(details -> details.values().stream()))
                    .as("details that only the keys open, of before and after the rotation")
                    .anyMatch(detail -> detail.contains("overheated"));
            log.append(LogDraft.of(EntryKind.EXPORT, "ada"));
            SignedTreeHead older = SignedTreeHead.decode(set.bytes("log-head.vgh"));
            assertThat(log.proveConsistency(older, log.head())).isNotNull();
            ByteArrayOutputStream exported = new ByteArrayOutputStream();
            log.export(exported);
            LogVerifier verifier = new LogVerifier(Frozen.authority(set));
            verifier.expect("log-head.vgh", older);
            verifier.read(new ByteArrayInputStream(exported.toByteArray()));
            assertThat(verifier.findings()).isEmpty();
            assertThat(verifier.entries()).isGreaterThan(before);
        }
    }

    @Test
    void itsBackupIsRestoredByTwoOfThreeShares() throws Exception {
        Path restored = temporary.resolve("restored");
        byte[] fresh = utf8("another passphrase");
        List<KeyShare> shares = List.of(share(1), share(3));
        KeyBackup.Restored said =
                KeyBackup.restore(set.path("backup/keys.vgbackup"), shares, restored, fresh, SealedWord.CHEAP, RANDOM);
        assertThat(said.tenant()).isEqualTo("acme");
        assertThat(said.wrongShares()).isEmpty();
        try (KeyFolder read = KeyFolder.open(restored, fresh, Access.READ, RANDOM);
                FileTrapdoorStore store = read.trapdoors()) {
            assertThat(read.keys().authority().fingerprint()).isEqualTo(Frozen.authority(set));
            assertThat(read.keys().senders().list())
                    .extracting(SenderPublicKey::sender)
                    .containsExactly("press-4", "press-5");
            assertThat(store.names()).hasSize(1);
            assertThat(found(search(read.keys(), store, both.subList(0, 1)), "former"))
                    .containsExactly(1);
            assertThat(text(read.keys().opener().open(envelope("former")))).isEqualTo(Frozen.lines("former"));
        }
    }

    private KeyShare share(int number) throws Exception {
        return KeyShare.parse(set.text("backup/share-" + number + ".txt"));
    }
}
