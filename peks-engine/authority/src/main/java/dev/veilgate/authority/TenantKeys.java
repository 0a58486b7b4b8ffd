package dev.veilgate.authority;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.OpeningWork;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.PublicBundleContent;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.issuing.SignedStatement;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Grant;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Everything that a tenant's authority holds: the keys of searchable encryption, the keys that content is wrapped for
 * and those that seal it for policies, newest first, with the ones they replaced; which reader was given which
 * attributes; the key that signs bundles, and that which signs mail; and what goes into a bundle. Old keys stay, for
 * what was sealed under them is searched and opened with them.
 *
 * <p>In memory only; {@link KeyFolder} keeps it. Never printed; {@link #close} erases the keys. For one thread.
 */
@Secret
public final class TenantKeys implements AutoCloseable {
    /** Highest serial that {@link #raiseSerials} takes. */
    public static final long MAX_RAISED_SERIAL = 1_000_000_000;

    /** How far back a new bundle is valid, for senders whose clocks are slow. */
    private static final Duration CLOCK_SLACK = Duration.ofMinutes(10);

    /**
     * What {@code keys show} prints of a key: nothing secret.
     *
     * @param current whether it is the newest of its scheme
     * @param seals   whether senders seal under it with the next bundle; of pairs for policies one does for policies,
     * and one for attributes
     */
    public record KeyInfo(String kind, String parameters, KeyId id, Instant created, boolean current, boolean seals) {}

    private final String tenant;
    private final EpochPolicy epochs;
    private final Instant created;
    private final SigningKey authority;
    final KeyRings rings = new KeyRings();
    final SortedMap<String, Label> readers = new TreeMap<>();
    final SortedMap<String, IssuedKeys> issued = new TreeMap<>();
    final SortedMap<String, Recipient> recipients = new TreeMap<>();
    private final TenantSenders senders;
    final SortedSet<String> scopes = new TreeSet<>();
    private TenantProfiles profiles;
    private long serial;
    private byte[] storeId;
    private MailSigning mailSigning = MailSigning.NONE;

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
        this.senders = new TenantSenders(authority);
        this.profiles = new TenantProfiles(profile);
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
    @Exercises(Power.CHANGE_KEYS)
    public static TenantKeys generate(
            String tenant, EpochPolicy epochs, byte[] profile, SecureRandom random, Instant now) {
        return generate(tenant, SearchScheme.DEFAULT, epochs, profile, List.of(), random, now);
    }

    /**
     * Fresh keys of every kind, with X-Wing to wrap content keys.
     *
     * @param tenant  1 to 255 bytes of UTF-8 in NFKC
     * @param search  what keywords are sealed with
     * @param profile encoded extractor profile
     * @param domains of mail that is signed as of its senders; empty for mail that is signed as the tenant
     * @throws IllegalArgumentException for such a tenant as cannot be
     */
    @Exercises(Power.CHANGE_KEYS)
    public static TenantKeys generate(
            String tenant,
            SearchScheme search,
            EpochPolicy epochs,
            byte[] profile,
            List<String> domains,
            SecureRandom random,
            Instant now) {
        return generate(tenant, search, WrapAlgorithm.X_WING, epochs, profile, domains, random, now);
    }

    /**
     * Fresh keys of every kind.
     *
     * @param tenant  1 to 255 bytes of UTF-8 in NFKC
     * @param search  what keywords are sealed with
     * @param wrap    what content keys are wrapped with; a key of X-Wing is made in any case, for the issuing log
     * @param profile encoded extractor profile
     * @param domains of mail that is signed as of its senders; empty for mail that is signed as the tenant
     * @throws IllegalArgumentException for such a tenant as cannot be
     */
    @Exercises(Power.CHANGE_KEYS)
    public static TenantKeys generate(
            String tenant,
            SearchScheme search,
            WrapAlgorithm wrap,
            EpochPolicy epochs,
            byte[] profile,
            List<String> domains,
            SecureRandom random,
            Instant now) {
        new KeywordDomain(tenant, "scope", "epoch"); // checks the tenant's name
        Instant created = now.truncatedTo(ChronoUnit.SECONDS);
        TenantKeys keys = new TenantKeys(
                tenant,
                epochs,
                created,
                SigningKey.generateAuthority(tenant, random),
                profile.clone(),
                0,
                freshStoreId(random));
        keys.rotateIndexKey(search, random, created);
        keys.rings.rotateWrap(wrap, random, created);
        keys.rotatePolicyKey(AttributeKems.DEFAULT_ID, random, created);
        keys.rotateMailSigner(domains, random, created);
        return keys;
    }

    /**
     * Makes a new key of each scheme that there is a key of, for the same searchers. The old ones remain for searching.
     *
     * @throws MalformedEncodingException if a key is of no scheme that is here
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotateIndexKey(SecureRandom random, Instant now) throws MalformedEncodingException {
        rings.rotateIndex(random, now);
    }

    /**
     * Makes a new key of a scheme of searchable encryption, under which senders seal from the next bundle on, beside
     * the keys of other schemes. The old ones of the scheme remain for searching.
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotateIndexKey(SearchScheme search, SecureRandom random, Instant now) {
        rings.rotateIndex(search, random, now);
    }

    /** Makes a new key to wrap content keys for, of the same algorithm as the last. The old ones remain for opening. */
    @Exercises(Power.CHANGE_KEYS)
    public void rotateWrapKey(SecureRandom random, Instant now) {
        rings.rotateWrap(random, now);
    }

    /**
     * Lets senders wrap content keys with an algorithm from the next bundle on: makes a new wrap key of it, and, of
     * each scheme for policies in use, a new pair whose readers' keys are of it. The old ones remain for opening;
     * readers need keys of the new pairs. Later rotations stay with the algorithm.
     */
    @Exercises(Power.CHANGE_KEYS)
    public void wrapWith(WrapAlgorithm algorithm, SecureRandom random, Instant now) {
        rings.rotateWrap(algorithm, random, now);
        if (!rings.policy.isEmpty()) {
            rings.rotatePolicy(random, now);
        }
    }

    /** The algorithm that content keys are wrapped with from the next bundle on. */
    public WrapAlgorithm wrapAlgorithm() {
        return rings.wrapAlgorithm();
    }

    /**
     * Makes a new pair of each scheme that there is a pair of, to seal content with for policies; of the default scheme
     * if there is none. The old ones remain for opening; readers need keys of the new ones.
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotatePolicyKey(SecureRandom random, Instant now) {
        rings.rotatePolicy(random, now);
    }

    /**
     * Lets senders seal for policies under the current pair of a scheme, from the next bundle on.
     *
     * @param scheme id of an attribute-based scheme
     * @throws IllegalArgumentException if there is no pair of it
     */
    @Exercises(Power.CHANGE_KEYS)
    public void sealWith(String scheme) {
        rings.sealWith(scheme);
    }

    /**
     * Makes a new pair to seal content with for policies. The old ones remain for opening; readers need keys of the new
     * one. Senders seal under it if they did so under the scheme's last one, or if it is the first that takes their
     * labels; else {@link #sealWith} changes that.
     *
     * @param scheme id of an attribute-based scheme
     * @throws IllegalArgumentException if there is no such scheme
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotatePolicyKey(String scheme, SecureRandom random, Instant now) {
        rings.rotatePolicy(scheme, random, now);
    }

    /**
     * Makes a new key to sign mail with, and a certificate of it by the tenant's certificate authority for mail; that
     * too, if there is none or it ends before the certificate. The certificate of the former key stays in bundles, so
     * that what it signed is still taken for the tenant's; its private key is forgotten.
     *
     * @param domains mail domains; the key is that of an authority which signs as the addresses in them. Empty for a
     *                key that signs as the tenant only
     * @throws IllegalStateException if there are as many certificates as a bundle holds
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotateMailSigner(List<String> domains, SecureRandom random, Instant now) {
        mailSigning = mailSigning.rotated(tenant, domains, random, now);
    }

    /**
     * Takes a key of somebody else's making to sign mail with; the certificate of the former one stays in bundles.
     *
     * @throws IllegalStateException    if there are as many certificates as a bundle holds
     * @throws IllegalArgumentException if all certificates together are longer than a bundle holds
     */
    @Exercises(Power.CHANGE_KEYS)
    public void setMailSigner(MailSigner signer) {
        mailSigning = mailSigning.with(signer);
    }

    /**
     * Takes a former mail signing certificate out of bundles, for a key that somebody else may have: nothing that it
     * signed is taken for the tenant's any more. Whether there was one.
     *
     * @param fingerprint {@link MailSigner#fingerprint(X509Certificate)}
     * @throws IllegalArgumentException if it is the present one's
     */
    @Exercises(Power.CHANGE_KEYS)
    public boolean removeMailSigner(String fingerprint) {
        Optional<MailSigning> left = mailSigning.without(fingerprint);
        left.ifPresent(without -> mailSigning = without);
        return left.isPresent();
    }

    /**
     * Keys for a reader: of every pair that takes such a label, for every epoch. Who gets them is remembered, for
     * {@link #readers}; save these keys.
     *
     * @param holder who gets them, 1 to 255 bytes of UTF-8 in NFKC
     * @param label  attributes, or, where keys have policies, a policy; what has no epoch gets each of the given ones
     * @return one at least; the caller closes them
     * @throws IllegalArgumentException if no pair takes such a label, or these are more keys than a file holds
     * @throws MalformedEncodingException if a pair is not one
     */
    @Exercises(Power.ISSUE_KEYS)
    public List<ReaderKey> issueReaderKeys(String holder, Label label, List<String> epochNames, SecureRandom random)
            throws MalformedEncodingException {
        long wanted = 0;
        for (PolicyKeyEntry pair : rings.policy) {
            for (String epoch : epochNames) {
                wanted += pair.takesReaders(label) ? pair.keysFor(label.in(epoch)) : 0;
            }
        }
        if (wanted > ReaderKeyFile.MAX_KEYS) {
            throw new IllegalArgumentException(
                    "a reader's file has at most " + ReaderKeyFile.MAX_KEYS + " keys, and these are " + wanted
                            + ": one for each of " + epochNames.size() + " epochs under each pair; take fewer epochs");
        }
        List<ReaderKey> keys = sessionReaderKeys(holder, label, epochNames, random);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("there is no key of a scheme whose readers have "
                    + (label instanceof Label.OfPolicy ? "policies" : "attributes")
                    + "; veilgate keys rotate --policy-scheme makes one");
        }
        readers.put(holder, label);
        issued.put(holder, issued.getOrDefault(holder, IssuedKeys.NONE).and(epochNames, pairsFor(label)));
        return keys;
    }

    /**
     * Searcher's keys for a reader who was just issued keys: one for each index key of attribute-based keyword search
     * whose policy the attributes satisfy, and each epoch; under an index key whose policy is the same in all epochs,
     * one. That it searches is remembered, for {@link IssuedKeys#searches}; save these keys.
     *
     * @param attributes as of its keys for reading; what has no epoch holds in each of the given ones
     * @return none if no policy is satisfied; the caller closes them
     * @throws IllegalArgumentException if there is no such index key, or these are more keys than a file holds
     */
    @Exercises(Power.ISSUE_KEYS)
    public List<SearcherKey> issueSearcherKeys(
            String holder, AttributeSet attributes, List<String> epochNames, SecureRandom random)
            throws MalformedEncodingException {
        List<SearcherKey> keys =
                IndexSearchers.issue(rings.index, tenant, holder, epochs, attributes.attributes(), epochNames, random);
        issued.put(
                holder,
                issued.getOrDefault(holder, IssuedKeys.NONE)
                        .andSearching(keys.stream().map(key -> key.index().id()).toList()));
        return keys;
    }

    /**
     * How far somebody with attributes reaches who searches in some epochs: under index keys of attribute-based keyword
     * search whose policies they satisfy, and under all of other schemes.
     *
     * @param attributes what has no epoch holds in each of them; empty for nobody's
     */
    public SearchReach reach(Optional<AttributeSet> attributes, List<String> epochNames)
            throws MalformedEncodingException {
        return IndexSearchers.reach(rings.index, IndexSearchers.held(attributes), epochNames);
    }

    /** The public index keys, as {@link #nextBundle} publishes them: newest first. */
    public List<PublicBundle.IndexKey> indexKeys() {
        return rings.index.stream().map(IndexKeyEntry::publicKey).toList();
    }

    /** The index keys that are searched by attributes, newest first. */
    public Map<KeyId, IndexPublicKey> searchedIndexKeys() throws MalformedEncodingException {
        return IndexSearchers.searched(rings.index);
    }

    /**
     * Makes a new key of each scheme of searchable encryption whose searchers have attributes, for the same policy:
     * searcher's keys that were issued find nothing that is sealed under it.
     */
    @Exercises(Power.CHANGE_KEYS)
    public void rotateSearchersIndexKey(SecureRandom random, Instant now) throws MalformedEncodingException {
        rings.rotateIndexWithPolicy(random, now);
    }

    private List<KeyId> pairsFor(Label label) throws MalformedEncodingException {
        List<KeyId> pairs = new ArrayList<>();
        for (PolicyKeyEntry pair : rings.policy) {
            if (pair.takesReaders(label)) {
                pairs.add(pair.id());
            }
        }
        return pairs;
    }

    /**
     * What a reader was ever issued keys for, also one that was removed; empty if a software that did not remember it
     * issued them.
     */
    public Optional<IssuedKeys> issuedTo(String holder) {
        return Optional.ofNullable(issued.get(holder));
    }

    /** Readers that were removed, and what they were issued. */
    public SortedMap<String, IssuedKeys> formerReaders() {
        SortedMap<String, IssuedKeys> former = new TreeMap<>(issued);
        former.keySet().removeAll(readers.keySet());
        return former;
    }

    /**
     * Readers whose keys had ended before others are issued for the next epochs: they were issued none for the present
     * epoch, nor for the one before the first of the next. Issuing to all again must not bring them back.
     *
     * @param next epochs that keys are to be issued for, ascending
     */
    public SortedSet<String> lapsedReaders(List<String> next, Instant now) {
        Instant before =
                epochs.at(epochs.named(next.getFirst()).from().minusMillis(1)).from();
        Instant present = epochs.at(now).from();
        Instant since = before.isBefore(present) ? before : present;
        SortedSet<String> lapsed = new TreeSet<>();
        for (String holder : readers.keySet()) {
            IssuedKeys its = issued.get(holder);
            if (its != null
                    && its.epochs().stream()
                            .allMatch(name -> epochs.named(name).from().isBefore(since))) {
                lapsed.add(holder);
            }
        }
        return lapsed;
    }

    /**
     * Keys like {@link #issueReaderKeys}, for somebody who reads here and now and does not take them away: nothing is
     * remembered.
     *
     * @return none if no pair takes such a label; the caller closes them
     * @throws MalformedEncodingException if a pair is not one
     */
    @Exercises({Power.ISSUE_KEYS, Power.READ_FOR_SOMEBODY})
    public List<ReaderKey> sessionReaderKeys(String holder, Label label, List<String> epochNames, SecureRandom random)
            throws MalformedEncodingException {
        List<ReaderKey> issued = new ArrayList<>();
        for (PolicyKeyEntry pair : rings.policy) {
            if (pair.takesReaders(label)) {
                for (String epoch : epochNames) {
                    issued.addAll(pair.issue(tenant, holder, label.in(epoch), random));
                }
            }
        }
        return issued;
    }

    /** What each reader was given last, by holder, without epochs: to issue again for the next epoch. */
    public SortedMap<String, Label> readers() {
        return new TreeMap<>(readers);
    }

    /**
     * Removes a reader, who gets no key any more; whether there was one. What was issued stays good for its epochs, and
     * is remembered ({@link #formerReaders}).
     */
    @Exercises(Power.CHANGE_KEYS)
    public boolean removeReader(String holder) {
        return readers.remove(holder) != null;
    }

    /**
     * For an authority that has lost its issued trapdoors: forgets every key that they belong to, makes a new one, and
     * a new store for it. What was sealed under the forgotten keys can be opened, but not searched any more: a second
     * trapdoor of a keyword could give the key away. Keys of schemes whose trapdoors come out the same every time stay.
     */
    @Exercises(Power.CHANGE_KEYS)
    public void replaceIndexKeysAfterLoss(SecureRandom random, Instant now) {
        boolean isLost = rings.forgetThoseThatKeepTrapdoors() > 0;
        storeId = freshStoreId(random);
        if (isLost) {
            rotateIndexKey(SearchScheme.DEFAULT, random, now);
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
    @Exercises(Power.ISSUE_TRAPDOORS)
    public SearchRequest request(
            String scope,
            List<String> epochNames,
            List<List<Keyword>> terms,
            Expression expression,
            TrapdoorStore store)
            throws IOException, MalformedEncodingException {
        return pending(scope, epochNames, terms, expression).requestWith(store);
    }

    /**
     * A search like {@link #request}, of which nothing has been issued yet.
     *
     * @throws IllegalArgumentException as {@link #request}, and for a scope or epoch that cannot be
     */
    @Exercises(Power.PREPARE_TRAPDOORS)
    public PendingRequest pending(
            String scope, List<String> epochNames, List<List<Keyword>> terms, Expression expression) {
        return new PendingRequest(
                tenant, scope, epochNames, terms, expression, List.copyOf(rings.index), SearchReach.WHOLE);
    }

    /**
     * A search like {@link #pending}, for somebody who searches by attributes: under an index key of attribute-based
     * keyword search, trapdoors are made with a searcher's key of these attributes, and none where they do not satisfy
     * its policy ({@link #reach}).
     *
     * @param attributes what has no epoch holds in each epoch of the search; empty for nobody's
     * @throws IllegalArgumentException as {@link #pending}, and if the search reaches nothing
     */
    @Exercises(Power.PREPARE_TRAPDOORS)
    public PendingRequest pendingFor(
            Optional<AttributeSet> attributes,
            String scope,
            List<String> epochNames,
            List<List<Keyword>> terms,
            Expression expression)
            throws MalformedEncodingException {
        List<TrapdoorSource> sources = IndexSearchers.sources(rings.index, IndexSearchers.held(attributes));
        return new PendingRequest(tenant, scope, epochNames, terms, expression, sources, reach(attributes, epochNames));
    }

    /**
     * Looks into indexes for the keywords of opened records, with the secret index keys and without a trapdoor: {@link
     * IndexCheck} says what that takes and tells. Holds the keys until these are closed.
     *
     * @param store  that of these keys ({@link KeyFolder#trapdoors}); nothing is issued
     * @param budget of these keys ({@link KeyFolder#findingBudget})
     */
    @Exercises(Power.CHECK_INDEX)
    public IndexCheck indexCheck(TrapdoorStore store, FindingBudget budget) {
        return new IndexCheck(this, store, budget);
    }

    /** How many trapdoors a keyword takes in an epoch: one under each key that there is. */
    public int trapdoorsOfKeyword() {
        return rings.index.size();
    }

    /** How many trapdoors a keyword takes in some epochs, of a search that reaches so far. */
    public int trapdoorsOfKeyword(SearchReach reach, List<String> epochNames) {
        int leftOut = reach.gaps().stream().mapToInt(gap -> gap.epochs().size()).sum();
        return rings.index.size() * epochNames.size() - leftOut;
    }

    /**
     * The same request with a signed grant for its trapdoors, which names no place in an issuing log.
     *
     * @param holder  who may search
     * @param expires whole seconds
     */
    @Exercises(Power.ISSUE_TRAPDOORS)
    public SearchRequest granted(SearchRequest request, String holder, Instant expires) {
        return granted(request, holder, expires, 0);
    }

    /**
     * The same request with a signed grant for its trapdoors.
     *
     * @param holder  who may search
     * @param expires whole seconds
     * @param number  of the entry of the issuing log that tells of it
     */
    @Exercises(Power.ISSUE_TRAPDOORS)
    public SearchRequest granted(SearchRequest request, String holder, Instant expires, long number) {
        return request.with(Grant.issue(authority, holder, request.digests(), expires, number));
    }

    /** Opens what was sealed for any of the keys. Holds them until these keys are closed. */
    @Exercises(Power.READ_ALL)
    public EnvelopeOpener opener() {
        return new EnvelopeOpener(rings.wrap.stream().map(WrapKeyEntry::key).toList(), this::ownReaderKeys);
    }

    /**
     * Opens what was sealed for whoever has the tenant's key, and of what was sealed for policies only what a reader's
     * keys open: for somebody who reads through the authority. Holds the tenant's keys until these are closed.
     */
    @Exercises(Power.READ_FOR_SOMEBODY)
    public EnvelopeOpener openerFor(List<ReaderKey> held) {
        return new EnvelopeOpener(rings.wrap.stream().map(WrapKeyEntry::key).toList(), ReaderKeys.of(held));
    }

    private List<ReaderKey> ownReaderKeys(KeyId policyKey, byte[] ciphertext, OpeningWork work) {
        try {
            AttributeKem scheme = AttributeKems.ofCiphertext(ciphertext);
            Label label = scheme.labelOf(ciphertext);
            List<PolicyKeyEntry> pairs = rings.policy.stream()
                    .filter(pair -> pair.publicKey().schemeId().equals(scheme.id()))
                    .toList();
            return ownReaderKey(pairs, policyKey, ciphertext, label, work).stream()
                    .toList();
        } catch (MalformedEncodingException e) {
            return List.of(); // it cannot be opened by anybody
        }
    }

    /**
     * The key of the pair and epoch that a wrap names. Each epoch is looked for in all pairs before the next: the first
     * wrap of a sealer is for the label's first epoch, so that opening what it seals takes one key of each pair to
     * derive, however many epochs the label names.
     */
    private Optional<ReaderKey> ownReaderKey(
            List<PolicyKeyEntry> pairs, KeyId policyKey, byte[] ciphertext, Label label, OpeningWork work)
            throws MalformedEncodingException {
        List<String> epochs = new ArrayList<>(List.of("")); // pairs with one key for all
        epochs.addAll(label.epochs());
        for (String epoch : epochs) {
            for (PolicyKeyEntry pair : pairs) {
                boolean derived = pair.isByEpoch() && !epoch.isEmpty();
                if (derived && !work.derivesKey(pair.readers().algorithm())) {
                    return Optional.empty();
                }
                if (pair.isKeyOf(epoch, policyKey)) {
                    boolean may = work.makesKeyFor(ciphertext)
                            && (!derived || work.derivesKey(pair.readers().algorithm())); // its secret half
                    return may ? Optional.of(pair.ownFor(tenant, label, epoch, new SecureRandom())) : Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The next bundle and the next sender registry have higher serials than this one: for keys that were restored from
     * a backup, since whoever saw later ones refuses lower ones. Save these keys.
     *
     * @param seen highest serial of a bundle or registry that anybody saw
     * @throws IllegalArgumentException for more than {@link #MAX_RAISED_SERIAL}: serials never go down again
     */
    @Exercises(Power.CHANGE_KEYS)
    public void raiseSerials(long seen) {
        if (seen < 0 || seen > MAX_RAISED_SERIAL) {
            throw new IllegalArgumentException("serials are raised to at most " + MAX_RAISED_SERIAL);
        }
        serial = Math.max(serial, seen);
        senders.raiseSerial(seen);
    }

    /**
     * A new signed bundle, with the next serial and without the senders, who are in a registry of their own ({@link
     * TenantSenders#publish}): save these keys before it is handed out, so that no serial is used twice.
     *
     * @param validFor a minute at least; the epochs of that time and the one behind them are in it
     */
    @Exercises(Power.PUBLISH)
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
                indexKeys(),
                rings.wrap.getFirst().key().publicKey(),
                known,
                List.copyOf(recipients.values()),
                List.of(),
                List.copyOf(scopes),
                profiles.first(),
                rings.sealing(known.stream().map(Epoch::name).toList()),
                true,
                mailSigners(),
                profiles.next().orElse(null));
        byte[] bundle = PublicBundle.sign(content, authority);
        serial++;
        return bundle;
    }

    /**
     * Signs something that the authority says, as {@link SignedStatement#sign} does. Whoever calls it answers for the
     * content.
     *
     * @throws IllegalArgumentException for another kind or a longer content than a statement may have
     */
    @Exercises(Power.SIGN)
    public SignedStatement signStatement(String kind, byte[] content) {
        return SignedStatement.sign(kind, content, authority);
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
        return rings.infos();
    }

    /**
     * What mail is signed with; empty for keys of before mail was signed, until {@link #rotateMailSigner} or {@link
     * #setMailSigner}.
     *
     * @throws MalformedEncodingException if what is kept is not such a key
     */
    @Exercises(Power.SIGN)
    public Optional<MailSigner> mailSigner() throws MalformedEncodingException {
        Optional<KeptMailKey> kept = mailSigning.signer();
        return kept.isPresent() ? Optional.of(kept.get().signer()) : Optional.empty();
    }

    /** Chains of certificates of those who sign mail: the present one's first, then former ones', newest first. */
    public List<List<X509Certificate>> mailSigners() {
        return mailSigning.chains();
    }

    /**
     * Certificate of the tenant's own authority for mail, which mail programs of the tenant's users are to trust; empty
     * if there is none.
     */
    public Optional<X509Certificate> mailAuthority() {
        return mailSigning.authority().map(key -> key.chain().getFirst());
    }

    /**
     * Issues the certificate of a recipient of mail, for encryption alone, by the tenant's own authority for mail;
     * makes the authority where there is none yet. Changes no recipient: {@link #putRecipient} does.
     *
     * @throws IllegalStateException if no mail is signed yet
     */
    @Exercises(Power.SIGN)
    public X509Certificate issueRecipient(RecipientRequest request, SecureRandom random, Instant now) {
        mailSigning = mailSigning.withAuthority(tenant, random, now);
        KeptMailKey by = mailSigning.authority().orElseThrow();
        return new MailCertificates(tenant, random, now).recipient(by, request);
    }

    MailSigning mailSigning() {
        return mailSigning;
    }

    void setMailSigning(MailSigning signing) {
        mailSigning = signing;
    }

    /** Recipients of mail, by address. */
    public List<Recipient> recipients() {
        return List.copyOf(recipients.values());
    }

    /** Adds a recipient, or replaces the one with its address. */
    @Exercises(Power.CHANGE_KEYS)
    public void putRecipient(Recipient recipient) {
        recipients.put(recipient.address(), recipient);
    }

    /** Removes a recipient; whether there was one. */
    @Exercises(Power.CHANGE_KEYS)
    public boolean removeRecipient(String address) {
        return recipients.remove(PublicBundle.canonicalAddress(address)) != null;
    }

    /** The registered senders. */
    public TenantSenders senders() {
        return senders;
    }

    /** The registered sender of that name. */
    public Optional<SenderPublicKey> sender(String name) throws IOException {
        return senders.find(name);
    }

    /** Registers a sender, or replaces the one of its name. */
    @Exercises(Power.CHANGE_KEYS)
    public void putSender(SenderPublicKey sender) {
        senders.put(sender);
    }

    /** Removes a sender; whether there was one. */
    @Exercises(Power.CHANGE_KEYS)
    public boolean removeSender(String name) throws IOException {
        return senders.remove(name);
    }

    /** Scopes that senders may name; empty: any. */
    public SortedSet<String> scopes() {
        return new TreeSet<>(scopes);
    }

    /** Adds a scope. */
    @Exercises(Power.CHANGE_KEYS)
    public void addScope(String scope) {
        new KeywordDomain(tenant, scope, "epoch"); // checks the name
        scopes.add(scope);
    }

    /** Removes a scope; whether there was one. */
    @Exercises(Power.CHANGE_KEYS)
    public boolean removeScope(String scope) {
        return scopes.remove(scope);
    }

    /** By which extractor profiles keywords are made and were made. */
    public TenantProfiles profiles() {
        return profiles;
    }

    /** Replaces them: the next bundle has the new ones. */
    @Exercises(Power.CHANGE_KEYS)
    public void setProfiles(TenantProfiles all) {
        profiles = all;
    }

    /** Several changes that belong together. */
    @FunctionalInterface
    public interface Changes<T> {
        /** Makes them, and keeps them. */
        T make() throws Exception;
    }

    /**
     * Makes changes, all of them or none: if they fail, these keys are as they were before, and those that were made
     * meanwhile are erased. Not for {@link #replaceIndexKeysAfterLoss}, which erases keys at once.
     *
     * @param changes to these keys; what keeps them, such as {@link KeyFolder#save}, belongs to it
     * @return what they give
     */
    public <T> T allOrNothing(Changes<T> changes) throws Exception {
        Before before = new Before();
        boolean whole = false;
        try {
            T result = changes.make();
            whole = true;
            return result;
        } finally {
            if (!whole) {
                before.restore();
            }
        }
    }

    /** All that changes. */
    private final class Before {
        private final KeyRings ringsBefore = rings.sameKeys();
        private final SortedMap<String, Label> readersBefore = new TreeMap<>(readers);
        private final SortedMap<String, IssuedKeys> issuedBefore = new TreeMap<>(issued);
        private final SortedMap<String, Recipient> recipientsBefore = new TreeMap<>(recipients);
        private final SortedMap<String, Optional<SenderPublicKey>> sendersBefore = senders.copyOfChanges();
        private final SortedSet<String> scopesBefore = new TreeSet<>(scopes);
        private final TenantProfiles profilesBefore = profiles;
        private final long serialBefore = serial;
        private final MailSigning mailSigningBefore = mailSigning;

        private void restore() {
            rings.restore(ringsBefore);
            replace(readers, readersBefore);
            replace(issued, issuedBefore);
            replace(recipients, recipientsBefore);
            senders.restore(sendersBefore);
            scopes.clear();
            scopes.addAll(scopesBefore);
            profiles = profilesBefore;
            serial = serialBefore;
            mailSigning.closeBut(mailSigningBefore);
            mailSigning = mailSigningBefore;
        }

        private static <T> void replace(SortedMap<String, T> map, SortedMap<String, T> with) {
            map.clear();
            map.putAll(with);
        }
    }

    /** Erases the keys. */
    @Override
    public void close() {
        authority.close();
        rings.close();
        mailSigning.closeBut(MailSigning.NONE);
    }

    @Override
    public String toString() {
        return "TenantKeys[hidden, of " + tenant + "]";
    }
}
