package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders of the site in plain mail of a stranger, as hostile as they are spelled, and what is delivered of them. */
class OwnSenderSpellingTest extends OwnSenderSite {
    static List<String> spellings() {
        List<String> all = new ArrayList<>(List.of(
                "From: ADA@ACME.EXAMPLE",
                "From: =?iso-2022-jp?Q?ada@ac=1B(?= =?iso-2022-jp?Q?Bme.example?=",
                "From: =?iso-2022-jp?Q?Bob_<ada@ac=1B(?=\r\n =?iso-2022-jp?Q?Bme.example>?=\r\nSender: x@x.example",
                "From: =?utf-8?Q?ada=EF=BC?= =?utf-8?Q?=A0acme.example?=",
                "From: =?utf-8?Q?ada=EF?==?UTF-8*en?B?vKBhY21lLmV4YW1wbGU=?= <mallory@elsewhere.example>",
                "FROM:\r\n Ada\r\n <ada@acme.example>",
                "From : ada@acme.example",
                "From: ada@acme.example.",
                "From: ada@.acme.example..",
                "From: Ada <ada@acme.example.>",
                "From: \"ada lovelace\"@acme.example",
                "From: \"a@b\"@acme.example",
                "From: ada@acme.(x)example",
                "From: ada@(x)acme.example",
                "From: ada@ac(x)me.example",
                "From: ada (x) @ (y) acme (z) . example",
                "From: ada@ acme.example",
                "From: <@elsewhere.example:ada@acme.example>",
                "From: <@acme.example,@elsewhere.example:mallory@elsewhere.example>",
                "From: Staff: ada@acme.example;",
                "From: Staff: mallory@elsewhere.example, ada@acme.example;",
                "From: ada@acme.example: mallory@elsewhere.example;",
                "From: mallory@elsewhere.example, ada@acme.example",
                "From: mallory@elsewhere.example\r\nFrom: ada@acme.example",
                "From: ada@acme.example\r\nFrom: mallory@elsewhere.example",
                "From: mallory@elsewhere.example <ada@acme.example>",
                "From: ada@acme.example <mallory@elsewhere.example>",
                "From: \"ada@acme.example\" <mallory@elsewhere.example>",
                "From: 'ada@acme.example' <mallory@elsewhere.example>",
                "From: (ada@acme.example) mallory@elsewhere.example",
                "From: <ada@acme.example> <mallory@elsewhere.example>",
                "From: mallory@elsewhere.example ada@acme.example",
                "From: ada@acme.example@elsewhere.example",
                "From: \"ada@acme.example\"@elsewhere.example",
                "From: =?utf-8?q?ada=40acme.example?=",
                "From: =?utf-8?q?ada?= <=?utf-8?q?ada?=@acme.example>",
                "From: =?utf-8?B?YWRhQGFjbWUuZXhhbXBsZQ==?= <mallory@elsewhere.example>",
                "From: \"=?utf-8?B?YWRhQGFjbWUuZXhhbXBsZQ==?=\" <mallory@elsewhere.example>",
                "From: =?utf-8?q?ada=40ac?= =?utf-8?q?me.example?= <mallory@elsewhere.example>",
                "From: =?utf-16be?B?AGEAQABhAGMAbQBlAC4AZQB4AGEAbQBwAGwAZQ==?= <mallory@elsewhere.example>",
                "From: =?utf-8?q?=3D=3Futf-8=3Fq=3Fada=3D40acme.example=3F=3D?= <mallory@elsewhere.example>",
                "From: mallory@elsewhere.example\r\nSender: ada@acme.example",
                "Sender: ada@acme.example",
                "From: bob@bücher.example",
                "From: bob@BÜCHER.example",
                "From: bob@xn--bcher-kva.example",
                "From: bob@XN--BCHER-KVA.Example",
                "From: =?utf-8?q?bob=40b=C3=BCcher.example?= <mallory@elsewhere.example>",
                "From: ada＠acme.example",
                "From: ada@ａｃｍｅ.example",
                "From: ada@acme。example",
                "From: ada@ac\u200bme.example",
                "From: ada@ac\u00adme.example",
                "From: ada@acme\u17b4.example",
                "From: ada@acme\u17b5.example",
                "From: ada@ac\u115fme.example",
                "From: ada@ac\u1160me.example",
                "From: ada@ac\u3164me.example",
                "From: ada@ac\uffa0me.example",
                "From: ada@ac\u2065me.example",
                "From: ada@ac\ufff0me.example",
                "From: ada@ac\u2800me.example",
                "From: ada@ac\udb40\udc80me.example",
                "From: ada@ac\udb40\uddf0me.example",
                "From: ada@ac(\\))me.example",
                "From: ada@ac(\\)x)me.example",
                "From: \"ada@acme\u202e.example\" <mallory@elsewhere.example>",
                "From: \"\u202eelpmaxe.emca@ada\" <mallory@elsewhere.example>",
                "From: \"Hi ada@acme.e\u202eelpmax\u202c\" <mallory@elsewhere.example>",
                "From: =?utf-8?Q?=E2=80=AEelpmaxe.emca=40ada?= <mallory@elsewhere.example>",
                "From: bob@stra\u00dfe.example",
                "From: bob@STRA\u1e9eE.example",
                "From: bob@xn--strae-oqa.example",
                "From: bob@strasse.example",
                "From: bob@wei\u00df.example",
                "From: bob@wei\u00ad\u00df.example",
                "From: bob@xn--wei-7ka.example",
                "From: " + "x".repeat(900) + " <mallory@elsewhere.example>"
                        + (",\r\n " + "m".repeat(60) + "@elsewhere.example").repeat(500)));
        for (Charset wide :
                List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE, Charset.forName("UTF-32LE"))) {
            for (String name : List.of("utf-16", "iso-10646-ucs-2", "UCS-2", "unicode", "utf-32", "x-unheard-of")) {
                all.add(word(name, ADA, wide));
            }
        }
        for (Charset order : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            for (String name : List.of("utf-16", "iso-10646-ucs-2", "unicode")) {
                all.add(word(name, "bob@b\u00fccher.example", order));
            }
        }
        String base64 = "QWRhIDxhZGFAYWNtZS5leGFtcGxlPg"; // Ada <ada@acme.example>
        for (String spelled : List.of(
                base64 + "==",
                base64,
                base64 + "===",
                base64.substring(0, 16) + " " + base64.substring(16) + "==",
                base64.substring(0, 16) + "=" + base64.substring(16),
                base64.substring(0, 15) + "!?\u00a7=" + base64.substring(15),
                base64 + "AAA",
                "QQ==" + base64,
                "QQ" + "=" + base64 + "AA=A")) {
            all.add("From: =?utf-8?B?" + spelled + "?= <mallory@elsewhere.example>");
        }
        for (String charset : List.of(
                "utf-8*" + "x".repeat(30), "utf-8*", "", "x".repeat(50), "x".repeat(900), "no charset", "us-ascii")) {
            all.add("From: =?" + charset + "?Q?ada=40acme.example?= <mallory@elsewhere.example>");
        }
        all.addAll(List.of(
                "From: =?us-ascii?Q?ada=40ac=ADme.example?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?Ada <ada=40acme.example>?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?Hi?_ada=40acme.example?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?Hi?=_ada=40acme.example?= <mallory@elsewhere.example>",
                "From: =?a?q?=?utf-8?B?" + base64 + "?= <mallory@elsewhere.example>",
                "From: =?utf-8?q?ada=40ac?= =??Q??= =?utf-8?q?me.example?= <mallory@elsewhere.example>",
                "From: =?utf-8?q?ada=40ac?= =?x?B?=?= =?utf-8?q?me.example?= <mallory@elsewhere.example>",
                "From: =?utf-8?q?ada=40ac?=\u000b=?utf-8?q?me.example?= <mallory@elsewhere.example>",
                "From: =?utf-7?Q?ada+AEA-acme.example?= <mallory@elsewhere.example>",
                "From: =?x-unicode-2-0-utf-7?Q?ada+AEA-acme.example?= <mallory@elsewhere.example>",
                "From: =?hz-gb-2312?Q?ada~{#@~}acme.example?= <mallory@elsewhere.example>",
                "From: " + nested(nested(nested("ada@acme.example"))) + " <mallory@elsewhere.example>"));
        all.add("From: "
                + IntStream.range(0, 60).mapToObj("=?x%d?q?a?=\r\n "::formatted).collect(Collectors.joining())
                + "<mallory@elsewhere.example>");
        all.add("Received: by x\r\nno field\r\nFrom: ada@acme.example");
        return all;
    }

    private static String word(String charset, String text, Charset bytes) {
        return "From: =?" + charset + "?B?" + Base64.getEncoder().encodeToString(text.getBytes(bytes))
                + "?= <mallory@elsewhere.example>";
    }

    private static String nested(String text) {
        return "=?utf-8?B?" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void aSenderOfTheSiteIsSeenHoweverItIsSpelled(String header) throws Exception {
        String sent = new String(mail(header).getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertThat(send(STRANGER, PLAIN_TO, sent)).startsWith(refused(header));
    }

    /**
     * Fields in which mail programs show bob@acme.example, though no reading of the gateway's finds it: from
     * Thunderbird, the bytes as ISO 8859-1.
     */
    static List<String> hidden() {
        String other = " <mallory@elsewhere.example>";
        List<String> all = new ArrayList<>();
        for (String name : List.of(
                "=?utf-8?B?Ym9iQGFjeA?= =?utf-8?Q?me.example?=",
                "\"=?utf-8?B?Ym9iQGFjeA?= =?utf-8?Q?me.example?=\"",
                "=?utf-8?Q?bob=40ac=_?= =?utf-8?Q?me.example?=",
                "=?utf-8?Q?bob=40ac=?= =?utf-8?Q?me.example?=",
                "\"=?utf-8?Q?bob=40ac=__?= =?utf-8?Q?me.example?=\"",
                "=?utf-8?Q?Bob_=28bob=40ac=01me.example=29?=",
                "=?x-gbk?Q?bob=A3=C0acme.example?=",
                "=?csgb2312?Q?bob=A3=C0acme.example?=",
                "=?gb_2312-80?Q?bob=A3=C0acme.example?=",
                "=?x-x-big5?Q?bob=A2=49acme.example?=",
                "=?cn-big5?Q?bob=A2=49acme.example?=",
                "=?korean?Q?bob=A3=C0acme.example?=",
                "=?ks_c_5601-1989?Q?bob=A3=C0acme.example?=",
                "=?gb2312?B?Ym9iQGFjhDGBMG1lLmV4YW1wbGU=?=",
                "=?gbk?B?Ym9iQGFjgTCCN21lLmV4YW1wbGU=?=",
                "=?shift_jis?Q?bob@a=87=70e.example?=",
                "=?iso-2022-jp?Q?bob=40ac=1B?= =?iso-2022-jp?Q?(Bme.=1B$B?= =?ISO-2022-JP?Q?example?=",
                "=?utf-8?Q?bob=EF=BC?= =?utf-8?Q?=A0ac=EF?= =?UTF-8?Q?me.example?=",
                "\"bob\u00a3\u00c0acme.example\"",
                "\"bob\u0081\u0097acme.example\"",
                "\"bob\u00a2Iacme.example\"",
                "Bob (bob@acme .example)",
                "Bob (bob@acme\" .exa\"\"mple\")",
                "bob@acme .exam ple via the list")) {
            all.add("From: " + name + other);
            all.add("From: Mallory" + other + "\r\nSender: " + name + other);
        }
        for (String address : List.of(
                "Bob <bob@=?utf-8?B?YWN4?= =?utf-8?Q?me.example?=>",
                "Bob <bob@=?utf-8?B?YWNteA?= =?utf-8?Q?e.example?=>",
                "Bob <bob@=?utf-8?Q?ac=_?= =?utf-8?Q?me.example?=>",
                "Bob <bob@=?utf-8?Q?ac=?= =?utf-8?Q?me.example?=>",
                "Bob <bob@\u00a3\u00e1cme.example>",
                "Bob <bob@acme).example>",
                "Bob <bob@)acme.example>",
                "bob@ac)me.example",
                "\"Bob\" bob@ac)me.example",
                "Bob <bob@\\( acme.example>",
                "bob@\"acme\"\\)\".example\"",
                "Bob <bob@acme .exam ple x>",
                "=?utf-8?B?Qm9iIDxib2JAYWN4?= <mallory@elsewhere.example>")) {
            all.add("From: " + address);
            all.add("From: " + address + "\r\nSender: mallory@elsewhere.example");
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void noProgramFindsASenderOfTheSiteInWhatIsDelivered(String header) throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail(header))).startsWith("250");
        String shown = delivered.getLast();
        assertThat(shown.substring(0, shown.indexOf("\r\nTo: ")))
                .matches("(?s)Received: .*\r\nFrom: (bob@acme|(Mallory <)?mallory@elsewhere\\.example>?)"
                        + "(\r\nSender: mallory@elsewhere\\.example)?");
    }

    /** Escapes of ISO-2022-JP, which programs leave out of an address. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bob <(=?utf-8?Q?(?=)bob@ac\u001bme.example>\")\"",
                "\"Bob (\" <bob@ac\u001bme.example> \")\"",
                "\"Bob (bob@ac\u001bme.example)\" <mallory@elsewhere.example>",
                "=?(bob@ac\u001bme.example)  =?utf-8?q?xxxxxxxxxxxxx?= <mallory@elsewhere.example>",
                "\"\u00ff bob@ac\u001b(Bme.example\" <mallory@elsewhere.example>",
                "Bob\u00ff <bob@(x(x)ac\u001b(Bme.example>\")\""
            })
    void anAddressWithEscapesIsRefused(String from) throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail("From: " + from))).startsWith("554 5.6.0");
    }

    @Test
    void anAddressInIso8859IsSeen() throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail("From: bob@b\u00fccher.example")))
                .startsWith(REFUSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "From: ada@mail.acme.example",
                "From: ada@acme.example.elsewhere.example",
                "From: ada@notacme.example",
                "From: Ada Lovelace (acme.example) <ada@elsewhere.example>",
                "From: acme.example@elsewhere.example",
                "From: mallory@elsewhere.example\r\nReply-To: ada@acme.example\r\nResent-From: ada@acme.example",
                "From: mallory@elsewhere.example\r\nX: From: ada@acme.example",
                "From: \"ada at acme.example\" <mallory@elsewhere.example>",
                "From: bob@weiss.example",
                "From: bob@xn--acme-.example",
                "From: =?x-unknown?Q?News_of_the_week?= <mallory@elsewhere.example>",
                "From: =?unknown-8bit?Q?Caf=E9?= =?cp-850?Q?_Ol=82?= <mallory@elsewhere.example>",
                "From: =?iso-8859-8-i?B?+Ozl7Q==?= <mallory@elsewhere.example>",
                "From: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= <mallory@elsewhere.example>",
                "From: =?gb2312?B?1tDOxA==?= =?big5?B?pKSk5Q==?= <mallory@elsewhere.example>",
                "From: =?utf-16?B?/v8ATgBlAHcAcw==?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?News?_of_the_week?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?News?",
                "From: =? =?= ?= <mallory@elsewhere.example>",
                "From: =?utf-8?Q?=3D=3Futf-8=3FQ=3FNews=3F=3D?= <mallory@elsewhere.example>",
                "From: \"\u202e\u05e9\u05dc\u05d5\u05dd\" <mallory@elsewhere.example>",
                "Date: Sun, 29 Nov 2026 09:00:00 +0000"
            })
    void othersAreNot(String header) throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail(header))).startsWith("250");
        assertThat(counted).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ada\"@acme.example",
                "@elsewhere.example:ada@acme.example",
                "ada@acme.example.",
                "ada@(x)acme.example",
                "ada@acme.example,mallory@elsewhere.example",
                "=?utf-8?q?ada?=@acme.example@elsewhere.example",
                "<ada@acme.example>"
            })
    void aReversePathIsAnAddressOrRefused(String reversePath) throws Exception {
        assertThat(send(reversePath, PLAIN_TO, mail("From: " + STRANGER))).startsWith("5");
        assertThat(send("ADA@Acme.EXAMPLE", PLAIN_TO, mail("From: " + STRANGER)))
                .startsWith(REFUSED);
    }

    @Test
    void aHugeHeaderIsReadInNoTime() throws Exception {
        for (String part : List.of(
                "(",
                "\"",
                "<",
                "=?",
                "a@b,",
                "@",
                "=?utf-8?q?=40?= ",
                "\u00fc@\u00fc.",
                "(x)",
                "=?a?q?x",
                "=?a?b?=?=",
                "=?q?",
                "=?\u00fcq\u00fc?B?QGE=Q?=",
                "?= =?",
                "'",
                "=E2=80=AE@",
                "\u001b(B",
                "\u001b$B!!",
                "@\u00c3\u009f.")) {
            String value = (part.repeat(78 / part.length()) + "\r\n ").repeat(100);
            long start = processorTime();
            send(STRANGER, PLAIN_TO, mail("From: " + value + "x"));
            assertThat(Duration.ofNanos(processorTime() - start)).as(part).isLessThan(Duration.ofSeconds(10));
        }
    }

    /** Processor time of all threads, as others than the test's read the mail. */
    private static long processorTime() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
