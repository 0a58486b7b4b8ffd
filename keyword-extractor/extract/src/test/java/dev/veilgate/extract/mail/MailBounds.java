package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/** Reads mails far beyond any sense and prints what came of each; run by {@link MailBoundsTest} in a small JVM. */
final class MailBounds {
    private static final String HEAD = "From: a@example.org\r\nSubject: found anyway\r\nMIME-Version: 1.0\r\n";

    private MailBounds() {}

    static void main() throws Exception {
        String mixed = HEAD + "Content-Type: multipart/mixed; boundary=cut\r\n\r\n";
        String base64 = "Content-Transfer-Encoding: base64\r\n\r\n";
        String line = "c29tZSB3b3JkcyBpbiBhIGxpbmUgb2YgYmFzZTY0IHRleHQgYW5kIG1vcmUg\r\n";
        read(
                "textOf100MB",
                repeat(
                        HEAD + "\r\n",
                        1_600_000,
                        i -> "a line of sixty characters and more, with its number " + i + "\r\n",
                        ""));
        read(
                "oneLineOf100MB",
                repeat(
                        HEAD + "\r\n",
                        1_600_000,
                        i -> "no end of the line, sixty characters and more to come, ever on ",
                        ""));
        read(
                "base64Of100MB",
                repeat(
                        mixed + "--cut\r\nContent-Type: application/octet-stream\r\n" + base64,
                        1_600_000,
                        i -> line,
                        "\r\n--cut\r\n\r\nbehind\r\n--cut--\r\n"));
        read(
                "pdfOf100MB",
                repeat(
                        mixed + "--cut\r\nContent-Type: application/pdf\r\n" + base64,
                        1_600_000,
                        i -> line,
                        "\r\n--cut\r\n\r\nbehind\r\n--cut--\r\n"));
        read(
                "htmlOf100MB",
                repeat(HEAD + "Content-Type: text/html\r\n\r\n", 4_000_000, i -> "<p>paragraph <b>and so on", ""));
        read("headerLineOf10MB", repeat(HEAD + "X-Long: ", 1_000_000, i -> "0123456789", "\r\n\r\nbody\r\n"));
        read(
                "foldedHeaderOf10MB",
                repeat(HEAD + "To: x@example.org", 500_000, i -> ",\r\n y" + i + "@example.org", "\r\n\r\nbody\r\n"));
        read("headersOf100000Fields", repeat(HEAD, 100_000, i -> "X-" + i + ": y\r\n", "\r\nbody\r\n"));
        read(
                "multiparts10000Deep",
                repeat(
                        HEAD,
                        10_000,
                        i -> "Content-Type: multipart/mixed; boundary=b" + i + "\r\n\r\n--b" + i + "\r\n",
                        "\r\ncore\r\n"));
        read("messages10000Deep", repeat(HEAD, 10_000, i -> "Content-Type: message/rfc822\r\n\r\n", "\r\ncore\r\n"));
        read(
                "digests10000Deep",
                repeat(
                        HEAD,
                        10_000,
                        i -> "Content-Type: multipart/digest; boundary=b" + i + "\r\n\r\n--b" + i + "\r\n\r\n",
                        "x\r\n"));
        read("parts100000", repeat(mixed, 100_000, i -> "--cut\r\n\r\npart" + i + "\r\n", "--cut--\r\n"));
        read(
                "uuencodedOf100MB",
                repeat(
                        HEAD + "\r\n",
                        1_600_000,
                        i -> i % 1_000 == 0 ? "begin 644 a\r\n" : "M" + "ABCDEF".repeat(10) + "\r\n",
                        ""));
        read("ends10000", repeat(mixed + "--cut\r\n\r\npart\r\n", 10_000, i -> "--cut--\r\n--cut\r\n\r\nmore\r\n", ""));
        read("linesOfHeaderThatAreNone", repeat(HEAD, 1_900, i -> "none ".repeat(10_000) + "\r\n", "\r\nbody\r\n"));
        read("encodedWords", repeat(HEAD + "Subject:", 3_000, i -> " =?UTF-8?B?w7x4w7x4w7x4?=\r\n", "\r\nbody\r\n"));
        read("commentsDeep", repeat(HEAD + "To: ", 100_000, i -> "(", "\r\n\r\nbody\r\n"));
        read("tagsDeep", repeat(HEAD + "Content-Type: text/html\r\n\r\n", 40_000, i -> "<div>", "core"));
        read("formattingTagsDeep", repeat(HEAD + "Content-Type: text/html\r\n\r\n", 20_000, i -> "<b><p><a>", "core"));
        read("xmlDeep", repeat(HEAD + "Content-Type: application/xml\r\n\r\n", 100_000, i -> "<div>", "core"));
        read("oneWordOf2MB", repeat(HEAD + "\r\n", 200_000, i -> "abcdefghij", ""));
        read("distinctWords", repeat(HEAD + "\r\n", 1_000_000, i -> "w" + i + " ", ""));
        read(
                "chinese",
                repeat(
                        HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\n",
                        500_000,
                        i -> Character.toString(0x4e00 + i % 20_000),
                        ""));
        read(
                "endless",
                new SequenceInputStream(
                        new ByteArrayInputStream((HEAD + "\r\n").getBytes(StandardCharsets.UTF_8)), new Endless()));
        System.out.println("peak " + peakMegabytes());
    }

    private static long peakMegabytes() {
        return java.lang.management.ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum()
                >> 20;
    }

    /** A stream that never ends. */
    private static final class Endless extends InputStream {
        private long count;

        @Override
        public int read() {
            count++;
            return count % 77 == 0 ? '\n' : 'x';
        }

        @Override
        public int read(byte[] bytes, int from, int length) {
            for (int i = 0; i < length; i++) {
                bytes[from + i] = (byte) read();
            }
            return length;
        }
    }

    private static InputStream repeat(String head, int times, IntFunction<String> piece, String tail) {
        InputStream middle = new InputStream() {
            private byte[] now = new byte[0];
            private int at;
            private int i;

            @Override
            public int read() {
                while (at == now.length) {
                    if (i == times) {
                        return -1;
                    }
                    StringBuilder next = new StringBuilder();
                    for (int n = 0; n < 100 && i < times; n++, i++) {
                        next.append(piece.apply(i));
                    }
                    now = next.toString().getBytes(StandardCharsets.UTF_8);
                    at = 0;
                }
                return now[at++] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                int first = read();
                if (first < 0) {
                    return -1;
                }
                bytes[from] = (byte) first;
                int n = Math.min(length - 1, now.length - at);
                System.arraycopy(now, at, bytes, from + 1, n);
                at += n;
                return n + 1;
            }
        };
        List<InputStream> all = new ArrayList<>(List.of(
                new ByteArrayInputStream(head.getBytes(StandardCharsets.UTF_8)),
                middle,
                new ByteArrayInputStream(tail.getBytes(StandardCharsets.UTF_8))));
        return new SequenceInputStream(Collections.enumeration(all));
    }

    private static void read(String name, InputStream mail) throws Exception {
        long start = System.nanoTime();
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            MailKeywords keywords = extractor.extract(mail);
            var words = Mails.words(keywords);
            long millis = (System.nanoTime() - start) / 1_000_000;
            System.out.println(name + " " + millis + " found=" + words.contains("subject:found") + " behind="
                    + words.contains("word:behind") + " keywords="
                    + keywords.keywords().size() + " bytes="
                    + keywords.bytes() + " "
                    + keywords.refusals().stream().limit(3).toList());
        }
    }
}
