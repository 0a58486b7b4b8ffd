package dev.veilgate.archive.store;

import dev.veilgate.sse.ManifestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Writes manifests in a process of its own, and says what it was told. */
final class ManifestProcess {
    /** Content of the manifest that a stopped process was writing. */
    static final String SECOND = "second";

    private ManifestProcess() {}

    /** Stores, and file systems under them. */
    enum Kind {
        MANY_WRITERS,
        SINGLE_WRITER,
        SINGLE_WRITER_WITHOUT_LINKS;

        ManifestStore open(Filesystem files, Path folder) {
            return new FolderManifests(files, folder, Patience.USUAL, this != MANY_WRITERS);
        }

        ManifestStore open(Path folder) {
            return open(over(new SystemFiles()), folder);
        }

        /** Files whose links fail if this has none. */
        Filesystem over(Filesystem files) {
            return new FaultyFiles(files) {
                @Override
                void before(Step step, Path path) throws IOException {
                    if (Kind.this == SINGLE_WRITER_WITHOUT_LINKS && step == Step.LINK) {
                        throw new FileSystemException(path.toString(), null, "Operation not permitted");
                    }
                }
            };
        }
    }

    /** Takes a kind, a folder, and either "stop", or a name and a number to race for. */
    public static void main(String[] arguments) throws Exception {
        Kind kind = Kind.valueOf(arguments[0]);
        Path folder = Path.of(arguments[1]);
        if (arguments[2].equals("stop")) {
            StoppedWork.upToEachStep(folder, (files, own, told) -> {
                byte[] first = bytes("head and body");
                kind.open(own).create(1, first);
                ManifestStore store = kind.open(kind.over(files), own);
                told.add(Boolean.toString(store.create(2, bytes(SECOND))));
                store.shorten(1, first, bytes("head"));
            });
        } else {
            race(kind.open(folder), arguments[2], Long.parseLong(arguments[3]));
        }
    }

    private static void race(ManifestStore store, String writer, long numbers) throws IOException {
        for (long number = store.newest() + 1; number <= numbers; number = store.newest() + 1) {
            if (store.create(number, bytes(writer + " " + number))) {
                System.out.println("given " + number + " .");
            }
        }
        System.out.println("end");
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
