package dev.veilgate.peks;

import dev.veilgate.encoding.MalformedEncodingException;
import java.security.SecureRandom;
import java.util.List;

/**
 * The one door through which envelope, store, routes and search see any searchable encryption scheme. Schemes register
 * as services; {@link IndexSchemes} finds them by id.
 *
 * <p>Edge: {@link #sealer}. Gateway: {@link #verifier} once a key and {@link IndexVerifier#verify} once a message,
 * {@link #prepare} once a trapdoor, {@link #match} for each pair. Issuing trapdoors is not here: it needs a secret key,
 * which only the authority holds, and is each scheme's own.
 *
 * <p>Implementations are stateless and safe for use by several threads.
 */
public interface IndexScheme {
    /** The id that blocks and trapdoors carry, such as {@code ntru-peks}. */
    String id();

    /** Seals under an encoded public key of this scheme; coins are seeded from {@code random}. */
    IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException;

    /**
     * Makes the checks of arrivals under an encoded public key of this scheme. It decodes the key once for all blocks
     * that come.
     *
     * @throws MalformedEncodingException if it is no key of this scheme, or of parameters that are not served here
     */
    IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException;

    /**
     * Brings a block to the form in which it is stored. For blocks that were verified when they arrived, or are the
     * caller's own: decoding is checked, and
     * <b>whether the block is forged, or another message's, is not</b>; {@link IndexVerifier#verify} does both.
     *
     * @param context the message it came with
     * @throws MalformedEncodingException naming what is no block of this scheme
     */
    StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException;

    /**
     * Tells if a block is of a form that was sealed by earlier versions and is not any more, since its sender can
     * choose what it matches. Such blocks are refused by
     * {@link IndexVerifier#verify}; what was stored of them is found as before.
     */
    default boolean isOutdated(IndexBlock block) {
        return false;
    }

    /**
     * The inverse of {@link #storedForm}: a block as it came, byte for byte, so that a store keeps it once only.
     *
     * @param withoutPayload all but the payload, which is empty
     * @param stored         what {@link #storedForm} made of the block
     * @throws IllegalArgumentException for values that no block of this scheme is stored as
     */
    IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored);

    /** Checks a trapdoor and makes it ready for many Tests. */
    PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException;

    /**
     * Test: the slots of the block that hold the trapdoor's keyword, with their records. Empty for no match. The caller
     * offers only blocks of the trapdoor's scheme, parameters, key, scope and epoch; of others an honest one does not
     * match.
     *
     * @param prepared from this scheme's {@link #prepare}
     * @throws IllegalArgumentException for a trapdoor that another scheme prepared
     */
    List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block);

    /**
     * Test of many trapdoors against one block, which is then read from memory once: the standing routes of a gateway,
     * the terms of a boolean query.
     *
     * @return for each trapdoor, in order, what {@link #match} says
     */
    default List<List<SlotMatch>> matchTrapdoors(List<? extends PreparedTrapdoor> prepared, StoredBlock block) {
        return prepared.stream().map(trapdoor -> match(trapdoor, block)).toList();
    }

    /**
     * The part of {@link #match} that reads the hot value only: false means that nothing matches; true means that
     * the cold value must be looked at. Reads in place, for stores that keep many blocks in one array.
     *
     * @param hotOffset where the block's hot value begins in {@code hot}
     */
    boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset);

    /**
     * {@link #match} of a block to which {@link #mayMatch} said yes, which is then not asked again.
     *
     * @return what {@link #match} says
     */
    default List<SlotMatch> matchSurvivor(PreparedTrapdoor prepared, StoredBlock block) {
        return match(prepared, block);
    }
}
