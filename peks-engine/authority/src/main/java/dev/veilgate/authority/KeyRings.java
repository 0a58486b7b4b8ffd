package dev.veilgate.authority;

import dev.veilgate.abe.AttributeKems;
import dev.veilgate.authority.TenantKeys.KeyInfo;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PolicyKey;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The keys of a tenant by kind, newest first; pairs for policies newest first of each scheme, and the scheme first that
 * seals. A new one goes before those of its kind, which stay for what was sealed under them.
 */
@Secret
final class KeyRings implements AutoCloseable {
    /** Most keys of a kind: a rotation a month for five years. */
    static final int MAX_KEYS = 64;
    /** Most pairs for policies. */
    static final int MAX_POLICY_KEYS = 16;

    final List<IndexKeyEntry> index = new ArrayList<>();
    final List<WrapKeyEntry> wrap = new ArrayList<>();
    final List<PolicyKeyEntry> policy = new ArrayList<>();

    /** One of each scheme that there is one of, for the same searchers. */
    void rotateIndex(SecureRandom random, Instant now) throws MalformedEncodingException {
        List<IndexKeyEntry> current = index.stream().filter(this::isCurrent).toList();
        for (IndexKeyEntry key : current.reversed()) { // so that their order stays
            rotateIndex(key.scheme().again(key.publicKey()), random, now);
        }
    }

    /** One of each scheme that takes a policy, for the same searchers. */
    void rotateIndexWithPolicy(SecureRandom random, Instant now) throws MalformedEncodingException {
        for (IndexKeyEntry key : index.stream().filter(this::isCurrent).toList().reversed()) {
            if (key.scheme().takesPolicy()) {
                rotateIndex(key.scheme().again(key.publicKey()), random, now);
            }
        }
    }

    void rotateIndex(SearchScheme search, SecureRandom random, Instant now) {
        requireRoom(index, MAX_KEYS);
        index.addFirst(IndexKeyEntry.generate(search, random, now.truncatedTo(ChronoUnit.SECONDS)));
    }

    /** One of the algorithm that seals; of X-Wing if there is none. */
    void rotateWrap(SecureRandom random, Instant now) {
        rotateWrap(wrapAlgorithm(), random, now);
    }

    /** One of an algorithm, and of X-Wing behind it in any case, which the issuing log seals details for. */
    void rotateWrap(WrapAlgorithm algorithm, SecureRandom random, Instant now) {
        boolean two = algorithm != WrapAlgorithm.X_WING;
        requireRoom(wrap, two ? MAX_KEYS - 1 : MAX_KEYS);
        Instant created = now.truncatedTo(ChronoUnit.SECONDS);
        wrap.addFirst(new WrapKeyEntry(created, KemSecretKey.generate(random)));
        if (two) {
            wrap.addFirst(new WrapKeyEntry(created, KemSecretKey.generate(algorithm, random)));
        }
    }

    /** The algorithm that content is sealed with, and the keys of new pairs for policies are of. */
    WrapAlgorithm wrapAlgorithm() {
        return wrap.isEmpty() ? WrapAlgorithm.X_WING : wrap.getFirst().key().algorithm();
    }

    /** One of each scheme that there is one of; of the default scheme if there is none. */
    void rotatePolicy(SecureRandom random, Instant now) {
        List<String> schemes = policy.stream()
                .filter(this::isCurrent)
                .map(pair -> pair.publicKey().schemeId())
                .toList();
        for (String scheme : schemes.isEmpty() ? List.of(AttributeKems.DEFAULT_ID) : schemes.reversed()) {
            rotatePolicy(scheme, random, now);
        }
    }

    /**
     * Before the others of its scheme; the first of a scheme goes behind all, so that sealing does not move to it
     * unasked ({@link #sealWith}).
     */
    void rotatePolicy(String scheme, SecureRandom random, Instant now) {
        requireRoom(policy, MAX_POLICY_KEYS);
        PolicyKeyEntry pair =
                PolicyKeyEntry.generate(scheme, wrapAlgorithm(), random, now.truncatedTo(ChronoUnit.SECONDS));
        policy.add(currentOf(scheme).map(policy::indexOf).orElse(policy.size()), pair);
    }

    private Optional<PolicyKeyEntry> currentOf(String scheme) {
        return policy.stream()
                .filter(pair -> pair.publicKey().schemeId().equals(scheme))
                .findFirst();
    }

