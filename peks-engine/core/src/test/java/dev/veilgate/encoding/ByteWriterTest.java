package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Holds the writer to exact bytes and to refusing what has no canonical form: a length that does not fit, a number that does
 * not fit, text that UTF-8 cannot say.
 */
class ByteWriterTest {

    @Test
    void writesTheseBytes() {
        byte[] written = new ByteWriter(0)
                .uint8(0)
                .uint8(255)
                .int32LittleEndian(0x12345678)
                .int64(0x0102030405060708L)
                .bytes(new byte[] {9})
                .shortBytes(new byte[] {10, 11})
                .shortString("é")
                .longBytes(new byte[] {12})
                .toByteArray();
        assertThat(HexFormat.of().formatHex(written))
                .isEqualTo("00ff" + "78563412" + "0102030405060708" + "09" + "020a0b" + "02c3a9" + "00010c");
    }

    @Test
    void growsPastItsFirstCapacity() {
        ByteWriter out = new ByteWriter(1);
        byte[] expected = new byte[100_000];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) i;
            out.uint8(i & 0xff);
        }
        assertThat(out.toByteArray()).isEqualTo(expected);
        assertThat(new ByteWriter(1).bytes(expected).toByteArray()).isEqualTo(expected);
    }

    @Test
    void numbersThatDoNotFitAreRefused() {
        for (int value : new int[] {-1, 256, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> new ByteWriter(1).uint8(value)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void lengthsThatDoNotFitAreRefusedAndNothingIsWritten() {
        ByteWriter out = new ByteWriter(1);
        assertThat(out.shortBytes(new byte[255]).toByteArray()).hasSize(256);
        assertThatThrownBy(() -> out.shortBytes(new byte[256])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> out.shortString("é".repeat(128))).isInstanceOf(IllegalArgumentException.class);
        assertThat(out.toByteArray()).hasSize(256);
        assertThat(out.longBytes(new byte[65_535]).toByteArray()).hasSize(256 + 2 + 65_535);
        assertThatThrownBy(() -> out.longBytes(new byte[65_536])).isInstanceOf(IllegalArgumentException.class);
        assertThat(out.toByteArray()).hasSize(256 + 2 + 65_535);
    }

    /** Written as '?', two different strings would have one encoding. */
    @Test
    void unpairedSurrogatesAreRefused() {
        for (String text : new String[] {"\uD800", "\uDFFF", "a\uD83Db", "\uDE00\uD83D", "ok\uD83D"}) {
            assertThatThrownBy(() -> ByteWriter.utf8(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("text contains an unpaired surrogate");
            assertThatThrownBy(() -> new ByteWriter(1).shortString(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ByteWriter.utf8("\uD83D\uDE00")).hasSize(4);
    }

    @Test
    void whatWasGivenAndWhatIsReturnedAreCopies() {
        byte[] source = {1, 2, 3};
        ByteWriter out = new ByteWriter(3).bytes(source);
        source[0] = 9;
        byte[] first = out.toByteArray();
        first[1] = 9;
        assertThat(out.toByteArray()).containsExactly(1, 2, 3);
    }

    @Test
    void wipeForgets() {
        ByteWriter out = new ByteWriter(64).bytes(new byte[] {1, 2, 3});
        out.wipe();
        assertThat(out.toByteArray()).isEmpty();
        byte[] next = out.bytes(new byte[3]).toByteArray();
        assertThat(Arrays.equals(next, new byte[3])).isTrue();
    }
}
