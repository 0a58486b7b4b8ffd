package dev.veilgate.gateway;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.LossReport;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.LyingSealer;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An authority and its senders, for tests: what a gateway never has. Keys are made once a tenant and process. */
public final class TestTenant {
    private static final IndexSchemes SCHEMES = IndexSchemes.load();
    /** The scope that its senders seal for. */
    public static final String SCOPE = "plant-7";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Map<String, TestTenant> MADE = new ConcurrentHashMap<>();

    private final TenantKeys keys;
    private final MemoryStore trapdoors = new MemoryStore();
    private final Map<String, SigningKey> senders = new ConcurrentHashMap<>();

    private TestTenant(String name, SearchScheme scheme) {
        keys = TenantKeys.generate(
                name,
                scheme,
                EpochPolicy.MONTHLY,
                new byte[0],
                List.of(),
                RANDOM,
                Instant.now().minus(Duration.ofDays(400)));
    }

    /** The tenant of this name, with the senders press-1 to press-4. */
    public static TestTenant of(String name) {
        return of(name, SearchScheme.DEFAULT);
    }

    /** {@link #of(String)} with an index of a scheme; another tenant than that of another scheme. */
    public static TestTenant of(String name, SearchScheme scheme) {
        return MADE.computeIfAbsent(scheme.id() + "/" + name, made -> {
            TestTenant tenant = new TestTenant(name, scheme);
            for (int i = 1; i <= 4; i++) {
                SigningKey key = SigningKey.generate("press-" + i, RANDOM);
                tenant.senders.put("press-" + i, key);
                tenant.keys.putSender(key.publicKey());
            }
            return tenant;
        });
    }

    /** Its authority's side. */
    public TenantKeys keys() {
        return keys;
    }

    /** A new bundle, valid now, encoded. */
    public synchronized byte[] bundle() {
        return keys.nextBundle(Instant.now(), Duration.ofDays(30));
    }

    /** Writes a new bundle and, beside it, its sender registry. */
    public synchronized void publish(Path bundleFile) throws IOException {
        keys.senders().publish(SenderRegistry.beside(bundleFile));
        Files.write(bundleFile, bundle());
    }

