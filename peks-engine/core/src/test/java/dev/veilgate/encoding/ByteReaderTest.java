package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the reader's promises to every decoder that is made of it: nothing beyond the end is read, nothing is left unread
 * unnoticed, and text is UTF-8 or refused.
 */
class ByteReaderTest {

    @Test
    void readsWhatIsThereAndKnowsWhereItIs() throws MalformedEncodingException {
        ByteReader in = reader("00 ff 78 56 34 12 03 61 62 63 0a 0b");

        assertThat(in.remaining()).isEqualTo(12);
        assertThat(in.uint8("a")).isZero();
        assertThat(in.uint8("b")).isEqualTo(255);
        assertThat(in.int32LittleEndian("c")).isEqualTo(0x12345678);
        assertThat(in.position()).isEqualTo(6);
        assertThat(in.shortString("d")).isEqualTo("abc");
        assertThat(in.skip("e", 1)).isEqualTo(10);
        assertThat(in.bytes("f", 1)).containsExactly(11);
        assertThat(in.remaining()).isZero();
        in.end();
    }

    @Test
    void negativeNumbersSurvive() throws MalformedEncodingException {
        assertThat(reader("ff ff ff ff").int32LittleEndian("x")).isEqualTo(-1);
        assertThat(reader("00 00 00 80").int32LittleEndian("x")).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void nothingBeyondTheEndIsRead() throws MalformedEncodingException {
        assertThatThrownBy(() -> reader("").uint8("x")).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> reader("01 02 03").int32LittleEndian("x"))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> reader("01 02").bytes("x", 3)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> reader("01 02").skip("x", 3)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> reader("03 61 62").shortString("x")).isInstanceOf(MalformedEncodingException.class);
        assertThat(reader("").bytes("x", 0)).isEmpty();
        assertThat(reader("00").shortString("x")).isEmpty();
    }

    @Test
    void absurdLengthsAreRefusedBeforeAllocation() {
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 8, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> reader("01").bytes("x", length)).isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> reader("01").skip("x", length)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void aFailedReadConsumesNothing() throws MalformedEncodingException {
        ByteReader in = reader("07 08");
        assertThatThrownBy(() -> in.bytes("x", 3)).isInstanceOf(MalformedEncodingException.class);
        assertThat(in.position()).isZero();
        assertThat(in.uint8("x")).isEqualTo(7);
    }

    @Test
    void rejectsTrailingBytes() throws MalformedEncodingException {
        ByteReader in = reader("01 02 03");
        in.uint8("x");
        assertThatThrownBy(in::end)
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("2 trailing bytes");
    }

    @Test
    void expectTakesOneValueOnly() throws MalformedEncodingException {
        reader("01").expect("version", 1);
        assertThatThrownBy(() -> reader("02").expect("version", 1))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("format.version: must be 1");
        assertThatThrownBy(() -> reader("ff").expect("version", -1)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void bytesAreACopy() throws MalformedEncodingException {
        byte[] source = {1, 2, 3};
        byte[] read = new ByteReader("format", source).bytes("x", 3);
        read[0] = 9;
        assertThat(source[0]).isEqualTo((byte) 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // a continuation alone
                "c3", // cut short
                "e2 82", // cut short
                "f0 9f 98", // cut short
                "c0 80", // overlong NUL
                "c1 bf", // overlong
                "e0 80 af", // overlong slash
                "f0 80 80 af", // overlong
                "ed a0 80", // a surrogate half
                "ed bf bf", // a surrogate half
                "f4 90 80 80", // beyond U+10FFFF
                "f8 88 80 80 80", // five bytes
                "ff",
                "fe",
                "61 c3 28 62" // a wrong continuation between letters
            })
    void malformedUtf8IsRefused(String hex) {
        byte[] utf8 = HexFormat.of().parseHex(hex.replace(" ", ""));
        byte[] encoded = new ByteWriter(16).shortBytes(utf8).toByteArray();
        assertThatThrownBy(() -> new ByteReader("format", encoded).shortString("name"))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("format.name: must be UTF-8");
    }

    @Test
    void everyTextOfTheWriterIsReadBack() throws MalformedEncodingException {
        for (String text : new String[] {"", "a", "\0", "é", "日本", "😀", "\uFFFF", "x".repeat(255)}) {
            byte[] encoded = new ByteWriter(16).shortString(text).toByteArray();
            ByteReader in = new ByteReader("format", encoded);
            assertThat(in.shortString("name")).isEqualTo(text);
            in.end();
        }
    }

    private static ByteReader reader(String hex) {
        return new ByteReader("format", HexFormat.of().parseHex(hex.replace(" ", "")));
    }
}
