package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trapdoor, test and open in one. */
@Command(
        name = "search",
        header = "Search sealed envelopes and print the lines that match",
        description = {
            "  Issues the trapdoors, tests them against the envelopes, opens what matches and extracts its keywords again. A record that",
            "  does not contain what it was found by (its sender lies) is named on standard error and not printed. Anybody can seal in",
            "  any name: one that no registered sender signed for is not shown, and there is a warning.",
        },
        footer = {
            "  veilgate search --scope plant-7 overheat day.vge",
            "  veilgate search --scope plant-7 --with-name 'source:/var/log/auth.log failed' spool/",
            "  veilgate search --scope plant-7 --epoch 2026-10..2026-11 'level:error 10.0.0.1' spool/",
        })
final class SearchCommand extends AuthorityCommand {
    @Mixin
    private QueryOptions options = new QueryOptions();

    @Parameters(index = "0", paramLabel = "QUERY", description = QueryOptions.DESCRIPTION)
    private String query = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ENVELOPES", description = EnvelopeSource.DESCRIPTION)
    private List<String> envelopes = new ArrayList<>();

    @Option(
            names = "--with-name",
            description = "Print sender, origin (- if not known), sequence number and record before each line.")
    private boolean withName;

    @Option(names = "--json", description = "Print a JSON object a line for each record.")
    private boolean json;

    @Mixin
    private Progress progress = new Progress();

    private long tested;
    private long found;
    private long unproven;

    SearchCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        KeywordQuery parsed = options.parse(terminal, folder, query);
        PreparedSearch prepared = PreparedSearch.of(options.issue(terminal, folder, parsed), IndexSchemes.load());
        HitCheck check =
                new HitCheck(parsed, ExtractorProfile.decode(folder.keys().profile()));
        EnvelopeOpener opener = folder.keys().opener();
        long refused;
        try {
            refused = EnvelopeSource.forEach(terminal, envelopes, (source, bytes) -> {
                search(folder.keys(), prepared, check, opener, source, bytes);
                progress.at(terminal, "envelopes", ++tested);
            });
        } finally {
            progress.end(terminal);
        }
        if (unproven > 0) {
            terminal.err().println("warning: " + unproven + " records found are not signed by a registered sender");
        }
        return refused > 0 ? ExitCode.REFUSED : found > 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private void search(
            TenantKeys keys,
            PreparedSearch prepared,
            HitCheck check,
            EnvelopeOpener opener,
            String source,
            byte[] bytes)
            throws MalformedEncodingException, UnopenableEnvelopeException {
        Envelope envelope = Envelope.decode(bytes);
        RecordSet records = prepared.match(envelope, key -> true);
        if (records.isEmpty()) {
            return;
        }
        if (envelope.detachedDigest().isPresent()) {
            found++;
            terminal.out().println("mail " + envelope.id());
            return;
        }
        List<String> origins = opener.origins(envelope);
        boolean signed =
                keys.sender(envelope.sender()).filter(envelope::signedBy).isPresent();
        for (int ordinal : records.ordinals().toArray()) {
            byte[] record = opener.openRecord(envelope, ordinal);
            String origin = origins.isEmpty() ? "" : origins.get(ordinal);
            if (check.holds(record, origin)) {
                found++;
                unproven += signed ? 0 : 1;
                print(envelope, signed ? envelope.sender() : "", ordinal, origin, record);
            } else {
                terminal.err()
                        .println(source + ": record " + ordinal
                                + " does not contain what it was found by; its sender lies, or had another profile");
            }
        }
    }

    /** @param sender proven, or empty */
    private void print(Envelope envelope, String sender, int ordinal, String origin, byte[] record) {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("envelope", envelope.id().toString());
            line.put("sender", sender);
            if (!origin.isEmpty()) {
                line.put("origin", origin);
            }
            line.put("sequence", envelope.sequence());
            line.put("record", ordinal);
            line.put("text", new String(record, StandardCharsets.UTF_8));
            terminal.out().println(Json.of(line));
            return;
        }
        if (withName) {
            terminal.out()
                    .print((sender.isEmpty() ? "-" : Printable.of(sender)) + " "
                            + (origin.isEmpty() ? "-" : Printable.of(origin)) + " " + envelope.sequence() + ":"
                            + ordinal + ": ");
        }
        terminal.out().write(record, 0, record.length);
        if (record.length == 0 || record[record.length - 1] != '\n') {
            terminal.out().write('\n');
        }
    }
}
