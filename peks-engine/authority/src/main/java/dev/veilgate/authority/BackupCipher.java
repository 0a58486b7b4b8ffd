package dev.veilgate.authority;

import dev.veilgate.secret.Secret;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A stream of any length under one key, in chunks:
 *
 * <pre>
 *   stream key || check = HKDF-SHA-256(salt = SHA-256(binding), key, "veilgate/backup/1", 64)
 *   chunk i = AES-256-GCM(stream key, nonce = i in 11 bytes || last, {@value #CHUNK_BYTES} bytes of content, the last one fewer or as many)
 * </pre>
 *
 * <p>Gives secrecy and integrity, of the order and of the end too (the STREAM construction). The check is public: it tells whether a key is the right one.
 */
@Secret
final class BackupCipher implements AutoCloseable {
    static final int CHUNK_BYTES = 1 << 16;
    static final int CHECK_BYTES = 32;

    private static final int TAG_BYTES = 16;
    private static final String LABEL = "veilgate/backup/1";

    private final byte[] key;
    private final byte[] check;

    /** @param binding what the content belongs to */
    BackupCipher(byte[] secret, byte[] binding) {
        try {
            byte[] salt = MessageDigest.getInstance("SHA-256").digest(binding);
            byte[] info = LABEL.getBytes(StandardCharsets.US_ASCII);
            byte[] both = KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .addSalt(salt)
                            .thenExpand(info, 64));
            key = Arrays.copyOf(both, 32);
            check = Arrays.copyOfRange(both, 32, 64);
            Arrays.fill(both, (byte) 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        }
    }

    byte[] check() {
        return check.clone();
    }

    private byte[] chunk(int mode, long number, boolean last, byte[] bytes, int length) throws AEADBadTagException {
        byte[] nonce = ByteBuffer.allocate(12)
                .putLong(3, number)
                .put(11, (byte) (last ? 1 : 0))
                .array();
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_BYTES, nonce));
            return cipher.doFinal(bytes, 0, length);
        } catch (AEADBadTagException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES-GCM", e);
        }
    }

    /** Seals what is written to it; {@link OutputStream#close} writes the last chunk, without which the whole does not open. */
    OutputStream sealing(OutputStream out) {
        return new Sealing(out);
    }

    private final class Sealing extends FilterOutputStream {
        private final byte[] buffer = new byte[CHUNK_BYTES];
        private int filled;
        private long number;
        private boolean closed;

        Sealing(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            for (int done = 0; done < length; ) {
                if (filled == CHUNK_BYTES) { // only when more follows
                    seal(false);
                }
                int step = Math.min(length - done, CHUNK_BYTES - filled);
                System.arraycopy(bytes, from + done, buffer, filled, step);
                filled += step;
                done += step;
            }
        }

        private void seal(boolean last) throws IOException {
            try {
                out.write(chunk(Cipher.ENCRYPT_MODE, number++, last, buffer, filled));
            } catch (AEADBadTagException e) {
                throw new IllegalStateException("sealing checks no tag", e);
            }
            filled = 0;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                seal(true);
                Arrays.fill(buffer, (byte) 0);
                out.flush();
            }
        }
    }

    /** Opens what was sealed; reading fails with a {@link BackupDamagedException} where it was altered, or is cut off. */
    InputStream opening(InputStream in) {
        return new Opening(in);
    }

    /** The backup was altered or is not whole. */
    static final class BackupDamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        BackupDamagedException() {
            super("the backup is damaged or cut off");
        }
    }

    private final class Opening extends InputStream {
        private final InputStream in;
        private byte[] sealed;
        private byte[] plain = new byte[0];
        private int at;
        private long number;
        private boolean last;

        Opening(InputStream in) {
            this.in = in;
            this.sealed = new byte[0];
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            while (at == plain.length) {
                if (last) {
                    return -1;
                }
                next();
            }
            int step = Math.min(length, plain.length - at);
            System.arraycopy(plain, at, bytes, from, step);
            at += step;
            return step;
        }

        private void next() throws IOException {
            byte[] read = number == 0 ? in.readNBytes(CHUNK_BYTES + TAG_BYTES) : sealed;
            sealed = in.readNBytes(CHUNK_BYTES + TAG_BYTES);
            last = sealed.length == 0;
            Arrays.fill(plain, (byte) 0);
            at = 0;
            try {
                if (read.length < TAG_BYTES) {
                    throw new BackupDamagedException();
                }
                plain = chunk(Cipher.DECRYPT_MODE, number++, last, read, read.length);
            } catch (AEADBadTagException e) {
                plain = new byte[0];
                last = true;
                throw new BackupDamagedException();
            }
        }

        @Override
        public void close() {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /** Erases the key. */
    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }
}
