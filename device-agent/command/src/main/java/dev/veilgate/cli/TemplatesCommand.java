package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.extract.template.TemplateListing;
import dev.veilgate.extract.template.TemplateName;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists templates. */
@Command(
        name = "templates",
        header = "List the kinds of log messages that were sealed, by the names under which they are searched",
        description = {
            "  Opens the catalogues among the envelopes. Search for a kind with template:NAME; a kind with several names is found by",
            "  each for a part of its messages. Anybody can seal; a catalogue that no registered sender signed is left out with a",
            "  warning. A catalogue that is refused is named on standard error, and the exit status is 3 at the end.",
        },
        footer = {
            "  veilgate templates day.vge",
            "  veilgate search --scope plant-7 template:session-opened-1a2b day.vge"
        })
final class TemplatesCommand extends AuthorityCommand {
    @Mixin
    private EnvelopeSource envelopes = new EnvelopeSource();

    @Option(names = "--json", description = "Print a JSON object a line for each kind.")
    private boolean json;

    private long unproven;

    TemplatesCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        TemplateListing listing = new TemplateListing();
        EnvelopeOpener opener = folder.keys().opener();
        long refused = envelopes.forEach(terminal, (source, bytes) -> {
            Envelope envelope = Envelope.decode(bytes);
            if (!envelope.mediaType().equals(TemplateCatalogue.MEDIA_TYPE)) {
                return;
            }
            if (folder.keys()
                    .sender(envelope.sender())
                    .filter(envelope::signedBy)
                    .isEmpty()) {
                unproven++;
                return;
            }
            List<TemplateCatalogue> catalogues = new ArrayList<>();
            for (byte[] record : opener.open(envelope)) {
                catalogues.add(TemplateCatalogue.decode(record));
            }
            catalogues.forEach(catalogue -> listing.add(envelope.sender(), catalogue));
        });
        if (unproven > 0) {
            terminal.err()
                    .println("warning: " + unproven
                            + " catalogues are not signed by a registered sender; they were left out");
        }
        List<TemplateListing.Event> events = listing.events();
        events.forEach(this::print);
        return refused > 0 ? ExitCode.REFUSED : events.isEmpty() ? ExitCode.NO_MATCH : ExitCode.OK;
    }

    private void print(TemplateListing.Event event) {
        List<String> names = event.names().stream().map(TemplateName::value).toList();
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("names", names);
            line.put("template", event.template());
            line.put("count", event.count());
            line.put("senders", event.senders());
            line.put("first", Instant.ofEpochMilli(event.firstSeenMillis()).toString());
            line.put("last", Instant.ofEpochMilli(event.lastSeenMillis()).toString());
            terminal.out().println(Json.of(line));
            return;
        }
        terminal.out().printf("%9d  %s  %s%n", event.count(), String.join(",", names), Printable.of(event.template()));
    }
}
