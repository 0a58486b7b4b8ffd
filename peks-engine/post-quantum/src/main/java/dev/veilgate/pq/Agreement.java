package dev.veilgate.pq;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/**
 * Checks that a library computes what another one does: keys, ciphertexts, secrets and signatures, in both directions.
 */
final class Agreement {
    private Agreement() {}

    /**
     * @param file where the library is, for the message
     * @throws UnfitLibraryException naming the algorithm that differs
     */
    static void check(Path file, PostQuantumProvider library, PostQuantumProvider reference)
            throws UnfitLibraryException {
        try {
            kem(library.mlKem768(), reference.mlKem768());
            refusals(library.mlKem768());
            kem(library.frodoKem976(), reference.frodoKem976());
            signature(library.mlDsa65(), reference.mlDsa65());
        } catch (IllegalStateException e) {
            throw new UnfitLibraryException(file + ", " + library.description() + ": " + e.getMessage(), e);
        }
    }

    private static void kem(Kem kem, Kem reference) {
        byte[] seed = fresh(kem.parameters().seedBytes());
        byte[] coins = fresh(kem.parameters().coinsBytes());
        try (DecapsulationKey key = kem.key(seed);
                DecapsulationKey other = reference.key(seed)) {
            same(kem.parameters().name() + ", keys", key.publicKey(), other.publicKey());
            EncapsulatedSecret here = kem.encapsulate(key.publicKey(), coins);
            EncapsulatedSecret there = reference.encapsulate(key.publicKey(), coins);
            same(kem.parameters().name() + ", ciphertexts", here.ciphertext(), there.ciphertext());
            same(kem.parameters().name() + ", secrets", here.secret(), there.secret());
            same(kem.parameters().name() + ", decapsulation", key.decapsulate(there.ciphertext()), there.secret());
            byte[] changed = there.ciphertext().clone();
            changed[changed.length / 2] ^= 1;
            byte[] rejected = key.decapsulate(changed);
            same(kem.parameters().name() + ", changed ciphertexts", rejected, other.decapsulate(changed));
            if (Arrays.equals(rejected, there.secret())) {
                throw new IllegalStateException(
                        kem.parameters().name() + " does not see that a ciphertext was changed");
            }
        }
    }

    /** FIPS 203, section 7.2: a number of a public key, its first or its last, that is not below 3329. */
    private static void refusals(Kem kem) {
        byte[] publicKey;
        try (DecapsulationKey key = kem.key(fresh(kem.parameters().seedBytes()))) {
            publicKey = key.publicKey();
        }
        byte[] first = publicKey.clone();
        first[0] = 0x01;
        first[1] = (byte) (first[1] & 0xf0 | 0x0d);
        byte[] last = publicKey.clone();
        int end = last.length - 32;
        last[end - 2] = (byte) (last[end - 2] & 0x0f | 0x10);
        last[end - 1] = (byte) 0xd0;
        for (byte[] unreduced : List.of(first, last)) {
            try {
                kem.encapsulate(unreduced, fresh(kem.parameters().coinsBytes()));
            } catch (IllegalArgumentException e) {
                continue;
            }
            throw new IllegalStateException(
                    kem.parameters().name() + " takes public keys whose numbers are not reduced");
        }
    }

    private static void signature(SignatureScheme scheme, SignatureScheme reference) {
        byte[] seed = fresh(scheme.parameters().seedBytes());
        byte[] message = fresh(100);
        SecureRandom random = new SecureRandom();
        try (SignatureSecretKey key = scheme.key(seed);
                SignatureSecretKey other = reference.key(seed)) {
            same(scheme.parameters().name() + ", keys", key.publicKey(), other.publicKey());
            byte[] signature = key.sign(message, random);
            SignaturePublicKey here = scheme.publicKey(key.publicKey());
            holds(
                    scheme.parameters().name(),
                    reference.publicKey(key.publicKey()).verify(message, signature));
            holds(scheme.parameters().name(), here.verify(message, signature));
            holds(scheme.parameters().name(), here.verify(message, other.sign(message, random)));
            signature[signature.length / 2] ^= 1;
            if (here.verify(message, signature)) {
                throw new IllegalStateException(scheme.parameters().name() + " verifies a changed signature");
            }
        }
    }

    private static byte[] fresh(int length) {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static void same(String what, byte[] here, byte[] there) {
        if (!Arrays.equals(here, there)) {
            throw new IllegalStateException("it computes something else: " + what);
        }
    }

    private static void holds(String name, boolean verified) {
        if (!verified) {
            throw new IllegalStateException("it computes something else: " + name + ", signatures");
        }
    }
}
