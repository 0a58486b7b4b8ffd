package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.peks.KeyId;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One key pair of searchable encryption. The secret half stays encoded until a trapdoor is asked for: checking it takes longer than opening an
 * envelope.
 */
final class IndexKeyEntry implements AutoCloseable {
    private final Instant created;
    private final IndexKey publicKey;
    private final byte[] secret;
    private @Nullable TrapdoorIssuer issuer;

    /** @param secret kept, not copied */
    IndexKeyEntry(Instant created, IndexKey publicKey, byte[] secret) {
        this.created = created;
        this.publicKey = publicKey;
        this.secret = secret;
    }

    /** A fresh pair. NTRU takes a second. */
    static IndexKeyEntry generate(SearchScheme choice, SecureRandom random, Instant now) {
        IndexKeyScheme.Pair pair = choice.scheme().keyGen(choice.searchers().orElse(null), random);
        return new IndexKeyEntry(now, pair.publicKey(), pair.secret());
    }

    Instant created() {
        return created;
    }

    IndexKey publicKey() {
        return publicKey;
    }

    IndexKeyScheme scheme() throws MalformedEncodingException {
        try {
            return IndexKeyScheme.byId(publicKey.scheme());
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("keys.index-key", String.valueOf(e.getMessage()));
        }
    }

    /** Whether a loss of the store of trapdoors makes the key unusable. */
    boolean keepsTrapdoors() {
        try {
            return scheme().keepsTrapdoors();
        } catch (MalformedEncodingException e) {
            return true;
        }
    }

    KeyId id() {
        return KeyId.ofPublicKey(publicKey.publicKey());
    }

    /** The array itself. */
    byte[] encodedSecret() {
        return secret;
    }

    /** The secret key, ready to make trapdoors; closed with this. */
    synchronized TrapdoorIssuer issuer() throws MalformedEncodingException {
        if (issuer == null) {
            TrapdoorIssuer read = scheme().issuer(publicKey, secret);
            if (!Arrays.equals(read.publicKey(), publicKey.publicKey())) {
                read.close();
                throw new MalformedEncodingException("keys.index-key", "must be a pair");
            }
            issuer = read;
        }
        return issuer;
    }

    @Override
    public synchronized void close() {
        Arrays.fill(secret, (byte) 0);
        if (issuer != null) {
            issuer.close();
        }
    }

    @Override
    public String toString() {
        return "IndexKeyEntry[hidden, " + id() + "]";
    }
}
