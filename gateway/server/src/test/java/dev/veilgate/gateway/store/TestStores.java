package dev.veilgate.gateway.store;

import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Path;

/** The embedded store for tests of other packages. */
public final class TestStores {
    private TestStores() {}

    /** Opens the folder's store. */
    public static EnvelopeStore open(Path folder) throws IOException {
        return EnvelopeStore.embedded(folder, IndexSchemes.load(), 1 << 20, 2);
    }
}
