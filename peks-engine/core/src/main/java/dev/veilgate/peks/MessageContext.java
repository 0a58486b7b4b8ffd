package dev.veilgate.peks;

import dev.veilgate.encoding.ByteWriter;
import java.util.Arrays;
import java.util.UUID;

/**
 * The message that an index block belongs to. Every slot's tag binds it, so that a block cannot be moved to another message.
 *
 * @param sender        who sealed, at most 255 bytes of UTF-8, possibly empty
 * @param id            the message's own id
 * @param sealedContentDigest SHA-256 of the encrypted content, 32 bytes; never of plaintext, which could be guessed from it
 */
public record MessageContext(String sender, UUID id, byte[] sealedContentDigest) {
    /** @throws IllegalArgumentException for a long sender or a digest that has not 32 bytes */
    public MessageContext {
        if (ByteWriter.utf8(sender).length > 255) {
            throw new IllegalArgumentException("a sender has at most 255 bytes in UTF-8");
        }
        if (sealedContentDigest.length != 32) {
            throw new IllegalArgumentException("the content digest has 32 bytes");
        }
        sealedContentDigest = sealedContentDigest.clone();
    }

    /** A copy of the digest. */
    @Override
    public byte[] sealedContentDigest() {
        return sealedContentDigest.clone();
    }

    /** Canonical encoding: sender behind its length, id, digest. */
    public byte[] encode() {
        return new ByteWriter(96)
                .shortString(sender)
                .int64(id.getMostSignificantBits())
                .int64(id.getLeastSignificantBits())
                .bytes(sealedContentDigest)
                .toByteArray();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageContext that
                && sender.equals(that.sender)
                && id.equals(that.id)
                && Arrays.equals(sealedContentDigest, that.sealedContentDigest);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