    /** Signs mail as senders in a domain from now on. */
    public MailSigner signAsSenders(String domain) {
        try {
            keys.rotateMailSigner(List.of(domain), RANDOM, Instant.now().minus(Duration.ofDays(1)));
            return keys.mailSigner().orElseThrow();
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** As a gateway sees it. */
    public Tenant tenant() {
        try {
            return new Tenant(
                    PublicBundle.verifyForReceiving(bundle(), keys.authority().fingerprint(), 0),
                    keys.senders().snapshot(),
                    SCHEMES);
        } catch (MalformedEncodingException | RefusedBundleException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** These tenants as a gateway sees them. */
    public static Tenants tenants(TestTenant... served) {
        Map<String, Tenant> byName = new LinkedHashMap<>();
        for (TestTenant tenant : served) {
            byName.put(tenant.keys.tenant(), tenant.tenant());
        }
        return new Tenants() {
            @Override
            public Optional<Tenant> find(String name) {
                return Optional.ofNullable(byName.get(name));
            }

            @Override
            public List<Tenant> all() {
                return List.copyOf(byName.values());
            }
        };
    }

    /** What press-N seals: its chain from the first envelope on. */
    public Sender sender(String name, Clock clock) {
        return sender(name, clock, RANDOM);
    }

    private Sender sender(String name, Clock clock, SecureRandom random) {
        try {
            PublicBundle bundle = PublicBundle.verify(bundle(), keys.authority().fingerprint(), clock.instant());
            return new Sender(new EnvelopeSealer(bundle, senders.get(name), clock, random), clock);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new AssertionError(e);
        }
    }

    /** Registers one more sender. */
    public Sender register(String name, Clock clock) {
        keys.putSender(senders.computeIfAbsent(name, made -> SigningKey.generate(made, RANDOM))
                .publicKey());
        return sender(name, clock);
    }

    /** A sender whose index is what it likes. */
    public EnvelopeSealer sealer(String name, Clock clock, List<IndexSealer> index) {
        try {
            PublicBundle own = PublicBundle.verify(bundle(), keys.authority().fingerprint(), Instant.now());
            return new EnvelopeSealer(keys.tenant(), index, own.wrapKey(), senders.get(name), clock, RANDOM);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new AssertionError(e);
        }
    }

    /** An envelope that was changed, signed again. Its signature is its last field. */
    public byte[] signAgain(String name, byte[] envelope) {
        int head = 5; // key 31, then a byte string of two bytes' length
        int end = envelope.length - SenderPublicKey.SIGNATURE_BYTES;
        byte[] unsigned = Arrays.copyOf(envelope, end - head);
        unsigned[0]--; // a field less
        byte[] signature = senders.get(name).sign("envelope", unsigned);
        byte[] signed = envelope.clone();
        System.arraycopy(signature, 0, signed, end, signature.length);
        return signed;
    }

    /**
     * Seals under these index keys and with this sealer of blocks instead of the tenant's: what a registered sender
     * that lies does.
     */
    public Sender liar(String name, Clock clock, TestTenant keysOf, UnaryOperator<IndexBlock> change) {
        return liar(name, clock, keysOf, (block, context) -> change.apply(block));
    }

    /** One whose lies depend on the message. */
    public Sender liar(
            String name, Clock clock, TestTenant keysOf, BiFunction<IndexBlock, MessageContext, IndexBlock> change) {
        try {
            PublicBundle own = PublicBundle.verify(bundle(), keys.authority().fingerprint(), clock.instant());
            PublicBundle other =
                    PublicBundle.verify(keysOf.bundle(), keysOf.keys.authority().fingerprint(), clock.instant());
            PublicBundle.IndexKey key = other.indexKeys().getFirst();
            IndexSealer honest = IndexSchemes.load().byId(key.scheme()).sealer(key.publicKey(), RANDOM);
            IndexSealer lying = new LyingSealer(honest, change);
            EnvelopeSealer sealer =
                    new EnvelopeSealer(keys.tenant(), List.of(lying), own.wrapKey(), senders.get(name), clock, RANDOM);
            return new Sender(sealer, clock);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new AssertionError(e);
        }
    }

    /** Two envelopes with one id: what a sender with a broken or malicious random source makes. */
    public SealedEnvelope[] sameId(String name, String one, String other) {
        Clock fixed = Clock.fixed(Instant.now(), ZoneOffset.UTC);
        return new SealedEnvelope[] {
            sender(name, fixed, new Zeros()).seal(one),
            sender(name, fixed, new Zeros()).seal(other)
        };
    }

    /** The first envelope of press-N, with an id that was another's. */
    public SealedEnvelope withId(String name, UUID id, String line) {
        ChosenId chosen = new ChosenId(id);
        SealedEnvelope sealed = sender(name, chosen.clock(), chosen).seal(line);
        if (!sealed.id().equals(id)) {
            throw new AssertionError("sealed as " + sealed.id());
        }
        return sealed;
    }

    private static final class Zeros extends SecureRandom {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** A search for a word in {@link #SCOPE}, this epoch; several words: all of them in one record. */
    public synchronized SearchRequest search(String words, Path trapdoors) {
        List<List<Keyword>> terms = Arrays.stream(words.split(" "))
                .map(word -> List.of(Keyword.text("word", word)))
                .toList();
        List<Expression> all = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            all.add(new Expression.Term(i));
        }
        Expression expression = all.size() == 1 ? all.getFirst() : new Expression.And(all);
        try (FileTrapdoorStore store = FileTrapdoorStore.open(trapdoors)) {
            return keys.request(SCOPE, List.of(epoch(Clock.systemUTC())), terms, expression, store);
        } catch (IOException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** The epoch that is now. */
    public String epoch(Clock clock) {
        return keys.epochs().at(clock.instant()).name();
    }

    /** The trapdoors of any of some words in a scope, in the epoch that is now: a term of a search. */
    public synchronized List<ScopedTrapdoor> term(String scope, Clock clock, String... anyOf) {
        List<Keyword> keywords =
                Arrays.stream(anyOf).map(word -> Keyword.text("word", word)).toList();
        try {
            return keys.request(scope, List.of(epoch(clock)), List.of(keywords), new Expression.Term(0), trapdoors)
                    .terms()
                    .getFirst();
        } catch (IOException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** A trapdoor is drawn once. */
    private static final class MemoryStore implements TrapdoorStore {
        private final Map<String, byte[]> byName = new HashMap<>();

        @Override
        public Optional<byte[]> find(byte[] name) {
            return Optional.ofNullable(byName.get(HexFormat.of().formatHex(name)));
        }

        @Override
        public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
            return byName.computeIfAbsent(HexFormat.of().formatHex(name), n -> trapdoor);
        }
    }

    /** A sender with its chain. */
    public final class Sender {
        private final EnvelopeSealer sealer;
        private final Clock clock;
        private ChainPosition position = ChainPosition.first();
        private @Nullable IndexRules rules;

        private Sender(EnvelopeSealer sealer, Clock clock) {
            this.sealer = sealer;
            this.clock = clock;
        }

        /** Seals lines, each found by its words, for {@link #SCOPE}. */
        public SealedEnvelope seal(String... lines) {
            return sealFor(SCOPE, lines);
        }

        /** Seals lines, each found by its words. */
        public SealedEnvelope sealFor(String scope, String... lines) {
            return sealFor(scope, List.of(), lines);
        }

        /** Seals lines for whom a policy names, each found by its words. */
        public SealedEnvelope sealForReaders(String policy, String... lines) {
            try {
                return sealFor(SCOPE, List.of(Label.policy(policy).in(epoch(clock))), lines);
            } catch (PolicySyntaxException e) {
                throw new AssertionError(e);
            }
        }

        private synchronized SealedEnvelope sealFor(String scope, List<Label> readers, String... lines) {
            Map<String, List<Integer>> words = new LinkedHashMap<>();
            for (int i = 0; i < lines.length; i++) {
                int line = i;
                for (String word : lines[i].split(" ")) {
                    List<Integer> at = words.computeIfAbsent(word, w -> new ArrayList<>());
                    if (!at.contains(line)) {
                        at.add(line);
                    }
                }
            }
            List<Posting> postings = words.entrySet().stream()
                    .map(word -> Posting.of(
                            Keyword.text("word", word.getKey()),
                            word.getValue().stream().mapToInt(Integer::intValue).toArray()))
                    .toList();
            List<byte[]> records = Arrays.stream(lines)
                    .map(line -> line.getBytes(StandardCharsets.UTF_8))
                    .toList();
            EnvelopeDraft draft = new EnvelopeDraft(
                    scope,
                    epoch(clock),
                    clock.instant(),
                    clock.instant(),
                    "text/plain",
                    records,
                    postings,
                    List.of(),
                    0);
            EnvelopeDraft said = rules == null ? draft : draft.indexedBy(rules);
            SealedEnvelope sealed = sealer.seal(said.forReaders(readers), position);
            position = sealed.next();
            return sealed;
        }

        /** Says that something was lost, for these reasons. */
        public synchronized SealedEnvelope sealLoss(String... reasons) {
            Instant now = clock.instant();
            List<LossReport> loss = Arrays.stream(reasons)
                    .map(reason -> new LossReport(reason, 3, 210, now, now))
                    .toList();
            SealedEnvelope sealed = sealer.seal(
                    new EnvelopeDraft(SCOPE, epoch(clock), now, now, "text/plain", List.of(), List.of(), loss, 0),
                    position);
            position = sealed.next();
            return sealed;
        }

        /** Says from now on that its keywords are made by these rules. */
        public synchronized Sender indexingBy(IndexRules by) {
            rules = by;
            return this;
        }

        /** Goes on from another place of the chain. */
        public synchronized void position(ChainPosition next) {
            position = next;
        }
    }
}
