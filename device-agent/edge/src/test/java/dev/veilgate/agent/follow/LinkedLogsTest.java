package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.veilgate.agent.paths.LinkRule;
import dev.veilgate.agent.paths.OwnFiles;
import dev.veilgate.settings.SourceSettings.Links;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Followed folders in which another user plants links: what he cannot read himself is not read for him, under no name.
 * Files of other users can be made by root alone; for anybody else those tests say that they were not run.
 */
@Timeout(60)
class LinkedLogsTest {
    private static final int MALLORY = 47_110;
    private static final int BOB = 47_111;

    @TempDir
    Path folder;

    private Path logs;
    private Path secret;
    private RestartableSource source;
    private Recorder sink;

    @BeforeEach
    void begin() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        logs = Files.createDirectory(folder.resolve("logs"));
        Path hidden = Files.createDirectory(folder.resolve("hidden"));
        secret = Files.writeString(hidden.resolve("app.log"), "the secret\n");
        follow(Links.SAME_OWNER, logs + "/*.log");
    }

    private void follow(Links links, String pattern) {
        if (source != null) {
            source.close();
        }
        source = new RestartableSource(options(links, OwnFiles.NONE, pattern));
        sink = source.sink;
    }

    private static FileSource.Options options(Links links, OwnFiles own, String pattern) {
        LinkRule rule = LinkRule.of(links, own);
        return new FileSource.Options(List.of(pattern), List.of("*.gz"), false, 4096, Duration.ZERO, 100, rule);
    }

    @AfterEach
    void end() {
        source.close();
    }

    private static void give(int user, Path... paths) throws IOException {
        boolean isRoot = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        assertThat(isRoot || System.getenv("CI") == null).as("CI runs as root").isTrue();
        assumeTrue(isRoot, "not run: only root can make files of another user");
        for (Path path : paths) {
            Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static Path write(Path file, String line) throws IOException {
        return Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void aLinkToAnothersFileIsNotFollowedAndThatIsSaidOnce() throws Exception {
        Path link = Files.createSymbolicLink(logs.resolve("a.log"), secret);
        write(logs.resolve("b.log"), "public");
        give(MALLORY, logs, link);
        source.drain();
        source.drain();
        assertThat(sink.sealed).containsExactly("public");
        assertThat(sink.refused).containsExactly("FOREIGN_LINK " + link);
        assertThat(sink.losses).isEmpty();
        assertThat(sink.leftOut).isEmpty();
    }

    @Test
    void aFolderThatIsALinkCountsToo() throws Exception {
        follow(Links.SAME_OWNER, logs + "/*/*.log");
        Path link = Files.createSymbolicLink(logs.resolve("sub"), secret.getParent());
        give(MALLORY, logs, link);
        source.drain();
        assertThat(sink.sealed).isEmpty();
        assertThat(sink.refused).containsExactly("FOREIGN_LINK " + link);
    }

    @Test
    void aLinkInTheLogsPlaceIsNotFollowed() throws Exception {
        Path log = write(logs.resolve("app.log"), "one");
        give(MALLORY, logs, log);
        source.drain();
        Files.move(log, logs.resolve("app.log.1"));
        give(MALLORY, Files.createSymbolicLink(log, secret));
        write(logs.resolve("app.log.1"), "two");
        source.drain();
        source.stop();
        source.start();
        source.drain();
        assertThat(sink.sealed).containsExactly("one", "two");
        assertThat(sink.refused).containsOnly("FOREIGN_LINK " + log);
    }

    @Test
    void rotatedNamesAreLinksAsAnyOther() throws Exception {
        Path log = write(logs.resolve("app.log"), "one");
        source.drain();
        Path packed = secret.resolveSibling("packed.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("the packed secret\n".getBytes());
        }
        give(MALLORY, logs, log, Files.createSymbolicLink(logs.resolve("app.log.40.gz"), packed));
        for (int i = 1; i < 12; i++) {
            Path other = write(secret.resolveSibling("s" + i), "secret " + i);
            give(MALLORY, Files.createSymbolicLink(logs.resolve("app.log." + i), other));
        }
        source.drain();
        write(log, "two");
        source.later(Duration.ofMinutes(1));
        source.drain();
        assertThat(sink.sealed).containsExactly("one", "two");
        assertThat(sink.refused).hasSize(12).allMatch(line -> line.startsWith("FOREIGN_LINK"));
        assertThat(sink.losses).isEmpty();
        assertThat(sink.leftOut).isEmpty();
    }

    @Test
    void beforeTheFirstStartRotatedLinksAreNotOpenedEither() throws Exception {
        Path log = write(logs.resolve("app.log"), "one");
        give(MALLORY, logs, log, Files.createSymbolicLink(logs.resolve("app.log.1"), secret));
        source.drain();
        source.stop();
        source.start();
        source.drain();
        assertThat(sink.sealed).containsExactly("one");
        assertThat(sink.losses).isEmpty();
    }

    @Test
    void whereALinkLeadsOnlyItsMakersFilesAreRead() throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path own = write(shared.resolve("app.log"), "mallory's");
        Path link = Files.createSymbolicLink(logs.resolve("app.log"), own);
        give(MALLORY, logs, own, link);
        source.drain();
        give(BOB, write(shared.resolve("app.log.1"), "bob's"));
        write(shared.resolve("app.log.2"), "root's");
        give(MALLORY, write(shared.resolve("app.log.3"), "mallory's older"));
        source.later(Duration.ofMinutes(1));
        source.drain();
        assertThat(sink.sealed).containsExactlyInAnyOrder("mallory's", "mallory's older");
        assertThat(sink.refused)
                .containsExactlyInAnyOrder(
                        "FOREIGN_PLACE " + shared.resolve("app.log.1"), "FOREIGN_PLACE " + shared.resolve("app.log.2"));
    }

    @Test
    void theFolderOfALinkThatIsRefusedIsNotSearched() throws Exception {
        Path log = write(logs.resolve("app.log"), "one");
        give(MALLORY, logs, log);
        source.drain();
        Files.delete(log);
        give(MALLORY, Files.createSymbolicLink(log, secret));
        source.drain();
        write(secret.resolveSibling("app.log.1"), "another secret");
        source.later(Duration.ofMinutes(1));
        source.drain();
        assertThat(sink.sealed).containsExactly("one");
    }

    @Test
    void whereAFileWasMovedOnlyItsOwnersFilesAreRead() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path log = write(logs.resolve("app.log"), "one");
        give(MALLORY, logs, log);
        source.drain();
        give(BOB, write(open.resolve("app.log.2"), "bob's"));
        Files.move(log, open.resolve("app.log.1"));
        give(MALLORY, write(log, "two"));
        source.drain();
        write(open.resolve("app.log.1"), "late");
        give(MALLORY, write(open.resolve("app.log.3"), "three"));
        source.later(Duration.ofMinutes(1));
        source.drain();
        assertThat(sink.sealed).contains("one", "two", "three").doesNotContain("bob's");
        assertThat(sink.refused).containsExactly("FOREIGN_PLACE " + open.resolve("app.log.2"));
    }

    @Test
    void linksOfKubernetesAreFollowed() throws Exception {
        Path docker = Files.createDirectories(folder.resolve("lib/docker/containers/4f"));
        Path pod = Files.createDirectories(folder.resolve("log/pods/ns_web_1/nginx"));
        Path containers = Files.createDirectories(folder.resolve("log/containers"));
        Path json = write(docker.resolve("4f-json.log"), "one");
        Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwx--x---"));
        Files.createSymbolicLink(pod.resolve("0.log"), json);
        Files.createSymbolicLink(containers.resolve("web_ns_nginx-4f.log"), pod.resolve("0.log"));
        follow(Links.SAME_OWNER, containers + "/*.log");
        source.drain();
        write(json, "two");
        Files.move(json, docker.resolve("4f-json.log.1"));
        write(json, "three");
        source.later(Duration.ofMinutes(1));
        source.drain();
        assertThat(sink.sealed).containsExactly("one", "two", "three");
        assertThat(sink.refused).isEmpty();
    }

    @Test
    void aLinkIsFollowedAgainOnceItIsRootsOwnAndTheAgentStartsAnew() throws Exception {
        Path link = Files.createSymbolicLink(logs.resolve("a.log"), secret);
        give(MALLORY, logs, link);
        source.drain();
        assertThat(sink.sealed).isEmpty();
        source.stop();
        give(0, logs, link);
        source.start();
        source.drain();
        assertThat(sink.sealed).containsExactly("the secret");
    }

    @Test
    void everyLinkIsFollowedIfThatIsAskedFor() throws Exception {
        follow(Links.ALL, logs + "/*.log");
        Path link = Files.createSymbolicLink(logs.resolve("a.log"), secret);
        give(MALLORY, logs, link);
        source.drain();
        assertThat(sink.sealed).containsExactly("the secret");
        assertThat(sink.refused).isEmpty();
    }

    @Test
    void noLinkIsFollowedIfThatIsAskedFor() throws Exception {
        follow(Links.NONE, logs.toRealPath() + "/*.log");
        Files.createSymbolicLink(logs.resolve("a.log"), secret);
        write(logs.resolve("b.log"), "public");
        source.drain();
        assertThat(sink.sealed).containsExactly("public");
        assertThat(sink.refused).containsExactly("LINK " + logs.toRealPath().resolve("a.log"));
    }

    @Test
    void itsOwnStateIsNotFedToItself() throws Exception {
        Path state = Files.createDirectory(folder.resolve("state"));
        Path spooled = write(state.resolve("spooled.log"), "sealed");
        Files.createLink(logs.resolve("a.log"), spooled);
        Files.createSymbolicLink(logs.resolve("b.log"), spooled);
        write(logs.resolve("c.log"), "public");
        source.close();
        OwnFiles own = new OwnFiles(List.of(), List.of(state));
        source = new RestartableSource(options(Links.ALL, own, logs + "/*.log"));
        source.drain();
        assertThat(source.sink.sealed).containsExactly("public");
        assertThat(source.sink.refused)
                .containsExactlyInAnyOrder("OWN " + logs.resolve("a.log"), "OWN " + logs.resolve("b.log"));
    }

    @Test
    void aPipeInALogsPlaceIsSaidAndNotWaitedFor() throws Exception {
        Path pipe = logs.resolve("pipe.log");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path log = write(logs.resolve("app.log"), "one");
        source.drain();
        Files.delete(log);
        assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor())
                .isZero();
        source.drain();
        assertThat(sink.sealed).containsExactly("one");
        assertThat(sink.refused).containsExactlyInAnyOrder("NOT_A_FILE " + pipe, "NOT_A_FILE " + log);
    }
}
