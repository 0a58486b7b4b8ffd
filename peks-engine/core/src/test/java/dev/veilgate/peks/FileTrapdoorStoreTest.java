package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds the store to the one thing that keeps lattice trapdoors safe: what was acknowledged is what is returned for ever,
 * whatever happens to the process, and a damaged file is an error instead of a reason to issue a second trapdoor.
 */
class FileTrapdoorStoreTest {
    @TempDir
    private Path temporary;

    private Path folder() {
        return temporary.resolve("trapdoors");
    }

    @Test
    void returnsTheStoredBytes() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThat(store.find(name(1))).isEmpty();
            for (int size : new int[] {0, 1, 5122, ScopedTrapdoor.MAX_BYTES}) {
                byte[] trapdoor = trapdoor(size, size);
                assertThat(store.storeIfAbsent(name(size + 10), trapdoor)).isEqualTo(trapdoor);
                assertThat(store.find(name(size + 10))).hasValue(trapdoor);
            }
            assertThat(store.find(name(1))).isEmpty();
            Files.createFile(folder().resolve("store-id"));
            assertThat(FileTrapdoorStore.count(folder())).isEqualTo(4);
        }
        try (FileTrapdoorStore reopened = FileTrapdoorStore.open(folder())) {
            assertThat(reopened.find(name(5132))).hasValue(trapdoor(5122, 5122));
        }
    }

    @Test
    void countsWhileAnotherWrites() throws Exception {
        Path shelf = Files.createDirectories(folder().resolve("00"));
        AtomicBoolean isCounted = new AtomicBoolean();
        FutureTask<Void> writer = new FutureTask<>(() -> {
            while (!isCounted.get()) {
                for (int i = 0; i < 50; i++) {
                    Files.createFile(shelf.resolve(i + ".tmp"));
                }
                for (int i = 0; i < 50; i++) {
                    Files.delete(shelf.resolve(i + ".tmp"));
                }
            }
            return null;
        });
        Thread.ofPlatform().start(writer);
        try {
            for (int i = 0; i < 2000; i++) {
                assertThat(FileTrapdoorStore.count(folder())).isZero();
            }
        } finally {
            isCounted.set(true);
            writer.get();
        }
    }

    @Test
    void theFirstTrapdoorOfANameStays() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            byte[] first = trapdoor(1, 100);
            store.storeIfAbsent(name(1), first);
            assertThat(store.storeIfAbsent(name(1), trapdoor(2, 100))).isEqualTo(first);
            assertThat(store.storeIfAbsent(name(1), trapdoor(2, 50))).isEqualTo(first);
            assertThat(store.find(name(1))).hasValue(first);
            assertThat(store.storeIfAbsent(name(2), trapdoor(2, 100))).isEqualTo(trapdoor(2, 100));
        }
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThat(store.storeIfAbsent(name(1), trapdoor(3, 100))).isEqualTo(trapdoor(1, 100));
        }
    }

    @Test
    void whatIsReturnedIsACopy() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            byte[] given = trapdoor(1, 10);
            byte[] returned = store.storeIfAbsent(name(1), given);
            Arrays.fill(given, (byte) 0);
            Arrays.fill(returned, (byte) 0);
            assertThat(store.find(name(1))).hasValue(trapdoor(1, 10));
        }
    }

    /** Every bit of the file counts, and so does its name. */
    @Test
    void damageIsAnErrorAndNothingIsIssuedInstead() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            byte[] trapdoor = trapdoor(1, 40);
            store.storeIfAbsent(name(1), trapdoor);
            Path file = file(name(1));
            byte[] good = Files.readAllBytes(file);

            for (int bit = 0; bit < 8 * good.length; bit++) {
                byte[] bad = good.clone();
                bad[bit >> 3] ^= (byte) (1 << (bit & 7));
                assertRefused(store, file, bad);
            }
            for (int length = 0; length < good.length; length++) {
                assertRefused(store, file, Arrays.copyOf(good, length));
            }
            assertRefused(store, file, Arrays.copyOf(good, good.length + 1));
            assertRefused(store, file, new byte[1 << 20]);

            Files.write(file, good);
            assertThat(store.find(name(1))).hasValue(trapdoor);

            store.storeIfAbsent(name(2), trapdoor(2, 40));
            assertRefused(store, file(name(2)), good); // the trapdoor of another name
        }
    }

    private static void assertRefused(FileTrapdoorStore store, Path file, byte[] content) throws IOException {
        Files.write(file, content);
        byte[] name = HexFormat.of()
                .parseHex(file.getParent().getFileName() + file.getFileName().toString());
        assertThatThrownBy(() -> store.find(name)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.storeIfAbsent(name, trapdoor(99, 40))).isInstanceOf(IOException.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @Test
    void oversizedFilesAreRefusedBeforeTheyAreRead() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            store.storeIfAbsent(name(1), trapdoor(1, 40));
            try (var channel = Files.newByteChannel(file(name(1)), StandardOpenOption.WRITE)) {
                channel.position(8L << 30); // sparse: 8 GB that a reader could not hold
                channel.write(ByteBuffer.wrap(new byte[1]));
            }
            assertThatThrownBy(() -> store.find(name(1))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aFolderInTheFilesPlaceIsAnError() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            Files.createDirectories(file(name(1)));
            assertThatThrownBy(() -> store.find(name(1))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> store.storeIfAbsent(name(1), trapdoor(1, 1)))
                    .isInstanceOf(IOException.class);
        }
    }

    /** What cannot be read is not absent: a second trapdoor would be issued, and the first overwritten. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatCannotBeReadIsAnError() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            Path loop = folder().resolve(HexFormat.of().formatHex(name(1)).substring(0, 2));
            Files.createSymbolicLink(loop, loop);
            assertThatThrownBy(() -> store.find(name(1))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> store.storeIfAbsent(name(1), trapdoor(1, 10)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aClosedStoreDoesNothing() throws IOException {
        FileTrapdoorStore closed = FileTrapdoorStore.open(folder());
        closed.close();
        assertThatThrownBy(() -> closed.find(name(1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> closed.storeIfAbsent(name(1), trapdoor(1, 10))).isInstanceOf(IOException.class);
        try (FileTrapdoorStore next = FileTrapdoorStore.open(folder())) {
            assertThat(next.find(name(1))).isEmpty();
        }
    }

    @Test
    void whatCouldNotBeReadBackIsNotStored() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            byte[] large = trapdoor(1, ScopedTrapdoor.MAX_BYTES + 1);
            assertThatThrownBy(() -> store.storeIfAbsent(name(1), large)).isInstanceOf(IllegalArgumentException.class);
            assertThat(store.find(name(1))).isEmpty();
        }
    }

    @Test
    void filesLeftAsideByACrashAreIgnored() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            store.storeIfAbsent(name(1), trapdoor(1, 40));
        }
        Path parent = file(name(1)).getParent();
        Files.write(parent.resolve("new-123.tmp"), new byte[] {1, 2, 3});
        Files.write(parent.resolve("new-.tmp"), new byte[0]);
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThat(store.find(name(1))).hasValue(trapdoor(1, 40));
            assertThat(store.storeIfAbsent(name(1), trapdoor(2, 40))).isEqualTo(trapdoor(1, 40));
            byte[] sibling = name(1);
            sibling[31] ^= 1;
            assertThat(store.find(sibling)).isEmpty();
            assertThat(store.storeIfAbsent(sibling, trapdoor(3, 40))).isEqualTo(trapdoor(3, 40));
        }
    }

    @Test
    void leavesNothingAsideItself() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            for (int i = 0; i < 20; i++) {
                store.storeIfAbsent(name(i), trapdoor(i, 40));
            }
        }
        assertThat(files())
                .hasSize(20)
                .allSatisfy(f -> assertThat(f.getFileName().toString()).matches("[0-9a-f]{62}"));
    }

    @Test
    void namesHave32Bytes() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            for (int length : new int[] {0, 31, 33}) {
                assertThatThrownBy(() -> store.find(new byte[length])).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> store.storeIfAbsent(new byte[length], new byte[1]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyTheOwnerCanReadIt() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            store.storeIfAbsent(name(1), trapdoor(1, 40));
        }
        assertThat(permissions(folder())).isEqualTo("rwx------");
        assertThat(permissions(file(name(1)).getParent())).isEqualTo("rwx------");
        assertThat(permissions(file(name(1)))).isEqualTo("rw-------");
        assertThat(permissions(folder().resolve("lock"))).isEqualTo("rw-------");
    }

    @Test
    void aSecondOpenInTheSameProcessIsRefused() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThatThrownBy(() -> FileTrapdoorStore.open(folder())).isInstanceOf(IOException.class);
            store.storeIfAbsent(name(1), trapdoor(1, 40));
        }
        FileTrapdoorStore.open(folder()).close();
    }

    @Test
    @Timeout(600)
    void aSecondOpenFromAnotherProcessIsRefused() throws IOException, InterruptedException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThat(openedByAnotherProcess()).isEqualTo("refused");
            store.storeIfAbsent(name(1), trapdoor(1, 40));
        }
        assertThat(openedByAnotherProcess()).isEqualTo("opened");
        FileTrapdoorStore.open(folder()).close();
    }

    /** POSIX drops a process's locks on a file when the process closes any channel of that file. */
    @Test
    @Timeout(600)
    void aRefusedOpenDoesNotLetAnotherProcessIn() throws IOException, InterruptedException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            assertThatThrownBy(() -> FileTrapdoorStore.open(folder())).isInstanceOf(IOException.class);
            assertThatThrownBy(
                            () -> FileTrapdoorStore.open(folder().resolve("..").resolve("trapdoors")))
                    .isInstanceOf(IOException.class);
            assertThat(openedByAnotherProcess()).isEqualTo("refused");
            store.storeIfAbsent(name(1), trapdoor(1, 40));
        }
        assertThat(openedByAnotherProcess()).isEqualTo("opened");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aLinkToNothingIsNotAbsent() throws IOException {
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
            store.storeIfAbsent(name(1), trapdoor(1, 40));
            Path file = file(name(1));
            Files.delete(file);
            Files.createSymbolicLink(file, folder().resolve("not-mounted").resolve("file"));
            assertThatThrownBy(() -> store.find(name(1))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> store.storeIfAbsent(name(1), trapdoor(2, 40)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void closingTwiceIsClosingOnce() throws IOException {
        FileTrapdoorStore first = FileTrapdoorStore.open(folder());
        first.close();
        try (FileTrapdoorStore second = FileTrapdoorStore.open(folder())) {
            first.close();
            assertThatThrownBy(() -> FileTrapdoorStore.open(folder())).isInstanceOf(IOException.class);
            second.storeIfAbsent(name(1), trapdoor(1, 40));
        }
    }

    private String openedByAnotherProcess() throws IOException, InterruptedException {
        Process process = child("open");
        try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
            String line = out.readLine();
            assertThat(process.waitFor()).isZero();
            return line;
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * kill -9 at a moment that nobody chose: everything that was acknowledged is there, and everything that is there is whole.
     */
    @Test
    @Timeout(600)
    void acknowledgedTrapdoorsSurviveKillMinus9() throws IOException, InterruptedException {
        int known = 0;
        for (int round = 0; round < 3; round++) {
            List<String> acknowledged = new ArrayList<>();
            Process process = child("store");
            try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
                StringBuilder line = new StringBuilder();
                for (int c = out.read(); c >= 0; c = out.read()) {
                    if (c != '\n') {
                        line.append((char) c);
                        continue;
                    }
                    acknowledged.add(line.toString());
                    line.setLength(0);
                    if (acknowledged.size() == 60 + 17 * round) {
                        process.toHandle().destroyForcibly(); // unlike the process's own, leaves the pipe open
                    }
                }
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor()).isNotZero();
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(60 + 17 * round);

            try (FileTrapdoorStore store = FileTrapdoorStore.open(folder())) {
                for (String hex : acknowledged) {
                    byte[] name = HexFormat.of().parseHex(hex);
                    assertThat(store.find(name)).hasValue(trapdoorOf(name));
                }
                List<Path> whole = files().stream()
                        .filter(f -> !f.toString().endsWith(".tmp"))
                        .toList();
                for (Path file : whole) {
                    byte[] name = HexFormat.of()
                            .parseHex(file.getParent().getFileName()
                                    + file.getFileName().toString());
                    assertThat(store.find(name)).hasValue(trapdoorOf(name));
                }
                known += acknowledged.size();
                assertThat(whole).hasSizeBetween(known, known + 1);
                known = whole.size();
            }
        }
    }

    private Process child(String what) throws IOException {
        return ChildJvm.start(temporary, Child.class, what, folder().toString());
    }

    /** The other process. */
    static final class Child {
        public static void main(String[] args) throws IOException {
            if (args[0].equals("open")) {
                try (FileTrapdoorStore store = FileTrapdoorStore.open(Path.of(args[1]))) {
                    assertThatIsHeld(store);
                    System.out.println("opened");
                } catch (IOException e) {
                    System.out.println("refused");
                }
                return;
            }
            try (FileTrapdoorStore store = FileTrapdoorStore.open(Path.of(args[1]))) {
                long process = ProcessHandle.current().pid() + System.nanoTime();
                for (int i = 0; ; i++) {
                    byte[] name = sha("name " + process + " " + i);
                    store.storeIfAbsent(name, trapdoorOf(name));
                    System.out.println(HexFormat.of().formatHex(name));
                    System.out.flush();
                }
            }
        }

        private static void assertThatIsHeld(FileTrapdoorStore store) throws IOException {
            if (store.find(new byte[TrapdoorStore.NAME_BYTES]).isPresent()) {
                throw new AssertionError("a name that nobody has stored");
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder())) {
            return all.filter(Files::isRegularFile)
                    .filter(f -> !f.getParent().equals(folder()))
                    .toList();
        }
    }

    private Path file(byte[] name) {
        String hex = HexFormat.of().formatHex(name);
        return folder().resolve(hex.substring(0, 2)).resolve(hex.substring(2));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static byte[] name(int i) {
        return sha("name " + i);
    }

    /** As long as a real one, and told by its name. */
    private static byte[] trapdoorOf(byte[] name) {
        byte[] out = new byte[5122];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (name[i % name.length] + i);
        }
        return out;
    }

    private static byte[] trapdoor(int seed, int size) {
        byte[] out = new byte[size];
        for (int i = 0; i < size; i++) {
            out[i] = (byte) (31 * seed + 7 * i);
        }
        return out;
    }

    private static byte[] sha(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
