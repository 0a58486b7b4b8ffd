package dev.veilgate.query;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.ScopedTrapdoor;

/**
 * Which index blocks a trapdoor applies to: those that name the same five.
 *
 * @param scheme     id of the scheme
 * @param parameters name of the parameter set
 * @param keyId      the public key
 * @param scope      where
 * @param epoch      when
 */
public record BlockTarget(String scheme, String parameters, KeyId keyId, String scope, String epoch) {
    /** That of a block. */
    public static BlockTarget of(IndexBlock block) {
        return new BlockTarget(block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch());
    }

    /** The one that a trapdoor applies to. */
    public static BlockTarget of(ScopedTrapdoor trapdoor) {
        return new BlockTarget(
                trapdoor.scheme(), trapdoor.parameters(), trapdoor.keyId(), trapdoor.scope(), trapdoor.epoch());
    }

    /** A block of this target whose payload is empty: what {@link dev.veilgate.peks.IndexScheme#restore} fills. */
    public IndexBlock emptyBlock() {
        return new IndexBlock(scheme, parameters, keyId, scope, epoch, new byte[0]);
    }

    /** {@link IndexBlock#header} of such a block: different targets have different bytes. */
    public byte[] encode() {
        return emptyBlock().header();
    }
}
