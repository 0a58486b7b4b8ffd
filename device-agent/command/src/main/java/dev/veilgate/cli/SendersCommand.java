package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What has arrived from whom, and what has not. */
@Command(
        name = "senders",
        header = "List the senders that a gateway knows, and what is missing of their chains",
        description = {
            "  GAPS are numbers that have not arrived, FORKS numbers that were signed twice, SILENT since when a sender is quiet that had",
            "  promised its next envelope. The exit status is 1 if there is any of these. The gateway can hide an envelope but not forge",
            "  one: veilgate verify checks the chains of envelopes that are at hand.",
        },
        footer = {"  veilgate senders --tenant acme", "  veilgate senders --tenant acme --json"})
final class SendersCommand extends GatewayCommand {
    private static final int GAPS_SHOWN = 4;

    @Option(names = "--json", description = "Print a JSON object a line for each sender, as the gateway gave it.")
    private boolean json;

    SendersCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(GatewayClient client) throws Exception {
        List<List<String>> rows = new ArrayList<>(
                List.of(List.of("SENDER", "ENVELOPES", "HIGHEST", "GAPS", "FORKS", "SEALED", "ARRIVED", "SILENT")));
        boolean whole = true;
        for (JsonObject sender : client.senders()) {
            List<JsonObject> gaps = sender.list("gaps");
            String silent = sender.optionalText("silentSince").orElse("-");
            whole &= gaps.isEmpty() && sender.number("forks") == 0 && silent.equals("-");
            if (json) {
                terminal.out().println(Json.of(sender.fields()));
                continue;
            }
            rows.add(List.of(
                    sender.text("sender"),
                    String.valueOf(sender.number("envelopes")),
                    String.valueOf(sender.number("highestSequence")),
                    text(gaps),
                    String.valueOf(sender.number("forks")),
                    sender.text("lastSealed"),
                    sender.text("lastArrived"),
                    silent));
        }
        if (!json) {
            Table.print(terminal.out(), rows);
        }
        return whole ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private static String text(List<JsonObject> gaps) throws IOException {
        List<String> parts = new ArrayList<>();
        for (JsonObject gap : gaps.subList(0, Math.min(gaps.size(), GAPS_SHOWN))) {
            long from = gap.number("from");
            long to = gap.number("to");
            parts.add(from == to ? String.valueOf(from) : from + "-" + to);
        }
        if (gaps.size() > GAPS_SHOWN) {
            parts.add((gaps.size() - GAPS_SHOWN) + " more");
        }
        return parts.isEmpty() ? "-" : String.join(",", parts);
    }
}
