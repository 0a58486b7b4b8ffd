package dev.veilgate.agent.paths;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens files under names that others give, as far as a rule allows it. */
public final class GuardedFiles implements FileAccess {
    private final LinkRule rule;
    private final ResolvedFile.Resolver resolver;

    /** Opens by descriptors where the system has such, else by names. */
    public GuardedFiles(LinkRule rule) {
        this(rule, resolver());
    }

    GuardedFiles(LinkRule rule, ResolvedFile.Resolver resolver) {
        this.rule = rule;
        this.resolver = resolver;
    }

    private static ResolvedFile.Resolver resolver() {
        LibC system = LibC.instance();
        if (system != null) {
            DescriptorResolver descriptors = new DescriptorResolver(system);
            try (ResolvedFile root = descriptors.resolve(Path.of("/"))) {
                if (root.inode().isFolder()) {
                    return descriptors;
                }
            } catch (IOException e) {
                // there is no /proc
            }
        }
        return new NameResolver();
    }

    @Override
    public FileChannel open(Path name, Check check) throws IOException {
        try (ResolvedFile file = resolver.resolve(name)) {
            require(name, file);
            if (!check.holds(file.inode(), file.held())) {
                throw new NoSuchFileException(FileNames.shown(name), null, "renamed meanwhile");
            }
            return file.open();
        }
    }

    @Override
    public void require(Path name) throws IOException {
        try (ResolvedFile file = resolver.resolve(name)) {
            require(name, file);
        }
    }

    @Override
    public void requireFolder(Path name) throws IOException {
        try (ResolvedFile folder = resolver.resolve(name)) {
            Refusal refusal = rule.refusalToEnter(folder);
            if (refusal != null) {
                throw new RefusedFileException(name, refusal);
            }
        }
    }

    private void require(Path name, ResolvedFile file) throws RefusedFileException {
        Refusal refusal = rule.refusal(file);
        if (refusal != null) {
            throw new RefusedFileException(name, refusal);
        }
    }

    @Override
    public Target target(Path name) throws IOException {
        try (ResolvedFile file = resolver.resolve(name)) {
            require(name, file);
            return new Target(file.real(), rule.readableBehind(file));
        }
    }

    @Override
    public boolean isReadableIn(Path folder, int owner, int mover) {
        return rule.isReadableIn(folder, owner, mover);
    }
}
