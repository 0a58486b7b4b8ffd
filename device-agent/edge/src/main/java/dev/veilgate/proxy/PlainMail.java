package dev.veilgate.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A message in clear while it is being sealed: in memory up to {@link #MEMORY_BYTES}; beyond, in a file without a name, encrypted
 * (AES-256-CTR) under a key that exists in this object only. Nothing of it outlives the process, nor a pulled plug.
 *
 * <p>Written once, then read as often as wanted. For one thread.
 */
final class PlainMail extends OutputStream {
    /** What is kept in memory. */
    static final int MEMORY_BYTES = 256 << 10;

    private final Path folder;
    private final SecureRandom random;
    private byte[] buffer = new byte[8 << 10];
    private int buffered;
    private long size;
    private @Nullable FileChannel file;
    private @Nullable Path name;
    private @Nullable Cipher cipher;
    private @Nullable SecretKeySpec key;

    /** @param folder where a file may be put */
    PlainMail(Path folder, SecureRandom random) {
        this.folder = folder;
        this.random = random;
    }

    /** Bytes written. */
    long size() {
        return size;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        size += length;
        int from = offset;
        int left = length;
        while (left > 0) {
            if (buffered == MEMORY_BYTES) {
                spill();
            }
            if (buffered == buffer.length) {
                grow();
            }
            int n = Math.min(left, buffer.length - buffered);
            System.arraycopy(bytes, from, buffer, buffered, n);
            buffered += n;
            from += n;
            left -= n;
        }
    }

    private void grow() {
        byte[] larger = Arrays.copyOf(buffer, Math.min(MEMORY_BYTES, 2 * buffer.length));
        Arrays.fill(buffer, (byte) 0);
        buffer = larger;
    }

    private void spill() throws IOException {
        if (file == null) {
            openFile();
        }
        byte[] encrypted = java.util.Objects.requireNonNull(cipher).update(buffer, 0, buffered);
        ByteBuffer out = ByteBuffer.wrap(encrypted);
        FileChannel opened = java.util.Objects.requireNonNull(file);
        while (out.hasRemaining()) {
            opened.write(out);
        }
        buffered = 0;
    }

    private void openFile() throws IOException {
        byte[] secret = new byte[32];
        random.nextBytes(secret);
        key = new SecretKeySpec(secret, "AES");
        Arrays.fill(secret, (byte) 0);
        cipher = cipher(Cipher.ENCRYPT_MODE);
        name = Files.createTempFile(
                folder,
                "incoming",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        file = FileChannel.open(name, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        Files.delete(name); // the open file lives on without its name
    }

    private Cipher cipher(int mode) throws IOException {
        try {
            Cipher made = Cipher.getInstance("AES/CTR/NoPadding");
            made.init(mode, key, new IvParameterSpec(new byte[16])); // one message a key
            return made;
        } catch (GeneralSecurityException e) {
            throw new IOException("AES-CTR is missing", e);
        }
    }

    /** The message from its start. */
    InputStream open() throws IOException {
        InputStream tail = new java.io.ByteArrayInputStream(buffer, 0, buffered);
        if (file == null) {
            return tail;
        }
        InputStream head = new CipherInputStream(
                new BufferedInputStream(new FromStart(file, size - buffered), 64 << 10), cipher(Cipher.DECRYPT_MODE));
        return new BufferedInputStream(new java.io.SequenceInputStream(head, tail), 64 << 10);
    }

    /** Erases it. */
    @Override
    public void close() throws IOException {
        Arrays.fill(buffer, (byte) 0);
        buffered = 0;
        if (file != null) {
            file.close();
        }
    }

    /** Reads a file at its own position, so that several may. */
    private static final class FromStart extends InputStream {
        private final FileChannel file;
        private final long end;
        private long at;

        FromStart(FileChannel file, long end) {
            this.file = file;
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (at >= end) {
                return -1;
            }
            int n = file.read(ByteBuffer.wrap(bytes, offset, (int) Math.min(length, end - at)), at);
            at += Math.max(n, 0);
            return n;
        }
    }
}