    /**
     * Puts the current pair of a scheme before all: senders seal under the first that takes their labels.
     *
     * @throws IllegalArgumentException if there is none of the scheme
     */
    void sealWith(String scheme) {
        PolicyKeyEntry pair = currentOf(scheme)
                .orElseThrow(() -> new IllegalArgumentException("there is no pair of " + scheme
                        + "; veilgate keys rotate --policy-scheme " + scheme + " makes one"));
        policy.remove(pair);
        policy.addFirst(pair);
    }

    private static void requireRoom(List<?> ring, int most) {
        if (ring.size() >= most) {
            throw new IllegalStateException("there are " + most + " keys of this kind already");
        }
    }

    /** Erases the keys whose trapdoors have to be kept; how many there were. */
    int forgetThoseThatKeepTrapdoors() {
        List<IndexKeyEntry> lost =
                index.stream().filter(IndexKeyEntry::keepsTrapdoors).toList();
        lost.forEach(IndexKeyEntry::close);
        index.removeAll(lost);
        return lost.size();
    }

    List<KeyInfo> infos() {
        List<KeyInfo> infos = new ArrayList<>();
        for (IndexKeyEntry key : index) {
            infos.add(new KeyInfo(
                    key.publicKey().scheme(),
                    key.publicKey().parameters(),
                    key.id(),
                    key.created(),
                    isCurrent(key),
                    isCurrent(key)));
        }
        for (WrapKeyEntry key : wrap) {
            infos.add(new KeyInfo(
                    "wrap",
                    key.key().algorithm().id(),
                    key.key().publicKey().id(),
                    key.created(),
                    key == wrap.getFirst(),
                    key == wrap.getFirst()));
        }
        for (PolicyKeyEntry key : policy) {
            infos.add(new KeyInfo(
                    "policy",
                    key.publicKey().schemeId() + " + "
                            + key.readers().algorithm().id()
                            + (key.isByEpoch() ? "" : " (one for all epochs)"),
                    key.id(),
                    key.created(),
                    isCurrent(key),
                    seals(key)));
        }
        return infos;
    }

    /** Whether it is the one of its scheme to seal under. */
    private boolean isCurrent(IndexKeyEntry key) {
        String scheme = key.publicKey().scheme();
        return key
                == index.stream()
                        .filter(other -> other.publicKey().scheme().equals(scheme))
                        .findFirst()
                        .orElseThrow();
    }

    private boolean isCurrent(PolicyKeyEntry pair) {
        return pair == currentOf(pair.publicKey().schemeId()).orElseThrow();
    }

    /** Whether senders seal under it, for policies or, of a scheme whose keys have them, for attributes. */
    private boolean seals(PolicyKeyEntry pair) {
        return pair
                == policy.stream()
                        .filter(other -> pair.sealsForPolicies().equals(other.sealsForPolicies()))
                        .findFirst()
                        .orElseThrow();
    }

    /**
     * What senders seal with for policies in some epochs: of each pair that seals, those of pairs with a key for each
     * epoch first. The others are left out: software that does not know keys of epochs would seal under an old pair
     * that was replaced.
     */
    List<PolicyKey> sealing(List<String> epochs) {
        return policy.stream()
                .filter(this::seals)
                .sorted(Comparator.comparing(pair -> !pair.isByEpoch()))
                .flatMap(pair -> pair.publicKeys(epochs).stream())
                .toList();
    }

    /** The same keys in lists of their own; they are not copied. */
    KeyRings sameKeys() {
        KeyRings same = new KeyRings();
        same.index.addAll(index);
        same.wrap.addAll(wrap);
        same.policy.addAll(policy);
        return same;
    }

    /** Back to these; keys that are not among them are erased. */
    void restore(KeyRings before) {
        restore(index, before.index, IndexKeyEntry::close);
        restore(wrap, before.wrap, WrapKeyEntry::close);
        restore(policy, before.policy, PolicyKeyEntry::close);
    }

    private static <K> void restore(List<K> ring, List<K> before, Consumer<K> erase) {
        ring.stream().filter(key -> !before.contains(key)).forEach(erase);
        ring.clear();
        ring.addAll(before);
    }

    @Override
    public void close() {
        index.forEach(IndexKeyEntry::close);
        wrap.forEach(WrapKeyEntry::close);
        policy.forEach(PolicyKeyEntry::close);
    }
}
