package dev.veilgate.program;

import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The program's name and the version that the build wrote into the jar. */
final class Version implements IVersionProvider {
    @Spec
    private CommandSpec spec;

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {spec.root().name() + " " + (version == null ? "(not built as a jar)" : version)};
    }
}
