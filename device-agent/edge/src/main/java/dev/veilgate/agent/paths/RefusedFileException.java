package dev.veilgate.agent.paths;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Says that a file is not read, since whoever gave it its name may not hand it out. */
public final class RefusedFileException extends FileSystemException {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    RefusedFileException(Path file, Refusal refusal) {
        super(FileNames.shown(file), null, refusal.why());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
