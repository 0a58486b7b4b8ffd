package dev.veilgate.settings;

import java.io.Serial;

/** A setting that cannot be used: where it is and what is allowed. Never the value of a secret: settings have none. */
public final class SettingsException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With the whole line for the user. */
    public SettingsException(String message) {
        super(message);
    }
}
