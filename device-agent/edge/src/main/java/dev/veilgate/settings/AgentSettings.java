package dev.veilgate.settings;

import dev.veilgate.sender.BundleLocation;
import dev.veilgate.sender.KeptBundle;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The agent's settings: checked, with defaults. */
public final class AgentSettings {
    private static final Set<String> SECTIONS_OF_OTHERS = Set.of("mail");

    private final Map<String, String> values;
    private final List<SourceSettings> sources;
    private final @Nullable Path file;

    private AgentSettings(Map<String, String> values, List<SourceSettings> sources, @Nullable Path file) {
        this.file = file;
        this.values = values;
        this.sources = sources;
    }

    /**
     * Reads and checks settings.
     *
     * @param file    null: options only
     * @param options by key; they win
     * @param more    sources of the command line, as maps of keys; if there are any, those of the file do not count
     */
    public static AgentSettings load(
            @Nullable Path file, Map<String, String> options, List<Map<String, List<String>>> more)
            throws SettingsException, IOException {
        Map<String, SettingsFile.Entry> entries = new LinkedHashMap<>();
        List<Map<String, SettingsFile.Entry>> items = new ArrayList<>();
        if (file != null) {
            Set<String> known = Values.keys(AgentKeys.ALL);
            SettingsFile read = SettingsFile.read(
                    file, known, AgentKeys.SOURCES, Values.keys(AgentKeys.OF_A_SOURCE), SECTIONS_OF_OTHERS);
            entries.putAll(read.entries());
            items.addAll(read.sources());
        }
        options.forEach((key, value) -> entries.put(key, new SettingsFile.Entry(List.of(value), "")));
        if (!more.isEmpty()) {
            items.clear();
            for (Map<String, List<String>> source : more) {
                Map<String, SettingsFile.Entry> item = new LinkedHashMap<>();
                source.forEach((key, list) -> item.put(key, new SettingsFile.Entry(list, "")));
                items.add(item);
            }
        }
        Map<String, String> values = new HashMap<>();
        for (Setting setting : AgentKeys.ALL) {
            SettingsFile.Entry entry = entries.get(setting.key());
            values.put(
                    setting.key(), entry == null ? setting.standard() : Values.checked(setting, entry, setting.key()));
        }
        AgentSettings settings = new AgentSettings(values, sources(items, values), file);
        settings.checkTogether();
        return settings;
    }

    private static List<SourceSettings> sources(List<Map<String, SettingsFile.Entry>> items, Map<String, String> values)
            throws SettingsException {
        List<SourceSettings> sources = new ArrayList<>();
        for (Map<String, SettingsFile.Entry> item : items) {
            Map<String, String> own = new HashMap<>();
            for (Setting setting : AgentKeys.OF_A_SOURCE) {
                SettingsFile.Entry entry = item.get(setting.key());
                String key = AgentKeys.SOURCES + "." + setting.key();
                own.put(setting.key(), entry == null ? setting.standard() : Values.checked(setting, entry, key));
            }
            sources.add(SourceReader.source(
                    item,
                    own,
                    values.getOrDefault("agent.scope", ""),
                    values.getOrDefault(AgentKeys.READERS.key(), ""),
                    values.getOrDefault(AgentKeys.LINKS.key(), "")));
        }
        if (sources.stream().filter(s -> s.kind() == SourceSettings.Kind.STDIN).count() > 1) {
            throw new SettingsException(AgentKeys.SOURCES + ": there is only one standard input");
        }
        return List.copyOf(sources);
    }

