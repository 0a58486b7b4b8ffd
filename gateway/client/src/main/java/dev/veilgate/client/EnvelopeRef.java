package dev.veilgate.client;

import dev.veilgate.envelope.Envelope;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * Which stored envelope is meant. Anybody may send a mail with an id that is another's, so that the id alone does not say it.
 *
 * @param digest SHA-256 of its bytes, 64 hexadecimal digits in lower case; empty where a gateway of before names it by its id alone
 */
public record EnvelopeRef(UUID id, Optional<String> digest) {
    private static final int DIGEST_CHARACTERS = 64;

    /** @throws IllegalArgumentException if the digest is none */
    public EnvelopeRef {
        if (digest.isPresent() && !isDigest(digest.get())) {
            throw new IllegalArgumentException("a digest has 64 hexadecimal digits, in lower case");
        }
    }

    /** Of an id and the 32 bytes of a digest. */
    public static EnvelopeRef of(UUID id, byte[] digest) {
        return new EnvelopeRef(id, Optional.of(HexFormat.of().formatHex(digest)));
    }

    /** As a gateway names it. */
    static EnvelopeRef of(String id, JsonObject json) throws IOException {
        return new EnvelopeRef(UUID.fromString(json.text(id)), json.optionalText("digest"));
    }

    /** Whether it means this envelope, as far as it says. */
    public boolean means(Envelope envelope) {
        return envelope.id().equals(id)
                && (digest.isEmpty() || digest.get().equals(HexFormat.of().formatHex(envelope.digest())));
    }

    private static boolean isDigest(String text) {
        return text.length() == DIGEST_CHARACTERS
                && text.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f');
    }

    /** The path of something of it. */
    String path(String what) {
        return "envelopes/" + id + what
                + digest.map(wanted -> "?digest=" + wanted).orElse("");
    }
}
