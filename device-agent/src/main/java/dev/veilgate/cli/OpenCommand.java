package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.reading.Reading;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
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
            "  A reader opens with --reader-key and the public bundle, without the key folder.",
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

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    @Mixin
    private ReaderKeyOptions reader = new ReaderKeyOptions();

    @Option(names = "--signed-only", description = "Refuse what no registered sender signed.")
    private boolean signedOnly;

    @Mixin
    private Progress progress = new Progress();

    private long unsigned;
    private long elsewhere;
    private long records;
    private long refused;

    OpenCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        try (Reading reading = reader.open(terminal, folder.keys())) {
            return open(reading);
        }
    }

    @Override
    boolean needsKeyFolder() {
        return !reader.isGiven() || !bundle.isNamed(terminal);
    }

    @Override
    int runAsReader() throws Exception {
        try (Reading reading = reader.open(terminal, bundle.read(terminal, 0))) {
            return open(reading);
        }
    }

    private int open(Reading reading) throws Exception {
        try {
            String name = output;
            if (name != null && OriginFolder.isNamed(name)) {
                try (OriginFolder files = OriginFolder.create(name)) {
                    openAll(
                            reading,
                            (envelope, signed, origins) ->
                                    i -> files.of(envelope.sender(), signed, origins.isEmpty() ? "" : origins.get(i)));
                }
            } else {
                Output.to(terminal, name, false, out -> openAll(reading, (envelope, signed, origins) -> i -> out));
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
        Place of(Envelope envelope, boolean signed, List<String> origins);
    }

    /** Where one record goes. */
    @FunctionalInterface
    private interface Place {
        OutputStream of(int ordinal) throws IOException;
    }

    private void openAll(Reading reading, Places places) throws Exception {
        refused = envelopes.forEach(terminal, (source, bytes) -> {
            open(reading, Envelope.decode(bytes), places);
            progress.at(terminal, "records", records);
        });
    }

    private void open(Reading reading, Envelope envelope, Places places) throws Exception {
        boolean signed =
                reading.sender(envelope.sender()).filter(envelope::signedBy).isPresent();
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
        if (envelope.recordCount() == 0) {
            return;
        }
        Place place;
        List<byte[]> opened;
        try (UnlockedEnvelope unlocked = reading.opener().unlock(envelope)) { // once: it may take a second
            place = places.of(envelope, signed, unlocked.origins());
            opened = unlocked.records();
        }
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
