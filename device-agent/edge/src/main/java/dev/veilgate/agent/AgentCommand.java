package dev.veilgate.agent;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code veilgate agent}. */
@Command(
        name = "agent",
        header = "Follow logs, seal them and publish them by MQTT",
        description = {
            "  Follows files, folders, standard input and the journal; seals what they say in envelopes; keeps those on disk until"
                    + " the broker has acknowledged them. Loses nothing and repeats nothing when it is killed."
        },
        subcommands = {RunCommand.class, CheckCommand.class})
public final class AgentCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    AgentCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command: run or check");
    }
}
