package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributePublicKey;
import dev.veilgate.abe.Label;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What content is sealed with for those whom a policy names: the public key of an attribute-based scheme, and a key
 * whose secret half all readers of an epoch have. A content key is wrapped under both, so that who is no reader of the
 * epoch must break both: the second is post-quantum, the first is not. Among readers of an epoch, attributes alone
 * decide.
 *
 * <p>A pair has a public key of the scheme and, for each epoch, one of these; pairs that were made before readers' keys
 * had epochs have one for all of them.
 *
 * <p>The scheme's key stays encoded until something is sealed or opened with it: a bundle is read by every agent, and
 * the native library of the pairing is loaded only by those that use policies.
 */
public final class PolicyKey {
    /** Most bytes of an encoded key of a scheme. */
    static final int MAX_BYTES = 1 << 14;

    private final byte[] encodedAttributes;
    private final String schemeId;
    private final KemPublicKey readers;
    private final String epoch;
    private final KeyId id;
    private volatile @Nullable AttributePublicKey attributes;

    private PolicyKey(byte[] encodedAttributes, String schemeId, KemPublicKey readers, String epoch) {
        this.encodedAttributes = encodedAttributes;
        this.schemeId = schemeId;
        this.readers = readers;
        this.epoch = epoch;
        this.id = KeyId.ofPublicKey(new ByteWriter(encodedAttributes.length + 16_000)
                .longBytes(encodedAttributes)
                .bytes(readers.bytes())
                .toByteArray());
    }

    /** @param readers of which every {@link ReaderKey} has the secret half */
    public static PolicyKey of(AttributePublicKey attributes, KemPublicKey readers) {
        try {
            byte[] encoded = attributes.encode();
            PolicyKey key = new PolicyKey(encoded, AttributePublicKey.schemeOf(encoded), readers, "");
            key.attributes = attributes;
            return key;
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("a key that does not say its scheme", e);
        }
    }

    /**
     * Reads an encoded pair. Of the scheme's key only the beginning is looked at; the rest is checked when {@link
     * #attributes} is asked for.
     *
     * @throws MalformedEncodingException naming what is wrong
     */
    public static PolicyKey decode(byte[] attributes, byte[] readers) throws MalformedEncodingException {
        return new PolicyKey(
                attributes.clone(), AttributePublicKey.schemeOf(attributes), KemPublicKey.decode(readers), "");
    }

    /**
     * The same scheme's key with the readers' key of one epoch: what is sealed for attributes of that epoch.
     *
     * @param readersOfEpoch of which every {@link ReaderKey} of the epoch has the secret half
     */
    public PolicyKey inEpoch(String name, KemPublicKey readersOfEpoch) {
        PolicyKey key = new PolicyKey(encodedAttributes, schemeId, readersOfEpoch, name);
        key.attributes = attributes;
        return key;
    }

    /** The epoch whose attributes content is sealed for with it; empty: any. */
    public Optional<String> epoch() {
        return epoch.isEmpty() ? Optional.empty() : Optional.of(epoch);
    }

    /** Whether another has the same key of the scheme: whether they are of one pair. */
    boolean isOfPair(PolicyKey other) {
        return Arrays.equals(encodedAttributes, other.encodedAttributes);
    }

    /** Names the pair in a wrap. */
    public KeyId id() {
        return id;
    }

    /** Id of the scheme, which need not be known here. */
    public String schemeId() {
        return schemeId;
    }

    /**
     * The scheme.
     *
     * @throws MalformedEncodingException if it is not known here
     */
    public AttributeKem scheme() throws MalformedEncodingException {
        return AttributeKems.byId(schemeId);
    }

    /**
     * Public key of the scheme.
     *
     * @throws MalformedEncodingException if it is none, or of a scheme that is not known here
     */
    public AttributePublicKey attributes() throws MalformedEncodingException {
        AttributePublicKey key = attributes;
        if (key == null) {
            key = AttributePublicKey.decode(encodedAttributes);
            attributes = key;
        }
        return key;
    }

    /** {@link #attributes}, encoded. */
    public byte[] encodedAttributes() {
        return encodedAttributes.clone();
    }

