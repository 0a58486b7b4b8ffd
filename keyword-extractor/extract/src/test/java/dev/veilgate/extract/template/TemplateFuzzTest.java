package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Changed, cut and random bytes are refused, or are another state or catalogue that can be used and written again. */
class TemplateFuzzTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));
    private static final int ROUNDS = 20_000;

    private final SplittableRandom random = TestSeed.random(TemplateFuzzTest.class);

    private TemplateMiner miner() {
        TemplateMiner miner = new TemplateMiner(new TemplateSettings(24, 3, 4, 128, 12, 1, 500), CLOCK);
        new RandomLog(random, 30).lines(300).forEach(line -> miner.learn(line, 0, line.length));
        return miner;
    }

    private byte[] spoilt(byte[] good) {
        byte[] bytes = good.clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(40), bytes.length - Math.max(at, from));
                    System.arraycopy(bytes, from, bytes, at, length);
                }
            }
        }
        return bytes;
    }

    @Test
    void stateIsRefusedOrUsable() throws Exception {
        byte[] good = miner().encodeState();
        RandomLog log = new RandomLog(random, 30);
        int accepted = 0;
        for (int i = 0; i < ROUNDS; i++) {
            TemplateMiner read;
            try {
                read = TemplateMiner.decodeState(spoilt(good), CLOCK);
            } catch (MalformedEncodingException e) {
                continue;
            }
            accepted++;
            for (byte[] line : log.lines(10)) {
                read.learn(line, 0, line.length);
            }
            TemplateCatalogue.decode(read.catalogue().encode());
            TemplateMiner.decodeState(read.encodeState(), CLOCK);
        }
        assertThat(accepted).isBetween(1, ROUNDS - 1);
    }

    @Test
    void catalogueIsRefusedOrCanonical() {
        byte[] good = miner().catalogue().encode();
        int accepted = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = spoilt(good);
            try {
                assertThat(TemplateCatalogue.decode(bytes).encode()).isEqualTo(bytes);
                accepted++;
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).startsWith("templates");
            }
        }
        assertThat(accepted).isBetween(1, ROUNDS - 1);
    }

    @Test
    void randomBytesAreRefused() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            int refused = 0;
            try {
                TemplateCatalogue.decode(bytes);
            } catch (MalformedEncodingException e) {
                refused++;
            }
            try {
                TemplateMiner.decodeState(bytes, CLOCK);
            } catch (MalformedEncodingException e) {
                refused++;
            }
            assertThat(refused).isEqualTo(2);
        }
    }
}
