package dev.veilgate.peks.lattice.ntru;

/**
 * The part of a ciphertext that needs no keyword, computed ahead: {@code A = r·h + e1} and the r that it was made with.
 *
 * <p>For one ciphertext, and never stored: whoever has r opens what was encrypted with it, and two ciphertexts under
 * one r show whether their keywords are equal. It takes 8 N bytes of memory, and saves a part of an encryption's time.
 *
 * <p>Source: the NTRU-PEKS paper, section 5.2.
 */
public final class CiphertextStart {
    private final PublicKey publicKey;
    private final BlockMask mask;

    CiphertextStart(PublicKey publicKey, BlockMask mask) {
        this.publicKey = publicKey;
        this.mask = mask;
    }

    PublicKey publicKey() {
        return publicKey;
    }

    /** @throws IllegalStateException at the second call */
    BlockMask.Opened open() {
        return mask.open();
    }

    @Override
    public String toString() {
        return "CiphertextStart[hidden]";
    }
}