    /** The same as {@link AttributePublicKey#id} of {@link #attributes}. */
    public KeyId attributesId() {
        return KeyId.ofPublicKey(encodedAttributes);
    }

    /** Of which every {@link ReaderKey} has the secret half. */
    public KemPublicKey readers() {
        return readers;
    }

    /**
     * Whether content can be labelled so: with a policy, unless it is keys that have policies; with nothing where the
     * scheme is not known here.
     */
    public boolean takes(Label label) {
        try {
            return scheme().keysHavePolicies() == label instanceof Label.OfAttributes;
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    /**
     * The keys that content is sealed with for a label: the first of some that takes it; where that is for one epoch,
     * those of the same pair for each epoch that the label names, so that who has a key of one of them opens it.
     *
     * @param label as it is sealed, each attribute in its epoch
     * @throws IllegalArgumentException saying what to do if there is none, or the label is too large for an envelope
     */
    static List<PolicyKey> toSeal(List<PolicyKey> keys, Label label) {
        PolicyKey first = keys.stream()
                .filter(candidate -> candidate.takes(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the bundle has no key to seal for "
                        + (label instanceof Label.OfPolicy ? "a policy" : "attributes")
                        + "; veilgate keys rotate --policy makes one, then make a new bundle"));
        try {
            requireRoom(first.scheme(), first.readers.algorithm(), label);
            return first.epoch.isEmpty() ? List.of(first) : first.ofEachEpoch(keys, label);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("a scheme that takes a label and is not there", e);
        }
    }

    private List<PolicyKey> ofEachEpoch(List<PolicyKey> keys, Label label) {
        if (label.epochs().size() > EnvelopeDraft.MAX_LABELS) {
            throw new IllegalArgumentException("a policy names at most " + EnvelopeDraft.MAX_LABELS + " epochs");
        }
        List<PolicyKey> found = new ArrayList<>();
        for (String wanted : label.epochs()) {
            found.add(keys.stream()
                    .filter(key -> key.epoch.equals(wanted) && key.isOfPair(this))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the bundle has no key for attributes of the epoch "
                            + wanted + ", but for those of "
                            + epochsOf(keys) + "; attributes without an epoch get the present one")));
        }
        return found;
    }

    private String epochsOf(List<PolicyKey> keys) {
        List<String> names =
                keys.stream().filter(this::isOfPair).map(key -> key.epoch).toList();
        return names.getFirst() + (names.size() == 1 ? "" : " to " + names.getLast());
    }

    private static void requireRoom(AttributeKem scheme, WrapAlgorithm readers, Label label) {
        int bytes = readers.ciphertextBytes() + scheme.ciphertextBytes(label);
        if (bytes > EnvelopeFormat.MAX_ENCAPSULATION_BYTES) {
            throw new IllegalArgumentException("sealed under " + scheme.id() + " it takes " + bytes
                    + " bytes, and an envelope has at most " + EnvelopeFormat.MAX_ENCAPSULATION_BYTES
                    + " for it: name fewer attributes than these " + label.size() + ", or one that all of them have");
        }
    }

    /**
     * Checks that a label is not too large for an envelope under the scheme that makes the smallest wraps of it, with
     * X-Wing, for who does not have the bundle yet.
     *
     * @param label with the epoch that attributes without one will get, or one as long
     * @throws IllegalArgumentException naming the sizes
     */
    public static void requireRoom(Label label) {
        AttributeKems.all().stream()
                .filter(scheme -> scheme.keysHavePolicies() == label instanceof Label.OfAttributes)
                .min(Comparator.comparingInt(scheme -> scheme.ciphertextBytes(label)))
                .ifPresent(scheme -> requireRoom(scheme, WrapAlgorithm.X_WING, label));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PolicyKey that
                && epoch.equals(that.epoch)
                && readers.equals(that.readers)
                && Arrays.equals(encodedAttributes, that.encodedAttributes);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "PolicyKey[" + schemeId + (epoch.isEmpty() ? "" : " of " + epoch) + ", " + id + "]";
    }
}
