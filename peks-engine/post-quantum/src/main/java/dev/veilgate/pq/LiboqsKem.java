package dev.veilgate.pq;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.veilgate.secret.Secret;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** A KEM of liboqs. What is secret is erased in its memory before that is given back. */
@Secret
final class LiboqsKem implements Kem {
    private final String name;
    private final Sizes sizes;
    private final Functions functions;

    /** Bytes of everything; {@code secretKey} is the expanded one. */
    record Sizes(int seed, int publicKey, int secretKey, int ciphertext, int coins, int secret) {}

    /** @param seeded keypair takes the seed as its third argument; else it asks for random bytes */
    record Functions(MethodHandle keypair, boolean seeded, MethodHandle encapsulate, MethodHandle decapsulate) {}

    LiboqsKem(String name, Sizes sizes, Functions functions) {
        this.name = name;
        this.sizes = sizes;
        this.functions = functions;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int seedBytes() {
        return sizes.seed;
    }

    @Override
    public int publicKeyBytes() {
        return sizes.publicKey;
    }

    @Override
    public int ciphertextBytes() {
        return sizes.ciphertext;
    }

    @Override
    public int coinsBytes() {
        return sizes.coins;
    }

    @Override
    public int secretBytes() {
        return sizes.secret;
    }

    @Override
    public DecapsulationKey key(byte[] seed) {
        Lengths.require("seed of " + name, seed, sizes.seed);
        MemorySegment secretKey = Arena.ofAuto().allocate(sizes.secretKey, 64);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment publicKey = arena.allocate(sizes.publicKey, 64);
            if (functions.seeded) {
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, seed);
                try {
                    Liboqs.run(
                            "a key of " + name, () -> (int) functions.keypair.invokeExact(publicKey, secretKey, given));
                } finally {
                    given.fill((byte) 0);
                }
            } else {
                Liboqs.withCoins(
                        "a key of " + name, seed, () -> (int) functions.keypair.invokeExact(publicKey, secretKey));
            }
            return new Key(secretKey, publicKey.toArray(JAVA_BYTE));
        }
    }

    /** As the platform checks it: ML-KEM's numbers must be reduced, which liboqs looks at when it encapsulates only. */
    @Override
    public void checkPublicKey(byte[] publicKey) {
        if (functions.seeded) {
            Platform.INSTANCE.mlKem768().checkPublicKey(publicKey);
        } else {
            Lengths.require("public key of " + name, publicKey, sizes.publicKey);
        }
    }

    @Override
    public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
        checkPublicKey(publicKey);
        Lengths.require("coins of " + name, coins, sizes.coins);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocateFrom(JAVA_BYTE, publicKey);
            MemorySegment ciphertext = arena.allocate(sizes.ciphertext, 64);
            MemorySegment secret = arena.allocate(sizes.secret, 64);
            try {
                Liboqs.withCoins("encapsulation by " + name, coins, () ->
                        (int) functions.encapsulate.invokeExact(ciphertext, secret, key));
                return new EncapsulatedSecret(secret.toArray(JAVA_BYTE), ciphertext.toArray(JAVA_BYTE));
            } finally {
                secret.fill((byte) 0);
            }
        }
    }

    private final class Key implements DecapsulationKey {
        private final MemorySegment secretKey;
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
            Lengths.require("ciphertext of " + name, ciphertext, sizes.ciphertext);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, ciphertext);
                MemorySegment secret = arena.allocate(sizes.secret, 64);
                try {
                    Liboqs.run("decapsulation by " + name, () ->
                            (int) functions.decapsulate.invokeExact(secret, given, secretKey));
                    return secret.toArray(JAVA_BYTE);
                } finally {
                    secret.fill((byte) 0);
                }
            }
        }

        @Override
        public void close() {
            secretKey.fill((byte) 0);
        }

        @Override
        public String toString() {
            return name + "[hidden]";
        }
    }
}
