package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenizerTest {
    private static List<String> records(String text) {
        List<String> tokens = new ArrayList<>();
        cut(text, tokens, true);
        return tokens;
    }

    private static List<String> queries(String text) {
        List<String> tokens = new ArrayList<>();
        cut(text, tokens, false);
        return tokens;
    }

    private static void cut(String text, List<String> tokens, boolean records) {
        TokenSink sink = (kind, bytes, from, to) ->
                tokens.add(kind.field() + ":" + new String(bytes, from, to - from, StandardCharsets.UTF_8));
        byte[] folded = KeywordText.fold(text).getBytes(StandardCharsets.UTF_8);
        (records ? Tokenizer.ofRecords(sink) : Tokenizer.ofQueries(sink)).cut(folded, 0, folded.length);
    }

    @Test
    void runsOfLettersAndDigits() {
        assertThat(records("blk_-0042 Overheat,x9\t7"))
                .containsExactly("word:blk", "number:0042", "word:overheat", "word:x9", "number:7");
        assertThat(records("")).isEmpty();
        assertThat(records("--- \u2603 \ufe0f")).isEmpty();
    }

    @Test
    void wordsOfOtherScripts() {
        assertThat(records("Stra\u00dfe, \u043c\u0438\u0440 \u0939\u093f\u0928\u094d\u0926\u0940 \u6771\u4eac"))
                .containsExactly(
                        "word:strasse",
                        "word:\u043c\u0438\u0440",
                        "word:\u0939\u093f\u0928\u094d\u0926\u0940",
                        "word:\u6771\u4eac");
        assertThat(records("\u0664\u0662")).containsExactly("number:\u0664\u0662");
    }

    @Test
    void ip4WithoutItsPartsAndPort() {
        assertThat(records("from 10.0.0.1:8080.")).containsExactly("word:from", "ip:10.0.0.1", "number:8080");
        assertThat(records("/10.250.9.207 \u201c1.2.3.4\u201d")).containsExactly("ip:10.250.9.207", "ip:1.2.3.4");
        assertThat(records("10.0.0.1.5")).containsExactly("number:10", "number:0", "number:0", "number:1", "number:5");
        assertThat(records("10.0.0.256 a.1.2.3.4")).doesNotContain("ip:10.0.0.25", "ip:1.2.3.4");
        assertThat(records("01.2.3.4")).doesNotContain("ip:01.2.3.4", "ip:1.2.3.4");
    }

    @Test
    void ip6InCanonicalForm() {
        assertThat(records("2001:DB8:0:0:1:0:0:1")).contains("ip:2001:db8::1:0:0:1", "number:2001", "word:db8");
        assertThat(records("[fe80::1]:443 x")).contains("ip:fe80::1", "number:443", "word:fe80");
        assertThat(records("0:0:0:0:0:0:0:0:2181")).contains("ip:::", "number:2181");
        assertThat(records("at ::1.")).contains("ip:::1");
        assertThat(records("::ffff:10.0.0.1")).contains("ip:::ffff:10.0.0.1", "ip:10.0.0.1");
        assertThat(queries("fe80:0::1")).containsExactly("ip:fe80::1");
    }

    @Test
    void timesHardwareAddressesAndNamesAreNoIp6() {
        assertThat(String.join(" ", records("12:23:01 00:1a:2b:3c:4d:5e add::bad std::vector Foo::1 1::2::3")))
                .doesNotContain("ip:");
    }

    @Test
    void decimalsBesideTheirParts() {
        assertThat(records("took 3.14s 2.5 ms"))
                .containsExactly("word:took", "number:3", "word:14s", "number:2.5", "number:2", "number:5", "word:ms");
        assertThat(records("0.12345 7.0 12:00:01.250 2026.11.21 v1.2.3"))
                .doesNotContain("number:0.12345", "number:7.0", "number:01.250", "number:2026.11", "number:2.3");
        assertThat(queries("2.5")).containsExactly("number:2.5");
        assertThat(queries("0.12345")).containsExactly("number:0", "number:12345");
    }

    @Test
    void pathsBesideTheirParts() {
        assertThat(records("open(/var/log/Messages.1)."))
                .containsExactly(
                        "word:open", "path:/var/log/messages.1", "word:var", "word:log", "word:messages", "number:1");
        assertThat(records("C:\\Windows\\Temp, x"))
                .containsExactly("path:c:\\windows\\temp", "word:c", "word:windows", "word:temp", "word:x");
        assertThat(queries("/var/log")).containsExactly("path:/var/log");
        assertThat(String.join(" ", records("http://a.example/b/c /one a/b/c /tmp/job-1234567/x 1/2/3")))
                .doesNotContain("path:");
        assertThat(queries("/tmp/job-1234567/x")).containsExactly("word:tmp", "word:job", "number:1234567", "word:x");
    }
}
