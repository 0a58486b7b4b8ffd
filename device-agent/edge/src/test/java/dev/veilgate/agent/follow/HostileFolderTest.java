package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.agent.paths.OwnFiles;
import dev.veilgate.settings.SourceSettings.Links;
import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * Followed folders in which another user makes the agent work without end, wait, or fall over: the logs of others are
 * read all the same. Files of other users can be made by root alone; for anybody else those tests say that they were
 * not run.
 */
class HostileFolderTest {
    private static final int MALLORY = 47_110;
    /** Less than a lease may hold up. */
    private static final Duration SOON = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private Path logs;
    private RestartableSource source;
    private Recorder sink;

    @BeforeEach
    void begin() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        logs = Files.createDirectory(folder.resolve("logs"));
        write(logs.resolve("honest.log"), "honest");
        follow(Links.SAME_OWNER, OwnFiles.NONE, "/*.log");
    }

    private void follow(Links links, OwnFiles own, String pattern) {
        if (source != null) {
            source.close();
        }
        LinkRule rule = LinkRule.of(links, own);
        source = new RestartableSource(new FileSource.Options(
                List.of(logs + pattern), List.of("*.gz"), false, 4096, Duration.ZERO, 1000, rule));
        sink = source.sink;
    }

    @AfterEach
    void end() {
        source.close();
    }

    private static void give(Path... paths) throws IOException {
        boolean isRoot = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        assertThat(isRoot || System.getenv("CI") == null).as("CI runs as root").isTrue();
        assumeTrue(isRoot, "not run: only root can make files of another user");
        for (Path path : paths) {
            Files.setAttribute(path, "unix:uid", MALLORY, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static Path write(Path file, String line) throws IOException {
        return Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void drainSoon() {
        assertTimeoutPreemptively(SOON, () -> source.drain());
    }

    /** Whoever owns a file may take a lease, and the system then lets its opening wait for 45 s. */
    @Test
    void aLeaseOnAFileMakesNobodyWait() throws Exception {
        Path log = write(logs.resolve("a.log"), "mallory's");
        give(logs, log);
        Process holder = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + MALLORY,
                        "--regid=" + MALLORY,
                        "--clear-groups",
                        "/usr/bin/env",
                        "python3",
                        "-c",
                        """
                        import fcntl, os, signal, sys
                        signal.signal(signal.SIGIO, signal.SIG_IGN)
                        held = os.open(sys.argv[1], os.O_RDWR)
                        fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
                        print('held', flush=True)
                        sys.stdin.read()
                        """,
                        log.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = holder.inputReader()) {
            assertThat(said.readLine()).isEqualTo("held");
            drainSoon();
            assertThat(sink.sealed).containsExactly("honest");
        } finally {
            holder.destroyForcibly().waitFor();
        }
        drainSoon();
        assertThat(sink.sealed).containsExactly("honest", "mallory's");
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void foldersBehindALinkOfAnotherUserAreNotSearched() throws Exception {
        follow(Links.SAME_OWNER, OwnFiles.NONE, "/**.log");
        Path link = Files.createSymbolicLink(logs.resolve("everything"), Path.of("/"));
        give(logs, link);
        drainSoon();
        assertThat(sink.sealed).containsExactly("honest");
        assertThat(sink.refused).containsExactly("FOREIGN_LINK " + link);
    }

    /** Two links in each of thirty folders to the next: a thousand million names for each file in the last. */
    @ParameterizedTest
    @EnumSource(
            value = Links.class,
            names = {"SAME_OWNER", "ALL"})
    void manyNamesOfAFolderAreNotAllGoneAlong(Links links) throws Exception {
        follow(links, OwnFiles.NONE, "/**.log");
        for (int i = 0; i < 30; i++) {
            Files.createDirectory(logs.resolve("d" + i));
        }
        for (int i = 0; i < 29; i++) {
            for (String name : List.of("a", "b")) {
                Path link = logs.resolve("d" + i).resolve(name);
                give(logs, Files.createSymbolicLink(link, logs.resolve("d" + (i + 1))), logs.resolve("d" + (i + 1)));
            }
        }
        write(logs.resolve("d29/app.log"), "mallory's");
        give(logs.resolve("d29/app.log"));
        drainSoon();
        assertThat(sink.sealed).containsExactly("mallory's", "honest");
    }

    @Test
    void linksToFoldersOfTheirMakerAndOfRootAreFollowed() throws Exception {
        follow(Links.SAME_OWNER, OwnFiles.NONE, "/*/*.log");
        Path byRoot = Files.createDirectories(folder.resolve("elsewhere/root"));
        write(byRoot.resolve("app.log"), "root's");
        Path byMallory = Files.createDirectories(folder.resolve("elsewhere/mallory"));
        Path own = write(byMallory.resolve("app.log"), "mallory's");
        Path home = Files.createDirectory(logs.resolve("home"));
        Files.createSymbolicLink(logs.resolve("r"), byRoot);
        give(Files.createSymbolicLink(logs.resolve("m"), byMallory), byMallory, own, home);
        drainSoon();
        assertThat(sink.sealed).containsExactlyInAnyOrder("root's", "mallory's");
        assertThat(sink.refused).isEmpty();
    }

    /** The agent's state is searched for files of several names: not for those of users who have none there. */
    @Test
    void secondNamesOfAnotherUsersFilesAreNotLookedForInTheState() throws Exception {
        Path state = Files.createDirectory(folder.resolve("state"));
        for (int i = 0; i < 10_000; i++) {
            Files.createFile(state.resolve(i + ".env"));
        }
        for (int i = 0; i < 500; i++) {
            Path one = write(logs.resolve("a" + i), "line " + i);
            give(one);
            Files.createLink(logs.resolve("a" + i + ".log"), one);
        }
        Files.createLink(logs.resolve("state.log"), write(state.resolve("1.env"), "sealed"));
        follow(Links.SAME_OWNER, new OwnFiles(List.of(), List.of(state)), "/*.log");
        drainSoon();
        assertThat(sink.sealed).hasSize(501).doesNotContain("sealed");
        assertThat(sink.refused).containsExactly("OWN " + logs.resolve("state.log"));
    }

    private enum Form {
        GZ {
            @Override
            OutputStream to(OutputStream out) throws IOException {
                return new GZIPOutputStream(out);
            }
        },
        BZ2 {
            @Override
            OutputStream to(OutputStream out) throws IOException {
                return new BZip2HadoopStreams().createOutputStream(out);
            }
        },
        ZST {
            @Override
            OutputStream to(OutputStream out) throws IOException {
                return new ZstdOutputStream(out);
            }
        },
        XZ {
            @Override
            OutputStream to(OutputStream out) throws IOException {
                return new XZOutputStream(out, new LZMA2Options(0));
            }
        };

        abstract OutputStream to(OutputStream out) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aRotatedFileOfManyEmptyPartsStopsNobody(Form form) throws Exception {
        source.drain();
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        form.to(part).close();
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        for (int i = 0; i < 200_000; i++) {
            parts.writeBytes(part.toByteArray());
        }
        Files.write(
                logs.resolve("honest.log.1." + form.name().toLowerCase(java.util.Locale.ROOT)), parts.toByteArray());
        source.stop();
        source.start();
        write(logs.resolve("honest.log"), "more");
        source.later(Duration.ofHours(1));
        drainSoon();
        assertThat(sink.sealed).containsExactly("honest", "more");
    }
}
