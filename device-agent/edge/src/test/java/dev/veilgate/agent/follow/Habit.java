package dev.veilgate.agent.follow;

import io.airlift.compress.bzip2.BZip2HadoopStreams;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * A way in which programs rotate a log: how they move it, what they call it then, where they put it, when and by what
 * they compress it, and how many they keep.
 */
final class Habit {
    /** How the log is emptied. */
    enum Way {
        RENAMED,
        COPIED,
        /** Cut, with no copy. */
        CUT
    }

    /** Who gets which number or date. */
    enum Naming {
        /** The newest is 1, and the others move up. */
        SHIFTED,
        /** Each gets a name of its own, which it keeps. */
        KEPT
    }

    /** Whether the name that is followed is a link. */
    enum Link {
        NONE,
        TO_LOG,
        /** To a new file with each rotation. */
        REPLACED
    }

    /** When a rotated file is compressed. */
    enum When {
        NEVER,
        AT_ONCE,
        LATER
    }

    final String name;
    private Way way = Way.RENAMED;
    private Naming naming = Naming.SHIFTED;
    private Link link = Link.NONE;
    private When when = When.NEVER;
    private String suffix = "";
    private String folder = "";
    private String log = "app.log";
    private IntFunction<String> names = number -> "app.log." + number;
    private boolean keepsTime = true;
    private boolean compressedAside;
    private int kept = Integer.MAX_VALUE;

    Habit(String name) {
        this.name = name;
    }

    Habit way(Way is) {
        way = is;
        return this;
    }

    Habit link(Link is) {
        link = is;
        return this;
    }

    Habit compressed(When is, String by) {
        when = is;
        suffix = by;
        return this;
    }

    /** Puts rotated files into another folder, as seen from the log. */
    Habit in(String other) {
        folder = other;
        return this;
    }

    Habit log(String is) {
        log = is;
        return this;
    }

    Habit shifted(IntFunction<String> is) {
        names = is;
        naming = Naming.SHIFTED;
        return this;
    }

    /** Names that files keep. */
    Habit dated(IntFunction<String> is) {
        names = is;
        naming = Naming.KEPT;
        return this;
    }

    /** Gives a compressed file the time at which it was compressed, and not that of the log. */
    Habit withTimeOfCompression() {
        keepsTime = false;
        return this;
    }

    /** Compressed under a name that tells nothing, and renamed. */
    Habit compressedAside() {
        compressedAside = true;
        return this;
    }

    Habit keeps(int files) {
        kept = files;
        return this;
    }

    /** Whether a file may be deleted while the agent does not look. */
    boolean deletes() {
        return kept < 4 || way == Way.CUT;
    }

    boolean isElsewhere() {
        return folder.startsWith("..");
    }

    /** A log that is rotated in this way, and its writer. */
    final class Log {
        private final Path followed;
        private Path file;
        private Path rotatedTo;
        private int rotations;
        private final List<String> written = new ArrayList<>();
        private final List<Integer> there = new ArrayList<>();

        Log(Path root) throws IOException {
            Path own = Files.createDirectories(root.resolve("log"));
            file = own.resolve(log);
            followed = link == Link.NONE
                    ? file
                    : Files.createDirectories(root.resolve("links")).resolve("followed.log");
            if (link == Link.REPLACED) {
                file = own.resolve(names.apply(0));
            }
            place();
            if (link != Link.NONE) {
                Files.createSymbolicLink(followed, file);
            }
        }

        private void place() throws IOException {
            rotatedTo = Files.createDirectories(
                    Objects.requireNonNull(file.getParent()).resolve(folder));
        }

        Path followed() {
            return followed;
        }

        List<String> written() {
            return written;
        }

        void append(int lines) throws IOException {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < lines; i++) {
                String line = "line %06d of the log, and what happened".formatted(written.size());
                written.add(line);
                text.append(line).append('\n');
            }
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

        private Path rotated(int number) {
            return rotatedTo.resolve(names.apply(number));
        }

        private Path packed(int number) {
            return rotatedTo.resolve(names.apply(number) + suffix);
        }

        void rotate() throws IOException {
            rotations++;
            if (way == Way.CUT) {
                cut();
                return;
            }
            int number = rotations;
            if (naming == Naming.SHIFTED) {
                shift();
                number = 1;
            }
            there.addFirst(rotations);
            move(number);
            if (when == When.AT_ONCE) {
                compress(number);
            } else if (when == When.LATER && rotations > 1) {
                compress(naming == Naming.SHIFTED ? 2 : rotations - 1);
            }
            if (link == Link.NONE || link == Link.TO_LOG) {
                Files.writeString(file, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            while (there.size() > kept) {
                there.removeLast();
                int oldest = naming == Naming.SHIFTED ? there.size() + 1 : rotations - there.size();
                Files.deleteIfExists(rotated(oldest));
                Files.deleteIfExists(packed(oldest));
            }
        }

        private void shift() throws IOException {
            for (int number = there.size(); number >= 1; number--) {
                if (Files.exists(rotated(number))) {
                    Files.move(rotated(number), rotated(number + 1), StandardCopyOption.REPLACE_EXISTING);
                } else if (Files.exists(packed(number))) {
                    Files.move(packed(number), packed(number + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }

        private void move(int number) throws IOException {
            if (link == Link.REPLACED) {
                file = file.resolveSibling(names.apply(rotations));
                Path other = followed.resolveSibling("followed.new");
                Files.createSymbolicLink(other, file);
                Files.writeString(file, "");
                Files.move(other, followed, StandardCopyOption.ATOMIC_MOVE);
            } else if (way == Way.COPIED) {
                Files.copy(file, rotated(number));
                cut();
            } else {
                Files.move(file, rotated(number));
            }
        }

        private void cut() throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
        }

        private void compress(int number) throws IOException {
            Path from = link == Link.REPLACED ? rotatedTo.resolve(names.apply(number - 1)) : rotated(number);
            Path to = from.resolveSibling(from.getFileName() + suffix);
            if (!Files.exists(from)) {
                return;
            }
            FileTime time = Files.getLastModifiedTime(from);
            Path aside = from.resolveSibling("tmp" + System.nanoTime());
            Path source = from;
            if (compressedAside) {
                source = from.resolveSibling("src" + System.nanoTime() + ".tmp");
                Files.move(from, source);
            }
            Path target = compressedAside ? aside : to;
            try (OutputStream out = packing(Files.newOutputStream(target))) {
                Files.copy(source, out);
            }
            if (keepsTime) {
                Files.setLastModifiedTime(target, time);
            }
            if (compressedAside) {
                Files.move(target, to);
            }
            Files.delete(source);
        }

        private OutputStream packing(OutputStream out) throws IOException {
            return switch (suffix) {
                case ".gz" -> new GZIPOutputStream(out);
                case ".xz" -> new XZOutputStream(out, new LZMA2Options(1));
                case ".zst" -> new ZstdOutputStream(out);
                case ".bz2" -> new BZip2HadoopStreams().createOutputStream(out);
                default -> throw new IllegalStateException(suffix);
            };
        }
    }
}
