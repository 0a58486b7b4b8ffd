package dev.veilgate.peks;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.List;

/**
 * Checks index blocks on arrival, under one public key of the tenant that they are sent to. Whatever a scheme has to
 * refuse so that no sender can make a block that matches trapdoors of keywords which it does not hold is refused here,
 * and nowhere else.
 *
 * <p>Immutable and safe for use by several threads.
 */
public interface IndexVerifier {
    /**
     * A verifier for schemes of which no well formed block matches more than it should: it looks at the key id and asks
     * {@link IndexScheme#storedForm}.
     */
    static IndexVerifier ofForm(IndexScheme scheme, KeyId keyId) {
        return new FormVerifier(scheme, keyId);
    }

    /** The public key's id: blocks of other keys are refused. */
    KeyId keyId();

    /**
     * Checks the blocks of one message: canonical encoding, sizes, key, and what each scheme adds. A block of another
     * message is refused, or matches nothing.
     *
     * @param blocks  all of the message's that are under this key
     * @param context the message
     * @return what {@link IndexScheme#storedForm} gives for each, in order
     * @throws MalformedEncodingException naming what is wrong. No honest sender's block is refused. One that was
     * altered on the way may pass, and then matches less: a relay can take keywords out of an index that nobody signed
     */
    List<StoredBlock> verify(List<IndexBlock> blocks, MessageContext context) throws MalformedEncodingException;
}
