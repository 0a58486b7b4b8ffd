package dev.veilgate.abe.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any text and any bytes are read or refused in the way that is declared; what is read is written and read again as the same. */
class PolicyFuzzTest {
    private static final SplittableRandom RANDOM =
            TestSeed.of(PolicyFuzzTest.class).random("input");
    private static final int TEXTS = 10_000;
    private static final int ENCODINGS = 3_000;
    private static final List<String> PIECES = List.of(
            "(",
            ")",
            " ",
            " AND ",
            " or ",
            " of ",
            "2",
            " 2 of (",
            ",",
            ":",
            "@",
            "=",
            " >= ",
            " < ",
            "a",
            "b:x",
            "c:\"y z\"",
            "role:auditor",
            "4294967295",
            "0",
            "2026-11-30",
            "-",
            "\"",
            "\\",
            "NOT",
            "é",
            "e\u0301",
            "東",
            "\uD83D\uDE80",
            "\uD800",
            "\u0000",
            "n >= 3",
            "d < 2027-01-01",
            "x:y@e",
            "٣",
            "\u00A0",
            "\t");

    private static String text() {
        StringBuilder text = new StringBuilder();
        for (int i = RANDOM.nextInt(14); i >= 0; i--) {
            text.append(PIECES.get(RANDOM.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    @Test
    void textsArePoliciesOrSyntaxErrors() throws MalformedEncodingException {
        int read = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = text();
            try {
                Policy policy = Policy.parse(text);
                read++;
                assertThat(Policy.parse(policy.toString())).as(text).isEqualTo(policy);
                assertThat(Policy.read(new ByteReader("policy", policy.encode())))
                        .as(text)
                        .isEqualTo(policy);
            } catch (PolicySyntaxException e) {
                assertThat(e.position()).as(text).isBetween(0, text.length());
            }
        }
        assertThat(read).isGreaterThan(TEXTS / 200);
    }

    @Test
    void textsAreSetsOrSyntaxErrors() throws MalformedEncodingException {
        int read = 0;
        for (int i = 0; i < TEXTS; i++) {
            String text = text();
            try {
                AttributeSet set = AttributeSet.parse(text);
                read++;
                assertThat(AttributeSet.parse(set.toString())).as(text).isEqualTo(set);
                assertThat(AttributeSet.read(new ByteReader("set", set.encode())))
                        .as(text)
                        .isEqualTo(set);
            } catch (PolicySyntaxException e) {
                assertThat(e.position()).as(text).isBetween(0, text.length());
            }
        }
        assertThat(read).isGreaterThan(TEXTS / 500);
    }

    @Test
    void bytesAreCanonicalOrRefused() throws PolicySyntaxException {
        byte[] policy = Policy.parse("2 of (a:x@e, b >= 5, c:\"東京\") AND d < 2027-01-01")
                .encode();
        byte[] set = AttributeSet.parse("a:x@e, b = 5, c:\"東京\"").encode();
        for (int i = 0; i < ENCODINGS; i++) {
            byte[] bytes = damaged(RANDOM.nextBoolean() ? policy : set);
            ByteReader in = new ByteReader("policy", bytes);
            try {
                byte[] again = Policy.read(in).encode();
                assertThat(again).isEqualTo(Arrays.copyOf(bytes, in.position()));
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
            in = new ByteReader("attributes", bytes);
            try {
                byte[] again = AttributeSet.read(in).encode();
                assertThat(again).isEqualTo(Arrays.copyOf(bytes, in.position()));
            } catch (MalformedEncodingException e) {
                assertThat(e).hasMessageContaining(":");
            }
        }
    }

    private static byte[] damaged(byte[] valid) {
        byte[] bytes = valid.clone();
        switch (RANDOM.nextInt(4)) {
            case 0 -> bytes[RANDOM.nextInt(bytes.length)] ^= (byte) (1 << RANDOM.nextInt(8));
            case 1 -> bytes[RANDOM.nextInt(bytes.length)] = (byte) RANDOM.nextInt(4);
            case 2 -> bytes = Arrays.copyOf(bytes, RANDOM.nextInt(bytes.length));
            default -> {
                bytes = new byte[RANDOM.nextInt(60)];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) RANDOM.nextInt(RANDOM.nextBoolean() ? 4 : 256);
                }
            }
        }
        return bytes;
    }
}
