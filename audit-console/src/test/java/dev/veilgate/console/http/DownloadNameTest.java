package dev.veilgate.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a sender calls an attachment, the name of the download is a name and shows its ending. */
class DownloadNameTest {
    private static final Pattern HEADER = Pattern.compile(
            "attachment; filename=\"([ -~&&[^\"\\\\]]+)\"; filename\\*=UTF-8''([!-~&&[^\"'()*,/:;<=>?@\\\\\\[\\]{}]]+)");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            quoteCharacter = '^',
            value = {
                "report.pdf|report.pdf",
                "Bericht f\u00fcr M\u00e4rz.pdf|Bericht f\u00fcr M\u00e4rz.pdf",
                "../../etc/passwd|_.._etc_passwd",
                "C:\\temp\\a.txt|C__temp_a.txt",
                "a\u2215b\uff0fc\uff3cd\u2044e.txt|a_b_c_d_e.txt",
                "invoice\u202efdp.exe|invoicefdp.exe",
                "a\u200b\u2066\ufeff\u0007\u0085b.txt|ab.txt",
                "a\u0007X-Evil: 1.txt|aX-Evil_ 1.txt",
                "report.pdf\u00a0   \u3000   .exe|report.pdf .exe",
                "report.exe. . .|report.exe",
                "report.pdf\u2800\u2800\u3164\u115f\u1160\uffa0.exe|report.pdf .exe",
                "a\u034f\ufe0e\u180b\u17b4\udb40\udd00b.txt|ab.txt",
                "\u3164.exe|exe",
                " .hidden|hidden",
                "con|_con",
                "NUL.txt|_NUL.txt",
                "Com1.tar.gz|_Com1.tar.gz",
                "lpt\u00b2.doc|_lpt\u00b2.doc",
                "aux .c|_aux .c",
                "console.log|console.log",
                "a\"; filename=evil.exe|a_; filename=evil.exe",
                "50%41.txt|50_41.txt",
                "...|download",
            })
    void cleans(String name, String clean) {
        assertThat(DownloadName.clean(name)).isEqualTo(clean);
        assertThat(DownloadName.clean(clean)).as("again").isEqualTo(clean);
    }

    @Test
    void namesWithoutAnythingAreDownloads() {
        assertThat(DownloadName.clean("")).isEqualTo("download");
        assertThat(DownloadName.clean("\u202e\ud800\r\n\u0000")).isEqualTo("download");
    }

    /** A name of megabytes takes no longer than its reading. */
    @Test
    @Timeout(20)
    void cutsNamesOfAnyLength() {
        for (String letter : List.of("x", " ", ".", " x")) {
            String clean = DownloadName.clean("a" + letter.repeat(2_000_000) + ".pdf");
            assertThat(clean).startsWith("a").endsWith(".pdf").hasSizeLessThan(256);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\u00e4", "\ud83d\ude00", "."})
    void cutsLongNamesAndKeepsTheEnding(String letter) {
        String clean = DownloadName.clean("a" + letter.repeat(400) + "b.docx");
        assertThat(clean).endsWith(".docx").startsWith("a");
        assertThat(clean.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(DownloadName.MAX_BYTES);
        assertThat(clean).doesNotContain("\ufffd", "?");
        assertThat(DownloadName.clean("a." + letter.repeat(400) + "b").getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(DownloadName.MAX_BYTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report.pdf",
                "M\u00e4rz \ud83d\ude00.pdf",
                "a\"; filename*=UTF-8''evil.exe; x=\"",
                "\u202egpj.exe",
                "../x/\\y'();,[]{}@=.txt",
                "a\r\nSet-Cookie: x=1"
            })
    void bothFormsOfTheHeaderAreClean(String name) {
        Matcher header = HEADER.matcher(DownloadName.attachment(name));
        assertThat(header.matches()).as(DownloadName.attachment(name)).isTrue();
        String decoded = URLDecoder.decode(header.group(2).replace("+", "%2B"), StandardCharsets.UTF_8);
        assertThat(decoded).isEqualTo(DownloadName.clean(name));
        assertThat(DownloadName.clean(header.group(1))).isEqualTo(header.group(1));
        assertThat(header.group(1))
                .isEqualTo(decoded.codePoints()
                        .collect(
                                StringBuilder::new,
                                (s, c) -> s.append(c < 0x80 ? (char) c : '_'),
                                StringBuilder::append)
                        .toString());
    }
}