    private void checkTogether() throws SettingsException {
        Readers.check(AgentKeys.READERS.key(), text(AgentKeys.READERS));
        if (!sources.isEmpty()) {
            Readers.check(
                    AgentKeys.READERS.key()
                            + ", or else those of all sources together, which the catalogue of templates is sealed for",
                    readers());
        }
        for (Setting needed : List.of(
                AgentKeys.BUNDLE, AgentKeys.AUTHORITY, AgentKeys.IDENTITY, AgentKeys.STATE, AgentKeys.MQTT_URL)) {
            if (text(needed).isEmpty()) {
                throw new SettingsException(
                        needed.key() + ": is needed, in the settings file or as " + needed.option());
            }
        }
        try {
            BundleLocation.parse(text(AgentKeys.BUNDLE));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(AgentKeys.BUNDLE.key() + ": " + e.getMessage());
        }
        if (sources.isEmpty()) {
            throw new SettingsException(AgentKeys.SOURCES
                    + ": at least one is needed, in the settings file or as --file, --directory, --stdin, --journald");
        }
        URI url = mqttUrl();
        boolean tls = url.getScheme().equals("mqtts");
        boolean certificates = !text(AgentKeys.CA).isEmpty()
                || !text(AgentKeys.CERTIFICATE).isEmpty()
                || !text(AgentKeys.KEY_STORE).isEmpty();
        if (!tls && certificates) {
            throw new SettingsException("agent.mqtt: certificates need mqtts:// in url");
        }
        if (text(AgentKeys.CERTIFICATE).isEmpty() != text(AgentKeys.KEY).isEmpty()) {
            throw new SettingsException("agent.mqtt: certificate and key are given together");
        }
        if (!text(AgentKeys.PASSWORD_FILE).isEmpty()
                && !text(AgentKeys.PASSWORD_ENV).isEmpty()) {
            throw new SettingsException("agent.mqtt: either password-file or password-env");
        }
        if (bytes(AgentKeys.MAX_RECORD) > bytes(AgentKeys.BATCH_BYTES)) {
            throw new SettingsException("agent.batch.max-record: must be at most agent.batch.bytes");
        }
    }

