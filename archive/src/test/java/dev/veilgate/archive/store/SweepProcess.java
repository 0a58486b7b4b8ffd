package dev.veilgate.archive.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Commits and sweeps in a process of its own. */
final class SweepProcess {
    /** Objects of manifest 2, each with a place of its own before: in place, long and short in the trash, not put. */
    static final Set<Integer> SECOND = Set.of(1, 2, 3, 4);

    private SweepProcess() {}

    /** Takes a folder. */
    public static void main(String[] arguments) throws Exception {
        StoppedWork.upToEachStep(Path.of(arguments[0]), (files, own, told) -> {
            SweptArchive before = SweptArchive.unforced(own);
            before.putOld(1, Duration.ofDays(3));
            before.putInTrash(2, 30);
            before.putInTrash(3, 1);
            before.putOld(5, Duration.ofDays(3));
            before.putInTrash(6, 30);
            before.manifests.create(1, ManifestProcess.bytes("first:1,2,5"));
            SweptArchive archive = new SweptArchive(files, own);
            archive.sweep();
            archive.put(4);
            told.add(Boolean.toString(archive.commit("second", 2, SECOND)));
            archive.sweep();
        });
    }
}
