package dev.veilgate.application.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What the jar of the class that extends it says. */
public abstract class JarVersion implements IVersionProvider {
    private final String command;

    /** @param command as it is called */
    protected JarVersion(String command) {
        this.command = command;
    }

    @Override
    public final String[] getVersion() {
        String version = Optional.ofNullable(getClass().getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {command + " " + version, "Java " + Runtime.version()};
    }
}
