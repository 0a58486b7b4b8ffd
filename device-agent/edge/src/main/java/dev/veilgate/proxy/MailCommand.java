package dev.veilgate.proxy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code veilgate mail}. */
@Command(
        name = "mail",
        header = "Send sealed mail",
        description = {
            "  A message leaves this machine as S/MIME for its recipients' certificates, with its true subject inside,",
            "  and with an index that the gateway searches without reading.",
        },
        subcommands = {MailSendCommand.class, MailProxyCommand.class, MailCheckCommand.class, MailPasswordCommand.class
        })
public final class MailCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    MailCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say which: " + String.join(", ", spec.subcommands().keySet()));
    }
}
