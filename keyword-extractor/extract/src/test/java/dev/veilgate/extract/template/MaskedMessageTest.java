package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MaskedMessageTest {
    private static String masked(String message) {
        return masked(TemplateSettings.DEFAULT, message);
    }

    private static String masked(TemplateSettings settings, String message) {
        MaskedMessage masked = new MaskedMessage(settings);
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        masked.read(bytes, 0, bytes.length);
        return new String(masked.text(), 0, masked.length(), StandardCharsets.UTF_8).replace('\0', '*');
    }

    @Test
    void masksNumbers() {
        assertThat(masked("took 3.14 s, -7 left, 12,345 in all (42)")).isEqualTo("took * s, * left, * in all (*)");
        assertThat(masked("rdd_42_12 of task-7: x86_64")).isEqualTo("rdd_* of task-*: *");
    }

    @Test
    void masksAddresses() {
        assertThat(masked("from 10.0.0.1:22 to /10.251.73.220:50010")).isEqualTo("from * to /*");
        assertThat(masked("fe80::1 00:0d:60:e9:40:93 [::1]")).isEqualTo("* * [::*]");
        assertThat(masked("proxy.example.org:8080 a.b:1 220-135-1.hinet.example rhost=zummit.example"))
                .isEqualTo("* * * rhost=*");
    }

    @Test
    void masksIdentifiers() {
        assertThat(masked("[instance: 96abccce-8d1f-4e07-b6d1-4b2ab87e23b4]")).isEqualTo("[instance: *]");
        assertThat(masked("0x7f961cf08cf0 deadbeef01 blk_-6952295868487656571")).isEqualTo("* * blk_*");
    }

    @Test
    void masksPaths() {
        assertThat(masked("open /var/log/syslog. at C:\\Windows\\cbs.log and/or /tmp"))
                .isEqualTo("open *. at * and/or /tmp");
    }

    @Test
    void masksValuesOfKeys() {
        assertThat(masked("uid=0 user=root, name=\"View\" ruser= (a=b) x==y"))
                .isEqualTo("uid=* user=*, name=\"View\" ruser= (a=*) x==*");
    }

    @Test
    void masksDates() {
        assertThat(masked("[Sun Dec 04 04:47:44 2005] decide sunny")).isEqualTo("[* * * * *] decide sunny");
    }

    @Test
    void keepsWords() {
        assertThat(masked("  Überhitzung\tim Lager;  fade\r\n")).isEqualTo("Überhitzung im Lager; fade");
    }

    @Test
    void looksAtAPrefixOnly() {
        TemplateSettings settings = new TemplateSettings(16, 4, 4, 16, 3, 2, 500);
        assertThat(masked(settings, "abc def ghi jkl mno")).isEqualTo("abc def ghi");
        assertThat(masked(settings, "abcdefghijklmnopqrst")).isEqualTo("abcdefghijklmnop");
    }

    @Test
    void tokensHaveTheHashesThatTheirTextHas() {
        MaskedMessage masked = new MaskedMessage(TemplateSettings.DEFAULT);
        byte[] bytes = "Accepted password for root from 10.0.0.1 port 22 ssh2".getBytes(StandardCharsets.UTF_8);
        masked.read(bytes, 0, bytes.length);
        assertThat(Template.hashesOf(masked.copyOfText())).isEqualTo(masked.copyOfHashes());
        assertThat(masked.hashes()[5]).isEqualTo(MaskedMessage.WILDCARD);
        assertThat(masked.path()).containsExactly(masked.hashes()[0], masked.hashes()[1]);
    }
}
