package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which fields outside a sealed mail say something else than those inside. */
class DifferingHeaderTest {
    private static final String WRITTEN = "From: \u00c4da <ada@acme.example>\r\n"
            + "To: Dave <dave@acme.example>, eve@acme.example\r\nCc: \"Bob, B.\" <bob@acme.example>\r\n"
            + "Reply-To: desk@acme.example\r\nDate: Sun, 29 Nov 2026 09:00:00 +0000\r\n"
            + "Message-ID: <1@acme.example>\r\nReferences: <0@acme.example>\r\nSubject: pump\r\nX-Own: 1\r\n";

    private static MailHeader header(String fields) throws Exception {
        byte[] bytes = (fields + "\r\n").getBytes(StandardCharsets.UTF_8);
        return MailHeader.read(new ByteArrayInputStream(bytes)).header();
    }

    private static List<String> differing(String outside) throws Exception {
        return OuterHeader.differing(header(WRITTEN), header(outside));
    }

    private static String outer(boolean isSubjectOutside, HeaderProtection.Spelling spelling) throws Exception {
        return HeaderProtection.of(header(WRITTEN), "", Instant.EPOCH)
                .protect(isSubjectOutside, LegacyDisplay.NONE, spelling)
                .outer();
    }

    @Test
    void whatAnEdgeLeftOutsideDoesNot() throws Exception {
        for (boolean isSubjectOutside : new boolean[] {false, true}) {
            for (HeaderProtection.Spelling spelling : HeaderProtection.Spelling.values()) {
                String outer = outer(isSubjectOutside, spelling);
                assertThat(differing(outer)).as(outer).isEmpty();
                String folded = outer.replace(", ", ",\r\n  ");
                assertThat(differing("Received: by x\r\n" + folded + "Content-Type: text/plain\r\n"))
                        .isEmpty();
            }
        }
    }

    @Test
    void aBareHeaderSaysLessAndNothingElse() throws Exception {
        assertThat(differing(OuterHeader.bare(header(outer(false, HeaderProtection.Spelling.ENCODED)), "")
                        .text()))
                .isEmpty();
    }

    @Test
    void anAlteredOrAddedFieldIsNamed() throws Exception {
        String outer = outer(false, HeaderProtection.Spelling.ENCODED);
        for (String[] each : new String[][] {
            {"From: \"bob@acme.example\" <ada@acme.example>", "From"},
            {"FROM: bob@acme.example", "FROM"},
            {"To: dave@acme.example", "To"},
            {"Cc: bob@acme.example, eve@acme.example", "Cc"},
            {"Reply-To: eve@elsewhere.example", "Reply-To"},
            {"Date: Sun, 29 Nov 2026 09:00:01 +0000", "Date"},
            {"Message-ID: <2@acme.example>", "Message-ID"},
            {"References: <2@acme.example>", "References"},
            {"Subject: [LIST] [...]", "Subject"},
            {"Sender: ada@acme.example", "Sender"},
            {"Disposition-Notification-To: ada@acme.example", "Disposition-Notification-To"}
        }) {
            String name = each[0].substring(0, each[0].indexOf(':'));
            StringBuilder altered = new StringBuilder();
            for (MailHeader.Field field : header(outer).fields()) {
                altered.append(field.name().equalsIgnoreCase(name) ? "" : field.raw());
            }
            assertThat(differing(altered + each[0] + "\r\n")).as(each[0]).containsExactly(each[1]);
            assertThat(differing(each[0] + "\r\n" + outer))
                    .as("%s, and the true one", each[0])
                    .isNotEmpty();
        }
        assertThat(differing(outer + "From: ada@acme.example\r\n"))
                .as("the same twice")
                .containsExactly("From");
    }

    /** A gateway bares Sender too where nobody is sure, and writes the reverse path for a From of several. */
    @Test
    void whatAGatewayBaresIsNotNamed() throws Exception {
        for (String[] each : new String[][] {
            {"Sender: Bob <bob@acme.example>", "Sender: bob@acme.example"},
            {"From: ada@acme.example, bob@acme.example", "From: bob@acme.example"},
            {"From: ada@acme.example, bob@acme.example", "From: unreadable@veilgate.invalid"},
            {"To: A <a@acme.example>\r\nTo: B <b@acme.example>", "To: a@acme.example"},
            {"Date:\r\nDate: Sun, 29 Nov 2026 09:00:00 +0000", "Date: Sun, 29 Nov 2026 09:00:00 +0000"}
        }) {
            assertThat(OuterHeader.differing(header(each[0] + "\r\n"), header(each[1] + "\r\n")))
                    .as(each[0])
                    .isEmpty();
        }
        for (String[] each : new String[][] {
            {"Sender: Bob <bob@acme.example>", "Sender: ada@acme.example"},
            {"From: ada@acme.example, bob@acme.example", "From: Eve <eve@acme.example>"},
            {"From: Ada <ada@acme.example>", "From: eve@acme.example"}
        }) {
            assertThat(OuterHeader.differing(header(each[0] + "\r\n"), header(each[1] + "\r\n")))
                    .as(each[1])
                    .hasSize(1);
        }
    }

    /** Fields of hostile length on either side. */
    @Test
    void longFieldsTakeNoLongTime() throws Exception {
        String many = "To: " + "\"x <(,".repeat(20_000) + "\r\n";
        long start = System.nanoTime();
        assertThat(OuterHeader.differing(header(WRITTEN), header(many))).containsExactly("To");
        assertThat(OuterHeader.differing(header(many), header("To: x@acme.example\r\n")))
                .containsExactly("To");
        assertThat(System.nanoTime() - start).isLessThan(10_000_000_000L);
    }
}
