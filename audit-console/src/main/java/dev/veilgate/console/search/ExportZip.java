package dev.veilgate.console.search;

import dev.veilgate.console.http.WholeZip;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;

/** A ZIP of which each file is hashed while it is written. It is whole only after {@link #finish}: what is closed before has no directory, and no program takes it for a shorter one. */
final class ExportZip implements AutoCloseable {
    /** Writes a file. */
    @FunctionalInterface
    interface Content {
        void to(OutputStream out) throws Exception;
    }

    private final WholeZip zip;
    private final List<ExportManifest.Listed> files = new ArrayList<>();

    ExportZip(OutputStream out) {
        this.zip = new WholeZip(out);
    }

    /** Adds a file; what it is. */
    ExportManifest.Listed add(String name, Content content) throws Exception {
        zip.putNextEntry(new ZipEntry(name));
        Counted counted = new Counted(new DigestOutputStream(zip, sha256()));
        OutputStream buffered = new BufferedOutputStream(counted, 1 << 16);
        content.to(buffered);
        buffered.flush();
        zip.closeEntry();
        ExportManifest.Listed listed = new ExportManifest.Listed(
                name,
                counted.bytes,
                HexFormat.of().formatHex(counted.out.getMessageDigest().digest()));
        files.add(listed);
        return listed;
    }

    /** What was added. */
    List<ExportManifest.Listed> files() {
        return List.copyOf(files);
    }

    private static final class Counted extends OutputStream {
        private final DigestOutputStream out;
        private long bytes;

        Counted(DigestOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            bytes++;
        }

        @Override
        public void write(byte[] buffer, int from, int length) throws IOException {
            out.write(buffer, from, length);
            bytes += length;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Makes it whole. */
    void finish() throws IOException {
        zip.finish();
        zip.flush();
    }

    @Override
    public void close() {
        zip.close();
    }
}
