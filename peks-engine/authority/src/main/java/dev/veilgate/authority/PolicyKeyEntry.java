package dev.veilgate.authority;

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
import dev.veilgate.envelope.ReadersSecret;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One key pair that content is sealed with for policies: the master key of an attribute-based scheme, and where the
 * secret keys come from that all readers of an epoch share. The master key stays encoded until a key is issued. Safe
 * for use by several threads.
 */
@Secret
final class PolicyKeyEntry implements AutoCloseable {
    /** Keys that the authority made for itself and keeps while it opens what has these labels. */
    private static final int KEPT = 16;
    /** Public keys of epochs that are kept: those of a bundle for 90 days, and some. */
    private static final int KEPT_EPOCHS = 128;

    private final Instant created;
    private final PolicyKey publicKey;
    private final byte[] master;
    private @Nullable AttributeMasterKey decodedMaster;
    private final ReadersSecret readers;
    private final LinkedHashMap<OwnKey, ReaderKey> own = new LinkedHashMap<>(16, 0.75f, true);
    private final LinkedHashMap<String, PolicyKey> ofEpochs = new LinkedHashMap<>(16, 0.75f, true);

    private record OwnKey(Label label, String epoch) {}

    /**
     * A pair of its parts.
     *
     * @param attributes encoded public key of the scheme
     * @param master     encoded; kept, not copied
     * @param readers    closed with this
     * @throws MalformedEncodingException if the public key does not say its scheme
     */
    PolicyKeyEntry(Instant created, byte[] attributes, byte[] master, ReadersSecret readers)
            throws MalformedEncodingException {
        this.created = created;
        this.master = master;
        this.readers = readers;
        try (KemSecretKey naming = readers.of(KeyId.ofPublicKey(attributes), "")) {
            this.publicKey = PolicyKey.decode(attributes, naming.publicKey().bytes());
        }
    }

    /**
     * A fresh pair.
     *
     * @param readers of the keys that readers share
     */
    static PolicyKeyEntry generate(String scheme, WrapAlgorithm readers, SecureRandom random, Instant now) {
        try {
            AttributeKeys keys = AttributeKems.byId(scheme).setup(random);
            try (AttributeMasterKey master = keys.masterKey()) {
                return new PolicyKeyEntry(
                        now, keys.publicKey().encode(), master.encode(), ReadersSecret.generate(readers, random));
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("there is no scheme " + scheme, e);
        }
    }

    Instant created() {
        return created;
    }

    /** The key that names the pair. Of pairs with a key for each epoch nothing is sealed with it. */
    PolicyKey publicKey() {
        return publicKey;
    }

    /** Whether each epoch has a key of its own; those that were made before have one for all. */
    boolean isByEpoch() {
        return readers.isByEpoch();
    }

    /** What senders seal with in some epochs. */
    List<PolicyKey> publicKeys(List<String> epochs) {
        return isByEpoch() ? epochs.stream().map(this::publicKey).toList() : List.of(publicKey);
    }

    private synchronized PolicyKey publicKey(String epoch) {
        if (!isByEpoch() || epoch.isEmpty()) {
            return publicKey;
        }
        PolicyKey key = ofEpochs.get(epoch);
        if (key == null) {
            if (ofEpochs.size() == KEPT_EPOCHS) {
                ofEpochs.pollFirstEntry();
            }
            try (KemSecretKey secret = readers.of(publicKey.attributesId(), epoch)) {
                key = publicKey.inEpoch(epoch, secret.publicKey());
            }
            ofEpochs.put(epoch, key);
        }
        return key;
    }

    /**
     * Whether the key of this pair for an epoch has an id.
     *
     * @param epoch empty: the one key of a pair that has one for all epochs
     */
    boolean isKeyOf(String epoch, KeyId policyKey) {
        return isByEpoch() != epoch.isEmpty() && publicKey(epoch).id().equals(policyKey);
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

    /**
     * Whether content is sealed under it for policies, and not for attributes; empty if the scheme is not known here.
     */
    Optional<Boolean> sealsForPolicies() {
        try {
            return Optional.of(!publicKey.scheme().keysHavePolicies());
        } catch (MalformedEncodingException e) {
            return Optional.empty();
        }
    }

    ReadersSecret readers() {
        return readers;
    }

    KeyId id() {
        return publicKey.id();
    }

    /** How many keys {@link #issue} makes for a label. */
    int keysFor(Label label) {
        return isByEpoch() ? label.epochs().size() : 1;
    }

    /**
     * Keys for a reader: one for each epoch that the label names, where the pair has keys for each; closed by the
     * caller.
     *
     * @throws MalformedEncodingException if the master key is none, or not of this pair
     */
    List<ReaderKey> issue(String tenant, String holder, Label label, SecureRandom random)
            throws MalformedEncodingException {
        List<ReaderKey> keys = new ArrayList<>();
        for (String epoch : isByEpoch() ? label.epochs() : Set.of("")) {
            keys.add(issue(tenant, holder, label, epoch, random));
        }
        return keys;
    }

    private ReaderKey issue(String tenant, String holder, Label label, String epoch, SecureRandom random)
            throws MalformedEncodingException {
        AttributeSecretKey key = publicKey.scheme().keyGen(master(), publicKey.attributes(), label, random);
        return new ReaderKey(tenant, holder, publicKey(epoch), readers.of(publicKey.attributesId(), epoch), key);
    }

    /**
     * The authority's own key for what was sealed for a label: it could issue itself any. Closed with this.
     *
     * @param epoch whose readers' key it was sealed with ({@link #isKeyOf})
     */
    synchronized ReaderKey ownFor(String tenant, Label label, String epoch, SecureRandom random)
            throws MalformedEncodingException {
        OwnKey wanted = new OwnKey(admitting(label), epoch);
        ReaderKey key = own.get(wanted);
        if (key == null) {
            if (own.size() == KEPT) {
                own.pollFirstEntry();
            }
            key = issue(tenant, "authority", wanted.label(), epoch, random);
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
