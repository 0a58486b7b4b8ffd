package dev.veilgate.abe.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyEncodingTest {
    private static Policy policy(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("policy", bytes);
        Policy policy = Policy.read(in);
        in.end();
        return policy;
    }

    private static AttributeSet set(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("attributes", bytes);
        AttributeSet set = AttributeSet.read(in);
        in.end();
        return set;
    }

    private static void refuses(byte[] bytes) {
        assertThatThrownBy(() -> policy(bytes)).isInstanceOf(MalformedEncodingException.class);
    }

    private static byte[] leaf(int kind, String name, String value, String epoch) {
        return new ByteWriter(64)
                .uint8(0)
                .uint8(kind)
                .shortString(name)
                .shortString(value)
                .shortString(epoch)
                .toByteArray();
    }

    @Test
    void policiesHaveTheseBytes() throws PolicySyntaxException, MalformedEncodingException {
        Policy policy = Policy.parse("a:x@e AND b = 7");
        byte[] bytes = HexFormat.of()
                .parseHex("01" + "0002" + "0002" + "00" + "00" + "0161" + "0178" + "0165" + "00" + "01" + "0162"
                        + "0137" + "00");
        assertThat(policy.encode()).isEqualTo(bytes);
        assertThat(policy(bytes)).isEqualTo(policy);
        assertThat(new Policy.Leaf(Attribute.of("a", "x")).encode()).isEqualTo(leaf(0, "a", "x", ""));
    }

    @Test
    void setsHaveTheseBytes() throws PolicySyntaxException, MalformedEncodingException {
        AttributeSet set = AttributeSet.parse("b:y, a:x@e");
        byte[] bytes =
                HexFormat.of().parseHex("0002" + "00" + "0161" + "0178" + "0165" + "00" + "0162" + "0179" + "00");
        assertThat(set.encode()).isEqualTo(bytes);
        assertThat(set(bytes)).isEqualTo(set);
        byte[] otherOrder =
                HexFormat.of().parseHex("0002" + "00" + "0162" + "0179" + "00" + "00" + "0161" + "0178" + "0165");
        assertThatThrownBy(() -> set(otherOrder)).hasMessageContaining("in their order");
        byte[] twice = HexFormat.of().parseHex("0002" + "00" + "0162" + "0179" + "00" + "00" + "0162" + "0179" + "00");
        assertThatThrownBy(() -> set(twice)).hasMessageContaining("each once");
        assertThatThrownBy(() -> set(new byte[2])).isInstanceOf(MalformedEncodingException.class);
        byte[] bothBits = HexFormat.of()
                .parseHex("0002" + "02" + "0161" + "03" + "303d30" + "00" + "02" + "0161" + "03" + "303d31" + "00");
        assertThatThrownBy(() -> set(bothBits)).hasMessageContaining("each bit of a number once");
    }

    @Test
    void attributesAreInTheirOneForm() throws MalformedEncodingException {
        for (byte[] good : List.of(
                leaf(1, "n", "4294967295", ""),
                leaf(2, "n", "31=1", ""),
                leaf(3, "n", "2026-11-30", ""),
                leaf(4, "n", "0=0", ""))) {
            assertThat(policy(good).encode()).isEqualTo(good);
        }
        for (byte[] bad : List.of(
                leaf(5, "n", "x", ""),
                leaf(0, "", "x", ""),
                leaf(0, "n", "", ""),
                leaf(0, "n", "Zu\u0308rich", ""),
                leaf(0, "n", "a\nb", ""),
                leaf(0, "n".repeat(101), "x", ""),
                leaf(0, "n", "x", "e".repeat(101)),
                leaf(1, "n", "007", ""),
                leaf(1, "n", "x", ""),
                leaf(1, "n", "4294967296", ""),
                leaf(2, "n", "32=1", ""),
                leaf(2, "n", "01=1", ""),
                leaf(2, "n", "1=2", ""),
                leaf(3, "n", "2026-02-30", ""),
                leaf(3, "n", "+2026-02-03", ""),
                leaf(3, "n", "+999999999-12-31", ""),
                leaf(4, "n", "-1=1", ""))) {
            refuses(bad);
        }
    }

    @Test
    void gatesAreWithinTheirLimits() {
        byte[] leaf = leaf(0, "a", "x", "");
        for (String gate : List.of("0100000002", "0100030002", "0100010001", "0100010000", "010001ffff", "02")) {
            refuses(new ByteWriter(64)
                    .bytes(HexFormat.of().parseHex(gate))
                    .bytes(leaf)
                    .bytes(leaf)
                    .toByteArray());
        }
        ByteWriter deep = new ByteWriter(2000);
        for (int i = 0; i < 100_000; i++) {
            deep.bytes(HexFormat.of().parseHex("0100010002"));
        }
        refuses(deep.toByteArray());
    }

    /** Every gate is AND, OR, or k of n. */
    private static Policy gate(int threshold, int size, Policy child) {
        return new Policy.Gate(threshold, Collections.nCopies(size, child));
    }

    @Test
    void boundsWhatSharingCosts() throws MalformedEncodingException {
        Policy leaf = new Policy.Leaf(Attribute.of("a", "x"));
        Policy most = gate(128, 512, leaf);
        assertThat(policy(most.encode())).isEqualTo(most);
        most.requireWithinLimits();
        for (Policy free : List.of(gate(1, 4096, leaf), gate(4096, 4096, leaf))) { // sums and copies
            free.requireWithinLimits();
            assertThat(policy(free.encode())).isEqualTo(free);
        }
        List<Policy> beyond = List.of(
                gate(2048, 4096, leaf), // 8 million products
                gate(2, 5, gate(100, 200, leaf)), // each gate is within
                Policy.and(most, gate(2, 3, leaf)));
        for (Policy each : beyond) {
            refuses(each.encode());
            assertThatThrownBy(each::requireWithinLimits).hasMessageContaining("65536");
        }
    }
}
