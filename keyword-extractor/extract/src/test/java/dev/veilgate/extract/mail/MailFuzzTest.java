package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Damaged mails give keywords and refusals, nothing else. Repeat a run with -Dveilgate.seed=N. */
class MailFuzzTest {
    private static final int ROUNDS = 300;

    @Test
    void damagedMailsNeverCrash() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        System.out.println("MailFuzzTest: -Dveilgate.seed=" + seed);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<byte[]> mails = new ArrayList<>();
        for (Path sample : Mails.samples()) {
            mails.add(Mails.real(sample));
        }
        assertThat(mails).hasSizeGreaterThan(4);
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] mail = damaged(mails.get(random.nextInt(mails.size())), random);
                MailKeywords keywords = extractor.extract(mail);
                assertThat(keywords.bytes()).as("round %d", i).isLessThanOrEqualTo(mail.length);
                assertThat(Mails.reasons(keywords)).as("round %d", i).doesNotContain(Refusal.Reason.MALFORMED_MESSAGE);
            }
        }
    }

    private static byte[] damaged(byte[] mail, RandomGenerator random) {
        byte[] copy = Arrays.copyOf(mail, random.nextInt(4) == 0 ? random.nextInt(mail.length) + 1 : mail.length);
        int changes = 1 + random.nextInt(20);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(copy.length);
            switch (random.nextInt(4)) {
                case 0 -> copy[at] = (byte) random.nextInt(256);
                case 1 -> copy[at] = (byte) "\r\n:;=?-\"<>@,()\\\0".charAt(random.nextInt(16));
                case 2 -> {
                    int from = random.nextInt(copy.length);
                    int length = Math.min(random.nextInt(60), copy.length - Math.max(at, from));
                    System.arraycopy(copy, from, copy, at, length);
                }
                default -> Arrays.fill(copy, at, Math.min(copy.length, at + random.nextInt(10)), copy[at]);
            }
        }
        return copy;
    }
}
