package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.StoredBlock;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** The checks of section 4 of the specification: one hash and two transforms a block. */
final class NtruIndexVerifier implements IndexVerifier {
    private static final int ALIKE_SAMPLE = 64;

    private final NtruIndexScheme scheme;
    private final PublicKey publicKey;

    NtruIndexVerifier(NtruIndexScheme scheme, PublicKey publicKey) {
        this.scheme = scheme;
        this.publicKey = publicKey;
    }

    @Override
    public KeyId keyId() {
        return publicKey.id();
    }

    @Override
    public List<StoredBlock> verify(List<IndexBlock> blocks, MessageContext context) throws MalformedEncodingException {
        List<StoredBlock> stored = new ArrayList<>(blocks.size());
        List<int[]> masks = new ArrayList<>(blocks.size());
        for (IndexBlock block : blocks) {
            BlockPayload payload = decode(block);
            byte[] binding = payload.binding();
            int[] a0 = MaskShift.unshifted(publicKey, binding, payload.a());
            if (!MessageDigest.isEqual(binding, SlotHash.binding(block, context, payload.publicPartWith(a0)))) {
                throw new MalformedEncodingException(
                        "ntru-peks.binding", "must be that of this block, message and key: one of them was altered");
            }
            masks.add(a0);
            stored.add(StoredForm.of(payload, binding));
        }
        requireSeparate(masks);
        return stored;
    }

    private BlockPayload decode(IndexBlock block) throws MalformedEncodingException {
        if (!block.keyId().equals(keyId())) {
            throw new MalformedEncodingException("index-block.key-id", "must be " + keyId());
        }
        BlockPayload payload = scheme.decode(block);
        if (payload.parameters() != publicKey.parameters()) {
            throw new MalformedEncodingException("index-block.parameters", "must be those of its key");
        }
        if (payload.version() != BlockPayload.VERSION) {
            throw new MalformedEncodingException("ntru-peks.version", "must be " + BlockPayload.VERSION);
        }
        return payload;
    }

    /**
     * Two blocks of a message with one r0 let anybody test guesses of their keywords; such a sender has to be mended.
     */
    private void requireSeparate(List<int[]> masks) throws MalformedEncodingException {
        for (int i = 1; i < masks.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (areAlike(masks.get(i), masks.get(j), ALIKE_SAMPLE)
                        && areAlike(masks.get(i), masks.get(j), masks.get(i).length)) {
                    throw new MalformedEncodingException(
                            "ntru-peks.a", "must be made with fresh randomness in each block of a message");
                }
            }
        }
    }

    /**
     * Tells if of these many coefficients of the difference more than 2/5 are within q/8 of 0, where a quarter is
     * expected.
     */
    private boolean areAlike(int[] a, int[] b, int coefficients) {
        int q = publicKey.parameters().q();
        int near = 0;
        for (int i = 0; i < coefficients; i++) {
            int distance = Math.abs(a[i] - b[i]);
            near += Math.min(distance, q - distance) <= q / 8 ? 1 : 0;
        }
        return 5L * near > 2L * coefficients;
    }
}
