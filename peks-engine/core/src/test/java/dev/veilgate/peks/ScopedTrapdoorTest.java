package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Holds the format in which trapdoors are handed out, and that they never print themselves: whoever reads one in a log can search
 * with it.
 */
class ScopedTrapdoorTest {
    private static final KeyId KEY = KeyId.of(HexFormat.of().parseHex("00112233445566778899aabbccddeeff"));
    private static final byte[] BYTES = {0x5e, 0x0c, 0x4e, 0x70};

    private static ScopedTrapdoor trapdoor() {
        return new ScopedTrapdoor("toy", "P", KEY, "plant", "2026-11", BYTES);
    }

    @Test
    void hasTheseBytes() {
        assertThat(HexFormat.of().formatHex(trapdoor().encode()))
                .isEqualTo("01" + "03746f79" + "0150" + "00112233445566778899aabbccddeeff" + "05706c616e74"
                        + "07323032362d3131" + "5e0c4e70");
    }

    @Test
    void everyTrapdoorIsReadBack() throws MalformedEncodingException {
        for (ScopedTrapdoor trapdoor : new ScopedTrapdoor[] {
            trapdoor(),
            new ScopedTrapdoor("", "", KEY, "", "", new byte[0]),
            new ScopedTrapdoor("s".repeat(255), "p", KEY, "é".repeat(127), "e", new byte[ScopedTrapdoor.MAX_BYTES]),
        }) {
            ScopedTrapdoor read = ScopedTrapdoor.decode(trapdoor.encode());
            assertThat(read).isEqualTo(trapdoor).hasSameHashCodeAs(trapdoor);
            assertThat(read.encode()).isEqualTo(trapdoor.encode());
        }
    }

    @Test
    void headersCutShortAndOtherVersionsAreRefused() {
        byte[] header = new ScopedTrapdoor("toy", "P", KEY, "plant", "2026-11", new byte[0]).encode();
        for (int length = 0; length < header.length; length++) {
            byte[] cut = Arrays.copyOf(header, length);
            assertThatThrownBy(() -> ScopedTrapdoor.decode(cut)).isInstanceOf(MalformedEncodingException.class);
        }
        for (int version : new int[] {0, 2, 255}) {
            header[0] = (byte) version;
            assertThatThrownBy(() -> ScopedTrapdoor.decode(header)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void sizesHaveLimits() {
        byte[] longest = new ScopedTrapdoor("toy", "P", KEY, "s", "e", new byte[ScopedTrapdoor.MAX_BYTES]).encode();
        assertThatThrownBy(() -> ScopedTrapdoor.decode(Arrays.copyOf(longest, longest.length + 1)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("trapdoor.bytes");
        assertThatThrownBy(() -> new ScopedTrapdoor("toy", "P", KEY, "s", "e", new byte[ScopedTrapdoor.MAX_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        for (String name : new String[] {"x".repeat(256), "\uDC00"}) {
            for (Runnable refused : new Runnable[] {
                () -> new ScopedTrapdoor(name, "P", KEY, "s", "e", BYTES),
                () -> new ScopedTrapdoor("toy", name, KEY, "s", "e", BYTES),
                () -> new ScopedTrapdoor("toy", "P", KEY, name, "e", BYTES),
                () -> new ScopedTrapdoor("toy", "P", KEY, "s", name, BYTES),
            }) {
                assertThatThrownBy(refused::run).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void everyFieldCounts() {
        assertThat(trapdoor())
                .isNotEqualTo(new ScopedTrapdoor("toz", "P", KEY, "plant", "2026-11", BYTES))
                .isNotEqualTo(new ScopedTrapdoor("toy", "Q", KEY, "plant", "2026-11", BYTES))
                .isNotEqualTo(new ScopedTrapdoor("toy", "P", KeyId.of(new byte[16]), "plant", "2026-11", BYTES))
                .isNotEqualTo(new ScopedTrapdoor("toy", "P", KEY, "plan", "t2026-11", BYTES))
                .isNotEqualTo(new ScopedTrapdoor("toy", "P", KEY, "plant", "2026-12", BYTES))
                .isNotEqualTo(new ScopedTrapdoor("toy", "P", KEY, "plant", "2026-11", new byte[4]))
                .isNotEqualTo(new Object());
    }

    @Test
    void arraysAreCopied() {
        byte[] bytes = BYTES.clone();
        ScopedTrapdoor trapdoor = new ScopedTrapdoor("toy", "P", KEY, "s", "e", bytes);
        bytes[0] = 9;
        trapdoor.bytes()[1] = 9;
        assertThat(trapdoor.bytes()).isEqualTo(BYTES);
    }

    @Test
    void neverPrintsItself() {
        assertThat(trapdoor().toString())
                .isEqualTo("ScopedTrapdoor[toy P, key 00112233445566778899aabbccddeeff]")
                .doesNotContain("5e0c4e70", "94, 12", "plant");
    }
}
