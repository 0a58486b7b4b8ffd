package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many files in one folder: the work grows with their number, not with its square. */
class ManyFilesTest {
    private static final int FILES = 400;

    @TempDir
    Path folder;

    private final Recorder sink = new Recorder();
    private int accesses;
    private final WatchedFiles files = new WatchedFiles(FileSystems.getDefault(), () -> accesses++);

    private Path log(int number) {
        return folder.resolve(String.format(Locale.ROOT, "host-%04d.log", number));
    }

    private void write() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Files.writeString(log(i), "line of " + i + "\n");
        }
        quiet();
    }

    /** As if the last change of a name was long ago. */
    private void quiet() throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(60 + accesses)));
    }

    private List<PathFollower> followers() {
        PathFollower.Shared shared = sink.shared();
        List<PathFollower> all = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            all.add(new PathFollower(files.watched(log(i)), shared));
        }
        return all;
    }

    private void poll(List<PathFollower> followers) throws Exception {
        for (PathFollower follower : followers) {
            follower.poll(sink);
        }
        sink.settle();
    }

    @Test
    void aStartLooksAtEachFileAFewTimes() throws Exception {
        write();
        List<PathFollower> followers = followers();
        followers.forEach(follower -> follower.beginAtFirstStart());
        poll(followers);
        poll(followers);
        assertThat(sink.sealed).hasSize(FILES);
        assertThat(accesses).isLessThan(100 * FILES);
        assertThat(sink.askedForOpen).isZero(); // of 400 files the answer has 400, as they are one log by their names
        followers.forEach(PathFollower::close);

        sink.positions = Positions.decode(sink.saved);
        quiet();
        accesses = 0;
        followers = followers();
        for (int i = 0; i < FILES; i++) {
            followers.get(i).resume(sink.positions.of(log(i).toString()), sink);
            followers.get(i).begin(sink);
        }
        poll(followers);
        assertThat(sink.sealed).hasSize(FILES);
        assertThat(accesses).isLessThan(100 * FILES);

        accesses = 0;
        Files.move(log(7), log(7).resolveSibling(log(7).getFileName() + ".1"));
        Files.writeString(log(7), "another line\n");
        quiet();
        poll(followers);
        poll(followers);
        poll(followers);
        assertThat(sink.sealed).hasSize(FILES + 1).endsWith("another line");
        assertThat(accesses).isLessThan(100 * FILES);
        followers.forEach(PathFollower::close);
    }

    @Test
    void findsAllThatMayBeOfOneLog() {
        List<String> names = new ArrayList<>();
        for (String log : List.of("app", "app.log", "host-1.log", "host-12.log", "app.2026.log", ".hidden")) {
            names.add(log);
            for (String added : List.of(".1", "-20261123", ".old", "_3", "1", ".1.2", ".bak.1")) {
                names.add(log + added);
                int dot = log.lastIndexOf('.');
                names.add(dot <= 0 ? "of." + log + added : log.substring(0, dot) + added + log.substring(dot));
            }
        }
        Families families = new Families();
        PathFollower.Shared shared = sink.shared();
        List<PathFollower> all = new ArrayList<>();
        names.stream().distinct().forEach(name -> all.add(new PathFollower(folder.resolve(name), shared)));
        all.forEach(families::add);
        int pairs = 0;
        for (PathFollower one : all) {
            List<PathFollower> related = all.stream()
                    .filter(other -> one.family().isRelated(other.path())
                            || other.family().isRelated(one.path()))
                    .toList();
            assertThat(families.relatedTo(one.family()))
                    .as(one.path().toString())
                    .containsAll(related);
            pairs += related.size();
        }
        assertThat(pairs).isGreaterThan(2 * all.size()).isLessThan(all.size() * all.size() / 2);
        assertThat(families.relatedTo(new FileFamily(folder.resolve("host-12.log"), shared.folders())))
                .extracting(follower -> follower.path().getFileName().toString())
                .contains("host-1.log", "host-12.log.1")
                .doesNotContain("app.log", "app");
        assertThat(families.relatedTo(new FileFamily(folder.resolve("elsewhere").resolve("app.log"), shared.folders())))
                .isEmpty();
        all.forEach(families::remove);
        assertThat(families.relatedTo(all.getFirst().family())).isEmpty();
    }

    @Test
    void findsTheFamilyOfANameAmongMany() {
        Families families = new Families();
        PathFollower.Shared shared = sink.shared();
        List<PathFollower> all = new ArrayList<>();
        for (String name : List.of("app.log", "app", "host-1.log", "other.log", ".hidden")) {
            PathFollower follower = new PathFollower(folder.resolve(name), shared);
            all.add(follower);
            families.add(follower);
        }
        for (String name : List.of(
                "app.log.1",
                "app.log-20261123",
                "app-20261123.log",
                "app.1",
                "host-1.log",
                "x.log",
                ".hidden.1",
                "ap")) {
            Path path = folder.resolve(name);
            assertThat(families.of(path))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .filter(follower -> follower.family().isMember(path))
                            .toList());
            assertThat(families.of(folder.resolve("elsewhere").resolve(name))).isEmpty();
        }
        all.forEach(families::remove);
        assertThat(families.of(folder.resolve("app.log.1"))).isEmpty();
    }
}
