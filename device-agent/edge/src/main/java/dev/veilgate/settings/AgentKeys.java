package dev.veilgate.settings;

import java.util.List;

/** All settings of the agent: what the file may hold, what the options are, what the help says. */
public final class AgentKeys {
    static final Setting BUNDLE = Setting.text(
            "bundle",
            "",
            "Public bundle of the tenant: a file, which is read again when it changes, or an address such as https://audit.example.org/bundle.");
    static final Setting BUNDLE_EVERY =
            Setting.time("bundle-every", "1 h", "1 s", "7 d", "How often an address is looked at for a new bundle.");
    static final Setting BUNDLE_CA = Setting.path(
            "bundle-ca", "", "PEM of authorities to trust at the bundle's address instead of the system's.");
    static final Setting AUTHORITY =
            Setting.text("authority", "", "Fingerprint of the authority that signs the bundle: 64 hex digits.");
    static final Setting IDENTITY = Setting.path("identity", "", "This sender's own signing key.");

    static final Setting LIBOQS = Setting.path(
            "native.liboqs",
            "",
            "Library that computes ML-KEM and ML-DSA, made by native/install-liboqs; without it, Java's. VEILGATE_NATIVE_LIBOQS.");

    static final Setting STATE =
            Setting.path("agent.state", "", "Folder for the spool and what was read; of one agent.");
    static final Setting SCOPE = Setting.text("agent.scope", "", "Scope of the keywords, such as a plant.");
    static final Setting READERS = Setting.text(
            "agent.readers",
            "",
            "Who may read, by attributes: (role:auditor AND site:plant-7) OR role:dpo. Without it whoever has the tenant's key.");
    static final Setting HEARTBEAT = Setting.time(
            "agent.heartbeat",
            "60 s",
            "1 s",
            "1 d",
            "Promise: an envelope comes at least so often, an empty one if need be.");
    static final Setting SHUTDOWN =
            Setting.time("agent.shutdown", "4 s", "0 ms", "10 min", "At the end, how long to go on publishing.");
    static final Setting MAX_FILES = Setting.number(
            "agent.max-files",
            "1024",
            1,
            100_000,
            "Most files of a source followed at a time. More than some 6,000 need more memory: the start says how much.");
    static final Setting LINGER =
            Setting.time("agent.linger", "5 s", "0 ms", "1 h", "How long to look at a file that was renamed away.");
    static final Setting LINKS = Setting.choice(
            "agent.links",
            "same-owner",
            SourceSettings.Links.CHOICES,
            "Symbolic links that are followed. same-owner: whoever made the link has the file, or root made it where root alone may write.");
    static final Setting TEMPLATES = Setting.time(
            "agent.templates", "60 s", "1 s", "1 d", "How often at most to seal changes of the log templates.");

    static final Setting BATCH_RECORDS =
            Setting.number("agent.batch.records", "256", 1, 256, "Most records of an envelope.");
    static final Setting BATCH_BYTES =
            Setting.size("agent.batch.bytes", "1 MiB", 1024, 4 << 20, "Most bytes of records of an envelope.");
    static final Setting BATCH_TIME =
            Setting.time("agent.batch.time", "1 s", "0 ms", "1 h", "How long a record waits for others.");
    static final Setting MAX_RECORD = Setting.size(
            "agent.batch.max-record",
            "256 KiB",
            1024,
            2 << 20,
            "A longer line is sealed in several records, each an envelope.");

    static final Setting SPOOL_MAX =
            Setting.size("agent.spool.max", "256 MiB", 1 << 20, 1L << 40, "Bound of the spool on disk.");
    static final Setting SPOOL_FULL = Setting.choice(
            "agent.spool.when-full",
            "block",
            List.of("block", "drop-oldest", "drop-newest"),
            "block: sources wait, nothing is lost while they keep it; drop-oldest, drop-newest: a signed loss report says what was dropped.");
    static final Setting FREE_DISK = Setting.size(
            "agent.spool.free-disk", "64 MiB", 0, 1L << 40, "What the disk must have left; below, the spool is full.");

