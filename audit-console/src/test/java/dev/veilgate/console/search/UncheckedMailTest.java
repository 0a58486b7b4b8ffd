package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;

import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.AttachmentBudget;
import dev.veilgate.extract.mail.AttachmentLimits;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.testing.AttachedPdf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Mails whose attachments decide if they are what was searched for: read in turns, or named and not counted. */
class UncheckedMailTest extends ScriptedGateway {
    private static final String SCOPE = "plant-unchecked";

    @Autowired
    private MockMvc http;

    private static String header(String subject) {
        return "From: eve@example.org\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\nSubject: " + subject + "\r\n";
    }

    private byte[] mail(String subject, byte[] pdf) throws Exception {
        return sealAnotherMail(SCOPE, AttachedPdf.mail(header(subject), "see the file", pdf));
    }

    private String searchMails(byte[]... mails) throws Exception {
        serve(mails);
        find(mails.length, false);
        String search = start(query("overheated", SCOPE).replace("\"mail\": false", "\"mail\": true"));
        awaitEnd(search);
        return search;
    }

    private List<String> subjects(String search) throws Exception {
        List<String> subjects = new ArrayList<>();
        rows(search).get("rows").forEach(row -> subjects.add(row.get("text").asString()));
        return subjects;
    }

    @Test
    void mailsThatTakeTooLongAreNamedAndNoRows() throws Exception {
        String search = searchMails(
                mail("costly", AttachedPdf.ofNestedForms(40, "overheated")),
                mail("in the file", AttachedPdf.ofText("it overheated")),
                mail("no hit", AttachedPdf.ofText("nothing of that")),
                sealAnotherMail(SCOPE, header("in the text") + "\r\nit overheated"));
        assertThat(subjects(search)).containsExactly("in the text", "in the file");
        JsonNode state = read(search);
        assertThat(state.get("state").asString()).isEqualTo("complete");
        assertThat(state.get("unchecked").asLong()).isEqualTo(1);
        assertThat(state.get("dropped").asLong()).isEqualTo(1);
        JsonNode unchecked = read(search + "/unchecked");
        assertThat(unchecked.get("total").asLong()).isEqualTo(1);
        JsonNode mail = unchecked.get("mails").get(0);
        assertThat(mail.get("text").asString()).isEqualTo("costly");
        assertThat(mail.get("kind").asString()).isEqualTo("unchecked");
        assertThat(mail.get("signed").asString()).isEqualTo("nobody");

        JsonNode histogram = read(search + "/histogram");
        long counted = 0;
        for (JsonNode each : histogram.get("counts")) {
            counted += each.asLong();
        }
        assertThat(counted).isEqualTo(2);
        Unzipped export = Unzipped.of(send(search + "/export?format=csv").getContentAsByteArray());
        assertThat(export.text("manifest.json")).contains("\"unchecked\" : 1", "\"version\" : 4", "\"not-checked\"");
        assertThat(export.text("hits.csv")).contains("in the file").doesNotContain("costly");

        JsonNode again = order(search + "/unchecked/0");
        assertThat(again.get("verdict").asString())
                .as("ten times is too little, too")
                .isEqualTo("unchecked");
        assertThat(send(search + "/unchecked/7", "").getStatus()).isEqualTo(404);
    }

    @Test
    void aMailThatTenTimesTheTimeDecidesBecomesARow() throws Exception {
        String search = searchMails(
                mail("slow", slow("it overheated")),
                mail("slow and nothing", slow("nothing")),
                mail("hit", AttachedPdf.ofText("overheated")));
        assertThat(subjects(search)).containsExactly("hit");
        JsonNode mails = read(search + "/unchecked").get("mails");
        assertThat(mails).hasSize(2);
        for (JsonNode mail : mails) {
            JsonNode again = order(search + "/unchecked/" + mail.get("row").asLong());
            boolean isHit = mail.get("text").asString().equals("slow");
            assertThat(again.get("verdict").asString()).isEqualTo(isHit ? "found" : "not-found");
            if (isHit) {
                assertThat(again.get("row").asLong()).isEqualTo(1);
            }
        }
        assertThat(subjects(search)).containsExactly("hit", "slow");
        JsonNode state = read(search);
        assertThat(state.get("unchecked").asLong()).isZero();
        assertThat(state.get("rows").asLong()).isEqualTo(2);
        assertThat(state.get("dropped").asLong()).isEqualTo(1);
        assertThat(read(search + "/rows/1").get("mail").get("text").asString()).isEqualTo("see the file");
    }

    @Test
    void aCheckEndsWithItsReaderWhenTheSearchIsRemoved() throws Exception {
        // 1.2 MB: 27 s of processor time for a check
        String search = searchMails(mail("costly", AttachedPdf.ofNestedForms(40, "padding ".repeat(150_000))));
        Set<Long> before = readers();
        CompletableFuture<MockHttpServletResponse> check = CompletableFuture.supplyAsync(() -> {
            try {
                return send(search + "/unchecked/0", "");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> readers().stream()
                        .anyMatch(reader -> !before.contains(reader)
                                && processorTime(reader).toMillis() > 1_500));
        assertThat(http.perform(delete(search).with(login(user.id(), "auditor")).with(csrf()))
                        .andReturn()
                        .getResponse()
                        .getStatus())
                .isEqualTo(204);
        Awaitility.await().atMost(PATIENCE).until(() -> before.containsAll(readers()) || isSpent(before));
        assertThat(isSpent(before)).as("a reader goes on").isFalse();
        MockHttpServletResponse answer = check.get();
        assertThat(answer.getStatus()).isEqualTo(404);
        assertThat(answer.getContentAsString()).contains("the search is not known here");
    }

    private static Set<Long> readers() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static Duration processorTime(long process) {
        return ProcessHandle.of(process)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /** Tells if a process that reads attachments, other than those given, goes on for ten seconds of work. */
    private static boolean isSpent(Set<Long> others) {
        return readers().stream()
                .anyMatch(reader ->
                        !others.contains(reader) && processorTime(reader).toSeconds() > 10);
    }

    /**
     * A file that takes two to four times too long here for a reader that has read much: each takes twice as long as
     * the one before.
     */
    private static byte[] slow(String text) {
        try (var extractor = new MailExtractor(ExtractorProfile.defaults(), MailLimits.ofSearch(10))) {
            for (int work = 8; ; work++) {
                byte[] pdf = AttachedPdf.ofNestedForms(work, text);
                byte[] mail =
                        AttachedPdf.mail(header("slow"), "see the file", pdf).getBytes(StandardCharsets.US_ASCII);
                Duration limit = AttachmentLimits.DEFAULT.time(mail.length);
                if (time(extractor, mail).compareTo(limit.multipliedBy(2)) >= 0) {
                    return pdf;
                }
            }
        }
    }

    /** Processor time of the fastest of a few readings. */
    private static Duration time(MailExtractor extractor, byte[] mail) {
        Duration fastest = null;
        for (int i = 0; i < 4; i++) {
            AttachmentBudget budget = new AttachmentBudget(Duration.ofHours(1));
            extractor.extract(mail, budget);
            if (fastest == null || budget.spent().compareTo(fastest) < 0) {
                fastest = budget.spent();
            }
        }
        return fastest;
    }
}
