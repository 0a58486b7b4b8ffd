package dev.veilgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Standing searches on a gateway. */
@Command(
        name = "route",
        header = "Install standing searches on a gateway: what arrives and matches is forwarded",
        description = {
            "  A gateway tests every arriving envelope against every route, and acts on those that match: forwards the mail, publishes to a",
            "  topic, calls a webhook. Its trapdoors end with their epochs; the gateway warns before the last one of a route ends.",
        },
        footer = {
            "  veilgate route add urgent --scope mailbox-ada --mail --forward pager@example.org 'subject:urgent'",
            "  veilgate route add heat --scope plant-7 --epoch 2026-11..2027-01 --topic alarms/plant-7 'level:error overheat'",
            "  veilgate route add root --scope plant-7 --webhook https://siem.example.org/hook 'user:root AND NOT host:bastion'",
            "  veilgate route list",
            "  veilgate route renew heat",
            "  veilgate route remove heat",
        },
        subcommands = {RouteAddCommand.class, RouteListCommand.class, RouteRenewCommand.class, RouteRemoveCommand.class
        })
final class RouteCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with routes: add, list, renew, remove");
    }
}
