package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SecretBackup;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of an archive's key by the command, and what they restore on this device and on another. */
class ArchiveKeyCommandTest {
    private static final PassphraseCost CHEAP = new PassphraseCost(64, 1, 1);

    @TempDir
    private Path folder;

    private final CommandRun run = new CommandRun();
    private Path archive;
    private Path backup;

    @BeforeEach
    void makeArchive() throws IOException {
        archive = folder.resolve("archive");
        backup = folder.resolve("mails.vgbackup");
        useDevice("device");
        run.ok("archive", "create", archive);
        run.ok("archive", "add", archive, Files.writeString(folder.resolve("notes.txt"), "an owl"));
    }

    private void useDevice(String name) {
        run.environment.put("XDG_CONFIG_HOME", folder.resolve(name + "/config").toString());
        run.environment.put("XDG_STATE_HOME", folder.resolve(name + "/state").toString());
    }

    private Path keys(String device) {
        return folder.resolve(device + "/config/veilgate/archives");
    }

    private Path key(String device) throws IOException {
        try (Stream<Path> keys = Files.list(keys(device))) {
            return keys.findFirst().orElseThrow();
        }
    }

    private Result backUp(Object... arguments) {
        return run.ok(Stream.concat(Stream.of("archive", "key", "backup", "--memory", "8"), Stream.of(arguments))
                .toArray());
    }

    private Result restore(Object... files) {
        List<Object> arguments = new ArrayList<>(List.of("archive", "key", "restore", archive));
        arguments.addAll(List.of(files));
        return run.run(arguments.toArray());
    }

