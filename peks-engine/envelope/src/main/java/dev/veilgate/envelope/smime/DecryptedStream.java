package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a block cipher decrypts. A padding that is wrong is an end like any other, and is remembered, as is what
 * failed when it was read: whoever reads this may take either for an end.
 */
final class DecryptedStream extends InputStream {
    private static final int CHUNK_BYTES = 64 << 10;

    private final InputStream encrypted;
    private final Cipher cipher;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private byte[] clear = {};
    private int at;
    private boolean isAtEnd;
    private boolean isPadded = true;
    private @Nullable IOException failure;

    DecryptedStream(InputStream encrypted, Cipher cipher) {
        this.encrypted = encrypted;
        this.cipher = cipher;
    }

    /** Tells if the padding at the end was right; reads the rest. */
    boolean endsWell() throws IOException {
        transferTo(OutputStream.nullOutputStream());
        if (failure != null) {
            throw failure;
        }
        return isPadded;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        while (at == clear.length && !isAtEnd) {
            fill();
        }
        if (at == clear.length) {
            return length == 0 ? 0 : -1;
        }
        int n = Math.min(length, clear.length - at);
        System.arraycopy(clear, at, bytes, offset, n);
        at += n;
        return n;
    }

    private void fill() throws IOException {
        at = 0;
        try {
            int n = encrypted.read(chunk);
            isAtEnd = n < 0;
            byte[] more = isAtEnd ? cipher.doFinal() : cipher.update(chunk, 0, n);
            clear = more == null ? new byte[0] : more;
        } catch (GeneralSecurityException e) {
            isPadded = false;
            clear = new byte[0];
        } catch (IOException e) {
            isAtEnd = true;
            clear = new byte[0];
            failure = e;
            throw e;
        }
    }
}
