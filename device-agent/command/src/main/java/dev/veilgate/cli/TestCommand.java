package dev.veilgate.cli;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeVerifier;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The gateway's work by hand. */
@Command(
        name = "test",
        header = "Test a search request against envelopes, as a gateway does; needs no secret",
        description = {
            "  Prints a line for each envelope that has matching records: its id, then the records' places in it, from 0. What the",
            "  gateway learns is just that. A sender can lie about keywords; veilgate search opens what was found and looks again.",
            "  The tenant's public bundle is needed, since its keys tell whether a block of the index was forged or another message's. An",
            "  envelope of which they tell so is named on standard error, and the exit status is 3 at the end. One that matches by an",
            "  index of an earlier form, of which nobody can tell, is named there, too.",
            "  JSON names a sender only if a key of it signed that is in the sender registry of the public bundle.",
        },
        footer = {
            "  veilgate test --bundle acme.bundle --authority $FINGERPRINT overheat.search day.vge",
            "  veilgate test --count overheat.search spool/"
        })
final class TestCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "SEARCH", description = "What veilgate trapdoor wrote.")
    private Path requestFile = Path.of("");

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ENVELOPES", description = EnvelopeSource.DESCRIPTION)
    private List<String> envelopes = new ArrayList<>();

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    @Mixin
    private SenderOptions senderOptions = new SenderOptions();

    @Option(names = "--json", description = "Print a JSON object a line for each envelope that matches.")
    private boolean json;

    @Option(names = "--count", description = "Print only how many records match.")
    private boolean count;

    @Mixin
    private Progress progress = new Progress();

    private final IndexSchemes schemes = IndexSchemes.load();
    private long tested;
    private long found;
    private Optional<EnvelopeVerifier> senders = Optional.empty();

    TestCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        PreparedSearch search = PreparedSearch.of(RequestFile.read(requestFile), schemes);
        IndexAdmission admission = admission();
        long refused;
        try {
            refused = EnvelopeSource.forEach(terminal, envelopes, (source, bytes) -> {
                test(search, admission, source, bytes);
                progress.at(terminal, "envelopes", ++tested);
            });
        } finally {
            progress.end(terminal);
        }
        if (count) {
            terminal.out().println(found);
        }
        return refused > 0 ? ExitCode.REFUSED : found > 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private IndexAdmission admission() throws Exception {
        PublicBundle verified = bundle.read(terminal, 0);
        if (json && !count) {
            Optional<RegisteredSenders> registered = senderOptions.read(terminal, bundle, verified);
            if (registered.isEmpty()) {
                terminal.err().println("note: no sender is named: " + senderOptions.unknown(terminal, bundle));
            }
            senders = registered.map(EnvelopeVerifier::new);
        }
        return IndexAdmission.of(verified, schemes);
    }

    private void test(PreparedSearch search, IndexAdmission admission, String source, byte[] bytes)
            throws MalformedEncodingException, IOException {
        Envelope envelope = Envelope.decode(bytes);
        RecordSet records = search.match(envelope, admission.verify(envelope));
        if (records.isEmpty()) {
            return;
        }
        OutdatedIndex.say(terminal, schemes, source, envelope);
        List<Integer> ordinals = records.ordinals().boxed().toList();
        found += ordinals.size();
        if (json && !count) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("envelope", envelope.id().toString());
            if (isProven(envelope)) {
                line.put("sender", envelope.sender());
            }
            line.put("sequence", envelope.sequence());
            line.put("source", source);
            line.put("records", ordinals);
            terminal.out().println(Json.of(line));
        } else if (!count) {
            terminal.out()
                    .println(envelope.id() + " "
                            + ordinals.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }

    /** Anybody can seal in any name. */
    private boolean isProven(Envelope envelope) throws IOException {
        return senders.isPresent() && senders.get().signed(envelope);
    }
}