    private void assertRefused(int code, String why, Object... files) {
        Result result = restore(files);
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.err()).contains(why).doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
        assertThat(keys("other")).doesNotExist();
    }

    private static void assertPrivate(Path file) throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .as(file.toString())
                .endsWith("------");
    }

    /** An archive beside the usual one, of the same device. */
    private Path second() {
        Path second = folder.resolve("second");
        run.ok("archive", "create", second);
        return second;
    }

    @Test
    void aBackupByAPassphraseIsTheWayToAnotherDevice() throws Exception {
        Result made = backUp(archive, backup);
        assertThat(made.out()).isEqualTo(backup + ": restored by its passphrase\n");
        assertThat(made.err()).isEmpty();
        assertPrivate(backup);
        String secret = HexFormat.of().formatHex(Files.readAllBytes(key("device")));
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(backup)))
                .doesNotContain(secret.substring(secret.length() - 64));
        useDevice("other");
        run.environment.put("VEILGATE_PASSPHRASE", "not the passphrase");
        assertRefused(ExitCode.KEY, "wrong passphrase", backup);
        run.environment.put("VEILGATE_PASSPHRASE", CommandRun.PASSPHRASE);
        Result restored = restore(backup);
        assertThat(restored.code()).as(restored.err()).isZero();
        assertThat(restored.out()).isEqualTo("the key is " + key("other") + "\n");
        assertThat(key("other")).hasSameBinaryContentAs(key("device"));
        assertPrivate(key("other"));
        assertPrivate(keys("other"));
        assertThat(run.ok("archive", "search", archive, "owl").out()).contains("notes.txt");
        assertThat(restore(backup).out()).isEqualTo("the key is there already, as " + key("other") + "\n");
    }

    @Test
    void anyTwoOfThreeSharesRestoreWithoutAPassphrase() throws Exception {
        run.environment.remove("VEILGATE_PASSPHRASE");
        Path shares = folder.resolve("shares");
        Result made = backUp("--shares", "2-of-3", archive, shares);
        assertThat(made.out()).isEqualTo(shares + "/key.vgbackup: restored by any 2 of 3 shares\n");
        assertThat(made.err()).contains("give each to another person and delete it here");
        for (String name : List.of("", "key.vgbackup", "share-1.txt", "share-2.txt", "share-3.txt")) {
            assertPrivate(shares.resolve(name));
        }
        assertThat(Files.readString(shares.resolve("share-1.txt"))).contains("of      archive ", "1 of 3; any 2");
        useDevice("other");
        Path sealed = shares.resolve("key.vgbackup");
        Path one = shares.resolve("share-1.txt");
        Path two = shares.resolve("share-2.txt");
        Path three = shares.resolve("share-3.txt");
        assertRefused(ExitCode.KEY, "needs 2 different shares, and 1 were given", sealed, one);
        assertRefused(ExitCode.USAGE, "shares only", one, two);
        assertRefused(ExitCode.USAGE, "second backup", sealed, sealed, one, two);
        backUpOnDevice("--shares", "2-of-3", archive, folder.resolve("again"));
        assertRefused(ExitCode.KEY, "share 2 is of another backup", sealed, one, folder.resolve("again/share-2.txt"));
        String text = Files.readString(two);
        int last = text.indexOf('\n', text.indexOf("\n3: ") + 1) - 1;
        Files.writeString(
                two, text.substring(0, last) + (text.charAt(last) == 'A' ? 'B' : 'A') + text.substring(last + 1));
        assertRefused(ExitCode.REFUSED, "share-2.txt: share, line 3", two, sealed, one);
        assertThat(restore(three, sealed, one).code()).isZero();
        assertThat(run.ok("archive", "search", archive, "owl").out()).contains("notes.txt");
        useDevice("third");
        assertThat(restore(folder.resolve("again")).code()).isZero(); // with all that is in it
    }

    private void backUpOnDevice(Object... arguments) {
        useDevice("device");
        backUp(arguments);
        useDevice("other");
    }

    @Test
    void keysOfAnotherArchiveAreRefusedAndNothingIsWritten() throws Exception {
        Path second = second();
        backUp(second, backup);
        Path shares = folder.resolve("shares");
        backUp("--shares", "2-of-2", second, shares);
        useDevice("other");
        assertRefused(ExitCode.REFUSED, "must be of archive ", backup);
        assertRefused(
                ExitCode.REFUSED,
                "must be of archive ",
                shares.resolve("key.vgbackup"),
                shares.resolve("share-1.txt"),
                shares.resolve("share-2.txt"));
        String id = id(archive);
        Path own = keys("device").resolve(id + ".key");
        byte[] other = Files.readAllBytes(own);
        other[other.length - 1] ^= 1;
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        Files.write(backup, SecretBackup.seal("archive " + id, other, passphrase, CHEAP, new SecureRandom()));
        assertRefused(ExitCode.KEY, "the key of the backup is not that of this archive", backup);
        Files.write(backup, SecretBackup.seal("archive " + id, new byte[9], passphrase, CHEAP, new SecureRandom()));
        assertRefused(ExitCode.KEY, "no archive's key", backup);
        useDevice("device");
        Files.write(own, other);
        Result wrong = run.run("archive", "key", "backup", archive, folder.resolve("new"));
        assertThat(wrong.code()).isEqualTo(ExitCode.KEY);
        assertThat(wrong.err()).contains("is not the key of this archive");
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    void anotherKeyThatIsThereIsLeftAsItIs() throws Exception {
        backUp(archive, backup);
        Path key = key("device");
        Path second = second();
        Path other = keys("device").resolve(id(second) + ".key");
        Files.copy(other, key, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Result refused = restore(backup);
        assertThat(refused.code()).isEqualTo(ExitCode.KEY);
        assertThat(refused.err()).contains(key + " is another key, and is left as it is");
        assertThat(key).hasSameBinaryContentAs(other);
        Files.delete(key);
        assertThat(restore(backup).code()).isZero();
        assertThat(run.ok("archive", "search", archive, "owl").out()).contains("notes.txt");
    }

    private static String id(Path archive) throws IOException {
        return Files.readString(archive.resolve("archive.json")).replaceAll("(?s).*\"id\" : \"(\\w+)\".*", "$1");
    }

    @Test
    void afterARekeyOtherDevicesNeedTheNewKeyAndBackupsOfTheOldOneAreRefused() throws Exception {
        backUp(archive, backup);
        useDevice("other");
        assertThat(restore(backup).code()).isZero();
        useDevice("device");
        Result rekeyed = run.ok("archive", "compact", "--rekey", archive);
        assertThat(rekeyed.out()).contains("the archive has a new key, number 2; it is " + key("device"));
        assertThat(rekeyed.err())
                .contains("back the new key up now")
                .contains("--purge removes them at once. Copies that somebody made stay readable");
        assertThat(run.ok("archive", "add", archive, folder.resolve("notes.txt"))
                        .out())
                .isEqualTo("0 added, of which 0 in place of an older form; 1 unchanged, 0 deleted, 0 not added\n");
        assertThat(run.ok("archive", "search", archive, "owl").out()).contains("notes.txt");
        useDevice("other");
        byte[] old = Files.readAllBytes(key("other"));
        long states = states();
        for (String command : List.of("search", "delete", "add")) {
            Result refused = run.run("archive", command, archive, folder.resolve("notes.txt"));
            assertThat(refused.code()).isEqualTo(ExitCode.KEY);
            assertThat(refused.err())
                    .contains("has had a new key since state 3")
                    .contains("veilgate archive key restore");
        }
        assertThat(states()).isEqualTo(states);
        Result outdated = restore(backup);
        assertThat(outdated.code()).isEqualTo(ExitCode.KEY);
        assertThat(outdated.err()).contains("a new key since the backup was made");
        assertThat(key("other")).hasBinaryContent(old);
        Path fresh = folder.resolve("new.vgbackup");
        backUpOnDevice(archive, fresh);
        assertThat(restore(fresh).code()).isZero();
        assertThat(run.ok("archive", "search", archive, "owl").out()).contains("notes.txt");
        assertThat(run.ok("archive", "compact", "--rekey", "--purge", archive).err())
                .doesNotContain("in the trash for seven days");
        assertThat(run.ok("archive", "verify", archive).out()).contains("as they were put");
    }

    private long states() throws IOException {
        try (Stream<Path> files = Files.walk(archive.resolve("manifests"))) {
            return files.count();
        }
    }

    @Test
    void wrongPlacesFilesAndSchemesAreNamed() throws Exception {
        backUp(archive, backup);
        fails(ExitCode.IO, "exists already", "backup", archive, backup);
        fails(ExitCode.IO, "no such folder", "backup", archive, folder.resolve("none/new"));
        fails(ExitCode.USAGE, "in the archive's folder", "backup", archive, archive.resolve("backup.key"));
        fails(ExitCode.USAGE, "written like 3-of-5", "backup", "--shares", "3", archive, folder.resolve("new"));
        fails(ExitCode.USAGE, "backup, restore");
        run.environment.put("VEILGATE_PASSPHRASE", "short");
        fails(ExitCode.KEY, "at least 12 characters", "backup", archive, folder.resolve("new"));
        Path suise = folder.resolve("suise");
        run.ok("archive", "create", "--scheme", "suise", suise);
        fails(ExitCode.USAGE, "of the scheme suise is " + suise + "/archive.key", "backup", suise, folder.resolve("x"));
        fails(ExitCode.USAGE, "back up the whole folder", "restore", suise, backup);
        fails(ExitCode.REFUSED, "is no archive", "restore", folder, backup);
        fails(ExitCode.IO, "no such file", "restore", archive, folder.resolve("none"));
        fails(ExitCode.REFUSED, "notes.txt: share, line 1", "restore", archive, folder.resolve("notes.txt"));
        byte[] damaged = Files.readAllBytes(backup);
        damaged[damaged.length / 2] ^= 1;
        Files.write(backup, damaged);
        fails(ExitCode.KEY, "is damaged or cut off", "restore", archive, backup);
        assertThat(folder.resolve("new")).doesNotExist();
    }

    private void fails(int code, String why, Object... arguments) {
        Result result = run.run(
                Stream.concat(Stream.of("archive", "key"), Stream.of(arguments)).toArray());
        assertThat(result.err()).contains(why).doesNotContain("\tat ");
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.out()).isEmpty();
    }
}
