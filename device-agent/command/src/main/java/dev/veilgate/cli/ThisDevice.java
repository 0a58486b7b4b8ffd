package dev.veilgate.cli;

import dev.veilgate.archive.DevicePlaces;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.Optional;

/** Places on this device for archives' keys. */
final class ThisDevice {
    private ThisDevice() {}

    static DevicePlaces places(Terminal terminal) {
        String home = Optional.ofNullable(terminal.environment().get("HOME")).orElse(System.getProperty("user.home"));
        return DevicePlaces.of(terminal.environment(), Path.of(home));
    }
}
