package dev.veilgate.pq;

import java.nio.file.Path;

/**
 * Who computes the post-quantum algorithms in this process: the Java libraries, unless a program was told to use
 * liboqs.
 */
public final class PostQuantum {
    private static volatile PostQuantumProvider current = Platform.INSTANCE;

    private PostQuantum() {}

    /** The provider that the product's calls go to. Keys that exist stay with the one that they were made by. */
    public static PostQuantumProvider current() {
        return current;
    }

    /** Bouncy Castle and the Java runtime, whichever is faster for each operation. */
    public static PostQuantumProvider platform() {
        return Platform.INSTANCE;
    }

    /**
     * Loads liboqs, checks it against {@link #platform}, and uses it from now on in the whole process; called once, at
     * the start of a program. The file is mapped until the process ends.
     *
     * @param library of liboqs 0.13.0 or a later version that gives the same bytes; native/install-liboqs makes one. If
     * a file NAME.sha256 lies beside it, its sum must be that
     * @return the provider, which {@link #current} is now
     * @throws UnfitLibraryException if it is not there, is of an older version or of something else, was changed, or
     * computes something else; nothing has
     *                               changed then
     */
    public static PostQuantumProvider useNative(Path library) throws UnfitLibraryException {
        PostQuantumProvider liboqs = Liboqs.load(library);
        current = liboqs;
        return liboqs;
    }
}
