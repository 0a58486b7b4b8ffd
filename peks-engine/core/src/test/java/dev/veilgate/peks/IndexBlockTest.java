package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Holds the format of blocks and of the message context that they are bound to: exact bytes, one encoding a value, and nothing
 * but a refusal for everything else.
 */
class IndexBlockTest {
    private static final KeyId KEY = KeyId.of(HexFormat.of().parseHex("00112233445566778899aabbccddeeff"));

    @Test
    void hasTheseBytes() {
        IndexBlock block = new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[] {1, 2, 3});
        assertThat(HexFormat.of().formatHex(block.encode()))
                .isEqualTo("01" + "03" + hex("toy") + "01" + hex("P") + "00112233445566778899aabbccddeeff" + "05"
                        + hex("plant") + "07" + hex("2026-11") + "010203");
        assertThat(block.encode()).startsWith(block.header());
        assertThat(block.encode()).hasSize(block.header().length + 3);
    }

    @Test
    void everyBlockIsReadBack() throws MalformedEncodingException {
        for (IndexBlock block : new IndexBlock[] {
            new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[] {1, 2, 3}),
            new IndexBlock("", "", KEY, "", "", new byte[0]),
            new IndexBlock("s".repeat(255), "é".repeat(127), KEY, "日本", "e", new byte[1000]),
            new IndexBlock("toy", "P", KEY, "s", "e", new byte[IndexBlock.MAX_PAYLOAD_BYTES]),
        }) {
            IndexBlock read = IndexBlock.decode(block.encode());
            assertThat(read).isEqualTo(block).hasSameHashCodeAs(block);
            assertThat(read.encode()).isEqualTo(block.encode());
        }
    }

    @Test
    void everyFieldCounts() {
        IndexBlock block = new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[] {1});
        assertThat(block)
                .isNotEqualTo(new IndexBlock("toz", "P", KEY, "plant", "2026-11", new byte[] {1}))
                .isNotEqualTo(new IndexBlock("toy", "Q", KEY, "plant", "2026-11", new byte[] {1}))
                .isNotEqualTo(new IndexBlock("toy", "P", KeyId.of(new byte[16]), "plant", "2026-11", new byte[] {1}))
                .isNotEqualTo(new IndexBlock("toy", "P", KEY, "plan", "t2026-11", new byte[] {1}))
                .isNotEqualTo(new IndexBlock("toy", "P", KEY, "plant", "2026-12", new byte[] {1}))
                .isNotEqualTo(new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[] {2}))
                .isNotEqualTo(new Object());
    }

    @Test
    void headersCutShortAreRefused() {
        byte[] header = new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[0]).encode();
        for (int length = 0; length < header.length; length++) {
            byte[] cut = Arrays.copyOf(header, length);
            assertThatThrownBy(() -> IndexBlock.decode(cut)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void otherVersionsAreRefused() {
        byte[] bytes = new IndexBlock("toy", "P", KEY, "plant", "2026-11", new byte[0]).encode();
        for (int version = 0; version < 256; version++) {
            if (version != 1) {
                bytes[0] = (byte) version;
                assertThatThrownBy(() -> IndexBlock.decode(bytes)).isInstanceOf(MalformedEncodingException.class);
            }
        }
    }

    @Test
    void sizesHaveLimits() {
        byte[] longest = new IndexBlock("toy", "P", KEY, "s", "e", new byte[IndexBlock.MAX_PAYLOAD_BYTES]).encode();
        assertThatThrownBy(() -> IndexBlock.decode(Arrays.copyOf(longest, longest.length + 1)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageStartingWith("index-block.payload");
        assertThatThrownBy(() -> new IndexBlock("toy", "P", KEY, "s", "e", new byte[IndexBlock.MAX_PAYLOAD_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        for (String name : new String[] {"x".repeat(256), "é".repeat(128), "\uD800"}) {
            for (Runnable tooLong : new Runnable[] {
                () -> new IndexBlock(name, "P", KEY, "s", "e", new byte[0]),
                () -> new IndexBlock("toy", name, KEY, "s", "e", new byte[0]),
                () -> new IndexBlock("toy", "P", KEY, name, "e", new byte[0]),
                () -> new IndexBlock("toy", "P", KEY, "s", name, new byte[0]),
                () -> new MessageContext(name, new UUID(1, 2), new byte[32]),
            }) {
                assertThatThrownBy(tooLong::run).isInstanceOf(IllegalArgumentException.class);
            }
        }
        for (int length : new int[] {0, 31, 33}) {
            assertThatThrownBy(() -> new MessageContext("s", new UUID(1, 2), new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (int length : new int[] {0, 15, 17}) {
            assertThatThrownBy(() -> KeyId.of(new byte[length])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void arraysAreCopied() {
        byte[] payload = {1, 2, 3};
        IndexBlock block = new IndexBlock("toy", "P", KEY, "s", "e", payload);
        payload[0] = 9;
        block.payload()[1] = 9;
        assertThat(block.payload()).containsExactly(1, 2, 3);

        byte[] digest = new byte[32];
        MessageContext context = new MessageContext("s", new UUID(1, 2), digest);
        digest[0] = 9;
        context.sealedContentDigest()[1] = 9;
        assertThat(context.sealedContentDigest()).isEqualTo(new byte[32]);

        byte[] id = new byte[16];
        KeyId keyId = KeyId.of(id);
        id[0] = 9;
        keyId.toBytes()[1] = 9;
        assertThat(keyId).isEqualTo(KeyId.of(new byte[16])).isNotEqualTo(KEY);
    }

    @Test
    void contextsHaveTheseBytes() {
        byte[] digest = new byte[32];
        Arrays.fill(digest, (byte) 0xab);
        MessageContext context = new MessageContext("device-1", new UUID(0x0102030405060708L, 9), digest);
        assertThat(HexFormat.of().formatHex(context.encode()))
                .isEqualTo("08" + hex("device-1") + "0102030405060708" + "0000000000000009" + "ab".repeat(32));
        assertThat(context)
                .isEqualTo(new MessageContext("device-1", new UUID(0x0102030405060708L, 9), digest))
                .isNotEqualTo(new MessageContext("device-2", new UUID(0x0102030405060708L, 9), digest))
                .isNotEqualTo(new MessageContext("device-1", new UUID(0x0102030405060708L, 8), digest))
                .isNotEqualTo(new MessageContext("device-1", new UUID(0x0102030405060708L, 9), new byte[32]));
    }

    @Test
    void printsNoPayloadAndNoScope() {
        byte[] payload = "PAYLOAD-BYTES".getBytes(StandardCharsets.US_ASCII);
        assertThat(new IndexBlock("toy", "P", KEY, "plant", "2026-11", payload).toString())
                .isEqualTo("IndexBlock[toy P, key 00112233445566778899aabbccddeeff, 13 bytes]");
    }

    private static String hex(String ascii) {
        return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
    }
}