    static final Setting MQTT_URL =
            Setting.text("agent.mqtt.url", "", "Broker: mqtts://host:8883, or mqtt://host:1883 without TLS.");
    static final Setting CLIENT_ID =
            Setting.text("agent.mqtt.client-id", "", "Default: veilgate- and the sender's name.");
    static final Setting USER = Setting.text("agent.mqtt.user", "", "User name.");
    static final Setting PASSWORD_FILE =
            Setting.path("agent.mqtt.password-file", "", "File whose first line is the password.");
    static final Setting PASSWORD_ENV =
            Setting.text("agent.mqtt.password-env", "", "Variable of the environment that is the password.");
    static final Setting CA = Setting.path("agent.mqtt.ca", "", "PEM of authorities to trust instead of the system's.");
    static final Setting CERTIFICATE = Setting.path("agent.mqtt.certificate", "", "PEM of the client's certificate.");
    static final Setting KEY = Setting.path("agent.mqtt.key", "", "PEM of its private key.");
    static final Setting KEY_STORE = Setting.path("agent.mqtt.key-store", "", "PKCS #12 of both, instead.");
    static final Setting KEY_STORE_PASSWORD_FILE =
            Setting.path("agent.mqtt.key-store-password-file", "", "File whose first line is its password.");
    static final Setting KEEP_ALIVE =
            Setting.time("agent.mqtt.keep-alive", "30 s", "1 s", "1 h", "How often a silent connection is checked.");
    static final Setting SESSION_EXPIRY =
            Setting.time("agent.mqtt.session-expiry", "1 d", "0 ms", "365 d", "How long the broker keeps the session.");
    static final Setting CONNECT_TIMEOUT =
            Setting.time("agent.mqtt.connect-timeout", "10 s", "1 s", "5 min", "For connection and handshake.");
    static final Setting ACK_TIMEOUT = Setting.time(
            "agent.mqtt.ack-timeout", "60 s", "1 s", "1 h", "A broker that acknowledges nothing for so long is left.");
    static final Setting IN_FLIGHT = Setting.number(
            "agent.mqtt.in-flight", "16", 1, 1000, "Most envelopes without acknowledgement; 1: strict order.");
    static final Setting BACKOFF_MAX =
            Setting.time("agent.mqtt.backoff-max", "30 s", "10 ms", "1 h", "Longest wait before another try.");

    static final Setting REFUSED_AFTER = Setting.time(
            "agent.refused-after",
            "15 min",
            "0 ms",
            "30 d",
            "An envelope that is refused for good for so long is set aside and reported as lost; what is behind it goes on.");

    static final Setting MONITOR_PORT =
            Setting.number("agent.monitor.port", "0", 0, 65535, "Port for /health and /metrics on 127.0.0.1; 0: none.");

    static final String SOURCES = "agent.sources";
    static final Setting FILES = Setting.list("files", "Absolute paths, with *, **, ?, [..], {..}.");
    static final Setting EXCLUDE = Setting.list("exclude", "Names or paths not to follow.");
    static final Setting DIRECTORY = Setting.path("directory", "", "Every file in a folder.");
    static final Setting RECURSIVE = Setting.onOff("recursive", "false", "And in the folders below.");
    static final Setting STDIN = Setting.onOff("stdin", "false", "Standard input.");
    static final Setting JOURNALD = Setting.onOff("journald", "false", "The journal of systemd.");
    static final Setting MATCH = Setting.list("match", "Matches for journalctl, such as _SYSTEMD_UNIT=ssh.service.");
    static final Setting JOURNALCTL = Setting.text("journalctl", "journalctl", "The journal's reader.");
    static final Setting SOURCE_SCOPE = Setting.text("scope", "", "Instead of agent.scope.");
    static final Setting SOURCE_READERS = Setting.text("readers", "", "Instead of agent.readers.");
    static final Setting SOURCE_LINKS =
            Setting.choice("links", "", SourceSettings.Links.CHOICES, "Instead of agent.links.");
    static final Setting FORMAT = Setting.choice(
            "format",
            "auto",
            List.of("auto", "plain", "rfc3164", "rfc5424", "json", "key-value"),
            "How fields are found.");
    static final Setting MEDIA_TYPE = Setting.text("media-type", "text/plain", "What a record is.");
    static final Setting FROM = Setting.choice(
            "from", "start", List.of("start", "end"), "Where to begin in what is there at the very first start.");

    /** Single values, in the order of the help. */
    public static final List<Setting> ALL = List.of(
            BUNDLE,
            BUNDLE_EVERY,
            BUNDLE_CA,
            AUTHORITY,
            IDENTITY,
            LIBOQS,
            STATE,
            SCOPE,
            READERS,
            HEARTBEAT,
            SHUTDOWN,
            MAX_FILES,
            LINGER,
            LINKS,
            TEMPLATES,
            BATCH_RECORDS,
            BATCH_BYTES,
            BATCH_TIME,
            MAX_RECORD,
            SPOOL_MAX,
            SPOOL_FULL,
            FREE_DISK,
            MQTT_URL,
            CLIENT_ID,
            USER,
            PASSWORD_FILE,
            PASSWORD_ENV,
            CA,
            CERTIFICATE,
            KEY,
            KEY_STORE,
            KEY_STORE_PASSWORD_FILE,
            KEEP_ALIVE,
            SESSION_EXPIRY,
            CONNECT_TIMEOUT,
            ACK_TIMEOUT,
            IN_FLIGHT,
            BACKOFF_MAX,
            REFUSED_AFTER,
            MONITOR_PORT);

    /** Those of a source. */
    public static final List<Setting> OF_A_SOURCE = List.of(
            FILES,
            EXCLUDE,
            DIRECTORY,
            RECURSIVE,
            STDIN,
            JOURNALD,
            MATCH,
            JOURNALCTL,
            SOURCE_SCOPE,
            SOURCE_READERS,
            SOURCE_LINKS,
            FORMAT,
            MEDIA_TYPE,
            FROM);

    private AgentKeys() {}
}
