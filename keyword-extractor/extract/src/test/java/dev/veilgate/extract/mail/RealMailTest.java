package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every mail is read or refused with a reason, in its time, and each word of a plain text is found. On the real mails of the folder that
 * -Dveilgate.data names; without it on our own samples.
 */
class RealMailTest {
    /** Of this thread: what else the machine does is not counted, nor the process that reads attachments, which has its own time. */
    private static final long MAX_NANOS = 10_000_000_000L;

    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

    private static final Pattern OTHER_TYPE = Pattern.compile("\\ncontent-type:(?!\\s*text/plain)");

    static List<Path> folders() {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            assertThat(System.getenv("CI")).as("CI runs with -Dveilgate.data").isNull();
            System.out.println("RealMailTest: no -Dveilgate.data, own samples only");
            return List.of(Path.of("keyword-extractor", "extract", "src", "test", "resources", "mail"));
        }
        return List.of(Path.of(data, "mail"), Path.of(data, "mime"), Path.of(data, "newsgroups", "alt.atheism"));
    }

    @Test
    void everyMailIsReadOrRefusedWithAReason() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (Path folder : folders()) {
                Map<Refusal.Reason, Integer> reasons = new EnumMap<>(Refusal.Reason.class);
                List<Path> files = Mails.files(folder);
                assertThat(files).isNotEmpty();
                long keywords = 0;
                for (Path file : files) {
                    long start = threads.getCurrentThreadCpuTime();
                    MailKeywords mail = extractor.extract(Mails.real(file));
                    assertThat(threads.getCurrentThreadCpuTime() - start)
                            .as(file.toString())
                            .isLessThan(MAX_NANOS);
                    assertThat(mail.keywords().size() + mail.refusals().size())
                            .as(file.toString())
                            .isPositive();
                    mail.refusals().forEach(refusal -> reasons.merge(refusal.reason(), 1, Integer::sum));
                    keywords += mail.keywords().size();
                }
                System.out.println("RealMailTest: " + folder.getFileName() + ", " + files.size() + " mails, "
                        + keywords / files.size() + " keywords a mail, refusals " + reasons);
                assertThat(reasons).doesNotContainKeys(Refusal.Reason.MALFORMED_MESSAGE, Refusal.Reason.READER_FAILED);
            }
        }
    }

    /** By a tokenizer of three lines that shares nothing with ours: runs of ASCII letters of bodies that are plain ASCII. */
    @Test
    void everyWordOfAPlainTextIsFound() throws Exception {
        int checked = 0;
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (Path folder : folders()) {
                for (Path file : Mails.files(folder)) {
                    byte[] bytes = Mails.real(file);
                    String mail = new String(bytes, StandardCharsets.ISO_8859_1).replace("\r\n", "\n");
                    int end = mail.indexOf("\n\n");
                    if (end < 0 || !isPlain(mail.substring(0, end)) || !isAscii(mail)) {
                        continue;
                    }
                    checked++;
                    Set<String> found = Mails.values(extractor.extract(bytes), "word");
                    String body = mail.substring(end);
                    Matcher words = WORD.matcher(body);
                    while (words.find()) {
                        if (!isBesideDigit(body, words.start(), words.end())) {
                            assertThat(found)
                                    .as("a word of %s", file)
                                    .contains(words.group().toLowerCase(Locale.ROOT));
                        }
                    }
                }
            }
        }
        System.out.println("RealMailTest: words of " + checked + " plain mails looked up");
        assertThat(checked).isPositive();
    }

    private static boolean isBesideDigit(String text, int from, int to) {
        return from > 0 && Character.isDigit(text.charAt(from - 1))
                || to < text.length() && Character.isDigit(text.charAt(to));
    }

    private static boolean isPlain(String header) {
        String lower = "\n" + header.toLowerCase(Locale.ROOT);
        boolean typed = OTHER_TYPE.matcher(lower).find();
        boolean encoded = lower.contains("quoted-printable") || lower.contains("base64") || lower.contains("iso-2022");
        return !typed && !encoded && lower.contains("\nsubject:");
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
