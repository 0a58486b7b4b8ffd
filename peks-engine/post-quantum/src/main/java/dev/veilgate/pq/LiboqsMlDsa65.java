package dev.veilgate.pq;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.veilgate.secret.Secret;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.security.SecureRandom;
import java.util.Arrays;

/** ML-DSA-65 of liboqs, with the empty context string. */
@Secret
final class LiboqsMlDsa65 implements SignatureScheme {
    private static final SignatureParameters PARAMETERS = SignatureParameters.ML_DSA_65;
    private static final String NAME = PARAMETERS.name();
    private static final int SECRET_KEY_BYTES = 4032;
    /** Bytes that signing mixes in: FIPS 204, rnd. */
    private static final int RANDOM_BYTES = 32;

    private final Functions functions;

    record Functions(MethodHandle keypair, MethodHandle sign, MethodHandle verify) {}

    LiboqsMlDsa65(Functions functions) {
        this.functions = functions;
    }

    @Override
    public SignatureParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public SignatureSecretKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        MemorySegment secretKey = Arena.ofAuto().allocate(SECRET_KEY_BYTES, 64);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment publicKey = arena.allocate(PARAMETERS.publicKeyBytes(), 64);
            Liboqs.withCoins("a key of " + NAME, seed, () -> (int) functions.keypair.invokeExact(publicKey, secretKey));
            return new Signer(secretKey, publicKey.toArray(JAVA_BYTE));
        } catch (RuntimeException | Error e) {
            secretKey.fill((byte) 0);
            throw e;
        }
    }

    @Override
    public SignaturePublicKey publicKey(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
        return new Verifier(Arena.ofAuto().allocateFrom(JAVA_BYTE, publicKey));
    }

    final class Signer implements SignatureSecretKey {
        private final KeyState state = new KeyState();
        final MemorySegment secretKey;
        private final byte[] encodedPublicKey;

        Signer(MemorySegment secretKey, byte[] encodedPublicKey) {
            this.secretKey = secretKey;
            this.encodedPublicKey = encodedPublicKey;
        }

        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] sign(byte[] message, SecureRandom random) {
            state.requireOpen();
            byte[] mixed = new byte[RANDOM_BYTES];
            random.nextBytes(mixed);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment signature = arena.allocate(PARAMETERS.signatureBytes(), 64);
                MemorySegment length = arena.allocate(JAVA_LONG);
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, message);
                Liboqs.withCoins("a signature by " + NAME, mixed, () ->
                        (int) functions.sign.invokeExact(signature, length, given, (long) message.length, secretKey));
                if (length.get(JAVA_LONG, 0) != PARAMETERS.signatureBytes()) {
                    throw new IllegalStateException("liboqs made a signature of another length");
                }
                return state.result(signature.toArray(JAVA_BYTE));
            } finally {
                Arrays.fill(mixed, (byte) 0);
            }
        }

        @Override
        public void close() {
            state.close();
            secretKey.fill((byte) 0);
        }

        @Override
        public String toString() {
            return NAME + "[hidden]";
        }
    }

    private final class Verifier implements SignaturePublicKey {
        private final MemorySegment publicKey;

        Verifier(MemorySegment publicKey) {
            this.publicKey = publicKey;
        }

        @Override
        public boolean verify(byte[] message, byte[] signature) {
            if (signature.length != PARAMETERS.signatureBytes()) {
                return false;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment text = arena.allocateFrom(JAVA_BYTE, message);
                MemorySegment given = arena.allocateFrom(JAVA_BYTE, signature);
                return Liboqs.status(() -> (int) functions.verify.invokeExact(
                                text, (long) message.length, given, (long) signature.length, publicKey))
                        == 0;
            }
        }
    }
}
