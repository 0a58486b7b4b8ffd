package dev.veilgate.benchmarks.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs run where there is code for pairings, jblst's: on Linux and macOS of two processors, and Windows of one. */
final class NativeCodeTest {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|dylib|jnilib|a)");
    private static final Pattern OF_OUR_SYSTEMS = Pattern.compile("supranational/blst/.*"
            + "|META-INF/native/libconscrypt_openjdk_jni-linux-(x86_64|aarch_64)\\.so"
            + "|META-INF/native/libconscrypt_openjdk_jni-osx-(x86_64|aarch_64)\\.dylib"
            + "|META-INF/native/conscrypt_openjdk_jni-windows-x86_64\\.dll"
            + "|librocksdbjni-(linux64|linux-aarch64)(-musl)?\\.so"
            + "|librocksdbjni-(osx-arm64|osx-x86_64)\\.jnilib|librocksdbjni-win64\\.dll"
            + "|com/sun/jna/(linux-x86-64|linux-aarch64|darwin-x86-64|darwin-aarch64|win32-x86-64)/.*");

    @ParameterizedTest
    @EnumSource
    void isOfSystemsThatProgramsRunOn(Distribution distribution) throws Exception {
        List<String> code = distribution.entries().stream()
                .filter(name -> NATIVE.matcher(name).matches())
                .toList();
        assertThat(code).anyMatch(name -> name.startsWith("supranational/blst/Linux/"));
        assertThat(code).allMatch(name -> OF_OUR_SYSTEMS.matcher(name).matches());
    }
}
