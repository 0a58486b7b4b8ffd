package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.Grant;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that a tenant's authority holds: the keys of searchable encryption and the keys that content is wrapped for, newest first, with the ones they
 * replaced; the key that signs bundles; and what goes into a bundle. Old keys stay, for what was sealed under them is searched and opened with them.
 *
 * <p>In memory only; {@link KeyFolder} keeps it. Never printed; {@link #close} erases the keys. For one thread.
 */
public final class TenantKeys implements AutoCloseable {
    /** Most keys of a kind: a rotation a month for five years. */
    static final int MAX_KEYS = 64;

    /** How far back a new bundle is valid, for senders whose clocks are slow. */
    private static final Duration CLOCK_SLACK = Duration.ofMinutes(10);

    /** One key that content keys are wrapped for. */
    record WrapKeyEntry(Instant created, KemSecretKey key) {}

    /** What {@code keys show} prints of a key: nothing secret. */
    public record KeyInfo(String kind, String parameters, KeyId id, Instant created, boolean current) {}

    private final String tenant;
    private final EpochPolicy epochs;
    private final Instant created;
    private final SigningKey authority;
    final List<IndexKeyEntry> indexKeys = new ArrayList<>();
    final List<WrapKeyEntry> wrapKeys = new ArrayList<>();
    final SortedMap<String, Recipient> recipients = new TreeMap<>();
    final SortedMap<String, SenderPublicKey> senders = new TreeMap<>();
    final SortedSet<String> scopes = new TreeSet<>();
    private byte[] profile;
    private long serial;
    private byte[] storeId;

    TenantKeys(
            String tenant,
            EpochPolicy epochs,
            Instant created,
            SigningKey authority,
            byte[] profile,
            long serial,
            byte[] storeId) {
        this.tenant = tenant;
        this.epochs = epochs;
        this.created = created;
        this.authority = authority;
        this.profile = profile;
        this.serial = serial;
        this.storeId = storeId;
    }

    /**
     * Fresh keys of every kind. Takes a second.
     *
     * @param tenant  1 to 255 bytes of UTF-8 in NFKC
     * @param profile encoded extractor profile
     * @throws IllegalArgumentException for such a tenant as cannot be
     */
    public static TenantKeys generate(
            String tenant, EpochPolicy epochs, byte[] profile, SecureRandom random, Instant now) {
        new KeywordDomain(tenant, "scope", "epoch"); // checks the tenant's name
        Instant created = now.truncatedTo(ChronoUnit.SECONDS);
        TenantKeys keys = new TenantKeys(
                tenant, epochs, created, SigningKey.generate(tenant, random), profile.clone(), 0, freshStoreId(random));
        keys.rotateIndexKey(random, created);
        keys.rotateWrapKey(random, created);
        return keys;
    }

    /** Makes a new key of searchable encryption, which the next bundle names first. The old ones remain for searching. */
    public void rotateIndexKey(SecureRandom random, Instant now) {
        requireRoom(indexKeys.size());
        indexKeys.addFirst(
                IndexKeyEntry.generate(NtruParameters.N2048_Q29, random, now.truncatedTo(ChronoUnit.SECONDS)));
    }

    /** Makes a new key to wrap content keys for. The old ones remain for opening. */
    public void rotateWrapKey(SecureRandom random, Instant now) {
        requireRoom(wrapKeys.size());
        wrapKeys.addFirst(new WrapKeyEntry(now.truncatedTo(ChronoUnit.SECONDS), KemSecretKey.generate(random)));
    }

    /**
     * For an authority that has lost its issued trapdoors: forgets every key that they belong to, makes a new one, and a new store for it. What was sealed
     * under the forgotten keys can be opened, but not searched any more: a second trapdoor of a keyword could give the key away.
     */
    public void replaceIndexKeysAfterLoss(SecureRandom random, Instant now) {
        indexKeys.forEach(IndexKeyEntry::close);
        indexKeys.clear();
        storeId = freshStoreId(random);
        rotateIndexKey(random, now);
    }

    private static void requireRoom(int size) {
        if (size >= MAX_KEYS) {
            throw new IllegalStateException("there are " + MAX_KEYS + " keys of this kind already");
        }
    }

    private static byte[] freshStoreId(SecureRandom random) {
        byte[] id = new byte[KeyFolder.STORE_ID_BYTES];
        random.nextBytes(id);
        return id;
    }

    /**
     * A search: trapdoors of each keyword, for each epoch, under each key, old ones too. No filter and no grant yet.
     *
     * @param terms      as a parsed query has them: of each, alternatives
     * @param expression of these terms
     * @param store      that of these keys ({@link KeyFolder#trapdoors})
     * @throws IOException              if the store fails; nothing is issued then
     * @throws IllegalArgumentException for more trapdoors than a request may have
     */
    public SearchRequest request(
            String scope,
            List<String> epochNames,
            List<List<Keyword>> terms,
            Expression expression,
            TrapdoorStore store)
            throws IOException, MalformedEncodingException {
        long wanted = terms.stream().mapToLong(List::size).sum() * epochNames.size() * indexKeys.size();
        if (wanted > SearchRequest.MAX_TRAPDOORS) {
            throw new IllegalArgumentException("the search takes " + wanted + " trapdoors, and at most "
                    + SearchRequest.MAX_TRAPDOORS + " are allowed: ask for fewer epochs or a shorter range");
        }
        List<List<ScopedTrapdoor>> issued = new ArrayList<>();
        for (List<Keyword> anyOf : terms) {
            List<ScopedTrapdoor> term = new ArrayList<>();
            for (IndexKeyEntry key : indexKeys) {
                NtruPeks peks = new NtruPeks(key.parameters(), new SecureRandom());
                for (String epoch : epochNames) {
                    KeywordDomain domain = new KeywordDomain(tenant, scope, epoch);
                    for (Keyword keyword : anyOf) {
                        term.add(peks.trapdoor(key.secretKey(), domain, keyword, store));
                    }
                }
            }
            issued.add(term);
        }
        return new SearchRequest(tenant, issued, expression, Filter.NONE, Optional.empty());
    }

    /**
     * The same request with a signed grant for its trapdoors. These keys keep no issuing log, so that the grant names no place in one.
     *
     * @param holder  who may search
     * @param expires whole seconds
     */
    public SearchRequest granted(SearchRequest request, String holder, Instant expires) {
        return request.with(Grant.issue(authority, holder, request.digests(), expires, 0));
    }

    /** Opens what was sealed for any of the keys. Holds them until these keys are closed. */
    public EnvelopeOpener opener() {
        return new EnvelopeOpener(wrapKeys.stream().map(WrapKeyEntry::key).toList());
    }

    /**
     * A new signed bundle, with the next serial: save these keys before it is handed out, so that no serial is used twice.
     *
     * @param validFor a minute at least; the epochs of that time and the one behind them are in it
     */
    public byte[] nextBundle(Instant now, Duration validFor) {
        if (validFor.compareTo(Duration.ofMinutes(1)) < 0) {
            throw new IllegalArgumentException("a bundle is valid for a minute at least");
        }
        Instant issued = now.truncatedTo(ChronoUnit.SECONDS);
        Instant notAfter = issued.plus(validFor).truncatedTo(ChronoUnit.SECONDS);
        List<Epoch> known = new ArrayList<>(epochs.between(issued, notAfter));
        known.add(epochs.at(known.getLast().to()));
        PublicBundleContent content = new PublicBundleContent(
                tenant,
                serial + 1,
                issued.minus(CLOCK_SLACK),
                notAfter,
                indexKeys.stream().map(IndexKeyEntry::publicKey).toList(),
                wrapKeys.getFirst().key().publicKey(),
                known,
                List.copyOf(recipients.values()),
                List.copyOf(senders.values()),
                List.copyOf(scopes),
                profile);
        byte[] bundle = PublicBundle.sign(content, authority);
        serial++;
        return bundle;
    }

    /** Whose keys. */
    public String tenant() {
        return tenant;
    }

    /** How long an epoch is. */
    public EpochPolicy epochs() {
        return epochs;
    }

    /** When these keys were first made. */
    public Instant created() {
        return created;
    }

    /** What senders pin. */
    public SenderPublicKey authority() {
        return authority.publicKey();
    }

    SigningKey signingKey() {
        return authority;
    }

    /** Serial of the last bundle; 0 if there was none. */
    public long serial() {
        return serial;
    }

    /** Names the store of issued trapdoors that belongs to these keys. */
    byte[] storeId() {
        return storeId.clone();
    }

    /** All keys, newest first of each kind. */
    public List<KeyInfo> keys() {
        List<KeyInfo> infos = new ArrayList<>();
        for (IndexKeyEntry key : indexKeys) {
            infos.add(new KeyInfo(
                    key.publicKey().scheme(),
                    key.publicKey().parameters(),
                    key.id(),
                    key.created(),
                    key == indexKeys.getFirst()));
        }
        for (WrapKeyEntry key : wrapKeys) {
            infos.add(new KeyInfo(
                    "wrap",
                    "x25519+ml-kem-768",
                    key.key().publicKey().id(),
                    key.created(),
                    key == wrapKeys.getFirst()));
        }
        return infos;
    }

    /** Recipients of mail, by address. */
    public List<Recipient> recipients() {
        return List.copyOf(recipients.values());
    }

    /** Adds a recipient, or replaces the one with its address. */
    public void putRecipient(Recipient recipient) {
        recipients.put(recipient.address(), recipient);
    }

    /** Removes a recipient; whether there was one. */
    public boolean removeRecipient(String address) {
        return recipients.remove(PublicBundle.canonicalAddress(address)) != null;
    }

    /** Registered senders, by name. */
    public List<SenderPublicKey> senders() {
        return List.copyOf(senders.values());
    }

    /** The registered sender of that name. */
    public Optional<SenderPublicKey> sender(String name) {
        return Optional.ofNullable(senders.get(name));
    }

    /** Registers a sender, or replaces the one of its name. */
    public void putSender(SenderPublicKey sender) {
        senders.put(sender.sender(), sender);
    }

    /** Removes a sender; whether there was one. */
    public boolean removeSender(String name) {
        return senders.remove(name) != null;
    }

    /** Scopes that senders may name; empty: any. */
    public SortedSet<String> scopes() {
        return new TreeSet<>(scopes);
    }

    /** Adds a scope. */
    public void addScope(String scope) {
        new KeywordDomain(tenant, scope, "epoch"); // checks the name
        scopes.add(scope);
    }

    /** Removes a scope; whether there was one. */
    public boolean removeScope(String scope) {
        return scopes.remove(scope);
    }

    /** The encoded extractor profile. */
    public byte[] profile() {
        return profile.clone();
    }

    /** Replaces the extractor profile. */
    public void setProfile(byte[] encoded) {
        profile = encoded.clone();
    }

    /** Erases the keys. */
    @Override
    public void close() {
        authority.close();
        indexKeys.forEach(IndexKeyEntry::close);
        wrapKeys.forEach(entry -> entry.key().close());
    }

    @Override
    public String toString() {
        return "TenantKeys[hidden, of " + tenant + "]";
    }
}
