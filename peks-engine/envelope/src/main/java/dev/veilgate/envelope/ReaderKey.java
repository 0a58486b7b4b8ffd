package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeBlindedKey;
import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeSecretKey;
import dev.veilgate.abe.Label;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * What a reader, such as an auditor, holds: a key of an attribute-based scheme for attributes of its own, and the secret half of the key that all readers of an epoch share.
 * Opens what is sealed for a policy that the attributes satisfy, in that epoch. The authority issues it, and can issue any.
 *
 * <p>Never printed; {@link #close} erases what can be erased.
 */
@Secret
public final class ReaderKey implements AutoCloseable {
    private static final int VERSION = 1;
    /** Most bytes of an encoding. */
    public static final int MAX_BYTES = 4 << 20;

    private final String tenant;
    private final String holder;
    private final PolicyKey policyKey;
    private final KemSecretKey readersKey;
    private final AttributeSecretKey attributeKey;

    /**
     * Makes one of its parts.
     *
     * @param tenant       whose content it opens
     * @param holder       who it was issued to
     * @param readersKey   closed with this
     * @param attributeKey closed with this
     * @throws IllegalArgumentException if the parts do not belong together
     */
    public ReaderKey(
            String tenant,
            String holder,
            PolicyKey policyKey,
            KemSecretKey readersKey,
            AttributeSecretKey attributeKey) {
        PublicBundleContent.checkName("tenant", tenant);
        PublicBundleContent.checkName("holder", holder);
        PublicBundleContent.check(
                readersKey.publicKey().equals(policyKey.readers())
                        && attributeKey.publicKeyId().equals(policyKey.attributesId()),
                "reader key: must have parts of one pair");
        this.tenant = tenant;
        this.holder = holder;
        this.policyKey = policyKey;
        this.readersKey = readersKey;
        this.attributeKey = attributeKey;
    }

    /** Whose content it opens. */
    public String tenant() {
        return tenant;
    }

    /** Who it was issued to. */
    public String holder() {
        return holder;
    }

    /** The public half. */
    public PolicyKey policyKey() {
        return policyKey;
    }

    /** The attributes, or the policy, of the key; not secret. */
    public Label label() {
        return attributeKey.label();
    }

    /** Whether its owner can make keys of less from it: the scheme has to have {@link #delegate}, and to be known here. */
    public boolean canDelegate() {
        try {
            return policyKey.scheme().canDelegate();
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    /**
     * A key for some of the attributes, made by the owner of this one without the authority. Its attribute key is as one that the authority issues, and independent of this one; the secret half that all
     * readers of the epoch share is in it as in all of theirs, so that it can delegate, too.
     *
     * @param part   attributes of this key
     * @param holder who gets it
     * @param random a seed of 32 bytes is drawn
     * @return closed by the caller
     * @throws IllegalArgumentException if keys of the scheme cannot be delegated, or this one lacks an attribute
     */
    public ReaderKey delegate(Label part, String holder, SecureRandom random) {
        try {
            AttributeSecretKey less = policyKey.scheme().delegate(policyKey.attributes(), attributeKey, part, random);
            return new ReaderKey(tenant, holder, policyKey, readersKey.copy(), less);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("a key that was not checked when it was read", e);
        }
    }

    /**
     * Whether a server's help is worth asking for: whether opening takes pairings for each attribute of a policy ({@link AttributeKem#pairingsGrow}).
     */
    public boolean isWorthBlinding() {
        try {
            return policyKey.scheme().pairingsGrow();
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    /**
     * Takes the attribute key apart for a server ({@link AttributeKem#blind}), with fresh randomness. The half that all readers of the epoch share stays here.
     *
     * @param random a seed of 32 bytes is drawn
     */
    public AttributeBlindedKey blind(SecureRandom random) {
        try {
            return policyKey.scheme().blind(attributeKey, random);
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException("a key that was not checked when it was read", e);
        }
    }

    KemSecretKey readersKey() {
        return readersKey;
    }

    AttributeSecretKey attributeKey() {
        return attributeKey;
    }

    /** Deterministic CBOR, in clear: the caller protects and erases it. */
    public byte[] encode() {
        byte[] shared = readersKey.encode();
        byte[] own = attributeKey.encode();
        CborWriter out = new CborWriter(4096 + own.length); // so that no buffer with secrets is left behind
        try {
            return out.array(7)
                    .integer(VERSION)
                    .text(tenant)
                    .text(holder)
                    .bytes(policyKey.encodedAttributes())
                    .bytes(policyKey.readers().bytes())
                    .bytes(shared)
                    .bytes(own)
                    .toByteArray();
        } finally {
            out.wipe();
            Arrays.fill(shared, (byte) 0);
            Arrays.fill(own, (byte) 0);
        }
    }

    /** The inverse of {@link #encode}. */
    public static ReaderKey decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("reader-key", bytes);
        if (in.array("reader-key", 7) != 7 || in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        String tenant = in.text("tenant", PublicBundleContent.MAX_NAME_BYTES);
        String holder = in.text("holder", PublicBundleContent.MAX_NAME_BYTES);
        PolicyKey policyKey =
                PolicyKey.decode(in.bytes("attributes", PolicyKey.MAX_BYTES), in.bytes("readers", PolicyKey.MAX_BYTES));
        byte[] shared = in.bytes("readers-key", PolicyKey.MAX_BYTES);
        byte[] own = in.bytes("attribute-key", MAX_BYTES);
        try {
            in.end();
            policyKey.attributes(); // a key that opens nothing is refused here
            return new ReaderKey(
                    tenant, holder, policyKey, KemSecretKey.decode(shared), AttributeSecretKey.decode(own));
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("reader-key", "parts of one pair, names of 1 to 255 bytes");
        } finally {
            Arrays.fill(shared, (byte) 0);
            Arrays.fill(own, (byte) 0);
        }
    }

    /** Erases the keys; it cannot be used any more. */
    @Override
    public void close() {
        readersKey.close();
        attributeKey.close();
    }

    @Override
    public String toString() {
        return "ReaderKey[hidden, of " + holder + ", " + label() + "]";
    }
}
