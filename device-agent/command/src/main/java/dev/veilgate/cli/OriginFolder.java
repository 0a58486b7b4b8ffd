package dev.veilgate.cli;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A folder with a file for each origin, new or empty before, so that nothing in it is overwritten or leads elsewhere. */
final class OriginFolder implements AutoCloseable {
    private static final int MAX_OPEN = 64;

    private final Path folder;
    private final OriginPaths paths = new OriginPaths();
    private final Set<Path> made = new HashSet<>();
    private final Map<Path, OutputStream> open = new LinkedHashMap<>(16, 0.75f, true);

    private OriginFolder(Path folder) {
        this.folder = folder;
    }

    /** Whether the name is one of a folder. */
    static boolean isNamed(String name) {
        return name.endsWith("/") || Files.isDirectory(Path.of(name));
    }

    /** Makes the folder, or takes one that is there and empty. */
    static OriginFolder create(String name) throws IOException, CommandFailure {
        Path folder = Files.createDirectories(Path.of(name));
        try (Stream<Path> inside = Files.list(folder)) {
            if (inside.findAny().isPresent()) {
                throw new CommandFailure(ExitCode.USAGE, name + ": is not empty; name a new folder");
            }
        }
        return new OriginFolder(folder);
    }

    /** Where the next bytes of an origin go; valid until the next call. */
    OutputStream of(String sender, boolean signed, String origin) throws IOException {
        Path file = folder;
        for (String part : paths.of(sender, signed, origin)) {
            file = file.resolve(part);
        }
        OutputStream out = open.get(file);
        if (out != null) {
            return out;
        }
        if (open.size() >= MAX_OPEN) {
            Iterator<OutputStream> eldest = open.values().iterator();
            OutputStream oldest = eldest.next();
            eldest.remove();
            oldest.close();
        }
        boolean first = made.add(file);
        if (first) {
            Files.createDirectories(file.getParent());
        }
        OutputStream opened = new BufferedOutputStream(
                Files.newOutputStream(
                        file,
                        first ? StandardOpenOption.CREATE_NEW : StandardOpenOption.APPEND,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                1 << 14);
        open.put(file, opened);
        return opened;
    }

    /** How many files it has. */
    int files() {
        return made.size();
    }

    @Override
    public void close() throws IOException {
        IOException failed = null;
        for (OutputStream out : List.copyOf(open.values())) {
            try {
                out.close();
            } catch (IOException e) {
                failed = e;
            }
        }
        open.clear();
        if (failed != null) {
            throw failed;
        }
    }
}
