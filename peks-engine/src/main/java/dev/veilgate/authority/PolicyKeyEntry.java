package dev.veilgate.authority;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.AttributeMasterKey;
import dev.veilgate.abe.AttributeSecretKey;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PolicyKey;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.peks.KeyId;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One key pair that content is sealed with for policies: the master key of an attribute-based scheme, and the secret key that all readers share. The master key stays
 * encoded until a key is issued. Safe for use by several threads.
 */
final class PolicyKeyEntry implements AutoCloseable {
    /** Keys that the authority made for itself and keeps while it opens what has these labels. */
    private static final int KEPT = 16;

    private final Instant created;
    private final PolicyKey publicKey;
    private final byte[] master;
    private @Nullable AttributeMasterKey decodedMaster;
    private final KemSecretKey readers;
    private final LinkedHashMap<Label, ReaderKey> own = new LinkedHashMap<>(16, 0.75f, true);

    /** @param master encoded; kept, not copied */
    PolicyKeyEntry(Instant created, PolicyKey publicKey, byte[] master, KemSecretKey readers) {
        this.created = created;
        this.publicKey = publicKey;
        this.master = master;
        this.readers = readers;
    }

    /** A fresh pair. */
    static PolicyKeyEntry generate(String scheme, SecureRandom random, Instant now) {
        AttributeKeys keys;
        try {
            keys = AttributeKems.byId(scheme).setup(random);
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("there is no scheme " + scheme, e);
        }
        KemSecretKey readers = KemSecretKey.generate(random);
        try (AttributeMasterKey master = keys.masterKey()) {
            return new PolicyKeyEntry(
                    now, PolicyKey.of(keys.publicKey(), readers.publicKey()), master.encode(), readers);
        }
    }

    Instant created() {
        return created;
    }

    PolicyKey publicKey() {
        return publicKey;
    }

    /** The array itself. */
    byte[] encodedMaster() {
        return master;
    }

    private synchronized AttributeMasterKey master() throws MalformedEncodingException {
        if (decodedMaster == null) {
            AttributeMasterKey key = AttributeMasterKey.decode(master);
            if (!key.publicKeyId().equals(publicKey.attributes().id())) {
                key.close();
                throw new MalformedEncodingException("keys.policy-key", "must be a pair");
            }
            decodedMaster = key;
        }
        return decodedMaster;
    }

    /** @throws MalformedEncodingException if the master key is none, or not of this pair */
    void requirePair() throws MalformedEncodingException {
        master();
    }

    /** Whether a reader's key can have such a label: attributes, unless it is keys that have policies. */
    boolean takesReaders(Label label) throws MalformedEncodingException {
        return publicKey.scheme().keysHavePolicies() == label instanceof Label.OfPolicy;
    }

    /** Whether content is sealed under it for policies, and not for attributes; empty if the scheme is not known here. */
    Optional<Boolean> sealsForPolicies() {
        try {
            return Optional.of(!publicKey.scheme().keysHavePolicies());
        } catch (MalformedEncodingException e) {
            return Optional.empty();
        }
    }

    KemSecretKey readers() {
        return readers;
    }

    KeyId id() {
        return publicKey.id();
    }

    /**
     * A key for a reader; closed by the caller.
     *
     * @throws MalformedEncodingException if the master key is none, or not of this pair
     */
    ReaderKey issue(String tenant, String holder, Label label, SecureRandom random) throws MalformedEncodingException {
        AttributeSecretKey key = publicKey.scheme().keyGen(master(), publicKey.attributes(), label, random);
        byte[] shared = readers.encode();
        try {
            return new ReaderKey(tenant, holder, publicKey, KemSecretKey.decode(shared), key);
        } finally {
            Arrays.fill(shared, (byte) 0);
        }
    }

    /** The authority's own key for what a ciphertext says: it could issue itself any. Closed with this. */
    synchronized ReaderKey ownFor(String tenant, byte[] ciphertext, SecureRandom random)
            throws MalformedEncodingException {
        AttributeKem scheme = publicKey.scheme();
        Label wanted = admitting(scheme.labelOf(ciphertext));
        ReaderKey key = own.get(wanted);
        if (key == null) {
            if (own.size() == KEPT) {
                own.pollFirstEntry();
            }
            key = issue(tenant, "authority", wanted, random);
            own.put(wanted, key);
        }
        return key;
    }

    /** A label for a key that opens everything of this label, also what no reader's key could. */
    private static Label admitting(Label label) {
        return switch (label) {
            case Label.OfPolicy of ->
                new Label.OfAttributes(AttributeSet.ofAny(of.policy().leaves()));
            case Label.OfAttributes of ->
                new Label.OfPolicy(new Policy.Leaf(of.attributes().attributes().first()));
        };
    }

    @Override
    public synchronized void close() {
        List.copyOf(own.values()).forEach(ReaderKey::close);
        own.clear();
        Arrays.fill(master, (byte) 0);
        if (decodedMaster != null) {
            decodedMaster.close();
        }
        readers.close();
    }

    @Override
    public String toString() {
        return "PolicyKeyEntry[hidden, " + id() + "]";
    }
}
