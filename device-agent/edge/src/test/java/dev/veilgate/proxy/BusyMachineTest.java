package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.extract.mail.Attachments;
import dev.veilgate.extract.mail.Mails;
import dev.veilgate.testing.AttachedPdf;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.ProcessorShare;
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

/** Harmless attachments on a machine that is so busy that a fifth of a processor is left for the proxy. */
class BusyMachineTest {
    private static final double SHARE = 0.2;
    private static final List<String> RECIPIENTS = List.of(CostlyMailTest.RECIPIENT);
    private static final String WORD = "overheating";
    /** Mails of some forty that may be tried again. */
    private static final int SECOND_TRIES = 3;

    @TempDir
    private Path folder;

    @Test
    void noHarmlessAttachmentIsRefusedForItsTime() throws Exception {
        Map<String, byte[]> mails = mails();
        MailLab lab = new MailLab(folder);
        Map<String, Envelope> sealed;
        int monitor = FreePort.choose();
        try (var relay = new CaptureServer();
                var proxy = new ChildProxy(
                        lab,
                        relay.port(),
                        folder.resolve("spool"),
                        "256m",
                        "--monitor-port",
                        Integer.toString(monitor));
                ProcessorShare share = new ProcessorShare(SHARE);
                ExecutorService clients = Executors.newFixedThreadPool(3)) {
            share.limit(proxy.process.toHandle());
            List<Future<String>> answers = new ArrayList<>();
            mails.forEach((name, mail) -> answers.add(clients.submit(() -> {
                try (var smtp = new RawSmtp(proxy.port).patiently()) {
                    return smtp.send(name + "@example.org", RECIPIENTS, mail);
                }
            })));
            for (Future<String> answer : answers) {
                assertThat(answer.get()).startsWith("250 ");
            }
            sealed = CostlyMailTest.indexes(relay.await(mails.size()));
            sendRealOnes(proxy.port);
            String metrics = CostlyMailTest.metrics(monitor);
            assertThat(metrics).contains("veilgate_mail_cut_short_total 0\n");
            assertThat(metrics)
                    .as("a slow processor may need a second try, seldom")
                    .containsPattern("\nveilgate_mail_tried_again_total [0-" + SECOND_TRIES + "]\n");
        }
        assertThat(CostlyMailTest.found(sealed, WORD, folder)).containsExactlyElementsOf(mails.keySet());
    }

    /** Mails that have the word in their attachment alone. */
    private static Map<String, byte[]> mails() throws Exception {
        Map<String, byte[]> mails = new TreeMap<>();
        mails.put("pdf", mail("application/pdf", "a.pdf", AttachedPdf.ofText(Attachments.TEXT)));
        mails.put("pages", mail("application/pdf", "b.pdf", AttachedPdf.ofPages(20, Attachments.TEXT)));
        mails.put("docx", mail("application/msword", "a.docx", Attachments.docx(Attachments.TEXT)));
        mails.put("xlsx", mail("application/octet-stream", "a.xlsx", Attachments.xlsx()));
        mails.put("xls", mail("application/vnd.ms-excel", "a.xls", Attachments.xls()));
        mails.put("pptx", mail("application/octet-stream", "a.pptx", Attachments.pptx()));
        mails.put("odt", mail("application/vnd.oasis.opendocument.text", "a.odt", Attachments.odt()));
        mails.put("rtf", mail("text/rtf", "a.rtf", Attachments.rtf()));
        mails.put("html", mail("text/html", "a.html", ascii("<p>" + Attachments.TEXT)));
        mails.put("csv", mail("text/csv", "a.csv", ascii(Attachments.TEXT.replace(' ', ',') + "\r\n")));
        mails.put("zip", mail("application/zip", "a.zip", Attachments.zip(Map.of("deep/note.txt", Attachments.TEXT))));
        return mails;
    }

    private static byte[] mail(String type, String name, byte[] file) {
        return Mails.withAttachment(type, name, file);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Odd mails of other programs that have attachments, if they are there; some are refused as no mails. */
    private static void sendRealOnes(int port) throws Exception {
        for (Map.Entry<String, byte[]> mail : MailCorpusTest.oddMails().entrySet()) {
            if (new String(mail.getValue(), StandardCharsets.ISO_8859_1).contains("Content-Disposition: attachment")) {
                try (var smtp = new RawSmtp(port).patiently()) {
                    assertThat(smtp.send("real@example.org", RECIPIENTS, mail.getValue()))
                            .as(mail.getKey())
                            .matches("(250|55[024]) .*");
                }
            }
        }
    }
}
