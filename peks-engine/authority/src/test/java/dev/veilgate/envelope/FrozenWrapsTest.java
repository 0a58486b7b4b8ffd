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
import dev.veilgate.testing.FrozenSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Envelopes that an earlier version wrapped with FrodoKEM are opened after a rotation, by readers, and from a backup.
 */
@ParameterizedClass
@FieldSource("dev.veilgate.files.Frozen#WRAPS")
class FrozenWrapsTest {
    private static final List<String> NAMES = List.of("tenant-key", "cp-fabeo22", "rotated");

    @TempDir
    private Path temporary;

    private final FrozenSet set;

    FrozenWrapsTest(FrozenSet set) {
        this.set = set;
    }

    private Envelope envelope(String name) throws MalformedEncodingException {
        return Envelope.decode(Frozen.envelopes(set, name).getFirst());
    }

    private List<String> opened(EnvelopeOpener opener, String name) throws Exception {
        return opener.open(envelope(name)).stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void theKeyFolderOpensWhatWasSealedBeforeAndAfterTheRotation() throws Exception {
        try (KeyFolder folder = KeyFolder.open(
                set.copy("keys", temporary),
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
                set.path("readers/ada.vgr"), Frozen.READER_PASSPHRASE.getBytes(StandardCharsets.UTF_8))) {
            EnvelopeOpener opener = new EnvelopeOpener(List.of(), ReaderKeys.of(ada.readers()));
            assertThat(opened(opener, "cp-fabeo22")).isEqualTo(Frozen.lines("cp-fabeo22"));
        }
    }

    @Test
    void bundlesNameTheKeysThatSenderWrapFor() throws Exception {
        for (String name : set.names("bundles").stream().distinct().toList()) {
            PublicBundle bundle =
                    PublicBundle.verifyForReceiving(set.bytes("bundles/" + name + ".vgb"), Frozen.authority(set), 0);
            assertThat(bundle.wrapKey().algorithm()).isEqualTo(WrapAlgorithm.X25519_FRODOKEM_976);
        }
    }

    @Test
    void aBackupOfBeforeTheRotationBringsBackWhatOpens() throws Exception {
        Path restored = temporary.resolve("restored");
        byte[] fresh = "another passphrase".getBytes(StandardCharsets.UTF_8);
        List<KeyShare> shares = List.of(share(2), share(3));
        KeyBackup.restore(
                set.path("backup/keys.vgbackup"),
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

    private KeyShare share(int number) throws Exception {
        return KeyShare.parse(set.text("backup/share-" + number + ".txt"));
    }
}
