package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One key pair of searchable encryption. The secret half stays encoded until a trapdoor is asked for: checking it takes longer than opening an
 * envelope.
 */
@Secret
final class IndexKeyEntry implements TrapdoorSource, AutoCloseable {
    private final Instant created;
    private final IndexKey publicKey;
    private final byte[] secret;
    private @Nullable TrapdoorIssuer issuer;
    private @Nullable IndexPublicKey searchers;

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

    /** Who searches by attributes; empty if only the authority makes trapdoors. */
    synchronized Optional<IndexPublicKey> searchers() throws MalformedEncodingException {
        if (searchers == null && scheme().takesPolicy()) {
            searchers = IndexPublicKey.decode(publicKey.publicKey());
        }
        return Optional.ofNullable(searchers);
    }

    /** The authority's own trapdoors are for every epoch. */
    @Override
    public boolean isFor(String epoch) {
        return true;
    }

    @Override
    public ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store)
            throws IOException, MalformedEncodingException {
        return issuer().issue(domain, keyword, store);
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
