package dev.veilgate.proxy;

import dev.veilgate.program.NativeLibrary;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.settings.MailReaders;
import dev.veilgate.settings.MailSettings;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.settings.Setting;
import dev.veilgate.settings.SettingOptions;
import dev.veilgate.settings.SettingsException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The settings of a mail command, from its options and the settings file. */
record MailOptions(MailSettings settings) {

    static MailOptions of(ParseResult parsed, List<Setting> options) throws CommandFailure, IOException {
        return of(parsed, options, name -> null);
    }

    /** @param environment where bundle and authority are named if neither options nor the file name them */
    static MailOptions of(ParseResult parsed, List<Setting> options, Function<String, @Nullable String> environment)
            throws CommandFailure, IOException {
        try {
            MailSettings settings =
                    MailSettings.load(SettingOptions.file(parsed), SettingOptions.values(parsed, options), environment);
            NativeLibrary.use("native.liboqs", settings.liboqs());
            return new MailOptions(settings);
        } catch (SettingsException e) {
            throw usage(e);
        }
    }

    ProxySettings proxy() throws CommandFailure {
        try {
            return settings.proxy();
        } catch (SettingsException e) {
            throw usage(e);
        }
    }

    MailReaders readers() throws CommandFailure {
        try {
            return settings.readers();
        } catch (SettingsException e) {
            throw usage(e);
        }
    }

    MailForm form(Clock clock) throws CommandFailure {
        try {
            return MailForm.read(settings.form(), clock.instant());
        } catch (SettingsException e) {
            throw usage(e);
        } catch (SigningKeyFile.UnusableSignerException e) {
            throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Tells if {@code mail send} signs as the address in From: its user holds the key, so no login is asked for. */
    boolean signsAsSender() throws CommandFailure {
        try {
            return settings.form().owned().isOwnedByHolder();
        } catch (SettingsException e) {
            throw usage(e);
        }
    }

    RelaySettings smtp() throws CommandFailure {
        try {
            return settings.smtp();
        } catch (SettingsException e) {
            throw usage(e);
        }
    }

    /**
     * The bundle, fetched if it is at an address and was not looked at for a while.
     *
     * @param kept where it is kept then
     */
    KeptBundle bundle(Path kept, Clock clock, Consumer<String> log) throws IOException, CommandFailure {
        return KeptBundle.seldom(settings.bundle(), kept, settings.bundleLooking(), fingerprint(), clock, log);
    }

    /** The authority's fingerprint, from the file if one was named. */
    String fingerprint() throws CommandFailure {
        String authority = settings.authority();
        String hex = hex(authority);
        try {
            hex = isFingerprint(hex) ? hex : hex(Files.readString(Path.of(authority)));
        } catch (IOException | RuntimeException e) {
            // said below
        }
        if (!isFingerprint(hex)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "authority: must be a fingerprint of 64 hex digits, or a file that holds one");
        }
        return hex;
    }

    private static String hex(String text) {
        return text.replaceAll("[:\\s]", "");
    }

    private static boolean isFingerprint(String hex) {
        return hex.matches("[0-9a-fA-F]{64}");
    }

    private static CommandFailure usage(SettingsException e) {
        return new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
}
