package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.files.Frozen;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A key folder whose authority has two lasting signatures, and with which a version went on that makes three for new
 * tenants: what was sealed before and since is found and opened.
 */
class FrozenContinuedKeysTest {
    private static final FrozenSet SET = Frozen.CONTINUED;
    private static final Clock CLOCK = Clock.fixed(SET.now(), ZoneOffset.UTC);
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    private KeyFolder folder;

    @BeforeEach
    void open() throws Exception {
        folder = KeyFolder.open(
                SET.copy("keys", temporary), Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8), Access.CHANGE, RANDOM);
    }

    @AfterEach
    void close() throws Exception {
        folder.close();
    }

    private static Envelope envelope(FrozenSet set, String name) throws Exception {
        return Envelope.decode(Frozen.envelopes(set, name).getFirst());
    }

    private static List<String> text(List<byte[]> records) {
        return records.stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }

    private static int[] found(SearchRequest request, Envelope envelope) throws Exception {
        return PreparedSearch.of(request, IndexSchemes.load())
                .match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                .ordinals()
                .toArray();
    }

    @Test
    void itsAuthorityIsTheOneOfBefore() throws Exception {
        PublicBundle bundle =
                PublicBundle.verify(SET.bytes("bundles/last.vgb"), Frozen.authority(Frozen.FIRST), SET.now());
        assertThat(bundle.authority()).isEqualTo(folder.keys().authority());
        assertThat(bundle.authority().version()).isEqualTo(1);
        assertThat(bundle.serial()).isEqualTo(8);
    }

    @Test
    void opensAndFindsWhatWasSealedBeforeAndSince() throws Exception {
        Envelope since = envelope(SET, "continued");
        assertThat(text(folder.keys().opener().open(since))).isEqualTo(Frozen.lines("continued"));
        assertThat(since.signedBy(folder.keys().sender("press-6").orElseThrow()))
                .isTrue();
        SearchRequest request = SearchRequest.decode(SET.bytes("overheated.vgs"));
        assertThat(found(request, since)).containsExactly(1);
        for (String name : List.of("former", "tenant-key")) {
            Envelope before = envelope(Frozen.FIRST, name);
            assertThat(text(folder.keys().opener().open(before))).isEqualTo(Frozen.lines(name));
            assertThat(found(request, before)).as(name).containsExactly(1);
        }
    }

    @Test
    void aReaderOfSinceHasAttributeKeysOfThePairsOfSinceAndOfBefore() throws Exception {
        try (ReaderKeyFile.Content cleo = ReaderKeyFile.open(
                SET.path("readers/cleo.vgr"), Frozen.READER_PASSPHRASE.getBytes(StandardCharsets.UTF_8))) {
            EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(cleo.readers()));
            assertThat(text(opener.open(envelope(Frozen.FIRST, "cp-fabeo22")))).isEqualTo(Frozen.lines("cp-fabeo22"));
        }
    }

    @Test
    void itsFolderIsWhole() throws Exception {
        try (FileTrapdoorStore store = folder.trapdoors();
                IssuingLog log = AuthorityLog.open(folder, HeadPolicy.DEFAULT, CLOCK, RANDOM)) {
            KeyFolderCheck.Result result = KeyFolderCheck.of(folder.keys(), store, log);
            assertThat(result.findings()).isEmpty();
            assertThat(result.trapdoors()).isEqualTo(5);
            assertThat(result.proven()).isEqualTo(5);
            for (FrozenSet each : List.of(Frozen.FIRST, SET)) {
                SignedTreeHead older = SignedTreeHead.decode(each.bytes("log-head.vgh"));
                assertThat(log.proveConsistency(older, log.head())).isNotNull();
            }
        }
    }
}
