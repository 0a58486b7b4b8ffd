package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CborTest {
    private static CborReader reader(String hex) {
        return new CborReader("thing", HexFormat.of().parseHex(hex));
    }

    private static void assertMalformed(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(MalformedEncodingException.class).hasMessageStartingWith("thing.");
    }

    /** The examples of RFC 8949, appendix A. */
    @ParameterizedTest
    @CsvSource({
        "0,00",
        "1,01",
        "10,0a",
        "23,17",
        "24,1818",
        "25,1819",
        "100,1864",
        "1000,1903e8",
        "1000000,1a000f4240",
        "1000000000000,1b000000e8d4a51000",
        "-1,20",
        "-10,29",
        "-100,3863",
        "-1000,3903e7",
        "9223372036854775807,1b7fffffffffffffff",
        "-9223372036854775808,3b7fffffffffffffff"
    })
    void integersAreThoseOfTheRfc(long value, String hex) throws Exception {
        assertThat(new CborWriter(1).integer(value).toByteArray()).asHexString().isEqualToIgnoringCase(hex);
        assertThat(reader(hex).integer("n")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1800",
                "1817",
                "190017",
                "1900ff",
                "1a0000ffff",
                "1b00000000ffffffff",
                "1b8000000000000000",
                "3b8000000000000000",
                "1c",
                "1f",
                "18",
                "1b00",
                "40",
                "f4",
                ""
            })
    void integersThatAreNotShortestOrDoNotFitAreRefused(String hex) {
        assertMalformed(() -> reader(hex).integer("n"));
    }

    @Test
    void limitsAreChecked() throws Exception {
        assertThat(reader("1864").uint("n", 100)).isEqualTo(100);
        assertMalformed(() -> reader("1864").uint("n", 99));
        assertMalformed(() -> reader("20").unsigned("n", 5));
        assertThat(reader("43010203").bytes("b", 3)).containsExactly(1, 2, 3);
        assertMalformed(() -> reader("43010203").bytes("b", 2));
        assertMalformed(() -> reader("43010203").fixedBytes("b", 4));
        assertThat(reader("6161").text("t", 1)).isEqualTo("a");
        assertMalformed(() -> reader("6161").text("t", 0));
        assertMalformed(() -> reader("820102").array("a", 1));
        assertMalformed(() -> reader("a10102").map("m", 0));
        CborReader skipping = reader("4301020304");
        assertThat(skipping.skipBytes("b", 3)).isEqualTo(3);
        assertThat(skipping.position()).isEqualTo(4);
    }

    /** A head that claims gigabytes costs nothing: nothing is allocated before the bytes are there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "5a7fffffff",
                "5b7fffffffffffffff",
                "7b7fffffffffffffff",
                "9a7fffffff",
                "ba7fffffff",
                "bb7fffffffffffffff",
                "9bffffffffffffffff",
                "5bffffffffffffffff"
            })
    void hugeLengthsAreRefusedBeforeAllocation(String hex) {
        assertMalformed(() -> reader(hex).rawItem("x"));
        assertMalformed(() -> reader(hex).bytes("x", Integer.MAX_VALUE));
        assertMalformed(() -> reader(hex).text("x", Integer.MAX_VALUE));
        assertMalformed(() -> reader(hex).array("x", Integer.MAX_VALUE));
        assertMalformed(() -> reader(hex).map("x", Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5f4101ff",
                "7f6161ff",
                "9fff",
                "bfff",
                "c001",
                "f6",
                "f7",
                "f97e00",
                "fa00000000",
                "f818",
                "e0",
                "ff",
                "62c328",
                "63eda080",
                "61c0",
                "a2020101ff",
                "a201010101",
                "a220010001"
            })
    void whatTheWriterDoesNotWriteIsRefused(String hex) {
        assertMalformed(() -> reader(hex).rawItem("x"));
    }

    @Test
    void nestingIsLimited() throws Exception {
        String deepest = "81".repeat(CborReader.MAX_DEPTH) + "00";
        assertThat(reader(deepest).rawItem("x")).hasSize(CborReader.MAX_DEPTH + 1);
        assertMalformed(() -> reader("81" + deepest).rawItem("x"));
        assertMalformed(() -> reader("81".repeat(1_000_000) + "00").rawItem("x"));
        assertMalformed(() -> reader("a100".repeat(1_000_000) + "00").rawItem("x"));
    }

    @Test
    void mapKeysAscend() throws Exception {
        CborReader in = reader("a30100181800616100");
        assertThat(in.map("m", 9)).isEqualTo(3);
        CborReader.MapKeys keys = in.mapKeys("m");
        assertThat(keys.nextInt()).isEqualTo(1);
        in.rawItem("v");
        assertThat(keys.nextInt()).isEqualTo(24);
        in.rawItem("v");
        assertThat(in.nextIsText()).isTrue();
        assertThat(keys.nextText(5)).isEqualTo("a");
    }

    @Test
    void mapKeysOutOfOrderAreRefused() {
        CborReader in = reader("a202000100");
        assertMalformed(() -> {
            in.map("m", 9);
            CborReader.MapKeys keys = in.mapKeys("m");
            keys.nextInt();
            in.rawItem("v");
            keys.nextInt();
        });
    }

    @Test
    void readersOfAPartStayInIt() throws Exception {
        byte[] bytes = HexFormat.of().parseHex("004301020300");
        CborReader in = new CborReader("thing", bytes, 1, 5);
        assertThat(in.bytes("b", 9)).hasSize(3);
        in.end();
        assertMalformed(() -> new CborReader("thing", bytes, 1, 4).bytes("b", 9));
        assertMalformed(() -> new CborReader("thing", bytes, 1, 4).skipBytes("b", 9));
        assertThatThrownBy(() -> new CborReader("thing", bytes).end()).hasMessageContaining("trailing");
    }

    @Test
    void booleansAreBothOnly() throws Exception {
        assertThat(reader("f5").bool("b")).isTrue();
        assertThat(reader("f4").bool("b")).isFalse();
        assertMalformed(() -> reader("f6").bool("b"));
        assertMalformed(() -> reader("").bool("b"));
    }

    @Test
    void wipedWritersHoldNothing() {
        CborWriter out = new CborWriter(16).integer(1000);
        out.wipe();
        assertThat(out.toByteArray()).isEmpty();
    }
}
