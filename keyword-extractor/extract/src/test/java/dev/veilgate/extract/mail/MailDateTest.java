package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MailDateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mon, 2 Sep 2002 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Mon,  2 Sep 2002 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Mon, 02 Sep 2002 11:54 +0200|2002-09-02T09:54:00Z",
                "Mon, 2 Sep 2002 11:54:55 +0200 (CEST)|2002-09-02T09:54:55Z",
                "Mon, 2 Sep 2002 11:54:55 (a (nested) comment) +0200|2002-09-02T09:54:55Z",
                "2 Sep 2002 11:54:55 GMT|2002-09-02T11:54:55Z",
                "Mon, 2 Sep 2002 11:54:55 EST|2002-09-02T16:54:55Z",
                "Mon, 2 Sep 2002 11:54:55 PDT|2002-09-02T18:54:55Z",
                "Mon, 2 Sep 2002 11:54:55 -0000|2002-09-02T11:54:55Z",
                "Mon, 2 Sep 2002 11:54:55 Z|2002-09-02T11:54:55Z",
                "Mon, 2 Sep 2002 11:54:55|2002-09-02T11:54:55Z",
                "Mon, 2 Sep 02 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Mon, 2 Sep 102 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Thu, 2 Sep 93 11:54:55 EDT|1993-09-02T15:54:55Z",
                "Monday, 02-Sep-02 11:54:55 GMT|2002-09-02T11:54:55Z",
                "Mon Sep  2 11:54:55 2002|2002-09-02T11:54:55Z",
                "Mon Sep 02 11:54:55 2002|2002-09-02T11:54:55Z",
                "Mon Sep 02 11:54:55 CEST 2002|2002-09-02T09:54:55Z",
                "Mon, Sep 2 2002 11:54:55 GMT|2002-09-02T11:54:55Z",
                "Lun, 2 Sep 2002 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Mon, 2 September 2002 11:54:55 +0200|2002-09-02T09:54:55Z",
                "Mon , 2 Sep 2002 11 : 54 : 55 +0200|2002-09-02T09:54:55Z",
                "Mon, 2 Sep 2002 11.54.55 +0200|2002-09-02T09:54:55Z",
                "2002-09-02T11:54:55+02:00|2002-09-02T09:54:55Z",
                "2002-09-02 11:54:55|2002-09-02T11:54:55Z",
                "2 Sep 2002|2002-09-02T00:00:00Z",
                "2002-09-02|2002-09-02T00:00:00Z",
                "Mon, 2 Sep 2002 11:54:55 MET DST|2002-09-02T09:54:55Z",
                "Mon Sep  2 11:54:55 MET DST 2002|2002-09-02T09:54:55Z",
                "Mon, 2 Dec 2002 11:54:55 MET|2002-12-02T10:54:55Z",
                "Mon Sep 2 11:54:55 2002 +0200|2002-09-02T09:54:55Z",
                "9/2/2002 11:54:55 PM +0200|2002-09-02T21:54:55Z",
                "Mon, 2 Sep 2002 23:54:60 +0000|2002-09-02T23:54:59Z",
            })
    void isReadInAnyForm(String written, String time) {
        assertThat(MailDate.read(written)).contains(Instant.parse(time));
        assertThat(MailDate.read(" " + written.replace(" ", "\r\n\t") + "\r\n")).contains(Instant.parse(time));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "Mon, 32 Sep 2002 11:54:55 +0200",
                "Mon, 31 Feb 2002 11:54:55 +0200",
                "Mon, 2 Foo 2002 11:54:55 +0200",
                "2 Sep",
                "11:54:55",
                "(Mon, 2 Sep 2002 11:54:55 +0200",
                "Mon, 2 Sep 0002 11:54:55 +0200",
            })
    void isNoneWhereItIsNoDate(String written) {
        assertThat(MailDate.read(written)).isEmpty();
    }

    @Test
    void costsLittleWhateverIsWritten() {
        assertThat(MailDate.read("(".repeat(100_000))).isEmpty();
        assertThat(MailDate.read("1 ".repeat(100_000))).isEmpty();
        assertThat(MailDate.read("a, ".repeat(300))).isEmpty();
    }

    @Test
    void mailsByRules2AreFoundByIt() {
        String mail = "Date: Mon Sep 02 11:54:55 CEST 2002\r\nSubject: x\r\n\r\nbody\r\n";
        assertThat(keywords(mail, 2)).contains(Keyword.text("date", "2002-09-02"), Keyword.text("date", "2002-09"));
    }

    /** The name is cut at its second quote by rules 1. */
    @Test
    void mailsByRules2AreFoundByTheNamesThatAreShown() {
        String mail = "Subject: x\r\nContent-Type: application/pdf\r\n"
                + "Content-Disposition: attachment; filename*0=\"1 a 'b' c\"; filename*1=.pdf\r\n\r\nbody\r\n";
        assertThat(keywords(mail, 2))
                .contains(
                        Keyword.text("filename", "1 a 'b' c.pdf"),
                        Keyword.text("filename", "*.pdf"),
                        Keyword.text("attachment-type", "application/pdf"));
        assertThat(keywords(mail, 1)).doesNotContain(Keyword.text("filename", "1 a 'b' c.pdf"));
    }

    private static List<Keyword> keywords(String mail, int rules) {
        try (MailExtractor extractor =
                new MailExtractor(ExtractorProfile.defaults().withRules(rules))) {
            return extractor.extract(mail.getBytes(StandardCharsets.ISO_8859_1)).keywords();
        }
    }
}
