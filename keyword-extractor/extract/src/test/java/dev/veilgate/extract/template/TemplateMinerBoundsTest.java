package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Input made to cost time or memory. The times allowed are many times those measured, so that a slow machine passes. */
class TemplateMinerBoundsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));

    private final TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);
    private final SplittableRandom random = TestSeed.random(TemplateMinerBoundsTest.class);

    /** Of this thread: what else the machine does is not counted. */
    private Duration learn(int lines, IntFunction<byte[]> line) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (int i = 0; i < lines; i++) {
            byte[] bytes = line.apply(i);
            long start = threads.getCurrentThreadCpuTime();
            miner.learn(bytes, 0, bytes.length);
            nanos += threads.getCurrentThreadCpuTime() - start;
        }
        return Duration.ofNanos(nanos);
    }

    private byte[] text(String alphabet, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return bytes;
    }

    @Test
    void lineOfTenMegabytesCostsItsPrefix() {
        byte[] line = text("abcdefg hij/klm.-:=0123", 10 << 20);
        assertThat(learn(200, i -> line)).isLessThan(Duration.ofSeconds(2));
        assertThat(miner.encodeState()).hasSizeLessThan(4_096);
    }

    @Test
    void binaryIsAnyOtherLine() {
        byte[] line = new byte[4_096];
        assertThat(learn(2_000, i -> {
                    random.nextBytes(line);
                    return line;
                }))
                .isLessThan(Duration.ofSeconds(10));
        assertBounded();
    }

    @Test
    void strangersAreBoundedInMemory() {
        Duration time = learn(30_000, i -> text("abcdefghijklmnopqrstuvwxyz   ", 1_024));
        assertThat(time).isLessThan(Duration.ofSeconds(30));
        assertThat(miner.size()).isEqualTo(TemplateSettings.DEFAULT.maxTemplates());
        assertBounded();
    }

    /** One leaf, as many templates in it as there may be, each line unlike all of them. */
    @Test
    void oneFullLeafIsComparedInBoundedTime() {
        Duration time = learn(20_000, i -> {
            StringBuilder line = new StringBuilder("same start");
            for (int k = 0; k < 94; k++) {
                line.append(' ').append((char) ('a' + random.nextInt(26))).append((char) ('a' + random.nextInt(26)));
            }
            return line.toString().getBytes(StandardCharsets.US_ASCII);
        });
        assertThat(miner.size()).isEqualTo(TemplateSettings.DEFAULT.maxLeafTemplates());
        assertThat(time).isLessThan(Duration.ofSeconds(20));
    }

    /** Runs that each rule looks along in vain. */
    @Test
    void linesAgainstTheMaskingRulesCostBoundedTime() {
        String[] runs = {"a-", "/-", "a:", "a.", "/a", "-1", "=a", "f-g", "a", "/", "1/", "::", "C:\\", "a.b:", "\u00ff"
        };
        for (String run : runs) {
            byte[] line = run.repeat(2_048).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(learn(2_000, i -> line)).as(run).isLessThan(Duration.ofSeconds(4));
        }
    }

    private void assertBounded() {
        TemplateSettings settings = TemplateSettings.DEFAULT;
        assertThat(miner.encodeState().length)
                .isLessThan(settings.maxTemplates() * (settings.maxBytes() + 256) // known
                        + settings.maxTemplates() * (3 * settings.maxBytes() + 256)); // let go
        assertThat(miner.size()).isLessThanOrEqualTo(settings.maxTemplates());
    }
}
