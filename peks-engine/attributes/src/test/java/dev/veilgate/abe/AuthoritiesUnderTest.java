package dev.veilgate.abe;

import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Authorities of every scheme, made once, from coins that never change; and labels of the kind that a scheme wants. */
final class AuthoritiesUnderTest {
    private static final Map<String, AttributeKeys> KEYS = new ConcurrentHashMap<>();

    private AuthoritiesUnderTest() {}

    static SecureRandom frozen(String label) {
        try {
            return new ReplayableRandom(CoinStream.ofSeed(
                    MessageDigest.getInstance("SHA-256").digest(label.getBytes(StandardCharsets.US_ASCII))));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static AttributeKeys of(AttributeKem kem, String name) {
        return KEYS.computeIfAbsent(kem.id() + "/" + name, label -> kem.setup(frozen(label)));
    }

    static AttributeKeys of(AttributeKem kem) {
        return of(kem, "authority");
    }

    /** That of the key, or of the ciphertext. */
    static Label ofKey(AttributeKem kem, String policy, String attributes) throws PolicySyntaxException {
        return kem.keysHavePolicies() ? Label.policy(policy) : Label.attributes(attributes);
    }

    static Label ofCiphertext(AttributeKem kem, String policy, String attributes) throws PolicySyntaxException {
        return kem.keysHavePolicies() ? Label.attributes(attributes) : Label.policy(policy);
    }

    static AttributeSecretKey key(AttributeKem kem, String policy, String attributes) throws PolicySyntaxException {
        AttributeKeys keys = of(kem);
        String use = kem.id() + "/key/" + policy.hashCode() + "/" + attributes.hashCode();
        return kem.keyGen(keys.masterKey(), keys.publicKey(), ofKey(kem, policy, attributes), frozen(use));
    }

    static Encapsulation sent(AttributeKem kem, String policy, String attributes) throws PolicySyntaxException {
        String use = kem.id() + "/sent/" + policy.hashCode() + "/" + attributes.hashCode();
        return kem.encapsulate(of(kem).publicKey(), ofCiphertext(kem, policy, attributes), frozen(use));
    }
}
