package dev.veilgate.peks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

/** NTRU-PEKS blocks of the default set that are made to match every trapdoor, with none of the engine's code. */
public final class ForgedIndexBlock {
    private static final int SLOTS = 16;
    private static final int ROW_BYTES = 256 / 8;
    private static final int TAG_BYTES = 13;

    private ForgedIndexBlock() {}

    /**
     * The forged block of payload version 2, whose A its sender chooses: what it matches nobody can tell on arrival.
     */
    public static IndexBlock unshifted(IndexBlock like, MessageContext context) {
        return ofZeros(like, context, 2);
    }

    /** The forged block of payload version 3, whose A is not the one that its binding asks for. */
    public static IndexBlock wronglyBound(IndexBlock like, MessageContext context) {
        return ofZeros(like, context, 3);
    }

    /** A is 0, so that A·t is 0 for each trapdoor t, and each finds the same slot key, of zeros. */
    private static IndexBlock ofZeros(IndexBlock like, MessageContext context, int version) {
        byte[] publicPart = new byte[5 + 2048 * 29 / 8];
        publicPart[0] = (byte) version;
        publicPart[1] = 3;
        publicPart[2] = SLOTS - 1;
        byte[] binding = sha(
                ("veilgate/ntru-peks/block/" + version).getBytes(StandardCharsets.US_ASCII),
                like.header(),
                context.encode(),
                publicPart);
        byte[] zeros = new byte[ROW_BYTES];
        byte[] tag = Arrays.copyOf(sha(new byte[] {1}, zeros, binding, zeros), TAG_BYTES);
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(publicPart);
        if (version == 3) {
            payload.writeBytes(binding);
        }
        payload.writeBytes(new byte[ROW_BYTES * SLOTS]);
        for (int slot = 0; slot < SLOTS; slot++) {
            payload.writeBytes(tag);
        }
        return new IndexBlock(
                like.scheme(), like.parameters(), like.keyId(), like.scope(), like.epoch(), payload.toByteArray());
    }

    private static byte[] sha(byte[]... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                sha.update(part);
            }
            return sha.digest();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
