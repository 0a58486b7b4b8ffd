package dev.veilgate.envelope.smime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Takes a {@link MultipartSigned} as it comes and passes on what is signed, before its signature is there to be
 * checked. What is wrong is not said before {@link #end}, so that nobody learns from the moment of a refusal how far a
 * forged content got.
 */
final class MultipartSignedReader extends OutputStream {
    private final OutputStream signed;
    private final MessageDigest digest;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream(MultipartSigned.HEAD_BYTES);
    private final ByteArrayOutputStream tail = new ByteArrayOutputStream();
    private String boundary = "";
    private byte[] delimiter = {};

    /** The last bytes that came, which may begin the delimiter. */
    private byte[] held = {};

    private boolean isBehind;
    private boolean isMalformed;

    /**
     * @param signed takes what is signed; not closed
     * @param digest of what is signed
     */
    MultipartSignedReader(OutputStream signed, MessageDigest digest) {
        this.signed = signed;
        this.digest = digest;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (isMalformed) {
            return;
        }
        int at = offset;
        if (boundary.isEmpty()) {
            int n = Math.min(length, MultipartSigned.HEAD_BYTES - head.size());
            head.write(bytes, at, n);
            at += n;
            if (head.size() < MultipartSigned.HEAD_BYTES) {
                return;
            }
            boundary = MultipartSigned.boundaryOf(head.toByteArray());
            isMalformed = boundary.isEmpty();
            if (isMalformed) {
                return;
            }
            delimiter = MultipartSigned.delimiter(boundary);
        }
        int left = offset + length - at;
        if (isBehind) {
            keepTail(bytes, at, left);
        } else {
            pass(bytes, at, left);
        }
    }

    private void pass(byte[] bytes, int offset, int length) throws IOException {
        byte[] all = Arrays.copyOf(held, held.length + length);
        System.arraycopy(bytes, offset, all, held.length, length);
        int found = indexOf(all, delimiter);
        int end = found >= 0 ? found : Math.max(0, all.length - delimiter.length + 1);
        digest.update(all, 0, end);
        signed.write(all, 0, end);
        if (found >= 0) {
            isBehind = true;
            held = new byte[0];
            keepTail(all, found + delimiter.length, all.length - found - delimiter.length);
        } else {
            held = Arrays.copyOfRange(all, end, all.length);
        }
    }

    private void keepTail(byte[] bytes, int offset, int length) {
        if (tail.size() + length > MultipartSigned.MAX_SIGNATURE_BYTES) {
            isMalformed = true;
        } else {
            tail.write(bytes, offset, length);
        }
    }

    private static int indexOf(byte[] bytes, byte[] sought) {
        for (int i = 0; i <= bytes.length - sought.length; i++) {
            if (bytes[i] == sought[0] && Arrays.equals(bytes, i, i + sought.length, sought, 0, sought.length)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * The signature behind what is signed.
     *
     * @return SignedData without content; empty if what came is no signed entity of ours
     */
    byte[] end() {
        return isMalformed || !isBehind
                ? new byte[0]
                : MultipartSigned.signatureIn(tail.toString(StandardCharsets.ISO_8859_1), boundary);
    }
}
