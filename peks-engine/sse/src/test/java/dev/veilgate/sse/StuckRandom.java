package dev.veilgate.sse;

import java.security.SecureRandom;
import java.util.Arrays;

/** A generator that says the same byte for ever, as a broken one may: a sender's salts are equal under it. */
public final class StuckRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    @Override
    public void nextBytes(byte[] out) {
        Arrays.fill(out, (byte) 1);
    }
}
