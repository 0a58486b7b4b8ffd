package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;

/** Both providers, and their secret keys as known answers have them: expanded. */
final class TestLiboqs {
    /** Built by native/install-liboqs, which ./verify calls. */
    static final Path LIBRARY = Path.of("native/target/liboqs/liboqs.so").toAbsolutePath();

    private static final byte[] ML_DSA_PKCS8 =
            HexFormat.of().parseHex("30820fd8020100300b060960864801650304031204820fc404820fc0");

    private TestLiboqs() {}

    /** Fails if the library is not there. */
    static PostQuantumProvider load() throws UnfitLibraryException {
        assertThat(LIBRARY).as("./verify makes it by native/install-liboqs").isRegularFile();
        return Liboqs.load(LIBRARY);
    }

    static Stream<PostQuantumProvider> providers() throws UnfitLibraryException {
        return Stream.of(PostQuantum.platform(), load());
    }

    static byte[] expanded(DecapsulationKey key) {
        return switch (key) {
            case PlatformMlKem768.Key ofPlatform ->
                ofPlatform
                        .key
                        .withPreferredFormat(MLKEMPrivateKeyParameters.EXPANDED_KEY)
                        .getEncoded();
            case PlatformFrodoKem976.Key ofPlatform -> ofPlatform.key.getEncoded();
            case LiboqsKem.Key ofLiboqs -> ofLiboqs.secretKey.toArray(ValueLayout.JAVA_BYTE);
            default -> throw new IllegalArgumentException(String.valueOf(key));
        };
    }

    static byte[] expanded(SignatureSecretKey key) {
        return switch (key) {
            case PlatformMlDsa65.Signer ofPlatform -> {
                byte[] pkcs8 = ofPlatform.key.getEncoded();
                yield Arrays.copyOfRange(pkcs8, ML_DSA_PKCS8.length, pkcs8.length);
            }
            case LiboqsMlDsa65.Signer ofLiboqs -> ofLiboqs.secretKey.toArray(ValueLayout.JAVA_BYTE);
            default -> throw new IllegalArgumentException(String.valueOf(key));
        };
    }

    static DecapsulationKey key(Kem mlKem768, byte[] expanded) {
        return switch (mlKem768) {
            case PlatformMlKem768 ignored ->
                new PlatformMlKem768.Key(new MLKEMPrivateKeyParameters(MLKEMParameters.ml_kem_768, expanded));
            case LiboqsKem liboqs -> liboqs.new Key(inNativeMemory(expanded), new byte[0]);
            default -> throw new IllegalArgumentException(String.valueOf(mlKem768));
        };
    }

    static SignatureSecretKey key(SignatureScheme mlDsa65, byte[] expanded) throws GeneralSecurityException {
        if (mlDsa65 instanceof LiboqsMlDsa65 liboqs) {
            return liboqs.new Signer(inNativeMemory(expanded), new byte[0]);
        }
        byte[] pkcs8 = Arrays.copyOf(ML_DSA_PKCS8, ML_DSA_PKCS8.length + expanded.length);
        System.arraycopy(expanded, 0, pkcs8, ML_DSA_PKCS8.length, expanded.length);
        return new PlatformMlDsa65.Signer(
                KeyFactory.getInstance("ML-DSA-65").generatePrivate(new PKCS8EncodedKeySpec(pkcs8)), new byte[0]);
    }

    private static MemorySegment inNativeMemory(byte[] bytes) {
        return Arena.ofAuto().allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
    }
}
