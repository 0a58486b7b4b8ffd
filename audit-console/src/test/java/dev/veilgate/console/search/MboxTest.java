package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages come out of an mbox as they went in. */
class MboxTest {
    private static final UUID ENVELOPE = UUID.fromString("0198f4a2-0000-7000-8000-000000000001");
    private static final String LINE = "From " + ENVELOPE + " Sun Nov  1 09:05:00 2026\n";

    private static String mbox(String... messages) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String message : messages) {
            Mbox.write(
                    out,
                    ENVELOPE,
                    Instant.parse("2026-11-01T09:05:00Z"),
                    message.getBytes(StandardCharsets.ISO_8859_1));
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aMessageByHand() throws Exception {
        assertThat(mbox("Subject: a\r\n\r\nFrom here\r\n>From there\r\n>>From\r\n> From\r\n.\r\n"))
                .isEqualTo(LINE + "Subject: a\n\n>From here\n>>From there\n>>From\n> From\n.\n\n");
    }

    @Test
    void aMessageWithoutAnEndOfItsLastLine() throws Exception {
        assertThat(mbox("a: b\r\n\r\nFrom")).isEqualTo(LINE + "a: b\n\nFrom\n\n");
        assertThat(mbox("")).isEqualTo(LINE + "\n");
    }

    @Test
    void whatAMessageHoldsNeverBeginsAnother() throws Exception {
        String[] parts = {"From ", ">", "\r\n", "\r\n\r\n", "x", "\r", "From", "\u00e4", LINE.strip()};
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 500; round++) {
            List<String> messages = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                StringBuilder message = new StringBuilder();
                for (int j = random.nextInt(12); j > 0; j--) {
                    message.append(parts[random.nextInt(parts.length)]);
                }
                messages.add(message + "\r\n");
            }
            assertThat(read(mbox(messages.toArray(String[]::new)))).isEqualTo(messages);
        }
    }

    /** By the definition of mboxrd. */
    private static List<String> read(String mbox) {
        List<String> messages = new ArrayList<>();
        for (String message : mbox.split("(?md)^From .*\n", -1)) {
            if (!message.isEmpty()) {
                String whole = message.substring(0, message.length() - 1);
                messages.add(whole.replaceAll("(?md)^>(>*From )", "$1").replace("\n", "\r\n"));
            }
        }
        return messages;
    }
}
