package dev.veilgate.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailSettingsTest {
    private static final String GOOD = """
            bundle: /b
            authority: aa
            identity: /i
            agent: {anything: [1, 2]}
            mail:
              spool: /s
              signing-key: /k.p12
              smtp: {url: "smtp://localhost:25"}
            """;

    @TempDir
    Path folder;

    private MailSettings load(String text, Map<String, String> options) throws SettingsException, IOException {
        Path file = folder.resolve("veilgate.yaml");
        Files.writeString(file, text);
        return MailSettings.load(file, options);
    }

    private void refuses(String text, String... parts) {
        assertThatThrownBy(() -> {
                    MailSettings settings = load(text, Map.of());
                    settings.proxy();
                    settings.smtp();
                })
                .isInstanceOf(SettingsException.class)
                .message()
                .contains(parts);
    }

    private static String anyOf(String name, int attributes) {
        return IntStream.range(0, attributes).mapToObj(i -> name + ":" + i).collect(Collectors.joining(" OR "));
    }

    private static String domains(int count, int attributes) {
        return IntStream.range(0, count)
                .mapToObj(i -> "d" + i + ".example = " + anyOf("a" + i, attributes))
                .collect(Collectors.joining("; "));
    }

    @Test
    void refusesReadersThatNoEnvelopeHasRoomFor() {
        refuses(GOOD + "  readers: \"" + domains(1, 2_000) + "\"\n", "d0.example: ", "at most 65536");
        refuses(GOOD + "  readers: \"" + domains(40, 100) + "\"\n", "a mail to all these domains: ", "at most 65536");
    }

    /** A policy that names several epochs is sealed for each of them. */
    @Test
    void refusesReadersOfMoreEpochsThanAnEnvelopeIsFor() throws Exception {
        String two = "d%d.example = a%d:x@2026-11 OR a%d:x@2026-12";
        String eight =
                IntStream.range(0, 8).mapToObj(i -> two.formatted(i, i, i)).collect(Collectors.joining("; "));
        assertThat(load(GOOD + "  readers: \"" + eight + "\"\n", Map.of())
                        .readers()
                        .byDomain())
                .hasSize(8);
        refuses(GOOD + "  readers: \"" + eight + "; d8.example = a:x\"\n", "several epochs", "these count 17");
    }

    /** An envelope is for 16 policies, and a mail may go to more domains. */
    @Test
    void aMailToManyDomainsIsForAllTheirReaders() throws Exception {
        MailReaders readers =
                load(GOOD + "  readers: \"" + domains(40, 2) + "\"\n", Map.of()).readers();
        List<String> recipients =
                IntStream.range(0, 40).mapToObj(i -> "ada@d" + i + ".example").toList();
        List<Policy> policies = readers.of(recipients);
        assertThat(policies).hasSize(16);
        for (int i = 0; i < 40; i++) {
            AttributeSet one = AttributeSet.parse("a" + i + ":1");
            assertThat(policies).anyMatch(policy -> policy.isSatisfiedBy(one));
        }
        AttributeSet other = AttributeSet.parse("a40:1, a0:2");
        assertThat(policies).noneMatch(policy -> policy.isSatisfiedBy(other));
        assertThat(readers.of(recipients.subList(0, 16)))
                .hasSize(16)
                .allMatch(p -> p.leaves().size() == 2);
    }

    @Test
    void readsTheSampleWhichHasEveryKeyAndEveryDefault() throws Exception {
        Path sample = Stream.of("device-agent/edge/src/main/dist/veilgate.yaml", "src/main/dist/veilgate.yaml")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        MailSettings settings = MailSettings.load(sample, Map.of());
        assertThat(settings.proxy().spool()).hasToString("/var/lib/veilgate-mail");
        assertThat(settings.proxy().monitor()).isEqualTo(9465);
        assertThat(settings.smtp().tls()).isEqualTo(RelaySettings.Tls.STARTTLS);
        String all = Files.readString(sample);
        String text = all.substring(all.indexOf("\nmail:"));
        for (Setting setting : MailKeys.ALL) {
            String name = setting.key().substring(setting.key().lastIndexOf('.') + 1);
            if (setting.key().startsWith("mail.")) {
                assertThat(text).containsPattern("(?m)^[ #]*" + name + ":");
            }
            if (!setting.standard().isEmpty()) {
                assertThat(setting.refusal(setting.standard()))
                        .as(setting.key())
                        .isEmpty();
                if (!setting.key().equals("mail.monitor.port")) {
                    assertThat(setting.key().startsWith("mail.") ? text : all)
                            .as("the sample shows the default")
                            .containsPattern("(?m)^[ #]*" + name + ": " + setting.standard() + "$");
                }
            }
        }
    }

    @Test
    void hasDefaultsAndLetsOptionsWin() throws Exception {
        MailSettings settings = load(
                GOOD + "  port: 2526\n", Map.of("mail.give-up", "1 h", "mail.index", "false", "mail.port", "2527"));
        ProxySettings proxy = settings.proxy();
        assertThat(proxy.host()).isEqualTo("127.0.0.1");
        assertThat(proxy.port()).isEqualTo(2527);
        assertThat(proxy.index()).isFalse();
        assertThat(proxy.partial()).isFalse();
        assertThat(proxy.maxMessageBytes()).isEqualTo(50L << 20);
        assertThat(proxy.retry())
                .isEqualTo(new ProxySettings.Retry(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofHours(1)));
        assertThat(proxy.monitor()).isEqualTo(-1);
        assertThat(settings.smtp().timeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void saysWhoseProgramsNeedNoSignature() throws Exception {
        AuthenticatedPrograms some = load(
                        GOOD + "  authenticated: \"Ada@Acme.example; example.org, b.example\"\n", Map.of())
                .form()
                .authenticated();
        assertThat(some.names()).containsExactlyInAnyOrder("ada@acme.example", "example.org", "b.example");
        assertThat(List.of("ADA@acme.example", "x@EXAMPLE.org", "y@b.example")).allMatch(some::contains);
        assertThat(List.of("bob@acme.example", "x@www.example.org", "b.example@x", "example.org@evil.example"))
                .noneMatch(some::contains);
        assertThat(load(GOOD, Map.of()).form().authenticated()).isEqualTo(AuthenticatedPrograms.NONE);
        String unsigned = GOOD.replace("  signing-key: /k.p12\n", "");
        assertThat(load(unsigned + "  authenticated: \"*\"\n", Map.of()).form().signingKey())
                .isNull();
        refuses(unsigned, "mail.signing-key: is needed", "veilgate keys mail-signer export", "authenticated");
        refuses(unsigned + "  authenticated: example.org\n", "mail.signing-key: is needed");
        for (String wrong : List.of("*@example.org", "a b@c d@e@f", "@", "exa_mple..org")) {
            refuses(GOOD + "  authenticated: \"" + wrong + "\"\n", "mail.authenticated: ", "neither an address");
        }
    }

    @Test
    void saysWhereTheSubjectIsShown() throws Exception {
        ShownSubjects some = load(
                        GOOD + "  subject: \"both; Acme.example = OUTSIDE; ada@acme.example=hidden\"\n", Map.of())
                .form()
                .subjects();
        assertThat(some.isOutside(List.of("bob@ACME.example"))).isTrue();
        assertThat(some.isInText(List.of("bob@acme.example"))).isFalse();
        assertThat(some.isOutside(List.of("bob@acme.example", "x@example.org"))).isTrue();
        assertThat(some.isInText(List.of("bob@acme.example", "x@example.org"))).isTrue();
        assertThat(some.isOutside(List.of("bob@acme.example", "Ada@acme.example")))
                .isFalse();
        assertThat(some.isInText(List.of("ada@acme.example"))).isFalse();
        ShownSubjects usual = load(GOOD, Map.of()).form().subjects();
        assertThat(usual.isOutside(List.of("x@example.org"))).isFalse();
        assertThat(usual.isInText(List.of("x@example.org"))).isTrue();
        for (String wrong :
                List.of("nowhere", "text; hidden", "a@b@c = text", "acme.example = ", "*@x.example = text")) {
            refuses(GOOD + "  subject: \"" + wrong + "\"\n", "mail.subject: ");
        }
    }

    @Test
    void namesLineKeyAndWhatIsAllowed() {
        refuses(GOOD + "  retry: soon\n", "veilgate.yaml:9: ", "mail.retry", "a time such as");
        refuses(GOOD + "  max-size: 2 GiB\n", "veilgate.yaml:9: mail.max-size: must be a size such as 64 KiB");
        refuses(GOOD + "  partial: perhaps\n", "mail.partial: must be true or false");
        refuses(GOOD + "  listen: 0.0.0.0\n", "veilgate.yaml:9: mail.listen: ", "needs TLS");
        refuses(GOOD.replace("smtp://", "http://"), "veilgate.yaml:8: mail.smtp.url: ", "must begin with smtp://");
        refuses(GOOD.replace("smtp://", "smtp://u:secret@"), "mail.smtp.url: ", "keys of their own");
        refuses(GOOD.replace("  spool: /s\n", ""), "mail.spool: is needed", "--spool");
        refuses(GOOD.replace("bundle: /b\n", ""), "bundle: is needed", "--bundle");
        refuses(GOOD.replace("/b\n", "http://audit.example.org/bundle\n"), "bundle: must be a file, or an address");
    }

    @Test
    void neverRepeatsAPasswordWrittenIntoTheUrl() {
        assertThatThrownBy(() -> load(GOOD.replace("smtp://", "smtp://u:se cret@"), Map.of())
                        .smtp())
                .isInstanceOf(SettingsException.class)
                .message()
                .doesNotContain("cret");
    }

    @Test
    void saysWhatAnUnknownKeyMayHaveMeant() {
        refuses(GOOD + "  retries: 5 s\n", "mail.retries: no such key; did you mean mail.retry?");
        refuses(GOOD.replace("url:", "ulr:"), "mail.smtp.ulr: no such key; did you mean mail.smtp.url?");
        refuses(GOOD.replace("mail:", "mial:"), "mial: no such key; did you mean mail?");
        refuses(GOOD.replace("agent:", "agnet:"), "agnet: no such key; did you mean agent?");
    }
}
