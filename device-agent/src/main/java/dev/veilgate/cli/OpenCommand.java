package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
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
            "  warning, or with --signed-only refused. Whether envelopes are missing, veilgate verify says. An envelope that is refused",
            "  is named on standard error, the others are opened, and the exit status is 3 at the end.",
            "  If -o names a folder, each origin gets a file in it: SENDER/var/log/app.log, so that lines of many sources that travelled",
            "  together are apart again. What is not signed lies in ~unsigned/, what does not say where it came from in ~unknown.",
            "  Names that could lead out of the folder or hide in it are written with %% and digits.",
        },
        footer = {
            "  veilgate open day.vge > day.log",
            "  veilgate open --signed-only -o opened/ spool/",
            "  cat spool/*.vge | veilgate open --signed-only | less"
        })
final class OpenCommand extends AuthorityCommand {
    @Mixin
    private EnvelopeSource envelopes = new EnvelopeSource();

    @Option(
            names = "-o",
            paramLabel = "FILE|DIR",
            description =
                    "Where to write: a file, or a new folder (its name ends with /) or an empty one for a file an origin; standard output.")
    private @Nullable String output;

    @Option(names = "--signed-only", description = "Refuse what no registered sender signed.")
    private boolean signedOnly;

    @Mixin
    private Progress progress = new Progress();

    private final Map<String, SenderPublicKey> senders = new HashMap<>();
    private long unsigned;
    private long elsewhere;
    private long records;
    private long refused;

    OpenCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        folder.keys().senders().forEach(sender -> senders.put(sender.sender(), sender));
        EnvelopeOpener opener = folder.keys().opener();
        try {
            String name = output;
            if (name != null && OriginFolder.isNamed(name)) {
                try (OriginFolder files = OriginFolder.create(name)) {
                    openAll(opener, (envelope, signed) -> {
                        List<String> origins = opener.origins(envelope);
                        return i -> files.of(envelope.sender(), signed, origins.isEmpty() ? "" : origins.get(i));
                    });
                }
            } else {
                Output.to(terminal, name, false, out -> openAll(opener, (envelope, signed) -> i -> out));
            }
        } finally {
            progress.end(terminal);
        }
        if (unsigned > 0) {
            terminal.err().println("warning: " + unsigned + " envelopes are not signed by a registered sender");
        }
        if (elsewhere > 0) {
            terminal.err().println("note: the contents of " + elsewhere + " envelopes are elsewhere (mails)");
        }
        return refused > 0 ? ExitCode.REFUSED : ExitCode.OK;
    }

    /** Where the records of an envelope go. */
    @FunctionalInterface
    private interface Places {
        Place of(Envelope envelope, boolean signed) throws UnopenableEnvelopeException;
    }

    /** Where one record goes. */
    @FunctionalInterface
    private interface Place {
        OutputStream of(int ordinal) throws IOException;
    }

    private void openAll(EnvelopeOpener opener, Places places) throws Exception {
        refused = envelopes.forEach(terminal, (source, bytes) -> {
            open(opener, Envelope.decode(bytes), places);
            progress.at(terminal, "records", records);
        });
    }

    private void open(EnvelopeOpener opener, Envelope envelope, Places places) throws Exception {
        SenderPublicKey sender = senders.get(envelope.sender());
        boolean signed = sender != null && envelope.signedBy(sender);
        if (!signed) {
            if (signedOnly) {
                throw new UnopenableEnvelopeException("not signed by a registered sender");
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
        Place place = places.of(envelope, signed);
        List<byte[]> opened = opener.open(envelope);
        for (int i = 0; i < opened.size(); i++) {
            OutputStream out = place.of(i);
            out.write(opened.get(i));
            if (LineMedia.endsWithLineFeed(envelope.mediaType())) {
                out.write('\n');
            }
            records++;
        }
    }
}
