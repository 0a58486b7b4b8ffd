package dev.veilgate.archive;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folders of a device for what it knows of archives, which is not in the archives' own folders: their keys, and the
 * newest states that it has seen.
 *
 * @param keys   for {@code ID.key}
 * @param states for {@code ID.head}
 */
public record DevicePlaces(Path keys, Path states) {
    private static final String FOLDER = "veilgate/archives";

    /**
     * The usual ones: {@code $XDG_CONFIG_HOME/veilgate/archives}, else in {@code ~/.config}, and
     * {@code $XDG_STATE_HOME/veilgate/archives}, else in {@code ~/.local/state}.
     *
     * @param environment variables
     * @param home        folder of the user
     */
    public static DevicePlaces of(Map<String, String> environment, Path home) {
        return new DevicePlaces(
                base(environment.get("XDG_CONFIG_HOME"), home.resolve(".config"))
                        .resolve(FOLDER),
                base(environment.get("XDG_STATE_HOME"), home.resolve(".local/state"))
                        .resolve(FOLDER));
    }

    private static Path base(@Nullable String named, Path usual) {
        return named == null || named.isEmpty() || !Path.of(named).isAbsolute() ? usual : Path.of(named);
    }
}
