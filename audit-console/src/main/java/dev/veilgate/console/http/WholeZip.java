package dev.veilgate.console.http;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipOutputStream;

/** A ZIP that is whole only after {@link #finish}: what is closed before has no directory, and no program takes it for a shorter one. What it is written to stays open. */
public final class WholeZip extends ZipOutputStream {
    /** Writes to an answer. */
    public WholeZip(OutputStream out) {
        super(out, StandardCharsets.UTF_8);
    }

    /** Lets go of the deflater, and writes nothing more. */
    @Override
    public void close() {
        def.end();
    }
}
