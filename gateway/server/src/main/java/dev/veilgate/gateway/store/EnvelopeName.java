package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import java.util.HexFormat;
import java.util.UUID;

/**
 * What tells an envelope of a tenant from all others. Its id alone does not: anybody may send a mail with an id that is another's.
 *
 * @param digest SHA-256 of its bytes, 64 hexadecimal digits in lower case
 */
public record EnvelopeName(UUID id, String digest) {
    private static final int DIGEST_CHARACTERS = 64;

    /** @throws IllegalArgumentException if the digest is none */
    public EnvelopeName {
        if (!isDigest(digest)) {
            throw new IllegalArgumentException("a digest has 64 hexadecimal digits, in lower case");
        }
    }

    /** Of an envelope. */
    public static EnvelopeName of(Envelope envelope) {
        return of(envelope.id(), envelope.digest());
    }

    /** Of an id and the 32 bytes of a digest. */
    public static EnvelopeName of(UUID id, byte[] digest) {
        return new EnvelopeName(id, HexFormat.of().formatHex(digest));
    }

    /** Whether a text can be a digest here. */
    public static boolean isDigest(String text) {
        return text.length() == DIGEST_CHARACTERS
                && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    /** The digest's 32 bytes. */
    public byte[] digestBytes() {
        return HexFormat.of().parseHex(digest);
    }
}
