package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.peks.lattice.ntru.SecretKey;
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
    private @Nullable SecretKey decoded;

    /** @param secret kept, not copied */
    IndexKeyEntry(Instant created, IndexKey publicKey, byte[] secret) {
        this.created = created;
        this.publicKey = publicKey;
        this.secret = secret;
    }

    /** A fresh pair; draws 64 bytes. Takes a second. */
    static IndexKeyEntry generate(NtruParameters parameters, SecureRandom random, Instant now) {
        KeyPair pair = new NtruPeks(parameters, random).keyGen();
        try (SecretKey secretKey = pair.secretKey()) {
            return new IndexKeyEntry(
                    now,
                    new IndexKey(
                            NtruIndexScheme.ID,
                            parameters.id(),
                            pair.publicKey().encode()),
                    secretKey.encode());
        }
    }

    Instant created() {
        return created;
    }

    IndexKey publicKey() {
        return publicKey;
    }

    KeyId id() {
        return KeyId.ofPublicKey(publicKey.publicKey());
    }

    /** The array itself. */
    byte[] encodedSecret() {
        return secret;
    }

    NtruParameters parameters() throws MalformedEncodingException {
        return NtruParameters.byId(publicKey.parameters());
    }

    /** The secret key, ready to sample. */
    synchronized SecretKey secretKey() throws MalformedEncodingException {
        if (decoded == null) {
            SecretKey key = SecretKey.decode(secret);
            if (!Arrays.equals(key.publicKey().encode(), publicKey.publicKey())) {
                key.destroy();
                throw new MalformedEncodingException("keys.index-key", "must be a pair");
            }
            decoded = key;
        }
        return decoded;
    }

    @Override
    public synchronized void close() {
        Arrays.fill(secret, (byte) 0);
        if (decoded != null) {
            decoded.destroy();
        }
    }

    @Override
    public String toString() {
        return "IndexKeyEntry[hidden, " + id() + "]";
    }
}
