package dev.veilgate.gateway.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.deliver.DeliverSettings;
import dev.veilgate.gateway.ingest.smtp.SmtpSettings;
import dev.veilgate.gateway.retention.RetentionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Settings that would bind to something else than they say, or to nothing, end the start with what to write instead. */
class SettingsShapeTest {
    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties({
        GatewaySettings.class,
        SmtpSettings.class,
        DeliverSettings.class,
        RetentionSettings.class
    })
    static class Settings {}

    /** The settings of a file, bound as when the gateway starts. */
    private ApplicationContextRunner file(String yaml) {
        return new ApplicationContextRunner()
                .withUserConfiguration(SettingsConfiguration.class, Settings.class)
                .withPropertyValues("veilgate.data-dir=" + folder)
                .withInitializer(context -> {
                    try {
                        new YamlPropertySourceLoader()
                                .load("g.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                                .forEach(context.getEnvironment().getPropertySources()::addFirst);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private static void refuses(ApplicationContextRunner start, String message) {
        start.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message + "; docs/settings-gateway.md lists all"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "smtp: {domains: example.org} | smtp.domains | smtp.domains[NAME].plain",
                "smtp.domains: example.org | smtp.domains | smtp.domains[NAME].plain",
                "smtp: {domains: {'[example.org]': relay}} | smtp.domains[example.org] | smtp.domains[example.org].plain",
                "smtp: {domains: {localdomain: relay}} | smtp.domains.localdomain | smtp.domains.localdomain.plain",
                "smtp: {domains: [example.org, example.com]} | smtp.domains[0] | smtp.domains[0].plain",
                "smtp: {listeners: '127.0.0.1:25'} | smtp.listeners | smtp.listeners[0].host",
                "smtp: {listeners: ['127.0.0.1:25']} | smtp.listeners[0] | smtp.listeners[0].host",
                "deliver: {relays: mail.example.org} | deliver.relays | deliver.relays[NAME].host",
                "deliver: {relays: {'[a.example]': mail.a.example}} | deliver.relays[a.example] | deliver.relays[a.example].host",
                "tenants: /etc/veilgate/acme.vgb | tenants | tenants[0].bundle",
                "tenants: [/etc/veilgate/acme.vgb] | tenants[0] | tenants[0].bundle",
                "retention: {rules: 400} | retention.rules | retention.rules[0].tenant"
            })
    void refusesATextWhereSettingsBelong(String yaml, String key, String instead) {
        refuses(
                file("veilgate: {" + yaml + "}"),
                "veilgate." + key + " (in g.yaml) takes no text: write veilgate." + instead);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "smtp: {domains: {'[example.org]': {plian: relay}}} | smtp.domains[example.org].plian",
                "smtp: {listeners: [{port: 0, tsl: none}]} | smtp.listeners[0].tsl",
                "smtp: {listeners: {port: 0}} | smtp.listeners.port",
                "deliver: {relays: {'[a.example]': {host: a, prot: 25}}} | deliver.relays[a.example].prot",
                "tenants: {bundle: /etc/veilgate/acme.vgb} | tenants.bundle",
                "tenants: [{bundle: a.vgb, autority: x}] | tenants[0].autority",
                "smtp: {limits: {error: 3}} | smtp.limits.error",
                "smtp: {limits: 3} | smtp.limits"
            })
    void refusesWhatDoesNotExistBelowNamesAndNumbersToo(String yaml, String key) {
        refuses(file("veilgate: {" + yaml + "}"), "veilgate." + key + " (in g.yaml) is no setting");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{example.org: {plain: relay}}",
                "{example.org: relay}",
                "{example.org: }",
                "{example: {org: {plain: relay}}}"
            })
    void refusesANameWithADotThatIsNotInBrackets(String domains) {
        file("veilgate: {smtp: {domains: " + domains + "}}")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageStartingWith("veilgate.smtp.domains.example.org")
                        .hasMessageContaining(
                                " (in g.yaml) is no setting; docs/settings-gateway.md lists all. A name with a dot"
                                        + " stands in brackets: veilgate.smtp.domains[NAME].plain"));
    }

    @Test
    void refusesATextWhereSettingsBelongInTheEnvironmentToo() {
        refuses(
                file("veilgate: {}")
                        .withInitializer(context -> context.getEnvironment()
                                .getPropertySources()
                                .replace(
                                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                        new SystemEnvironmentPropertySource(
                                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                                Map.of(
                                                        "VEILGATE_SMTP_DOMAINS", "example.org",
                                                        "VEILGATE_SMTP_URL", "of another program",
                                                        "PROMPT", "${PROMPT}")))),
                "veilgate.smtp.domains (in systemEnvironment) takes no text: write veilgate.smtp.domains[NAME].plain");
    }

    @Test
    void takesWhatIsWrittenAsItShould() {
        String yaml = """
                veilgate:
                  tenants: []
                  smtp:
                    domains:
                      "[Example.org]":
                        plain: relay
                      localdomain:
                        recipients: any
                      "[example.com]": {}
                      "[example.net]":
                    listeners:
                      - port: 0
                        tls: none
                        authRequired: true
                  deliver:
                    relays: ${NOTHING:}
                """;
        file(yaml).run(context -> {
            assertThat(context).hasNotFailed();
            var smtp = context.getBean(SmtpSettings.class);
            assertThat(smtp.domains()).containsOnlyKeys("example.org", "localdomain", "example.com", "example.net");
            assertThat(smtp.domains().get("example.org").plain()).isEqualTo(SmtpSettings.Plain.RELAY);
            assertThat(smtp.listeners()).hasSize(1);
            assertThat(context.getBean(DeliverSettings.class).relays()).isEmpty();
        });
    }
}
