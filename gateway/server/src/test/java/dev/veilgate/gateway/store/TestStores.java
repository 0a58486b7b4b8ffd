package dev.veilgate.gateway.store;

import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.FSDirectory;
import org.springframework.util.unit.DataSize;

/** The embedded store for tests of other packages. */
public final class TestStores {
    private TestStores() {}

    /** Opens the folder's store. */
    public static EnvelopeStore open(Path folder) throws IOException {
        return new LuceneEnvelopeStore(
                FSDirectory.open(folder), IndexSchemes.load(), new StoreSettings(DataSize.ofMegabytes(16), 2));
    }
}
