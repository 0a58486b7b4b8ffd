package dev.veilgate.program;

import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.UnfitLibraryException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The library of native code that a program was told to use for the post-quantum algorithms. */
public final class NativeLibrary {
    /** Variable of the environment that names it for all commands. */
    public static final String VARIABLE = "VEILGATE_NATIVE_LIBOQS";

    private NativeLibrary() {}

    /**
     * Lets liboqs compute from now on.
     *
     * @param setting what names it, for the message
     * @param library null or blank: as before
     * @throws CommandFailure if it is unfit
     */
    public static void use(String setting, @Nullable String library) throws CommandFailure {
        if (library == null || library.isBlank()) {
            return;
        }
        try {
            PostQuantum.useNative(Path.of(library.strip()));
        } catch (UnfitLibraryException e) {
            throw new CommandFailure(ExitCode.REFUSED, setting + ": " + e.getMessage(), e);
        }
    }

    /** Which library computes, for people. */
    public static String inUse() {
        return PostQuantum.current().description();
    }
}
