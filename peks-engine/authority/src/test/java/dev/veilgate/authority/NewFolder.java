package dev.veilgate.authority;

import dev.veilgate.authority.KeyFolder.Access;
import java.nio.file.Path;

/** A key folder for tests of other packages. */
public final class NewFolder {
    private NewFolder() {}

    /** A new one, opened to change. */
    public static KeyFolder in(Path parent) throws Exception {
        return SealedWord.open(SealedWord.keys(parent), Access.CHANGE);
    }
}
