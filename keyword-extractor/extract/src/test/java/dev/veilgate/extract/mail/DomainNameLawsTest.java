package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws of the spellings of domain names, for all characters and for random names. Repeat a run with -Dveilgate.seed=N. */
class DomainNameLawsTest {
    private static final int NAMES = 100_000;
    private static final List<String> PIECES = List.of(
            "xn--",
            "XN--",
            "xn--mnchen-3ya",
            "xn--strae-oqa",
            "xn--a",
            "-",
            "--",
            ".",
            "..",
            "\u3002",
            "\uff0e",
            "_",
            "*",
            "@",
            " ",
            "example",
            "\u00df",
            "\u03c2",
            "\u200c",
            "\u200d",
            "\u00ad",
            "\u0301",
            "\u0130",
            "\ufb00",
            "\u05d0",
            "\u0660",
            "\ud801\udcd8",
            "\ud800",
            "\udc00",
            "\u4f8b",
            "\ufffd",
            "\u0000",
            "\u2260",
            "\u1e9e");

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    @Test
    void eachCharacterThatADomainMayHaveIsOneInBothSpellings() {
        int international = 0;
        for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
            boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            if (surrogate || !Character.isDefined(c)) {
                continue;
            }
            String unicode = "a" + Character.toString(c) + "b.example";
            String ascii = DomainName.ascii(unicode);
            String comparable = DomainName.comparable(unicode);
            if (isAscii(ascii)) {
                international++;
                same(c, DomainName.comparable(ascii), comparable);
                same(c, DomainName.ascii(ascii), ascii);
            }
            same(c, DomainName.comparable(comparable), comparable);
        }
        assertThat(international).isGreaterThan(140_000);
    }

    /** Whatever is behind xn--, it says neither another domain nor another address. */
    @Test
    void randomNamesGiveAnAnswerThatIsItsOwn() {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("DomainNameLawsTest: -Dveilgate.seed=" + seed);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int decoded = 0;
        for (int i = 0; i < NAMES; i++) {
            String name = name(random);
            String comparable = DomainName.comparable(name);
            same(i, DomainName.comparable(comparable), comparable);
            DomainName.comparableBefore(name);
            String ascii = DomainName.ascii(name);
            same(i, DomainName.ascii(ascii), ascii);
            if (isAscii(name)) {
                same(i, count(comparable, '.'), count(name, '.'));
                same(i, count(comparable, '@'), count(name, '@'));
                decoded += isAscii(comparable) ? 0 : 1;
            }
        }
        assertThat(decoded).isGreaterThan(NAMES / 100);
    }

    /** Says which only where it fails: a description for each of millions takes longer than what is tested. */
    private static void same(int which, Object is, Object expected) {
        if (!is.equals(expected)) {
            assertThat(is).as("%d (%<x)", which).isEqualTo(expected);
        }
    }

    private static long count(String text, char of) {
        return text.chars().filter(c -> c == of).count();
    }

    private static String name(RandomGenerator random) {
        StringBuilder name = new StringBuilder();
        boolean ascii = random.nextBoolean();
        int pieces = 1 + random.nextInt(6);
        for (int i = 0; i < pieces; i++) {
            if (random.nextInt(3) == 0) {
                name.append("xn--");
                int length = 1 + random.nextInt(10);
                for (int k = 0; k < length; k++) {
                    name.append("abcdefghijklmnopqrstuvwxyz0123456789-".charAt(random.nextInt(37)));
                }
                name.append('.');
            } else if (random.nextInt(3) == 0 && !ascii) {
                name.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
            } else {
                String piece = PIECES.get(random.nextInt(PIECES.size()));
                name.append(ascii && !isAscii(piece) ? "x" : piece);
            }
        }
        return name.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "xn--",
                "xn--mnchen-3ya.",
                "xn--a9",
                "\u00fc",
                "\u00fc.",
                ".",
                "\u3002",
                "\ud83d\udca9",
                "ab9"
            })
    void namesOfAMillionCharactersCostTheirLength(String pump) {
        for (String start : List.of("", "xn--", "xn--a-", "\u00df")) {
            String name = start + pump.repeat(1_000_000 / pump.length());
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            DomainName.comparable(name);
            DomainName.comparableBefore(name);
            DomainName.ascii(name);
            long millis = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1_000_000;
            assertThat(millis).as(start).isLessThan(2_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@\u00fc\u00df,", "a@xn--mnchen-3ya,", "a@\ud83a\udd22.xn--strae-oqa,"})
    void aMillionCharactersOfAddressesCostTheirLength(String pump) throws Exception {
        String line = pump.repeat(500 / pump.length()) + "\r\n ";
        String to = "To: " + line.repeat(1_000_000 / line.length()) + "b@y.example\r\n";
        byte[] mail = ("From: x@evil.example\r\n" + to + "\r\nhello\r\n").getBytes(StandardCharsets.UTF_8);
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            assertThat(extractor.extract(mail).keywords()).contains(Keyword.text("from", "x@evil.example"));
        }
        long millis = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1_000_000;
        System.out.println("DomainNameLawsTest: " + millis + " ms of processor time");
        assertThat(millis).isLessThan(30_000);
    }
}
