package dev.veilgate.pq;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.veilgate.secret.Secret;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A KEM of liboqs. What is secret is erased in its memory before that is given back. */
@Secret
final class LiboqsKem implements Kem {
    private final Kem platform;
    private final KemParameters parameters;
    private final int secretKeyBytes;
    private final Functions functions;

    /** @param seeded keypair takes the seed as its third argument; else it asks for random bytes */
    record Functions(MethodHandle keypair, boolean seeded, MethodHandle encapsulate, MethodHandle decapsulate) {}

    /**
     * @param platform       the same mechanism in Java, which checks public keys that no secret is made for; liboqs
     * checks them while it encapsulates
     * @param secretKeyBytes of the expanded secret key
     */
    LiboqsKem(Kem platform, int secretKeyBytes, Functions functions) {
        this.platform = platform;
        this.parameters = platform.parameters();
        this.secretKeyBytes = secretKeyBytes;
        this.functions = functions;
    }

    @Override
    public KemParameters parameters() {
        return parameters;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        parameters.requireSeed(seed);
        MemorySegment secretKey = Arena.ofAuto().allocate(secretKeyBytes, 64);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment publicKey = arena.allocate(parameters.publicKeyBytes(), 64);
            if (functions.seeded) {
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, seed);
                try {
                    Liboqs.run("a key of " + parameters.name(), () ->
                            (int) functions.keypair.invokeExact(publicKey, secretKey, given));
                } finally {
                    given.fill((byte) 0);
                }
            } else {
                Liboqs.withCoins("a key of " + parameters.name(), seed, () ->
                        (int) functions.keypair.invokeExact(publicKey, secretKey));
            }
            return new Key(secretKey, publicKey.toArray(JAVA_BYTE));
        } catch (RuntimeException | Error e) {
            secretKey.fill((byte) 0);
            throw e;
        }
    }

    @Override
    public void checkPublicKey(byte[] publicKey) {
        platform.checkPublicKey(publicKey);
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        parameters.requirePublicKey(publicKey);
        parameters.requireCoins(coins);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocateFrom(JAVA_BYTE, publicKey);
            MemorySegment ciphertext = arena.allocate(parameters.ciphertextBytes(), 64);
            MemorySegment secret = arena.allocate(parameters.secretBytes(), 64);
            try {
                Liboqs.withCoins("encapsulation by " + parameters.name(), coins, () ->
                        (int) functions.encapsulate.invokeExact(ciphertext, secret, key));
                return new EncapsulatedSecret(secret.toArray(JAVA_BYTE), ciphertext.toArray(JAVA_BYTE));
            } catch (IllegalStateException e) {
                // liboqs has one status for all failures: numbers that are not reduced are the caller's fault
                checkPublicKey(publicKey);
                throw e;
            } finally {
                secret.fill((byte) 0);
            }
        }
    }

    final class Key implements DecapsulationKey {
        private final KeyState state = new KeyState();
        final MemorySegment secretKey;
        private final byte[] encodedPublicKey;

        Key(MemorySegment secretKey, byte[] encodedPublicKey) {
            this.secretKey = secretKey;
            this.encodedPublicKey = encodedPublicKey;
        }

        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] decapsulate(byte[] ciphertext) {
            parameters.requireCiphertext(ciphertext);
            state.requireOpen();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, ciphertext);
                MemorySegment secret = arena.allocate(parameters.secretBytes(), 64);
                try {
                    Liboqs.run("decapsulation by " + parameters.name(), () ->
                            (int) functions.decapsulate.invokeExact(secret, given, secretKey));
                    return state.result(secret.toArray(JAVA_BYTE));
                } finally {
                    secret.fill((byte) 0);
                }
            }
        }

        @Override
        public void close() {
            state.close();
            secretKey.fill((byte) 0);
        }

        @Override
        public String toString() {
            return parameters.name() + "[hidden]";
        }
    }
}
