package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Holds that the input of H1 is an injective encoding: two keywords, scopes, epochs, tenants or keys that differ can never
 * share a trapdoor, however their bytes are moved about, while two spellings of one value always do.
 */
class KeywordDomainTest {
    private static final TestSeed SEED = TestSeed.of(KeywordDomainTest.class);
    private static final KeyId KEY = KeyId.of(new byte[16]);
    private static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant", "2026-11");

    @Test
    void movingBytesBetweenFieldsChangesTheInput() {
        List<String> inputs = new ArrayList<>();
        String[][] splits = {{"a", "bcd"}, {"ab", "cd"}, {"abc", "d"}};
        for (String[] s : splits) {
            inputs.add(input(new KeywordDomain(s[0], s[1], "e"), Keyword.text("f", "v")));
            inputs.add(input(new KeywordDomain("t", s[0], s[1]), Keyword.text("f", "v")));
            inputs.add(input(new KeywordDomain("t", "s", s[0]), Keyword.text(s[1], "v")));
            inputs.add(input(new KeywordDomain("t", "s", "e"), Keyword.text(s[0], s[1])));
        }
        assertThat(inputs).doesNotHaveDuplicates();
    }

    /** What looks like the next field's length, type or level inside a value stays inside the value. */
    @Test
    void valuesThatImitateTheEncodingChangeTheInput() {
        assertThat(List.of(
                        input(DOMAIN, Keyword.text("f", "v")),
                        input(DOMAIN, Keyword.text("f\u0001\u0000\u0000\u0001v", "v")),
                        input(DOMAIN, Keyword.text("f", "\u0001\u0000\u0000\u0001v")),
                        input(DOMAIN, Keyword.text("f\u0001", "v")),
                        input(DOMAIN, Keyword.text("f", "v\u0000")),
                        input(DOMAIN, Keyword.text("f", "\u0000v")),
                        input(new KeywordDomain("acme\u0005plant", "2026-11", "x"), Keyword.text("f", "v"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void tenantScopeEpochAndKeySeparate() {
        Keyword w = Keyword.text("level", "error");
        byte[] otherKey = new byte[16];
        otherKey[15] = 1;
        assertThat(List.of(
                        input(DOMAIN, w),
                        input(new KeywordDomain("acme2", "plant", "2026-11"), w),
                        input(new KeywordDomain("acme", "plant2", "2026-11"), w),
                        input(new KeywordDomain("acme", "plant", "2026-12"), w),
                        input(new KeywordDomain("plant", "acme", "2026-11"), w),
                        input(DOMAIN, Keyword.text("level2", "error")),
                        input(DOMAIN, Keyword.text("level", "errors")),
                        input(DOMAIN, Keyword.text("error", "level")),
                        HexFormat.of().formatHex(DOMAIN.hashInput(KeyId.of(otherKey), w))))
                .doesNotHaveDuplicates();
    }

    @Test
    void theWordSevenIsNotTheNumberSeven() {
        DyadicIntervals field = new DyadicIntervals("size", 0, 8);
        String word = input(DOMAIN, Keyword.text("size", "7"));
        assertThat(field.keywordsOf(7)).doesNotContain(Keyword.text("size", "7"));
        for (long number = 0; number < 256; number++) {
            assertThat(field.keywordsOf(number))
                    .extracting(k -> input(DOMAIN, k))
                    .doesNotContain(word);
        }
    }

    @Test
    void levelsSeparateEqualIndices() {
        DyadicIntervals field = new DyadicIntervals("size", 0, 8);
        assertThat(field.keywordsOf(0)).hasSize(9).extracting(Keyword::value).containsOnly("0");
        assertThat(field.keywordsOf(0)).extracting(k -> input(DOMAIN, k)).doesNotHaveDuplicates();
    }

    @Test
    void spellingsThatNfkcUnitesAreOneKeyword() {
        String[][] equal = {
            {"file", "\uFB01le"}, // ligature
            {"caf\u00E9", "cafe\u0301"}, // composed, decomposed
            {"7", "\uFF17"}, // full width
            {"\uAC00", "\u1100\u1161"}, // Hangul
            {"\u30AB", "\uFF76"}, // half-width Katakana
            {"\u1E69", "s\u0307\u0323"}, // order of marks
            {"TEL", "\u2121"},
        };
        for (String[] pair : equal) {
            assertThat(Keyword.text("f", pair[0])).isEqualTo(Keyword.text("f", pair[1]));
            assertThat(Keyword.text("f", pair[0])).hasSameHashCodeAs(Keyword.text("f", pair[1]));
            assertThat(input(DOMAIN, Keyword.text("f", pair[0]))).isEqualTo(input(DOMAIN, Keyword.text("f", pair[1])));
            assertThat(input(DOMAIN, Keyword.text(pair[0], "v"))).isEqualTo(input(DOMAIN, Keyword.text(pair[1], "v")));
        }
    }

    @Test
    void caseIsTheExtractorsBusiness() {
        assertThat(Keyword.text("f", "Error")).isNotEqualTo(Keyword.text("f", "error"));
        assertThat(input(DOMAIN, Keyword.text("f", "Error"))).isNotEqualTo(input(DOMAIN, Keyword.text("f", "error")));
    }

    @Test
    void limitsAreInBytesAfterNormalisation() {
        Keyword.text("f".repeat(255), "v".repeat(4096));
        Keyword.text("é".repeat(127), "é".repeat(2048));
        for (Runnable tooLong : new Runnable[] {
            () -> Keyword.text("f".repeat(256), "v"),
            () -> Keyword.text("f", "v".repeat(4097)),
            () -> Keyword.text("é".repeat(128), "v"),
            () -> Keyword.text("f", "é".repeat(2049)),
            () -> Keyword.text("\uFDFA".repeat(10), "v"), // 30 bytes that become 330
            () -> Keyword.text("", "v"),
            () -> Keyword.text("f", ""),
            () -> Keyword.text("f", "\uD800"),
            () -> Keyword.text("\uDC00", "v"),
        }) {
            assertThatThrownBy(tooLong::run).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void domainNamesHaveLimits() {
        new KeywordDomain("t".repeat(255), "é".repeat(127), "e");
        for (String name : new String[] {"", "x".repeat(256), "é".repeat(128), "\uD83D"}) {
            assertThatThrownBy(() -> new KeywordDomain(name, "s", "e")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new KeywordDomain("t", name, "e")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new KeywordDomain("t", "s", name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** "Köln" in two normal forms would be two scopes, and every search in one of them silently empty. */
    @Test
    void domainNamesAreInNormalForm() {
        String composed = "K\u00f6ln";
        String decomposed = "Ko\u0308ln";
        new KeywordDomain("t", composed, "e");
        assertThatThrownBy(() -> new KeywordDomain("t", decomposed, "e")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Random inputs are parsed back to exactly what went in, which proves that no two of them can be equal. */
    @Test
    void everyInputCanBeReadBack() throws MalformedEncodingException {
        SplittableRandom random = SEED.random("data");
        Map<String, List<String>> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            KeywordDomain domain = new KeywordDomain(nfkc(name(random)), nfkc(name(random)), nfkc(name(random)));
            DyadicIntervals numbers = new DyadicIntervals(name(random), -50, 7);
            Keyword keyword = random.nextInt(3) == 0
                    ? numbers.keywordsOf(random.nextLong(-50, 78)).get(random.nextInt(8))
                    : Keyword.text(name(random), name(random));
            byte[] keyId = new byte[16];
            keyId[0] = (byte) random.nextInt(2);

            byte[] input = domain.hashInput(KeyId.of(keyId), keyword);

            ByteReader in = new ByteReader("h1", input);
            assertThat(in.shortString("tag")).isEqualTo("veilgate/h1/1");
            assertThat(in.bytes("key", in.uint8("length"))).isEqualTo(keyId);
            List<String> read = new ArrayList<>();
            for (int k = 0; k < 4; k++) {
                read.add(in.shortString("name"));
            }
            int type = in.uint8("type");
            int level = in.uint8("level");
            int length = in.uint8("length") << 8 | in.uint8("length");
            read.add(new String(in.bytes("value", length), StandardCharsets.UTF_8));
            in.end();
            assertThat(read)
                    .containsExactly(
                            domain.tenant(), domain.scope(), domain.epoch(), nfkc(keyword.field()), keyword.value());
            assertThat(level).isEqualTo(keyword.level());
            read.add(type + "/" + level + "/" + keyId[0]);
            List<String> before = seen.putIfAbsent(HexFormat.of().formatHex(input), read);
            assertThat(before == null || before.equals(read)).isTrue();
        }
    }

    /** Short names of few letters, so that collisions are near. */
    private static String name(SplittableRandom random) {
        String alphabet = "ab\u0000\u0001\u0002é\uFB01";
        StringBuilder out = new StringBuilder();
        int length = 1 + random.nextInt(3);
        for (int i = 0; i < length; i++) {
            out.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return out.toString();
    }

    private static String nfkc(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    private static String input(KeywordDomain domain, Keyword keyword) {
        return HexFormat.of().formatHex(domain.hashInput(KEY, keyword));
    }
}
