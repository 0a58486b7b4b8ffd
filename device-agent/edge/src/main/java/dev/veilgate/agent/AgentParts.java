package dev.veilgate.agent;

import dev.veilgate.agent.follow.FileMemory;
import dev.veilgate.agent.publish.MqttOptions;
import dev.veilgate.agent.publish.PasswordSource;
import dev.veilgate.settings.AgentSettings;
import dev.veilgate.settings.SourceSettings;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes the agent's parts of its settings. */
final class AgentParts {
    private AgentParts() {}

    /** @throws CommandFailure if this process cannot follow as many files as the settings allow */
    static void requireRoom(AgentSettings settings) throws CommandFailure {
        long sources = settings.sources().stream()
                .filter(source -> source.kind() == SourceSettings.Kind.FILES)
                .count();
        String lacking = FileMemory.lacking(sources * settings.maxFiles());
        if (!lacking.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, lacking);
        }
    }

    static MqttOptions mqtt(AgentSettings settings, String sender) {
        AgentSettings.Mqtt mqtt = settings.mqtt();
        Path passwordFile = mqtt.passwordFile();
        return new MqttOptions(
                mqtt.url(),
                mqtt.clientId().isEmpty() ? "veilgate-" + sender : mqtt.clientId(),
                mqtt.user(),
                passwordFile != null
                        ? new PasswordSource.OfFile(passwordFile)
                        : mqtt.passwordEnvironment().isEmpty()
                                ? null
                                : new PasswordSource.OfEnvironment(mqtt.passwordEnvironment()),
                new MqttOptions.TlsOptions(
                        mqtt.ca(), mqtt.certificate(), mqtt.key(), mqtt.keyStore(), file(mqtt.keyStorePasswordFile())),
                mqtt.keepAlive(),
                mqtt.sessionExpiry(),
                mqtt.connectTimeout(),
                mqtt.ackTimeout(),
                mqtt.inFlight(),
                mqtt.backoffMax());
    }

    private static @Nullable PasswordSource file(@Nullable Path path) {
        return path == null ? null : new PasswordSource.OfFile(path);
    }

    /** Where a sender publishes. What has a meaning in topics is escaped as in URLs. */
    static String topic(String tenant, String sender) {
        return "veilgate/v1/" + level(tenant) + "/" + level(sender);
    }

    private static String level(String name) {
        StringBuilder out = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > ' ' && b < 127 && "/+#%$".indexOf(b) < 0;
            out.append(plain ? String.valueOf((char) b) : String.format(Locale.ROOT, "%%%02X", b));
        }
        return out.toString();
    }
}
