package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NFKC as the runtime gives it, in time that grows with the text. */
class CompositionLawsTest {
    private static final int[] MARKS = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
            .filter(c -> switch (Character.getType(c)) {
                case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
                default -> c == 0xFF9E || c == 0xFF9F;
            })
            .toArray();

    private static String nfkc(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }

    @Test
    void longRunsOfMarksBecomeWhatTheRuntimeMakesOfThem() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] usual = {0x301, 0x316, 0x344, 0x345, 0x340, 0x327, 0x308, 0x34F, 0x3099, 0xFF9E, 0x1D165, 0x5B0, 0x93C};
        String[] between = {"a", "\uac00", "\u0391", " ", "\ufdfa", "\u1100\u1161", "\ud835\udc00", "\u00e9"};
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int run = 0; run < 4; run++) {
                text.append(between[random.nextInt(between.length)]);
                int[] marks = random.nextBoolean() ? usual : MARKS;
                int length = random.nextInt(300);
                for (int i = 0; i < length; i++) {
                    text.appendCodePoint(marks[random.nextInt(marks.length)]);
                }
            }
            assertThat(Composition.nfkc(text.toString())).as("seed %d", seed).isEqualTo(nfkc(text.toString()));
        }
    }

    @Test
    void textThatBeginsWithAMarkIsSortedToo() {
        String marks = "\u0301\u0316".repeat(100);
        assertThat(Composition.nfkc(marks)).isEqualTo(nfkc(marks));
    }

    /** Whatever changes places with a mark before it, or composes with a letter before it. */
    @Test
    void nothingJoinsWhatIsBeforeItButWhatIsSaidTo() {
        Set<Integer> second = new HashSet<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int[] parts = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFD)
                    .codePoints()
                    .toArray();
            for (int i = 1; i < parts.length; i++) {
                second.add(parts[i]);
            }
        }
        List<String> wrong = new ArrayList<>();
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            if (Composition.mayJoin(c)) {
                continue;
            }
            int first = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKD)
                    .codePointAt(0);
            String own = Character.toString(first);
            boolean isMoved =
                    !Normalizer.normalize("\u0345" + own, Normalizer.Form.NFD).equals("\u0345" + own)
                            || !Normalizer.normalize(own + "\u0334", Normalizer.Form.NFD)
                                    .equals(own + "\u0334");
            if (second.contains(first) || isMoved) {
                wrong.add(Integer.toHexString(c));
            }
        }
        assertThat(second).hasSizeGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    /** The runtime alone takes a minute and more for each. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0315\u0316", "\u0344\u0316", "\u0301\uff9e", "\u0301\u0316\ud834\udd65", "\u302f\u0301"})
    void marksWithoutEndAreNormalisedInTimeThatGrowsWithThem(String marks) {
        String text = "a" + marks.repeat(1_000_000 / marks.length());
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        String folded = KeywordText.fold(text);
        assertThat((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9)
                .isLessThan(8);
        assertThat(folded).hasSizeGreaterThan(500_000);
    }

    @Test
    void longTextIsFoldedAsItsPartsWouldBeIfTheyWereShort() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] odd = {
            'a', ' ', 0xac00, 0x1100, 0x1161, 0x11a8, 0x3131, 0xffa1, 0xffc2, 0x301, 0xff9e, 0x304b, 0x130, 0xdf,
            0xfdfa, 0x9be, 0x9c7, 0x1d165, 0x1d400, 0x4e00
        };
        for (int round = 0; round < 10; round++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < 40_000) {
                text.appendCodePoint(odd[random.nextInt(odd.length)]);
            }
            String once = text.toString();
            String expected = once;
            for (int i = 0; i < 2; i++) {
                expected = nfkc(expected).toUpperCase(java.util.Locale.ROOT).toLowerCase(java.util.Locale.ROOT);
                expected = expected.replace('\u03c2', '\u03c3');
            }
            assertThat(KeywordText.fold(once)).as("seed %d", seed).isEqualTo(nfkc(expected));
        }
    }
}