    private URI mqttUrl() throws SettingsException {
        String text = text(AgentKeys.MQTT_URL);
        try {
            URI url = new URI(text);
            boolean scheme = "mqtt".equals(url.getScheme()) || "mqtts".equals(url.getScheme());
            String path = url.getPath();
            if (scheme && url.getHost() != null && url.getUserInfo() == null && (path == null || path.isEmpty())) {
                return url;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new SettingsException(
                "agent.mqtt.url: must be mqtts://host:port or mqtt://host:port; user and password have keys of their own");
    }

    private String text(Setting setting) {
        return values.getOrDefault(setting.key(), "");
    }

    private @Nullable Path path(Setting setting) {
        return text(setting).isEmpty() ? null : Path.of(text(setting));
    }

    private Path neededPath(Setting setting) {
        return Path.of(text(setting));
    }

    private Duration time(Setting setting) {
        return Duration.ofMillis(Quantity.millis(text(setting)));
    }

    private int number(Setting setting) {
        return (int) Quantity.number(text(setting));
    }

    private long bytes(Setting setting) {
        return Quantity.bytes(text(setting));
    }

    public BundleLocation bundle() {
        return BundleLocation.parse(text(AgentKeys.BUNDLE));
    }

    /** Library of native code for the post-quantum algorithms; empty: none is named here. */
    public String liboqs() {
        return text(AgentKeys.LIBOQS);
    }

    /** How an address of the bundle is looked at. */
    public KeptBundle.Looking bundleLooking() {
        return new KeptBundle.Looking(time(AgentKeys.BUNDLE_EVERY), path(AgentKeys.BUNDLE_CA));
    }

    public String authority() {
        return text(AgentKeys.AUTHORITY);
    }

    public Path identity() {
        return neededPath(AgentKeys.IDENTITY);
    }

    public Path state() {
        return neededPath(AgentKeys.STATE);
    }

    /** The settings file itself, and the files that it names: keys, certificates, passwords. */
    public List<Path> ownFiles() {
        List<Path> own = new ArrayList<>();
        if (file != null) {
            own.add(file);
        }
        for (Setting setting : AgentKeys.ALL) {
            boolean named = setting.kind() == Setting.Kind.PATH || setting == AgentKeys.BUNDLE;
            String text = text(setting);
            if (named && !text.isEmpty() && !text.contains("://")) {
                own.add(Path.of(text));
            }
        }
        return own;
    }

    public Duration heartbeat() {
        return time(AgentKeys.HEARTBEAT);
    }

    public String scope() {
        return text(AgentKeys.SCOPE).isEmpty() ? sources.getFirst().scope() : text(AgentKeys.SCOPE);
    }

    /**
     * Who may read what is made of the lines of all sources, such as the catalogue of their templates: whoever may read
     * each of them.
     *
     * @return a policy; empty if no source has one
     */
    public String readers() {
        return text(AgentKeys.READERS).isEmpty()
                ? Readers.ofAll(sources.stream().map(SourceSettings::readers).toList())
                : text(AgentKeys.READERS);
    }

    public Duration shutdown() {
        return time(AgentKeys.SHUTDOWN);
    }

    public int maxFiles() {
        return number(AgentKeys.MAX_FILES);
    }

    public Duration linger() {
        return time(AgentKeys.LINGER);
    }

    public Duration templates() {
        return time(AgentKeys.TEMPLATES);
    }

    public List<SourceSettings> sources() {
        return sources;
    }

    /** Bounds of a batch. */
    public record Batch(int records, int bytes, Duration time, int maxRecordBytes) {}

    public Batch batch() {
        return new Batch(
                number(AgentKeys.BATCH_RECORDS), (int) bytes(AgentKeys.BATCH_BYTES), time(AgentKeys.BATCH_TIME), (int)
                        bytes(AgentKeys.MAX_RECORD));
    }

    /** What happens when the spool is full. */
    public enum WhenFull {
        BLOCK,
        DROP_OLDEST,
        DROP_NEWEST
    }

    /** Bounds of the spool. */
    public record SpoolBounds(long maxBytes, WhenFull whenFull, long freeDisk) {}

    public SpoolBounds spool() {
        WhenFull whenFull = WhenFull.valueOf(
                text(AgentKeys.SPOOL_FULL).toUpperCase(Locale.ROOT).replace('-', '_'));
        return new SpoolBounds(bytes(AgentKeys.SPOOL_MAX), whenFull, bytes(AgentKeys.FREE_DISK));
    }

    /** How to reach the broker. */
    public record Mqtt(
            URI url,
            String clientId,
            String user,
            @Nullable Path passwordFile,
            String passwordEnvironment,
            @Nullable Path ca,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable Path keyStore,
            @Nullable Path keyStorePasswordFile,
            Duration keepAlive,
            Duration sessionExpiry,
            Duration connectTimeout,
            Duration ackTimeout,
            int inFlight,
            Duration backoffMax) {}

    public Mqtt mqtt() {
        URI url = URI.create(text(AgentKeys.MQTT_URL));
        return new Mqtt(
                url,
                text(AgentKeys.CLIENT_ID),
                text(AgentKeys.USER),
                path(AgentKeys.PASSWORD_FILE),
                text(AgentKeys.PASSWORD_ENV),
                path(AgentKeys.CA),
                path(AgentKeys.CERTIFICATE),
                path(AgentKeys.KEY),
                path(AgentKeys.KEY_STORE),
                path(AgentKeys.KEY_STORE_PASSWORD_FILE),
                time(AgentKeys.KEEP_ALIVE),
                time(AgentKeys.SESSION_EXPIRY),
                time(AgentKeys.CONNECT_TIMEOUT),
                time(AgentKeys.ACK_TIMEOUT),
                number(AgentKeys.IN_FLIGHT),
                time(AgentKeys.BACKOFF_MAX));
    }

    /** How long an envelope is tried again that is refused for good. */
    public Duration refusedAfter() {
        return time(AgentKeys.REFUSED_AFTER);
    }

    /** 0: none. */
    public int monitorPort() {
        return number(AgentKeys.MONITOR_PORT);
    }
}
