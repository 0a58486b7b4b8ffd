package dev.veilgate.settings;

import dev.veilgate.sender.BundleLocation;
import dev.veilgate.sender.KeptBundle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of the mail commands: checked, with defaults. */
public final class MailSettings {
    private static final Set<String> SECTIONS_OF_OTHERS = Set.of("agent");
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private final Values values;

    private MailSettings(Values values) {
        this.values = values;
    }

    /**
     * Reads and checks settings, each alone; {@link #proxy} and {@link #smtp} check what belongs together.
     *
     * @param file    null: options only
     * @param options by key; they win
     */
    public static MailSettings load(@Nullable Path file, Map<String, String> options)
            throws SettingsException, IOException {
        return load(file, options, name -> null);
    }

    /**
     * The same for a command that somebody types, who may have named the bundle and its authority for all commands.
     *
     * @param environment variables by name; null for none. The file wins over them
     */
    public static MailSettings load(
            @Nullable Path file, Map<String, String> options, Function<String, @Nullable String> environment)
            throws SettingsException, IOException {
        Map<String, SettingsFile.Entry> variables = new HashMap<>();
        MailKeys.VARIABLES.forEach((setting, name) -> {
            String value = environment.apply(name);
            if (value != null && !value.isEmpty()) {
                variables.put(setting.key(), new SettingsFile.Entry(List.of(value), name + ", "));
            }
        });
        Values values = Values.load(file, MailKeys.OF_THE_FILE, options, SECTIONS_OF_OTHERS, variables);
        try {
            BundleLocation.parse(values.needed(MailKeys.BUNDLE));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(values.place(MailKeys.BUNDLE) + e.getMessage());
        }
        values.needed(MailKeys.AUTHORITY);
        return new MailSettings(values);
    }

    /** Where the public bundle is. */
    public BundleLocation bundle() {
        return BundleLocation.parse(values.text(MailKeys.BUNDLE));
    }

    /** Library of native code for the post-quantum algorithms; empty: none is named here. */
    public String liboqs() {
        return values.text(MailKeys.LIBOQS);
    }

    /** How an address of it is looked at. */
    public KeptBundle.Looking bundleLooking() {
        return new KeptBundle.Looking(values.time(MailKeys.BUNDLE_EVERY), values.path(MailKeys.BUNDLE_CA));
    }

    /** Fingerprint of the authority, or a file that holds it. */
    public String authority() {
        return values.text(MailKeys.AUTHORITY);
    }

    /** Whether mails carry an index. */
    public boolean index() {
        return values.isOn(MailKeys.INDEX);
    }

    /** Who may read besides the recipients. */
    public MailReaders readers() throws SettingsException {
        return MailReaders.parse(values.place(MailKeys.READERS), values.text(MailKeys.READERS));
    }

    /** In which form mail is sealed. */
    public MailFormSettings form() throws SettingsException {
        AuthenticatedPrograms authenticated =
                AuthenticatedPrograms.parse(values.place(MailKeys.AUTHENTICATED), values.text(MailKeys.AUTHENTICATED));
        ShownSubjects subjects = ShownSubjects.parse(values.place(MailKeys.SUBJECT), values.text(MailKeys.SUBJECT));
        try {
            return new MailFormSettings(
                    values.path(MailKeys.SIGNING_KEY),
                    values.path(MailKeys.SIGNING_PASSPHRASE),
                    values.path(MailKeys.SENDER_KEYS),
                    authenticated,
                    subjects,
                    OwnedAddresses.parse(values.place(MailKeys.SIGN_AS), values.text(MailKeys.SIGN_AS)));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(values.place(MailKeys.SIGNING_KEY) + e.getMessage());
        }
    }

    /** The next mail server. */
    public RelaySettings smtp() throws SettingsException {
        String url = values.needed(MailKeys.SMTP_URL);
        String user = values.text(MailKeys.SMTP_USER);
        try {
            return RelaySettings.of(
                    url,
                    user.isEmpty() ? null : user,
                    values.path(MailKeys.SMTP_PASSWORD_FILE),
                    values.path(MailKeys.SMTP_CA),
                    values.time(MailKeys.SMTP_TIMEOUT));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(values.place(MailKeys.SMTP_URL) + e.getMessage());
        }
    }

    /** The proxy. */
    public ProxySettings proxy() throws SettingsException {
        Path spool = Path.of(values.needed(MailKeys.SPOOL));
        int monitor = values.number(MailKeys.MONITOR_PORT);
        MailFormSettings form = form();
        try {
            return new ProxySettings(
                    values.text(MailKeys.LISTEN),
                    values.number(MailKeys.PORT),
                    values.path(MailKeys.CERTIFICATE),
                    values.path(MailKeys.KEY),
                    values.path(MailKeys.PASSWORDS),
                    spool,
                    values.bytes(MailKeys.MAX_SIZE),
                    values.isOn(MailKeys.PARTIAL),
                    index(),
                    new ProxySettings.Retry(values.time(MailKeys.RETRY), LONGEST_PAUSE, values.time(MailKeys.GIVE_UP)),
                    monitor == 0 ? -1 : monitor,
                    readers(),
                    form,
                    ProxySettings.ReversePath.valueOf(
                            values.text(MailKeys.REVERSE_PATH).toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(values.place(MailKeys.LISTEN) + e.getMessage());
        }
    }
}
