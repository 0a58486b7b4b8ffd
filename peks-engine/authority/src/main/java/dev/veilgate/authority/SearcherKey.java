package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.ks.zxa14.SecretKey;
import dev.veilgate.abe.ks.zxa14.Zxa14;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.secret.Secret;
import java.util.Arrays;

/**
 * What a searcher holds: a key of attribute-based keyword search for attributes of its own, under one of a tenant's index keys. Makes trapdoors of every keyword and in every scope, for its
 * epoch, and asks nobody. The authority issues it ({@link TenantKeys#issueSearcherKeys}); a reader's file carries it ({@link ReaderKeyFile}).
 *
 * <pre>{@code
 * searcher-key = [ "veilgate-searcher-key", 1, tenant: tstr, holder: tstr, epochs: tstr, epoch: tstr, index public key: bstr, secret key: bstr ]
 * }</pre>
 *
 * <p>The epoch is empty for an index key whose policy is the same in all epochs. Never printed; {@link #close} erases what can be erased.
 */
@Secret
public final class SearcherKey implements TrapdoorSource, AutoCloseable {
    /** Most bytes of an encoding: 400 attributes with the longest names. */
    static final int MAX_BYTES = 1 << 20;

    private static final String MAGIC = "veilgate-searcher-key";
    private static final int VERSION = 1;
    private static final int ITEMS = 8;
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_INDEX_KEY_BYTES = 1 << 16;

    private final String tenant;
    private final String holder;
    private final EpochPolicy epochs;
    private final String epoch;
    private final IndexPublicKey index;
    private final SecretKey key;
    private final Zxa14 scheme = Zxa14.withDefaults();

    /**
     * Makes one of its parts.
     *
     * @param epoch for which it makes trapdoors; empty for all, where the index key is not by epoch
     * @param key   closed with this
     * @throws IllegalArgumentException for names or an epoch that cannot be
     */
    SearcherKey(String tenant, String holder, EpochPolicy epochs, String epoch, IndexPublicKey index, SecretKey key) {
        new KeywordDomain(tenant, "scope", "epoch"); // checks the tenant's name
        if (index.isByEpoch() == epoch.isEmpty()) {
            throw new IllegalArgumentException("a searcher's key has an epoch if its index key is by epoch");
        }
        if (!epoch.isEmpty()) {
            epochs.named(epoch);
        }
        this.tenant = tenant;
        this.holder = holder;
        this.epochs = epochs;
        this.epoch = epoch;
        this.index = index;
        this.key = key;
    }

    /** Whose index it searches. */
    public String tenant() {
        return tenant;
    }

    /** Who it was issued to. */
    public String holder() {
        return holder;
    }

    /** How long the tenant's epochs are. */
    public EpochPolicy epochs() {
        return epochs;
    }

    /** For which it makes trapdoors; empty for all. */
    public String epoch() {
        return epoch;
    }

    /** What it searches under. */
    public IndexPublicKey index() {
        return index;
    }

    @Override
    public boolean isFor(String wanted) {
        return (epoch.isEmpty() || epoch.equals(wanted))
                && index.policyIn(wanted).isSatisfiedBy(key.attributes());
    }

    /** {@inheritDoc} Each time another one; the store is left alone. */
    @Override
    public ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store) {
        return scheme.token(key, index, domain, keyword)
                .orElseThrow(() -> new IllegalArgumentException("the key is not for the epoch " + domain.epoch()));
    }

    /** Deterministic CBOR, in clear: the caller protects and erases it. */
    byte[] encode() {
        byte[] publicKey = index.encode();
        byte[] secret = key.encode();
        CborWriter out = new CborWriter(
                1024 + publicKey.length + secret.length); // so that no buffer with secrets is left behind
        try {
            return out.array(ITEMS)
                    .text(MAGIC)
                    .integer(VERSION)
                    .text(tenant)
                    .text(holder)
                    .text(epochs.id())
                    .text(epoch)
                    .bytes(publicKey)
                    .bytes(secret)
                    .toByteArray();
        } finally {
            out.wipe();
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Whether bytes begin as a searcher's key does, and not as another one. */
    static boolean isOne(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("key", bytes);
        return in.array("key", ITEMS) > 0 && in.nextIsText();
    }

    /** The inverse of {@link #encode}. */
    static SearcherKey decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("searcher-key", bytes);
        if (in.array("searcher-key", ITEMS) != ITEMS
                || !in.text("magic", MAX_NAME_BYTES).equals(MAGIC)
                || in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        String tenant = in.text("tenant", MAX_NAME_BYTES);
        String holder = in.text("holder", MAX_NAME_BYTES);
        EpochPolicy epochs = EpochPolicy.byId(in.text("epochs", MAX_NAME_BYTES));
        String epoch = in.text("epoch", MAX_NAME_BYTES);
        IndexPublicKey index = IndexPublicKey.decode(in.bytes("index-key", MAX_INDEX_KEY_BYTES));
        byte[] secret = in.bytes("secret-key", MAX_BYTES);
        try {
            in.end();
            return new SearcherKey(tenant, holder, epochs, epoch, index, SecretKey.decode(secret));
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("searcher-key", String.valueOf(e.getMessage()));
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Erases the key; it cannot be used any more. */
    @Override
    public void close() {
        key.close();
    }

    @Override
    public String toString() {
        return "SearcherKey[hidden, of " + holder + ", " + key.attributes() + "]";
    }
}
