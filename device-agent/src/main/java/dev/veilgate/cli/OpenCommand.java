package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Opens envelopes. */
@Command(
        name = "open",
        header = "Open envelopes: their records, byte for byte",
        description = {
            "  Writes the records of all envelopes in the order in which they are given. Catalogues of templates are passed over;",
            "  veilgate templates lists them. Anybody can seal; an envelope that no registered sender signed is opened with a",
            "  warning, or with --signed-only refused. Whether envelopes are missing, veilgate verify says.",
        },
        footer = {"  veilgate open day.vge > day.log", "  cat spool/*.vge | veilgate open --signed-only | less"})
final class OpenCommand extends AuthorityCommand {
    @Mixin
    private EnvelopeSource envelopes = new EnvelopeSource();

    @Option(names = "-o", paramLabel = "FILE", description = "Where to write; standard output.")
    private @Nullable String output;

    @Option(names = "--signed-only", description = "Refuse what no registered sender signed.")
    private boolean signedOnly;

    @Mixin
    private Progress progress = new Progress();

    private final Map<String, SenderPublicKey> senders = new HashMap<>();
    private long unsigned;
    private long elsewhere;
    private long records;

    OpenCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        folder.keys().senders().forEach(sender -> senders.put(sender.sender(), sender));
        EnvelopeOpener opener = folder.keys().opener();
        try {
            Output.to(
                    terminal,
                    output,
                    false,
                    out -> envelopes.forEach(terminal, (source, bytes) -> {
                        open(opener, source, EnvelopeSource.decode(source, bytes), out);
                        progress.at(terminal, "records", records);
                    }));
        } finally {
            progress.end(terminal);
        }
        if (unsigned > 0) {
            terminal.err().println("warning: " + unsigned + " envelopes are not signed by a registered sender");
        }
        if (elsewhere > 0) {
            terminal.err().println("note: the contents of " + elsewhere + " envelopes are elsewhere (mails)");
        }
        return ExitCode.OK;
    }

    private void open(EnvelopeOpener opener, String source, Envelope envelope, OutputStream out) throws Exception {
        SenderPublicKey sender = senders.get(envelope.sender());
        if (sender == null || !envelope.signedBy(sender)) {
            if (signedOnly) {
                throw new CommandFailure(ExitCode.REFUSED, source + ": not signed by a registered sender");
            }
            unsigned++;
        }
        if (envelope.mediaType().equals(TemplateCatalogue.MEDIA_TYPE)) {
            return;
        }
        if (envelope.detachedDigest().isPresent()) {
            elsewhere++;
            return;
        }
        try {
            for (byte[] record : opener.open(envelope)) {
                out.write(record);
                if (LineMedia.endsWithLineFeed(envelope.mediaType())) {
                    out.write('\n');
                }
                records++;
            }
        } catch (UnopenableEnvelopeException e) {
            throw EnvelopeSource.refused(source, e);
        }
    }
}
