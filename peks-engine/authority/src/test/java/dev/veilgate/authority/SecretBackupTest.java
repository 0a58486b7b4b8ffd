package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A small secret, sealed by a passphrase and given up to shares, and brought back. */
class SecretBackupTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final TestSeed SEED = TestSeed.of(SecretBackupTest.class);
    private static final byte[] SECRET = "thirty-two bytes of a secret key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PASSPHRASE = "battery horse correct".getBytes(StandardCharsets.UTF_8);
    private static final String WHAT = "archive 01";

    private static byte[] sealed() {
        return SecretBackup.seal(WHAT, SECRET, PASSPHRASE, SealedWord.CHEAP, RANDOM);
    }

    private static SecretBackup.Shared shared(int threshold, int count) {
        return SecretBackup.share(WHAT, SECRET, threshold, count, SealedWord.NOW, RANDOM);
    }

    private static void assertReason(Reason reason, ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        KeyFileException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void bothFormsBringTheSecretBack() throws Exception {
        byte[] sealed = sealed();
        assertThat(SecretBackup.form(sealed)).isEqualTo(SecretBackup.Form.SEALED);
        assertThat(SecretBackup.open(WHAT, sealed, PASSPHRASE)).isEqualTo(SECRET);
        assertReason(Reason.WRONG_PASSPHRASE, () -> SecretBackup.open(WHAT, sealed, SECRET));
        SecretBackup.Shared shared = shared(2, 3);
        assertThat(SecretBackup.form(shared.file())).isEqualTo(SecretBackup.Form.SHARED);
        List<KeyShare> shares = shared.shares();
        SecretBackup.Restored restored =
                SecretBackup.restore(WHAT, shared.file(), List.of(shares.get(2), shares.get(0)));
        assertThat(restored.secret()).isEqualTo(SECRET);
        assertThat(restored.wrongShares()).isEmpty();
        assertReason(Reason.SHARES, () -> SecretBackup.restore(WHAT, shared.file(), List.of(shares.get(1))));
        KeyShare second = shares.get(1);
        byte[] value = second.value().clone();
        value[3] ^= 1;
        KeyShare altered =
                new KeyShare(HexFormat.of().parseHex(second.backupId()), second.threshold(), second.shares(), 2, value);
        assertReason(Reason.SHARES, () -> SecretBackup.restore(WHAT, shared.file(), List.of(shares.get(0), altered)));
        assertThat(SecretBackup.restore(WHAT, shared.file(), List.of(shares.get(0), altered, shares.get(2)))
                        .wrongShares())
                .containsExactly(2);
    }

    @Test
    void backupsOfSomethingElseAreRefused() {
        SecretBackup.Shared shared = shared(2, 2);
        assertThatThrownBy(() -> SecretBackup.open("archive 02", sealed(), PASSPHRASE))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("backup: must be of archive 02, and is of archive 01");
        assertThatThrownBy(() -> SecretBackup.restore("archive 02", shared.file(), shared.shares()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("backup: must be of archive 02, and is of archive 01");
        try (PassphraseLock lock = PassphraseLock.fresh(PASSPHRASE, SealedWord.CHEAP, RANDOM)) {
            byte[] other = lock.seal(new byte[] {(byte) 0x81, 1}, RANDOM);
            assertThatThrownBy(() -> SecretBackup.open(WHAT, other, PASSPHRASE))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("a backup of other keys");
        }
        assertThat(SecretBackup.form(new byte[0])).isEqualTo(SecretBackup.Form.NONE);
        assertThat(SecretBackup.form("1: ABCD".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(SecretBackup.Form.NONE);
    }

    @Test
    void damagedBackupsAreRefused() {
        SplittableRandom random = SEED.random("damage");
        SecretBackup.Shared shared = shared(2, 2);
        for (int round = 0; round < 40; round++) {
            byte[] good = round % 2 == 0 ? sealed() : shared.file();
            byte[] bad = random.nextBoolean() ? good.clone() : Arrays.copyOf(good, random.nextInt(good.length + 9));
            if (bad.length >= good.length) {
                bad[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThatThrownBy(() -> open(bad, shared.shares()))
                    .isInstanceOfAny(KeyFileException.class, MalformedEncodingException.class);
        }
    }

    private static void open(byte[] file, List<KeyShare> shares) throws Exception {
        if (SecretBackup.form(file) == SecretBackup.Form.SHARED) {
            SecretBackup.restore(WHAT, file, shares);
        } else {
            SecretBackup.open(WHAT, file, PASSPHRASE);
        }
    }
}
