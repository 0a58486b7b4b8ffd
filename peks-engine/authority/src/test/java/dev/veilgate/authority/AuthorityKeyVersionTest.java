package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.files.Frozen;
import dev.veilgate.peks.FileTrapdoorStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New tenants have an authority whose lasting signatures are of three schemes; those of before go on with two. */
class AuthorityKeyVersionTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration MONTH = Duration.ofDays(30);

    /** Where the version is in a bundle: behind the head of the array, and the magic word with its head. */
    private static final int VERSION_AT = 1 + 1 + "veilgate-bundle".length();

    @TempDir
    private Path temporary;

    @Test
    void newTenantsHaveThreeSignatures() throws Exception {
        try (KeyFolder folder = SealedWord.open(SealedWord.keys(temporary), Access.CHANGE)) {
            SenderPublicKey authority = folder.keys().authority();
            assertThat(authority.version()).isEqualTo(2);
            assertThat(authority.lastingSchemes()).hasSize(3);
            byte[] bundle = folder.keys().nextBundle(SealedWord.NOW, MONTH);
            assertThat(bundle[VERSION_AT]).isEqualTo((byte) 2);
            assertThat(PublicBundle.verify(bundle, authority.fingerprint(), SealedWord.NOW)
                            .authority())
                    .isEqualTo(authority);
        }
    }

    @Test
    void theKeyComesBackFromABackup() throws Exception {
        Path keys = SealedWord.keys(temporary);
        Path file = temporary.resolve("acme.vgbackup");
        Path restored = temporary.resolve("restored");
        byte[] passphrase = "battery horse correct".getBytes(StandardCharsets.UTF_8);
        SenderPublicKey authority;
        List<KeyShare> shares;
        try (KeyFolder folder = SealedWord.open(keys, Access.CHANGE);
                FileTrapdoorStore store = folder.trapdoors()) {
            authority = folder.keys().authority();
            shares = KeyBackup.create(folder, store, file, 2, 3, RANDOM, SealedWord.NOW)
                    .shares();
        }
        KeyBackup.restore(file, shares.subList(1, 3), restored, passphrase, SealedWord.CHEAP, RANDOM);
        assertThat(Files.readAllBytes(restored.resolve("keys.vgk"))[1 + 1 + "veilgate-keys".length()])
                .isEqualTo((byte) 2);
        try (KeyFolder folder = KeyFolder.open(restored, passphrase, Access.CHANGE, RANDOM)) {
            assertThat(folder.keys().authority()).isEqualTo(authority);
            byte[] bundle = folder.keys().nextBundle(SealedWord.NOW, MONTH);
            assertThat(PublicBundle.verify(bundle, authority.fingerprint(), SealedWord.NOW)
                            .authority())
                    .isEqualTo(authority);
        }
    }

    @Test
    void theKeysOfATenantOfBeforeStayAsTheyAre() throws Exception {
        Path keys = Frozen.FIRST.copy("keys", temporary);
        byte[] passphrase = Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(keys, passphrase, Access.CHANGE, RANDOM)) {
            assertThat(folder.keys().authority().version()).isEqualTo(1);
            assertThat(folder.keys().authority().lastingSchemes()).containsExactly("Ed25519", "ML-DSA-65");
            folder.keys().rotateWrapKey(RANDOM, Frozen.FIRST.now());
            folder.save();
        }
        try (KeyFolder folder = KeyFolder.open(keys, passphrase, Access.CHANGE, RANDOM)) {
            byte[] bundle = folder.keys().nextBundle(Frozen.FIRST.now(), MONTH);
            assertThat(bundle[VERSION_AT]).isEqualTo((byte) 1);
            assertThat(PublicBundle.verify(bundle, Frozen.authority(Frozen.FIRST), Frozen.FIRST.now())
                            .authority()
                            .version())
                    .isEqualTo(1);
            Path others = Files.createDirectory(temporary.resolve("new"));
            try (KeyFolder other = SealedWord.open(SealedWord.keys(others), Access.READ)) {
                String pinned = other.keys().authority().fingerprint();
                assertThatThrownBy(() -> PublicBundle.verify(bundle, pinned, Frozen.FIRST.now()))
                        .isInstanceOf(RefusedBundleException.class)
                        .hasMessageContaining("another authority");
            }
        }
    }

    /** Software of before says "must be 1; update the software" at such a key file, and opens those of before. */
    @Test
    void aKeyFileHasTheVersionOfItsAuthoritysKey() throws Exception {
        int versionAt = 1 + 1 + "veilgate-keys".length();
        byte[] file = Files.readAllBytes(SealedWord.keys(temporary).resolve("keys.vgk"));
        assertThat(file[versionAt]).isEqualTo((byte) 2);
        Path before = Frozen.FIRST.copy("keys", Files.createDirectory(temporary.resolve("before")));
        byte[] passphrase = Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(before, passphrase, Access.CHANGE, RANDOM)) {
            folder.save();
        }
        assertThat(Files.readAllBytes(before.resolve("keys.vgk"))[versionAt]).isEqualTo((byte) 1);
    }

    @Test
    void theKeyOfAnAuthorityIsNotRegisteredAsASenders() throws Exception {
        try (KeyFolder folder = SealedWord.open(SealedWord.keys(temporary), Access.CHANGE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> folder.keys().putSender(folder.keys().authority()));
        }
    }
}
