package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Header sections of a megabyte that are made to cost more than their length. */
class HostileHeaderTest {
    private static final Set<String> CC = Set.of("cc");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cc: |a",
                "Cc: |a\r\n ",
                "Cc: |@",
                "Cc: |a@",
                "Cc: |[",
                "Cc: |a@b[",
                "Cc: |a ",
                "X|\r\n ",
                "X: |\r\nX: ",
                "|a",
                "|\r\n\t",
                "Cc:|\t",
                "X |:",
                "Content-Type: text/plain|;hp=x"
            })
    void costTheirLength(String parts) throws Exception {
        String[] startAndPump = parts.split("\\|", -1);
        String pump = startAndPump[1];
        int length = startAndPump[0].startsWith("Content-Type") ? 16_000 : 1_000_000;
        String mail = "From: ada@example.org\r\n" + startAndPump[0] + pump.repeat(length / pump.length())
                + "\r\n\r\nbody\r\n";
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        MailHeader header = read(mail);
        HeaderProtection.protect(header, "ada@example.org", Instant.EPOCH);
        MailSealing.visible(header);
        long seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1_000_000_000L;
        assertThat(seconds).isLessThan(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "\"\\", "(\""})
    void aContentTypeThatIsNeverClosedIsRefusedWhenItIsLong(String pump) throws Exception {
        MailHeader header = read("From: a@b\r\nContent-Type: text/plain; x=" + pump.repeat(400_000) + "\r\n\r\n");
        assertThatThrownBy(() -> HeaderProtection.protect(header, "", Instant.EPOCH))
                .isInstanceOf(MalformedMailException.class)
                .hasMessageContaining("Content-Type is longer than 16384");
    }

    /** The scanner finds what the expression found whose cost was the square of the text. */
    @Test
    void findsTheSameAddressesAsTheExpression() throws Exception {
        Pattern address = Pattern.compile("[^\\s<>,;:\"()\\[\\]]+@[^\\s<>,;:\"()]+");
        long seed = Long.getLong("veilgate.seed", 20_261_123L);
        var random = new Random(seed);
        String signs = "aB@@@.<>,[] \"\t";
        int found = 0;
        for (int i = 0; i < 100_000; i++) {
            var text = new StringBuilder("x ");
            for (int left = random.nextInt(14); left > 0; left--) {
                text.append(signs.charAt(random.nextInt(signs.length())));
            }
            Set<String> expected = new LinkedHashSet<>();
            MailHeader header = read("Cc: " + text + "\r\n\r\n");
            Matcher matcher = address.matcher(header.first("cc").orElseThrow().value());
            while (matcher.find()) {
                expected.add(matcher.group().toLowerCase(Locale.ROOT));
            }
            found += expected.size();
            assertThat(MailSealing.addresses(header, CC))
                    .as("seed %d: %s", seed, text)
                    .containsExactlyElementsOf(expected);
        }
        assertThat(found).isGreaterThan(10_000);
    }

    private static MailHeader read(String mail) throws Exception {
        return MailHeader.read(new ByteArrayInputStream(mail.getBytes(StandardCharsets.ISO_8859_1)))
                .header();
    }
}
