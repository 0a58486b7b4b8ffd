package dev.veilgate.console.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What the jar says. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {"veilgate console " + version, "Java " + Runtime.version()};
    }
}
