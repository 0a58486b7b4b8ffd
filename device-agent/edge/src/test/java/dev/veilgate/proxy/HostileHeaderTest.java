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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ceo@demo.example <x@y.example>                   | x@y.example",
                "\"ceo@demo.example, Boss\" <X@Y.example>         | x@y.example",
                "O’Brien <a@x.example>, Jürgen <b@y.example> | a@x.example b@y.example",
                "team: a@x.example, b@y.example; c@z.example      | a@x.example b@y.example c@z.example",
                "a@x.example (see d@w.example)                    | a@x.example",
                "no address                                       | ''"
            })
    void recipientsAreThoseThatMailProgramsRead(String cc, String expected) throws Exception {
        MailHeader header = MailHeader.read(
                        new ByteArrayInputStream(("Cc: " + cc + "\r\n\r\n").getBytes(StandardCharsets.UTF_8)))
                .header();
        assertThat(String.join(" ", MailSealing.addresses(header, CC))).isEqualTo(expected);
    }

    /** Whoever is named in one of several readings is not taken for a blind recipient. */
    @Test
    void whoMayBeReadAsADestinationIsVisible() throws Exception {
        assertThat(MailSealing.visible(read("To: to J. bob@x.example\r\n\r\n")))
                .containsExactly("bob@x.example", "j.bob@x.example");
    }

    /** The commands of SMTP and certificates name a domain in ASCII. */
    @Test
    void aDestinationIsVisibleInEitherSpellingOfItsDomain() throws Exception {
        String to = "To: Eva <Eva@Stra\u00dfe.example>, Bob <bob@xn--mnchen-3ya.example>\r\n\r\n";
        MailHeader header = MailHeader.read(new ByteArrayInputStream(to.getBytes(StandardCharsets.UTF_8)))
                .header();
        assertThat(MailSealing.visible(header))
                .containsExactly("eva@xn--strae-oqa.example", "bob@xn--mnchen-3ya.example");
    }

    private static MailHeader read(String mail) throws Exception {
        return MailHeader.read(new ByteArrayInputStream(mail.getBytes(StandardCharsets.ISO_8859_1)))
                .header();
    }
}
