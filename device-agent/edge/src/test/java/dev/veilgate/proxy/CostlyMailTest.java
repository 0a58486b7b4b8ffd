package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.AttachedPdf;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages whose attachments take long, and harmless ones that are submitted at the same time. */
class CostlyMailTest {
    static final String RECIPIENT = "rsa@example.org";

    /** Each has twice the work of the one before: on any machine the second try is enough for one or two of them. */
    private static final int LEAST_WORK = 13;

    private static final int MOST_WORK = 19;

    @TempDir
    private Path folder;

    @Test
    void harmlessMailsBesideCostlyOnesAreFoundByTheirAttachments() throws Exception {
        Map<String, byte[]> pdfs = new TreeMap<>();
        for (int i = 0; i < 4; i++) {
            pdfs.put("costly" + i, AttachedPdf.ofNestedForms(40, "owls " + i));
            pdfs.put("harmless" + i, AttachedPdf.ofText("owls " + i));
        }
        for (int work = LEAST_WORK; work <= MOST_WORK; work++) {
            pdfs.put("slow" + work, AttachedPdf.ofNestedForms(work, "owls"));
        }
        Sealed sealed = seal(pdfs);
        assertThat(sealed.indexes).hasSize(pdfs.size());
        List<String> found = found(sealed.indexes, "owls", folder);
        assertThat(found)
                .contains("harmless0", "harmless1", "harmless2", "harmless3")
                .doesNotContain("costly0", "costly1", "costly2", "costly3");
        assertThat(sealed.tried)
                .as("those that nobody finds, and what took a little too long at first")
                .isGreaterThan(pdfs.size() - found.size());
        assertThat(sealed.cutShort).isEqualTo(pdfs.size() - found.size());
        sealed.indexes.forEach((name, index) -> assertThat(index.attachmentReading())
                .as("what the envelope of %s says", name)
                .contains(found.contains(name) ? AttachmentReading.WHOLE : AttachmentReading.CUT_SHORT));
    }

    /**
     * The indexes that have a word of the text, by name.
     *
     * @param sealed for {@link #RECIPIENT}
     */
    static List<String> found(Map<String, Envelope> sealed, String word, Path folder) throws Exception {
        List<String> found = new ArrayList<>();
        try (FileTrapdoorStore store = FileTrapdoorStore.open(folder.resolve("trapdoors"))) {
            for (Map.Entry<String, Envelope> each : sealed.entrySet()) {
                Envelope index = each.getValue();
                KeywordDomain domain = new KeywordDomain(
                        MailLab.TENANT,
                        "mailbox-" + RECIPIENT,
                        index.index().getFirst().epoch());
                ScopedTrapdoor trapdoor = NtruPeks.withDefaults()
                        .trapdoor(MailLab.indexKeys().secretKey(), domain, Keyword.text("word", word), store);
                var search = PreparedSearch.of(
                        SearchRequest.allOf(MailLab.TENANT, List.of(List.of(trapdoor))), IndexSchemes.load());
                if (!search.match(index, IndexAdmission.trust(index, IndexSchemes.load()))
                        .isEmpty()) {
                    found.add(each.getKey());
                }
            }
        }
        return found;
    }

    /** The indexes of mails by the first part of the address that they were sent from. */
    static Map<String, Envelope> indexes(List<CaptureServer.Mail> mails) throws Exception {
        Map<String, Envelope> sealed = new TreeMap<>();
        for (CaptureServer.Mail mail : mails) {
            sealed.put(
                    mail.sender().substring(0, mail.sender().indexOf('@')),
                    Envelope.decode(SealedParts.of(mail.bytes()).index()));
        }
        return sealed;
    }

    /**
     * Mails that were sealed.
     *
     * @param tried    how many were read twice
     * @param cutShort how many have an index that lacks something
     */
    private record Sealed(Map<String, Envelope> indexes, int tried, int cutShort) {}

    private Sealed seal(Map<String, byte[]> pdfs) throws Exception {
        MailLab lab = new MailLab(folder);
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(lab.settings(folder.resolve("spool"), 16 << 20, false), relay.port());
                ExecutorService clients = Executors.newFixedThreadPool(pdfs.size())) {
            List<Future<String>> answers = new ArrayList<>();
            pdfs.forEach((name, pdf) -> answers.add(clients.submit(() -> {
                String mail = AttachedPdf.mail("Subject: " + name + "\r\n", "see the file", pdf);
                try (var smtp = new RawSmtp(proxy.port())) {
                    return smtp.send(name + "@example.org", List.of(RECIPIENT), mail.getBytes(StandardCharsets.UTF_8));
                }
            })));
            for (Future<String> answer : answers) {
                assertThat(answer.get()).startsWith("250 ");
            }
            Map<String, Envelope> sealed = indexes(relay.await(pdfs.size()));
            String metrics = metrics(proxy.monitorPort());
            return new Sealed(sealed, count(metrics, "tried_again"), count(metrics, "cut_short"));
        }
    }

    private static int count(String metrics, String name) {
        String line = "\nveilgate_mail_" + name + "_total ";
        int from = metrics.indexOf(line) + line.length();
        return Integer.parseInt(metrics.substring(from, metrics.indexOf('\n', from)));
    }

    static String metrics(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
            return client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
