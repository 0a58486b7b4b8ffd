package dev.veilgate.agent.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.settings.SourceSettings.Links;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening files under names that others write, with links, second names, pipes, and names that change in between. */
@Timeout(120)
class GuardedFilesTest {
    private static final LinkRule NO_LINKS = LinkRule.of(Links.NONE, OwnFiles.NONE);

    @TempDir
    Path folder;

    private enum How {
        DESCRIPTORS {
            @Override
            ResolvedFile.Resolver resolver() {
                LibC system = LibC.instance();
                assertThat(system)
                        .as("calls of the system, which all of Linux has")
                        .isNotNull();
                return new DescriptorResolver(system);
            }
        },
        NAMES {
            @Override
            ResolvedFile.Resolver resolver() {
                return new NameResolver();
            }
        };

        abstract ResolvedFile.Resolver resolver();
    }

    private static String read(GuardedFiles files, Path name) throws IOException {
        try (FileChannel channel = files.open(name, (inode, held) -> true)) {
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Refusal refusal(GuardedFiles files, Path name) {
        try {
            files.require(name);
            throw new AssertionError(name + " may be read");
        } catch (RefusedFileException e) {
            return e.refusal();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(How.class)
    void resolvesAsTheSystemDoes(How how) throws IOException {
        Path deep = Files.createDirectories(folder.resolve("a/b/c"));
        Path file = Files.writeString(deep.resolve("app.log"), "text");
        Files.createSymbolicLink(folder.resolve("up"), Path.of("a/b/../b/./c"));
        Files.createSymbolicLink(folder.resolve("a/b/again"), folder.resolve("up"));
        Path name = Files.createSymbolicLink(folder.resolve("last.log"), Path.of("a/b/again/../c//app.log"));
        try (ResolvedFile found = how.resolver().resolve(name)) {
            assertThat(found.real()).isEqualTo(file.toRealPath());
            assertThat(found.steps()).hasSize(3);
            assertThat(unborn(found.inode())).isEqualTo(Inode.of(file));
            assertThat(unborn(found.folders().getLast())).isEqualTo(Inode.of(deep));
            assertThat(unborn(found.steps().getFirst().folder())).isEqualTo(Inode.of(folder));
        }
    }

    private static Inode unborn(Inode inode) {
        return new Inode(inode.device(), inode.number(), inode.owner(), inode.mode(), inode.names(), 0);
    }

    @ParameterizedTest
    @EnumSource(How.class)
    void endsLoopsAndMissesWhatIsNotThere(How how) throws IOException {
        Files.createSymbolicLink(folder.resolve("x"), Path.of("y"));
        Files.createSymbolicLink(folder.resolve("y"), Path.of("x"));
        ResolvedFile.Resolver resolver = how.resolver();
        assertThatThrownBy(() -> resolver.resolve(folder.resolve("x"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> resolver.resolve(folder.resolve("no/file"))).isInstanceOf(NoSuchFileException.class);
    }

    @ParameterizedTest
    @EnumSource(How.class)
    void holdsNoDescriptorWhenItIsDone(How how) throws IOException {
        Path file = Files.writeString(folder.resolve("app.log"), "text");
        Files.createSymbolicLink(folder.resolve("link.log"), file);
        Files.createSymbolicLink(folder.resolve("nowhere.log"), Path.of("nothing"));
        GuardedFiles files = new GuardedFiles(LinkRule.of(Links.SAME_OWNER, OwnFiles.NONE), how.resolver());
        GuardedFiles strict = new GuardedFiles(NO_LINKS, how.resolver());
        long before = descriptors();
        for (int i = 0; i < 50; i++) {
            read(files, folder.resolve("link.log"));
            refusal(strict, folder.resolve("link.log"));
            assertThatThrownBy(() -> read(files, folder.resolve("nowhere.log"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.open(file, (inode, held) -> false)).isInstanceOf(NoSuchFileException.class);
        }
        assertThat(descriptors()).isLessThan(before + 50);
    }

    private static long descriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    @ParameterizedTest
    @EnumSource(How.class)
    void neitherOpensNorWaitsForAPipeOrADevice(How how) throws Exception {
        Path pipe = folder.resolve("pipe.log");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Files.createSymbolicLink(folder.resolve("zero.log"), Path.of("/dev/zero"));
        GuardedFiles files = new GuardedFiles(LinkRule.of(Links.ALL, OwnFiles.NONE), how.resolver());
        assertThat(refusal(files, pipe)).isEqualTo(Refusal.NOT_A_FILE);
        assertThat(refusal(files, folder.resolve("zero.log"))).isEqualTo(Refusal.NOT_A_FILE);
        assertThatThrownBy(() -> read(files, pipe)).isInstanceOf(RefusedFileException.class);
    }

    @ParameterizedTest
    @EnumSource(How.class)
    void neverReadsItsOwnFilesUnderAnyName(How how) throws IOException {
        Path state = Files.createDirectories(folder.resolve("state/spool"));
        Path spooled = Files.writeString(state.resolve("1.env"), "sealed");
        Path key = Files.writeString(folder.resolve("identity.key"), "secret");
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Files.createSymbolicLink(logs.resolve("link.log"), key);
        Files.createLink(logs.resolve("second.log"), key);
        Files.createSymbolicLink(logs.resolve("spool"), state);
        Files.createLink(logs.resolve("spooled.log"), spooled);
        OwnFiles own = new OwnFiles(List.of(key), List.of(folder.resolve("state")));
        GuardedFiles files = new GuardedFiles(LinkRule.of(Links.ALL, own), how.resolver());
        for (String name : List.of("link.log", "second.log", "spool/1.env", "spooled.log")) {
            assertThat(refusal(files, logs.resolve(name))).as(name).isEqualTo(Refusal.OWN);
        }
        assertThat(refusal(files, spooled)).isEqualTo(Refusal.OWN);
        Files.writeString(logs.resolve("app.log"), "text");
        assertThat(read(files, logs.resolve("app.log"))).isEqualTo("text");
    }

    /**
     * Whoever may write the folder puts a link to another file in the place of his own, and takes it away again, as
     * often as he can.
     */
    @Test
    void noSwapOfNamesMakesItReadWhatItRefuses() throws Exception {
        Path secret = Files.writeString(
                Files.createDirectories(folder.resolve("private")).resolve("app.log"), "secret");
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Path plain = Files.createDirectories(folder.resolve("logs/plain"));
        Files.writeString(plain.resolve("app.log"), "public");
        Path name = logs.resolve("now");
        Path aside = logs.resolve("aside");
        GuardedFiles files = new GuardedFiles(NO_LINKS, How.DESCRIPTORS.resolver());
        int[] opened = new int[2];
        Thread swapping = new Thread(() -> {
            try {
                while (!Thread.interrupted()) { // a folder, then a link of the same name
                    Files.move(plain, name, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(name, plain, StandardCopyOption.ATOMIC_MOVE);
                    Files.createSymbolicLink(aside, secret.getParent());
                    Files.move(aside, name, StandardCopyOption.ATOMIC_MOVE);
                    Files.delete(name);
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        swapping.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while ((opened[0] < 3000 || opened[1] < 3000) && System.nanoTime() < end) {
            try {
                assertThat(read(files, name.resolve("app.log"))).isEqualTo("public");
                opened[0]++;
            } catch (RefusedFileException e) {
                opened[1]++;
            } catch (NoSuchFileException e) {
                // between two
            }
        }
        swapping.interrupt();
        swapping.join();
        assertThat(opened[0]).as("times the folder was met").isPositive();
        assertThat(opened[1]).as("times the link was met").isPositive();
    }
}
