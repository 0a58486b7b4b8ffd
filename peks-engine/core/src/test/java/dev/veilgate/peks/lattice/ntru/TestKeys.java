package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * One key pair a parameter set for all tests of the scheme, made when first asked for, with the trapdoors issued so
 * far.
 */
final class TestKeys {
    static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");

    private static final Map<NtruParameters, KeyPair> PAIRS = new ConcurrentHashMap<>();
    private static final Map<NtruParameters, KeyPair> SECOND = new ConcurrentHashMap<>();
    private static final Map<NtruParameters, InMemoryTrapdoorStore> STORES = new ConcurrentHashMap<>();

    private TestKeys() {}

    /** Coins that belong to a label. */
    static SecureRandom random(String label) {
        return new ReplayableRandom(Seed.VALUE.coins(label));
    }

    /** Apart, so that what needs no coins prints no seed. */
    private static final class Seed {
        private static final TestSeed VALUE = TestSeed.of(TestKeys.class);
    }

    static NtruPeks scheme(NtruParameters p) {
        return new NtruPeks(p, random("scheme/" + p));
    }

    static KeyPair of(NtruParameters p) {
        return PAIRS.computeIfAbsent(p, x -> new NtruPeks(x, random("keys/" + x)).keyGen());
    }

    /** Another key, of another tenant. */
    static KeyPair second(NtruParameters p) {
        return SECOND.computeIfAbsent(p, x -> new NtruPeks(x, random("second keys/" + x)).keyGen());
    }

    /** The trapdoor of a keyword under {@link #second}. */
    static ScopedTrapdoor scopedBySecond(NtruParameters p, Keyword keyword) {
        try {
            return scheme(p).trapdoor(second(p).secretKey(), DOMAIN, keyword, new InMemoryTrapdoorStore());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static NtruIndexSealer sealer(NtruParameters p, String label) {
        return new NtruIndexSealer(of(p).publicKey(), random(label + "/" + p));
    }

    /** The i-th of a list of keywords that never ends. */
    static Keyword keyword(int i) {
        return Keyword.text("word", "w" + i);
    }

    /** The i-th of a list of messages that never ends. */
    static MessageContext context(int i) {
        byte[] digest = new byte[32];
        digest[0] = (byte) i;
        return new MessageContext("device-" + i, new UUID(7, i), digest);
    }

    /** The trapdoor of a keyword in {@link #DOMAIN}, issued once. */
    static ScopedTrapdoor scoped(NtruParameters p, Keyword keyword) {
        InMemoryTrapdoorStore store = STORES.computeIfAbsent(p, x -> new InMemoryTrapdoorStore());
        try {
            return scheme(p).trapdoor(of(p).secretKey(), DOMAIN, keyword, store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Trapdoor trapdoor(NtruParameters p, Keyword keyword) {
        try {
            return Trapdoor.decode(scoped(p, keyword).bytes());
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The trapdoors of keywords from (included) to (excluded). */
    static List<Trapdoor> trapdoors(NtruParameters p, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> trapdoor(p, keyword(i))).toList();
    }
}
