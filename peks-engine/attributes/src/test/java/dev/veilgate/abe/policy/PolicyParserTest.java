package dev.veilgate.abe.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyParserTest {
    private static Policy leaf(String name, String value) {
        return new Policy.Leaf(Attribute.of(name, value));
    }

    private static void refuses(String text, int position, String message) {
        PolicySyntaxException refusal = catchThrowableOfType(PolicySyntaxException.class, () -> Policy.parse(text));
        assertThat(refusal).as(text).isNotNull();
        assertThat(refusal.position()).as(text + ": " + refusal.getMessage()).isEqualTo(position);
        assertThat(refusal).hasMessageContaining(message).hasMessageEndingWith(" at character " + (position + 1));
    }

    @Test
    void andBindsCloserThanOr() throws PolicySyntaxException {
        Policy a = leaf("a", "1");
        Policy b = leaf("b", "2");
        Policy c = leaf("c", "3");
        assertThat(Policy.parse("a:1 OR b:2 AND c:3")).isEqualTo(Policy.or(a, Policy.and(b, c)));
        assertThat(Policy.parse("(a:1 or b:2) And c:3")).isEqualTo(Policy.and(Policy.or(a, b), c));
        assertThat(Policy.parse("a:1 AND b:2 AND c:3")).isEqualTo(Policy.and(a, b, c));
        assertThat(Policy.parse("((a:1))")).isEqualTo(a);
        assertThat(Policy.parse("2 of (a:1, b:2 OR c:3, c:3)"))
                .isEqualTo(new Policy.Gate(2, List.of(a, Policy.or(b, c), c)));
    }

    @Test
    void readsAnyTextAndEpochs() throws PolicySyntaxException {
        assertThat(Policy.parse("site:Zürich/東京-7_x.#+")).isEqualTo(leaf("site", "Zürich/東京-7_x.#+"));
        assertThat(Policy.parse("\"of\":\"a \\\"b\\\" \\\\ (c), d\"")).isEqualTo(leaf("of", "a \"b\" \\ (c), d"));
        assertThat(Policy.parse("पद:हिन्दी AND emoji:\"\uD83D\uDE80\""))
                .isEqualTo(Policy.and(leaf("पद", "हिन्दी"), leaf("emoji", "\uD83D\uDE80")));
        assertThat(Policy.parse("name:Zu\u0308rich")).isEqualTo(leaf("name", "Z\u00FCrich"));
        assertThat(Policy.parse("site:plant-7@2026-11"))
                .isEqualTo(new Policy.Leaf(Attribute.of("site", "plant-7").in("2026-11")));
        assertThat(Policy.parse("role:x AND level@\"Q4 2026\" = 3"))
                .isEqualTo(Policy.and(
                        leaf("role", "x"),
                        new Policy.Leaf(new Attribute("level", Attribute.Kind.INTEGER, "3", "Q4 2026"))));
    }

    @Test
    void errorsSayWhere() {
        refuses("", 0, "is missing before the end");
        refuses("role:auditor AND", 16, "is missing before the end");
        refuses("a:x ; b:y", 4, "';' cannot stand outside quotes");
        refuses("a:\"x", 2, "no quote ends");
        refuses("a:x b:y", 4, "'b' is one too many");
        refuses("a:x)", 3, "')' is one too many");
        refuses("(a:x", 4, "')' is missing");
        refuses("a", 1, "':' or a comparison is missing");
        refuses("NOT a:x", 0, "has no NOT");
        refuses("a:x OR and:y", 7, "is missing before 'and'");
        refuses("1 of (a:x)", 0, "a gate of 1");
        refuses("3 of (a:x, b:y)", 0, "a gate of 2");
        refuses("0 of (a:x, b:y)", 0, "a gate of 2");
        refuses("many of (a:x, b:y)", 0, "'many' is not a number");
        refuses("a:\"x\u0007\"", 0, "control character");
        refuses("a:\"\uD800\"", 0, "unpaired surrogate");
        refuses("a:\uD800", 2, "cannot stand outside quotes");
        refuses("a:\"\"", 0, "0 bytes");
        refuses("a:" + "é".repeat(128), 0, "256 bytes");
        refuses("é".repeat(51) + ":x", 0, "102 bytes");
        refuses("a:x@" + "e".repeat(101), 0, "101 bytes");
        refuses("x = 007", 4, "is not a number");
        refuses("x < abc", 4, "is not a number");
        refuses("x = 2026-02-30", 4, "is not a day");
        refuses("x >= 4294967296", 5, "is not a number");
    }

    @Test
    void comparisonsThatSayNothingAreRefused() {
        refuses("x > 4294967295", 4, "no number satisfies >");
        refuses("x < 0", 4, "no number satisfies <");
        refuses("x >= 0", 5, "every number satisfies >=");
        refuses("x <= 4294967295", 5, "every number satisfies <=");
    }

    @Test
    void limitsHold() throws PolicySyntaxException {
        String deep = "(".repeat(64) + "a:x" + ")".repeat(64);
        assertThat(Policy.parse(deep)).isEqualTo(leaf("a", "x"));
        refuses("(" + deep + ")", 64, "nested more than 64 deep");
        String wide =
                IntStream.range(0, Policy.MAX_LEAVES).mapToObj(i -> "a:" + i).collect(Collectors.joining(" OR "));
        assertThat(Policy.parse(wide).leaves()).hasSize(Policy.MAX_LEAVES);
        refuses(wide + " OR a:x", 0, "at most 4096");
        assertThatThrownBy(() -> Policy.parse(" ".repeat((1 << 20) + 1))).isInstanceOf(PolicySyntaxException.class);
        // gates within gates, without a parenthesis more than allowed
        String gates = "a:x AND (b:y OR ".repeat(33) + "c:z" + ")".repeat(33);
        refuses(gates, 0, "nested at most 64 deep");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            role:auditor                      | role:auditor
            a:1 OR b:2 AND c:3                | (a:1 OR (b:2 AND c:3))
            1 of (a:1, b:2)                   | (a:1 OR b:2)
            2 of (a:1, b:2, c:3)              | 2 of (a:1, b:2, c:3)
            clearance >= 3                    | clearance >= 3
            clearance > 2 AND clearance < 8   | (clearance >= 3 AND clearance <= 7)
            until@2026-11 < 2027-01-01        | until@2026-11 <= 2026-12-31
            born > -0044-03-14                | born >= -0044-03-15
            level > 2147483647                | level >= 2147483648
            "n m"@"e f" <= 6                  | "n m"@"e f" <= 6
            level = 3                         | level = 3
            a:"x y"                           | a:"x y"
            """)
    void policiesAreWrittenAsTheyAreRead(String text, String written) throws PolicySyntaxException {
        assertThat(Policy.parse(text)).hasToString(written);
        assertThat(Policy.parse(written)).isEqualTo(Policy.parse(text));
    }

    @Test
    void lackingNamesWhatWasWritten() throws PolicySyntaxException {
        Policy policy = Policy.parse("(role:auditor AND clearance >= 5 AND site:a) OR role:dpo");
        assertThat(policy.lacking(AttributeSet.parse("role:auditor, clearance = 4")))
                .map(Policy::toString)
                .containsExactly("clearance >= 5", "site:a", "role:dpo");
        assertThat(policy.lacking(AttributeSet.parse("role:dpo"))).isEmpty();
    }
}
