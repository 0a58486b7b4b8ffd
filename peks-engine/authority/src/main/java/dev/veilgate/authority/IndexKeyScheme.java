package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.ks.zxa14.Zxa14;
import dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.peks.pairing.bdop04.Bdop04;
import dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme;
import dev.veilgate.peks.pairing.zi07.Zi07;
import dev.veilgate.peks.pairing.zi07.Zi07IndexScheme;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The half of a scheme of searchable encryption that needs a secret key: making pairs and trapdoors. {@link IndexScheme} is the other half. */
@Secret
enum IndexKeyScheme {
    /** Post-quantum; a trapdoor is sampled once and kept in the store for ever. */
    NTRU(NtruIndexScheme.ID) {
        @Override
        Pair keyGen(@Nullable Policy searchers, SecureRandom random) {
            NtruParameters parameters = NtruParameters.N2048_Q29;
            var pair = new NtruPeks(parameters, random).keyGen();
            try (var secretKey = pair.secretKey()) {
                return pair(parameters.id(), pair.publicKey().encode(), secretKey.encode());
            }
        }

        @Override
        TrapdoorIssuer issuer(IndexKey publicKey, byte[] secret) throws MalformedEncodingException {
            NtruPeks peks = new NtruPeks(NtruParameters.byId(publicKey.parameters()), new SecureRandom());
            var secretKey = dev.veilgate.peks.lattice.ntru.SecretKey.decode(secret);
            return new TrapdoorIssuer(
                    secretKey.publicKey().encode(),
                    (domain, keyword, store) -> peks.trapdoor(secretKey, domain, keyword, store),
                    kept(peks, secretKey),
                    (tenant, block, context) -> peks.open(secretKey, tenant, block, context),
                    null,
                    secretKey::destroy);
        }

        private TrapdoorIssuer.Kept kept(NtruPeks peks, dev.veilgate.peks.lattice.ntru.SecretKey secretKey) {
            return new TrapdoorIssuer.Kept() {
                @Override
                public byte[] name(KeywordDomain domain, Keyword keyword) {
                    return peks.storeName(secretKey, domain, keyword);
                }

                @Override
                public Optional<ScopedTrapdoor> find(KeywordDomain domain, Keyword keyword, TrapdoorStore store)
                        throws IOException {
                    return peks.stored(secretKey, domain, keyword, store);
                }
            };
        }
    },

    /** Boneh and others 2004, over BLS12-381. */
    BDOP04(Bdop04IndexScheme.ID) {
        @Override
        Pair keyGen(@Nullable Policy searchers, SecureRandom random) {
            var pair = new Bdop04(random).keyGen();
            try (var secretKey = pair.secretKey()) {
                return pair(BlockLayout.PARAMETERS, pair.publicKey().encode(), secretKey.encode());
            }
        }

        @Override
        TrapdoorIssuer issuer(IndexKey publicKey, byte[] secret) throws MalformedEncodingException {
            Bdop04 peks = Bdop04.withDefaults();
            var secretKey = dev.veilgate.peks.pairing.bdop04.SecretKey.decode(secret);
            return new TrapdoorIssuer(
                    secretKey.publicKey().encode(),
                    (domain, keyword, store) -> peks.trapdoor(secretKey, domain, keyword),
                    secretKey::destroy);
        }
    },

    /** Zhang and Imai 2007, over BLS12-381. */
    ZI07(Zi07IndexScheme.ID) {
        @Override
        Pair keyGen(@Nullable Policy searchers, SecureRandom random) {
            var pair = new Zi07(random).keyGen();
            try (var secretKey = pair.secretKey()) {
                return pair(BlockLayout.PARAMETERS, pair.publicKey().encode(), secretKey.encode());
            }
        }

        @Override
        TrapdoorIssuer issuer(IndexKey publicKey, byte[] secret) throws MalformedEncodingException {
            Zi07 peks = Zi07.withDefaults();
            var secretKey = dev.veilgate.peks.pairing.zi07.SecretKey.decode(secret);
            return new TrapdoorIssuer(
                    secretKey.publicKey().encode(),
                    (domain, keyword, store) -> peks.trapdoor(secretKey, domain, keyword),
                    secretKey::destroy);
        }
    },

    /** Zheng, Xu and Ateniese 2014: searchers have attributes. The authority gives itself a key that satisfies the policy, each time another. */
    ZXA14(Zxa14IndexScheme.ID) {
        @Override
        boolean takesPolicy() {
            return true;
        }

        @Override
        Pair keyGen(@Nullable Policy searchers, SecureRandom random) {
            var pair = new Zxa14(random).setup();
            try (var masterKey = pair.masterKey()) {
                var index = IndexPublicKey.byEpoch(pair.publicKey(), Objects.requireNonNull(searchers));
                return pair(BlockLayout.PARAMETERS, index.encode(), masterKey.encode());
            }
        }

        @Override
        TrapdoorIssuer issuer(IndexKey publicKey, byte[] secret) throws MalformedEncodingException {
            Zxa14 search = Zxa14.withDefaults();
            var masterKey = dev.veilgate.abe.ks.zxa14.MasterKey.decode(secret);
            IndexPublicKey index = IndexPublicKey.decode(publicKey.publicKey()).of(masterKey.publicKey());
            return new TrapdoorIssuer(
                    index.encode(),
                    (domain, keyword, store) -> {
                        AttributeSet all = AttributeSet.ofAny(
                                index.policyIn(domain.epoch()).leaves());
                        try (var key = search.keyGen(masterKey, all)) {
                            return search.token(key, index, domain, keyword).orElseThrow();
                        }
                    },
                    null,
                    null,
                    (attributes, random) -> new Zxa14(random).keyGen(masterKey, attributes),
                    masterKey::destroy);
        }

        @Override
        SearchScheme again(IndexKey publicKey) throws MalformedEncodingException {
            return new SearchScheme(
                    id(),
                    Optional.of(IndexPublicKey.decode(publicKey.publicKey()).policy()));
        }
    };

    /** A fresh pair; the secret half encoded, the caller's to erase. */
    record Pair(IndexKey publicKey, byte[] secret) {}

    private final String id;

    IndexKeyScheme(String id) {
        this.id = id;
    }

    /** The id of {@link IndexScheme}. */
    String id() {
        return id;
    }

    /** Whether keywords are sealed for searchers whom a policy names. */
    boolean takesPolicy() {
        return false;
    }

    /** The choice that a key was made by. */
    SearchScheme again(IndexKey publicKey) throws MalformedEncodingException {
        return new SearchScheme(id, Optional.empty());
    }

    /** Whether trapdoors are kept in a store, which must not be lost. */
    boolean keepsTrapdoors() {
        return this == NTRU;
    }

    /**
     * Makes a pair. NTRU takes a second.
     *
     * @param searchers null unless the scheme {@link #takesPolicy}
     */
    abstract Pair keyGen(@Nullable Policy searchers, SecureRandom random);

    /**
     * Reads a secret key.
     *
     * @param publicKey what goes with it; the caller compares it with {@link TrapdoorIssuer#publicKey}
     */
    abstract TrapdoorIssuer issuer(IndexKey publicKey, byte[] secret) throws MalformedEncodingException;

    final Pair pair(String parameters, byte[] publicKey, byte[] secret) {
        return new Pair(new IndexKey(id, parameters, publicKey), secret);
    }

    /** @throws IllegalArgumentException if there is none of that id */
    static IndexKeyScheme byId(String id) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no scheme " + id + "; there are " + String.join(", ", ids())));
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(IndexKeyScheme::id).toList();
    }
}
