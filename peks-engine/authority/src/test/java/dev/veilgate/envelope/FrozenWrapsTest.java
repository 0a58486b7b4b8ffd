package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.files.Frozen;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Envelopes that an earlier version wrapped with FrodoKEM are opened after a rotation, by readers, and from a backup.
 */
class FrozenWrapsTest {
    static final List<String> NAMES = List.of("tenant-key", "cp-fabeo22", "rotated");

    @TempDir
    private Path temporary;

    static Envelope envelope(String name) throws MalformedEncodingException {
        return Envelope.decode(Frozen.envelopes(Frozen.WRAPS, name).getFirst());
    }

    private static List<String> opened(EnvelopeOpener opener, String name) throws Exception {
        return opener.open(envelope(name)).stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void theKeyFolderOpensWhatWasSealedBeforeAndAfterTheRotation() throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                Frozen.copy(Frozen.WRAPS, "keys", temporary),
                Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                Access.READ,
                new SecureRandom())) {
            for (String name : NAMES) {
                assertThat(opened(folder.keys().opener(), name)).isEqualTo(Frozen.lines(name));
            }
        }
    }

    @Test
    void aReadersFileOpensWhatIsForItsAttributes() throws Exception {
        try (ReaderKeyFile.Content ada = ReaderKeyFile.open(
                Frozen.path(Frozen.WRAPS, "readers/ada.vgr"),
                Frozen.READER_PASSPHRASE.getBytes(StandardCharsets.UTF_8))) {
            EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(ada.readers()));
            assertThat(opened(opener, "cp-fabeo22")).isEqualTo(Frozen.lines("cp-fabeo22"));
        }
    }

    @Test
    void bundlesNameTheKeysThatSenderWrapFor() throws Exception {
        String authority =
                Files.readString(Frozen.path(Frozen.WRAPS, "authority")).strip();
        for (String name : List.of("first", "last")) {
            PublicBundle bundle = PublicBundle.verifyForReceiving(
                    Files.readAllBytes(Frozen.path(Frozen.WRAPS, "bundles/" + name + ".vgb")), authority, 0);
            assertThat(bundle.wrapKey().algorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976);
        }
    }

    @Test
    void aBackupOfBeforeTheRotationBringsBackWhatOpens() throws Exception {
        Path restored = temporary.resolve("restored");
        byte[] fresh = "another passphrase".getBytes(StandardCharsets.UTF_8);
        List<KeyShare> shares = List.of(share(2), share(3));
        KeyBackup.restore(
                Frozen.path(Frozen.WRAPS, "backup/keys.vgbackup"),
                shares,
                restored,
                fresh,
                new PassphraseCost(64, 1, 1),
                new SecureRandom());
        try (KeyFolder folder = KeyFolder.open(restored, fresh, Access.READ, new SecureRandom())) {
            assertThat(folder.keys().wrapAlgorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976);
            for (String name : List.of("tenant-key", "cp-fabeo22")) {
                assertThat(opened(folder.keys().opener(), name)).isEqualTo(Frozen.lines(name));
            }
        }
    }

    private static KeyShare share(int number) throws Exception {
        return KeyShare.parse(Files.readString(Frozen.path(Frozen.WRAPS, "backup/share-" + number + ".txt")));
    }
}
