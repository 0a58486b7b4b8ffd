package dev.veilgate.extract.mail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/** UTF-7 of RFC 2152, which the runtime does not have; only read. What is no UTF-7 stays as it is. */
final class Utf7Charset extends Charset {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    Utf7Charset() {
        super("x-veilgate-utf-7", new String[0]);
    }

    @Override
    public boolean contains(Charset other) {
        return false;
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public CharsetEncoder newEncoder() {
        throw new UnsupportedOperationException("UTF-7 is not written");
    }

    @Override
    public CharsetDecoder newDecoder() {
        return new Decoder(this);
    }

    private static final class Decoder extends CharsetDecoder {
        private boolean shifted;
        private boolean empty;
        private int bits;
        private int count;

        Decoder(Charset charset) {
            super(charset, 1, 1);
        }

        @Override
        protected void implReset() {
            shifted = false;
            bits = 0;
            count = 0;
        }

        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
            while (in.hasRemaining()) {
                if (!out.hasRemaining()) {
                    return CoderResult.OVERFLOW;
                }
                byte next = in.get();
                if (shifted) {
                    shifted(next, out);
                } else if (next == '+') {
                    shifted = true;
                    empty = true;
                    bits = 0;
                    count = 0;
                } else {
                    out.put((char) (next & 0xff));
                }
            }
            return CoderResult.UNDERFLOW;
        }

        private void shifted(byte next, CharBuffer out) {
            int value = next <= 0 ? -1 : LETTERS.indexOf(next);
            if (value < 0) {
                shifted = false;
                if (next != '-') {
                    out.put((char) (next & 0xff));
                } else if (empty) {
                    out.put('+');
                }
                return;
            }
            empty = false;
            bits = bits << 6 | value;
            count += 6;
            if (count >= 16) {
                count -= 16;
                out.put((char) (bits >> count));
            }
        }
    }
}
