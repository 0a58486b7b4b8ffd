package dev.veilgate.application.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The command's name, and the version that the jar of the class that extends this says. */
public abstract class JarVersion implements IVersionProvider {
    private final String command;

    /** @param command its installed name */
    protected JarVersion(String command) {
        this.command = command;
    }

    @Override
    public final String[] getVersion() {
        String version = Optional.ofNullable(getClass().getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {ApplicationCommand.called().orElse(command) + " " + version, "Java " + Runtime.version()};
    }
}
