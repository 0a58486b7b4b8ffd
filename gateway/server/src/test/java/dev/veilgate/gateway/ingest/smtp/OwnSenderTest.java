package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.gateway.ingest.SenderChecks;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings.Unproven;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Mail in the name of a sender of the site, by SMTP. Domains of the site are example.org (sealed mail), plain.example,
 * bücher.example, straße.example and xn--wei-7ka.example (plain mail too), and acme.example, whose senders the tenant's
 * authority signs for.
 */
class OwnSenderTest {
    private static final TestTenant TENANT = TestTenant.of("acme-with-own-senders");
    private static final String ADA = "ada@acme.example";
    private static final String STRANGER = "mallory@elsewhere.example";
    private static final String PLAIN_TO = "carol@plain.example";
    private static final String REFUSED = "550 5.7.1 MAIL FROM or From names a sender of a domain of this site";

    @TempDir
    static Path folder;

    private static Tenants tenants;
    private static MailSigner authority;
    private static TestMail mails;
    private static SmtpLab lab;

    private final List<Kind> counted = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        authority = TENANT.signAsSenders("acme.example");
        mails = new TestMail(folder, TENANT);
        tenants = TestTenant.tenants(TENANT);
        lab = new SmtpLab(folder, settings(SmtpSettings.ReversePath.DOMAIN), tenants);
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    @BeforeEach
    void admit() {
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.DOMAIN);
    }

    private static SmtpSettings settings(SmtpSettings.ReversePath reversePath) {
        SmtpSettings base = SmtpLab.settings();
        SmtpSettings.Domain relayed = new SmtpSettings.Domain(SmtpSettings.Plain.RELAY, null);
        SmtpSettings.Domain sealed = new SmtpSettings.Domain(SmtpSettings.Plain.REFUSE, SmtpSettings.Recipients.ANY);
        return new SmtpSettings(
                base.listeners(),
                base.sslBundle(),
                Map.of(
                        "example.org",
                        sealed,
                        "Plain.example",
                        relayed,
                        "bücher.example",
                        relayed,
                        "straße.example",
                        relayed,
                        "xn--wei-7ka.example",
                        relayed),
                base.plainElsewhere(),
                base.reports(),
                reversePath,
                base.maxMessage(),
                base.timeout(),
                base.stopTimeout(),
                base.limits());
    }

    private static OwnSenderSettings own(Unproven plain, Unproven sealed) {
        return new OwnSenderSettings(plain, sealed, List.of(), Set.of(), Map.of());
    }

    private void check(OwnSenderSettings own, SmtpSettings.ReversePath reversePath) {
        check(tenants, own, reversePath);
    }

    private void check(Tenants served, OwnSenderSettings own, SmtpSettings.ReversePath reversePath) {
        SmtpConfiguration smtp = new SmtpConfiguration();
        SmtpSettings settings = settings(reversePath);
        SenderRights rights = smtp.senderRights(settings);
        lab.meters.clear();
        lab.answer = SenderChecks.admission(
                served,
                smtp.plainMailPolicy(settings),
                rights,
                own,
                counted::add,
                mail -> delivered.add(sealed(mail)),
                lab.meters);
    }

    private static String mail(String header) {
        return header + "\r\nTo: Carol <carol@plain.example>\r\nSubject: the owls\r\n\r\nare not what they seem\r\n";
    }

    private static String send(String from, String to, String message) throws IOException {
        return send(false, from, to, message);
    }

    private static String send(boolean logsIn, String from, String to, String message) throws IOException {
        try (RawSmtp client = new RawSmtp(lab.clear())) {
            client.say("EHLO client.example");
            if (logsIn) {
                String login = "\0ada@example.org\0" + SmtpLab.PASSWORD;
                String reply = client.say(
                        "AUTH PLAIN " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.US_ASCII)));
                assertThat(reply).startsWith("235");
            }
            return client.send(from, List.of(to), message);
        }
    }

    private static String sealed(byte[] mail) {
        return new String(mail, StandardCharsets.ISO_8859_1);
    }

    @Test
    void plainMailOfAStrangerNamesStrangersOnly() throws Exception {
        assertThat(send(STRANGER, PLAIN_TO, mail("From: Mallory <" + STRANGER + ">")))
                .startsWith("250");
        assertThat(send(STRANGER, PLAIN_TO, mail("From: Ada <" + ADA + ">")))
                .startsWith(REFUSED)
                .contains("login");
        assertThat(send(ADA, PLAIN_TO, mail("From: Mallory <" + STRANGER + ">")))
                .startsWith(REFUSED);
        assertThat(send("bob@plain.example", PLAIN_TO, mail("From: bob@plain.example")))
                .startsWith(REFUSED);
        assertThat(counted).containsExactly(Kind.PLAIN_REFUSED, Kind.PLAIN_REFUSED, Kind.PLAIN_REFUSED);
        assertThat(lab.count("unproven_sender")).isEqualTo(3);
        for (String named : List.of("from", "reverse_path", "both")) {
            assertThat(lab.meters
                            .get("veilgate.mail.unproven.senders")
                            .tags("mail", "plain", "outcome", "refused", "named", named)
                            .counter()
                            .count())
                    .isEqualTo(1);
        }
    }

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

    /** A header with control characters is refused before anybody asks whose it is. */
    private static String refused(String header) {
        return header.chars().anyMatch(c -> c < ' ' && "\t\r\n\u001b".indexOf(c) < 0) ? "55" : REFUSED;
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
    void aLoginProvesWhatReversePathPermits() throws Exception {
        String own = mail("From: Ada <ada@example.org>");
        assertThat(send(true, "ada@example.org", PLAIN_TO, own)).startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: bob@example.org")))
                .startsWith("250");
        assertThat(send(true, "", PLAIN_TO, own)).startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: Bob <bob@bücher.example>")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA)))
                .startsWith(REFUSED);
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: 'ada@example.org' <Ada@Example.org>")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: Ada Lovelace (x) <ada@example.org> (y)")))
                .startsWith("250");
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: bob@example.org")))
                .startsWith(REFUSED);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: ada@example.org, bob@example.org")))
                .startsWith(REFUSED);
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.ANY);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA)))
                .startsWith("250");
    }

    /** Other senders of the domain are seen too where they are spelled so that few programs read them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bob@exam\\ple.org, ada@example.org",
                "bob@exam\u0001ple.org, ada@example.org",
                "bob@exam ple.org, ada@example.org",
                "bob@exam\"ple.org\", ada@example.org",
                "bob@exam(\\))ple.org, ada@example.org",
                "bob\\ada@example.org",
                "bob ada@example.org",
                "bob\"ada\"@example.org",
                "<@example.org:ada@example.org>"
            })
    void aLoginProvesNobodyBesideItself(String from) throws Exception {
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + from)))
                .startsWith(refused(from));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ada@example.org",
                "ADA@Example.ORG (Ada, of the \\) site)",
                "\"Lovelace, Ada\" <ada@example.org>",
                "=?utf-8?Q?Ada_L=C3=B6velace_=28ada=40example.org=29?= <ada@example.org>",
                "=?utf-8?B?QWRh?= =?utf-8?B?IEwu?= <ada@example.org>",
                "'ada@example.org' <ada@example.org>",
                "\"ada@example.org\" <ada@example.org>",
                "Ada Lovelace\r\n <ada@example.org>"
            })
    void aLoginProvesItselfAsProgramsWriteIt(String from) throws Exception {
        check(own(Unproven.REFUSE, Unproven.TAKE), SmtpSettings.ReversePath.LOGIN);
        assertThat(send(true, "ada@example.org", PLAIN_TO, mail("From: " + from)))
                .startsWith("250");
    }

    private static String report(String from) {
        return "From: " + from + "\r\nTo: bob@example.org\r\n"
                + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
                + "--b\r\nContent-Type: text/plain\r\n\r\nnot delivered\r\n"
                + "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n--b--\r\n";
    }

    @Test
    void aReportComesFromThoseWhoReport() throws Exception {
        for (String from : List.of(
                "Mail Delivery System <MAILER-DAEMON@acme.example>",
                "postmaster@plain.example",
                "MAILER-DAEMON@plain.example (Mail Delivery System)",
                "\"Mail Delivery Subsystem\" <mailer-daemon@plain.example>",
                "<mailer-daemon@elsewhere.example>")) {
            assertThat(send("", "bob@example.org", report(from))).as(from).startsWith("250");
            assertThat(send("", PLAIN_TO, report(from))).as(from).startsWith("250");
        }
        for (String from : List.of(
                ADA,
                "mailer-daemon@acme.example, " + ADA,
                "\"" + ADA + "\" <mailer-daemon@acme.example>",
                "ada@ac\\me.example, mailer-daemon@acme.example",
                "ada@ac\u0001me.example, mailer-daemon@acme.example",
                "ada@ac me.example, mailer-daemon@acme.example",
                "ada@ac(\\))me.example, mailer-daemon@acme.example",
                "ada\\mailer-daemon@acme.example",
                "=?utf-7?Q?ada?= <mailer-daemon@acme.example>",
                "not-mailer-daemon@acme.example")) {
            assertThat(send("", "bob@example.org", report(from))).as(from).startsWith(refused(from));
        }
        assertThat(send("", PLAIN_TO, mail("From: mailer-daemon@acme.example"))).startsWith(REFUSED);
        assertThat(send(STRANGER, PLAIN_TO, report("mailer-daemon@acme.example")))
                .startsWith(REFUSED);
        assertThat(send("", PLAIN_TO, mail("From: mallory@elsewhere.example"))).startsWith("250");
    }

    /** Whatever it says, whether its recipient's domain takes other plain mail or not. */
    @Test
    void aReportIsDeliveredWithoutNamesAndSubject() throws Exception {
        String report = "Subject: Transfer the money\r\nReply-To: \"Bob\" <bob@third.example>\r\n"
                + report("\"bob@third.example\" <mailer-daemon@elsewhere.example>");
        for (String to : List.of("bob@example.org", PLAIN_TO)) {
            assertThat(send("", to, report)).startsWith("250");
            assertThat(delivered.getLast())
                    .matches("(?s)Received: .*\r\nFrom: mailer-daemon@elsewhere\\.example\r\nTo: .*")
                    .contains("\r\nSubject: [...]\r\n")
                    .doesNotContain("third.example", "Transfer", "Reply-To");
        }
        assertThat(delivered).hasSize(2);
    }

    @Test
    void listsThatAreNamedSendBackWhatIsOfTheSite() throws Exception {
        String own = mail("From: Ada <ada@acme.example>\r\nSender: list@elsewhere.example");
        List<String> clients = List.of("192.0.2.0/24", "127.0.0.0/8", "::1");
        check(
                new OwnSenderSettings(Unproven.REFUSE, Unproven.REFUSE, clients, Set.of(), Map.of()),
                SmtpSettings.ReversePath.DOMAIN);
        assertThat(send("list@elsewhere.example", PLAIN_TO, own)).startsWith("250");
        assertThat(send("list@elsewhere.example", "bob@example.org", sealed(mails.sealUnbound(own, "owls"))))
                .startsWith("250");
        check(
                new OwnSenderSettings(
                        Unproven.REFUSE, Unproven.REFUSE, List.of("192.0.2.0/24"), Set.of("Ada@example.org"), Map.of()),
                SmtpSettings.ReversePath.LOGIN);
        assertThat(send("list@elsewhere.example", PLAIN_TO, own)).startsWith(REFUSED);
        assertThat(send(true, "ada@example.org", PLAIN_TO, own)).startsWith("250");
        assertThat(counted).containsExactly(Kind.PLAIN_REFUSED);
    }

    @Test
    void plainMailIsCountedAloneWhereTheOperatorTakesIt() throws Exception {
        check(own(Unproven.TAKE, Unproven.TAKE), SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, PLAIN_TO, mail("From: " + ADA))).startsWith("250");
        assertThat(counted).containsExactly(Kind.PLAIN_TAKEN);
    }

    /** Mails with an index in the name of ada whom nothing proves. */
    private static Map<String, byte[]> unproven() throws Exception {
        String own = mail("From: Ada <" + ADA + ">");
        byte[] genuine = mails.sealAs(authority.ofSender(ADA), own, "owls");
        return Map.of(
                "of an edge that binds nothing", mails.sealUnbound(own, "owls"),
                "of an edge that signs for nobody", mails.sealBoundBy(authority.ofTenant(), own, "owls"),
                "signed by the tenant itself", mails.seal(own, "owls"),
                "signed by another sender", mails.sealBoundBy(authority.ofSender("bob@acme.example"), own, "owls"),
                "altered, and so not signed", ForgedMail.bitFlipped(genuine, 0));
    }

    @Test
    void sealedMailIsSignedByWhomItNames() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        String genuine = sealed(mails.sealAs(authority.ofSender(ADA), mail("From: Ada <" + ADA + ">"), "owls"));
        for (String reversePath : List.of("", ADA, "Ada@ACME.example", STRANGER)) {
            assertThat(send(reversePath, TestMail.ADDRESS, genuine))
                    .as(reversePath)
                    .startsWith("250");
        }
        assertThat(send("bob@acme.example", TestMail.ADDRESS, genuine)).startsWith(REFUSED);
        String other = genuine.replace("From: Ada <" + ADA + ">", "From: bob@acme.example");
        assertThat(other).isNotEqualTo(genuine);
        assertThat(send(STRANGER, TestMail.ADDRESS, other)).startsWith("250"); // delivered with the From that is signed
        for (Map.Entry<String, byte[]> each : unproven().entrySet()) {
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(each.getValue())))
                    .as(each.getKey())
                    .startsWith(REFUSED);
        }
        assertThat(counted).hasSize(6).containsOnly(Kind.SEALED_REFUSED);
    }

    /** An edge of before binds no header, and its mail keeps the one that it came with for a time. */
    @Test
    void sealedMailInCharsetsThatAreNotKnownNeedsAProof() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        for (String charset : List.of("x-gbk", "cn-big5", "x".repeat(70))) {
            String from = "From: =?" + charset + "?Q?bob=A3=C0acme.example?= <" + STRANGER + ">";
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail(from), "owls"))))
                    .as(charset)
                    .startsWith(REFUSED);
            assertThat(send(STRANGER, PLAIN_TO, mail(from))).as(charset).startsWith("250");
            assertThat(delivered.getLast()).contains("\r\nFrom: " + STRANGER + "\r\n");
        }
        String known = "From: =?gbk?B?1tDOxA==?= <" + STRANGER + ">";
        assertThat(send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail(known), "owls"))))
                .startsWith("250");
    }

    @Test
    void sealedMailThatNobodyProvesIsTakenAndCounted() throws Exception {
        int there = 0;
        for (Map.Entry<String, byte[]> each : unproven().entrySet()) {
            assertThat(send(STRANGER, TestMail.ADDRESS, sealed(each.getValue())))
                    .as(each.getKey())
                    .startsWith("250");
            assertThat(counted).as(each.getKey()).hasSize(++there).containsOnly(Kind.SEALED_TAKEN);
        }
        String strangers = sealed(mails.sealUnbound(mail("From: " + STRANGER), "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, strangers)).startsWith("250");
        assertThat(counted).hasSize(there);
        assertThat(send("bob@example.org", TestMail.ADDRESS, strangers)).startsWith("250");
        assertThat(counted).hasSize(there + 1);
    }

    /** An edge with a login, whatever signs. */
    @Test
    void sealedMailOfALoginIsProvenByIt() throws Exception {
        check(own(Unproven.REFUSE, Unproven.REFUSE), SmtpSettings.ReversePath.DOMAIN);
        String own = mail("From: Bob <bob@example.org>");
        for (byte[] mail : List.of(mails.sealUnbound(own, "owls"), mails.seal(own, "owls"))) {
            assertThat(send(true, "bob@example.org", TestMail.ADDRESS, sealed(mail)))
                    .startsWith("250");
            assertThat(send("bob@example.org", TestMail.ADDRESS, sealed(mail))).startsWith(REFUSED);
        }
    }

    /** Each tenant publishes its bundle itself, and may write any address into certificates of its own. */
    @Test
    void aTenantProvesSendersOfItsOwnDomainsOnly() throws Exception {
        TestTenant other = TestTenant.of("globex-with-own-senders");
        Path own = Files.createDirectory(folder.resolve("globex"));
        other.keys().setMailSigner(signer(own, ADA));
        TestMail others = new TestMail(own, other);
        String forged = sealed(others.seal(mail("From: Ada <" + ADA + ">"), "owls"));
        String genuine = sealed(mails.sealAs(authority.ofSender(ADA), mail("From: Ada <" + ADA + ">"), "owls"));
        OwnSenderSettings refuse = own(Unproven.REFUSE, Unproven.REFUSE);
        check(TestTenant.tenants(TENANT, other), refuse, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        assertThat(send(ADA, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        assertThat(send(ADA, TestMail.ADDRESS, genuine)).startsWith("250");
        other.signAsSenders("globex.example");
        check(TestTenant.tenants(TENANT, other), refuse, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
        other.keys().setMailSigner(signer(own, "ada@example.org"));
        check(TestTenant.tenants(other), refuse, SmtpSettings.ReversePath.DOMAIN);
        String alone = sealed(new TestMail(own, other).seal(mail("From: ada@example.org"), "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, alone)).startsWith("250");
    }

    /** An envelope names the tenant whose bundle is asked, so any of them could put a name above another's content. */
    @Test
    void aTenantBindsNoHeaderWithSendersOfAnother() throws Exception {
        TestTenant other = TestTenant.of("initech-with-own-senders");
        Tenant acme = TENANT.tenant();
        assertThat(senders(Map.of(), TENANT, other).mayBind(acme, ADA)).isTrue();
        assertThat(senders(Map.of(), TENANT, other).mayBind(other.tenant(), ADA))
                .isFalse();
        assertThat(senders(Map.of(), TENANT, other).mayBind(other.tenant(), "eve@elsewhere.example"))
                .isTrue();
        String mail = mail("From: Bob <" + ADA + ">");
        String claiming = sealed(mails.sealAs(authority.ofSender(ADA), mail, "owls"));
        other.signAsSenders("acme.example");
        for (Tenant each : List.of(acme, other.tenant())) {
            assertThat(senders(Map.of(), TENANT, other).mayBind(each, ADA))
                    .as(each.name())
                    .isFalse();
            Map<String, String> owner = Map.of("ACME.example", TENANT.tenant().name());
            assertThat(senders(owner, TENANT, other).mayBind(each, ADA))
                    .as(each.name())
                    .isEqualTo(each == acme);
        }
        check(
                TestTenant.tenants(TENANT, other),
                own(Unproven.REFUSE, Unproven.REFUSE),
                SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, claiming))
                .as("nobody can tell whose")
                .startsWith(REFUSED);
        OwnSenderSettings named = new OwnSenderSettings(
                Unproven.REFUSE, Unproven.REFUSE, List.of(), Set.of(), Map.of("acme.example", acme.name()));
        check(TestTenant.tenants(TENANT, other), named, SmtpSettings.ReversePath.DOMAIN);
        assertThat(send(STRANGER, TestMail.ADDRESS, claiming)).startsWith("250");
        Path theirs = Files.createDirectory(folder.resolve("initech"));
        String forged = sealed(new TestMail(theirs, other)
                .sealAs(other.keys().mailSigner().orElseThrow().ofSender(ADA), mail, "owls"));
        assertThat(send(STRANGER, TestMail.ADDRESS, forged)).startsWith(REFUSED);
    }

    private static OwnSenders senders(Map<String, String> owners, TestTenant... served) throws Exception {
        OwnSenderSettings settings = new OwnSenderSettings(Unproven.REFUSE, Unproven.TAKE, List.of(), Set.of(), owners);
        SenderRights rights = new SmtpConfiguration().senderRights(settings(SmtpSettings.ReversePath.DOMAIN));
        return new OwnSenders(TestTenant.tenants(served), rights, settings);
    }

    /** A certificate of a tenant's own making. */
    private static MailSigner signer(Path folder, String address) throws Exception {
        Path file = folder.resolve("signer.p12");
        Path key = folder.resolve("signer.key");
        Path certificate = folder.resolve("signer.crt");
        TestMail.run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=globex",
                "-addext",
                "subjectAltName=email:" + address,
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        TestMail.run(List.of(
                "openssl",
                "pkcs12",
                "-export",
                "-inkey",
                key.toString(),
                "-in",
                certificate.toString(),
                "-out",
                file.toString(),
                "-passout",
                "pass:x"));
        return MailSigner.fromPkcs12(Files.readAllBytes(file), "x".toCharArray());
    }

    @Test
    void theLogHasTheNetworkAndTheDomainAndNoName() throws Exception {
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("dev.veilgate.gateway.ingest.SenderCheck");
        said.start();
        log.addAppender(said);
        try {
            send(STRANGER, PLAIN_TO, mail("From: Ada <" + ADA + ">"));
            send(STRANGER, TestMail.ADDRESS, sealed(mails.sealUnbound(mail("From: Ada <" + ADA + ">"), "owls")));
            send(true, "ada@example.org", PLAIN_TO, mail("From: " + ADA));
            send(STRANGER, PLAIN_TO, mail("From: =?utf-7?Q?ada?= <mallory@elsewhere.example>"));
        } finally {
            log.detachAppender(said);
        }
        assertThat(said.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "PLAIN_REFUSED from 127.0.0.0/24, without a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "SEALED_TAKEN from 127.0.0.0/24, without a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "PLAIN_REFUSED from 127.0.0.0/24, with a login: nothing proves a sender of [acme.example] in"
                                + " from",
                        "PLAIN_REFUSED from 127.0.0.0/24, without a login: nothing proves a sender of a field that"
                                + " cannot be read in from");
    }

    /** Or else a copy under another index would count what is refused for good. */
    @Test
    void whatIsRefusedForAnotherReasonIsNotCounted() throws Exception {
        byte[] own = mails.sealUnbound(mail("From: " + ADA), "owls");
        assertThat(send(STRANGER, TestMail.ADDRESS, sealed(ForgedMail.otherMask(own))))
                .startsWith("554 5.6.0");
        assertThat(send(STRANGER, TestMail.ADDRESS, mail("From: " + ADA))).startsWith("550 5.7.10");
        assertThat(counted).isEmpty();
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
                "@\u00c3\u009f.")) {
            String value = (part.repeat(78 / part.length()) + "\r\n ").repeat(100);
            long start = System.nanoTime();
            send(STRANGER, PLAIN_TO, mail("From: " + value + "x"));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(part).isLessThan(Duration.ofSeconds(5));
        }
    }
}
