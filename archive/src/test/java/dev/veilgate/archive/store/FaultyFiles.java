package dev.veilgate.archive.store;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Files of the operating system, where a test may stop, fail or replace each step. */
class FaultyFiles implements Filesystem {
    /** A step, with the path that it is about. */
    enum Step {
        CREATE,
        WRITE,
        FORCE_FILE,
        LINK,
        RENAME,
        DELETE,
        CREATE_FOLDER,
        DELETE_FOLDER,
        FORCE,
        TOUCH,
        OPEN,
        LOOK,
        NAMES;

        static final Set<Step> WRITING = EnumSet.range(CREATE, TOUCH);
    }

    final Filesystem files;

    FaultyFiles() {
        this(new SystemFiles());
    }

    FaultyFiles(Filesystem files) {
        this.files = files;
    }

    /** Called before each step, which is not taken if this fails. */
    void before(Step step, Path path) throws IOException {}

    /** Called after each step, which fails if this does, though it was taken. */
    void after(Step step, Path path) throws IOException {}

    private interface Taken<T> {
        T take() throws IOException;
    }

    private interface Done {
        void take() throws IOException;
    }

    private <T> T step(Step step, Path path, Taken<T> taken) throws IOException {
        before(step, path);
        T result = taken.take();
        after(step, path);
        return result;
    }

    private void step(Step step, Path path, Done done) throws IOException {
        before(step, path);
        done.take();
        after(step, path);
    }

    @Override
    public void create(Path file, DurableFiles.Content content) throws IOException {
        step(
                Step.CREATE,
                file,
                () -> files.create(file, out -> {
                    step(Step.WRITE, file, () -> content.write(out));
                    step(Step.FORCE_FILE, file, () -> out.force(true));
                }));
    }

    @Override
    public void link(Path name, Path file) throws IOException {
        step(Step.LINK, name, () -> files.link(name, file));
    }

    @Override
    public void rename(Path file, Path name) throws IOException {
        step(Step.RENAME, name, () -> files.rename(file, name));
    }

    @Override
    public void delete(Path file) throws IOException {
        step(Step.DELETE, file, () -> files.delete(file));
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        step(Step.CREATE_FOLDER, folder, () -> files.createFolder(folder));
    }

    @Override
    public void deleteFolder(Path folder) throws IOException {
        step(Step.DELETE_FOLDER, folder, () -> files.deleteFolder(folder));
    }

    @Override
    public void force(Path folder) throws IOException {
        step(Step.FORCE, folder, () -> files.force(folder));
    }

    @Override
    public void touch(Path file, Instant changed) throws IOException {
        step(Step.TOUCH, file, () -> files.touch(file, changed));
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        return step(Step.OPEN, file, () -> files.open(file));
    }

    @Override
    public Optional<Entry> look(Path path) throws IOException {
        return step(Step.LOOK, path, () -> files.look(path));
    }

    @Override
    public List<String> names(Path folder) throws IOException {
        return step(Step.NAMES, folder, () -> files.names(folder));
    }
}
