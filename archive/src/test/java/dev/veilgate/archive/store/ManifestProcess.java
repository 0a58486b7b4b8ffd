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

    /** File systems and stores that are tried. */
    enum Kind {
        MANY_WRITERS(false),
        SINGLE_WRITER(false),
        SINGLE_WRITER_WITHOUT_LINKS(true);

        private final boolean withoutLinks;

        Kind(boolean withoutLinks) {
            this.withoutLinks = withoutLinks;
        }

        ManifestStore open(Path folder) {
            return open(folder, Integer.MAX_VALUE);
        }

        /** Stops for ever before a step, counted from 0. */
        ManifestStore open(Path folder, int stop) {
            FaultyFiles files = new FaultyFiles() {
                private int steps;

                @Override
                void before(Step step, Path path) throws IOException {
                    if (Step.WRITING.contains(step) && steps++ == stop) {
                        System.out.println("at " + step);
                        while (System.in.read() >= 0) {
                            // until it is killed
                        }
                    }
                    if (withoutLinks && step == Step.LINK) {
                        throw new FileSystemException(path.toString(), null, "Operation not permitted");
                    }
                }
            };
            return new FolderManifests(files, folder, Patience.USUAL, this != MANY_WRITERS);
        }
    }

    /** Takes a kind, a folder, and either "race", a name and a number, or "stop" and a step. */
    public static void main(String[] arguments) throws Exception {
        Kind kind = Kind.valueOf(arguments[0]);
        Path folder = Path.of(arguments[1]);
        if (arguments[2].equals("race")) {
            race(kind.open(folder), arguments[3], Long.parseLong(arguments[4]));
        } else {
            ManifestStore store = kind.open(folder, Integer.parseInt(arguments[3]));
            byte[] first = store.read(1).orElseThrow();
            System.out.println(store.create(2, bytes(SECOND)));
            store.shorten(1, first, bytes("head"));
        }
        System.out.println("end");
    }

    private static void race(ManifestStore store, String writer, long numbers) throws IOException {
        System.out.println("ready");
        for (long number = store.newest() + 1; number <= numbers; number = store.newest() + 1) {
            if (store.create(number, bytes(writer + " " + number))) {
                System.out.println("given " + number + " .");
            }
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
