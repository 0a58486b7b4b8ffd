package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that asks a gateway and needs no key: the tenant's name is enough. */
abstract sealed class GatewayCommand implements Callable<Integer>
        permits RouteListCommand, RouteRemoveCommand, SendersCommand {
    final Terminal terminal;

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    @Option(
            names = "--tenant",
            paramLabel = "NAME",
            description = "Whose; VEILGATE_TENANT, or else that of the key folder, which is opened for it.")
    private @Nullable String tenant;

    @Mixin
    private KeyFolderOptions keyFolder = new KeyFolderOptions();

    GatewayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The work; the exit code. */
    abstract int run(GatewayClient client) throws Exception;

    @Override
    public final Integer call() throws Exception {
        try (GatewayClient client = gateway.connect(terminal, tenant())) {
            return run(client);
        }
    }

    private String tenant() throws IOException, CommandFailure {
        String named = tenant != null ? tenant : terminal.variable("VEILGATE_TENANT");
        if (named != null && !named.isEmpty()) {
            return named;
        }
        try (KeyFolder folder = keyFolder.open(terminal, KeyFolder.Access.READ)) {
            return folder.keys().tenant();
        }
    }
}
