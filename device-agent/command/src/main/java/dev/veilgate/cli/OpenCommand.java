package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.UnlockedEnvelope;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.program.NativeLibrary;
import dev.veilgate.reading.Reading;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
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
            "  veilgate open --reader-key ada.vgr --gateway https://gateway.example.org --token-file token --gateway-transform spool/",
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
    private SenderOptions senders = new SenderOptions();

    @Mixin
    private ReaderKeyOptions reader = new ReaderKeyOptions();

    @Option(names = "--signed-only", description = "Refuse what no registered sender signed.")
    private boolean signedOnly;

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    @Mixin
    private TransformOptions transform = new TransformOptions();

    @Mixin
    private Progress progress = new Progress();

    /** Envelopes of which a gateway is told ahead. */
    private static final int AHEAD = 64;

    private long unsigned;
    private long elsewhere;
    private long records;
    private long refused;
    private long wrappedByFrodoKem;

    OpenCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        transform.check(terminal, reader, gateway.isNamed(terminal));
        if (gateway.isGiven() && !transform.isGiven()) {
            throw new CommandFailure(ExitCode.USAGE, "--gateway is for --gateway-transform");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        try (Reading reading = reader.open(terminal, folder.keys())) {
            return openHelped(reading);
        }
    }

    @Override
    boolean needsKeyFolder() {
        return !reader.isGiven() || !bundle.isNamed(terminal);
    }

    @Override
    int runAsReader() throws Exception {
        PublicBundle tenant = bundle.read(terminal, 0);
        Optional<RegisteredSenders> registered = senders.read(terminal, bundle, tenant);
        if (registered.isEmpty()) {
            String unknown = senders.unknown(terminal, bundle);
            if (signedOnly) {
                throw new CommandFailure(ExitCode.REFUSED, "--signed-only: " + unknown);
            }
            terminal.err().println("warning: no signature is checked: " + unknown);
        }
        try (Reading reading = reader.open(terminal, tenant, registered)) {
            return openHelped(reading);
        }
    }

    private int openHelped(Reading reading) throws Exception {
        if (!transform.isGiven()) {
            return open(TransformHelp.none(reading));
        }
        String tenant = reading.readerKeys().getFirst().tenant();
        try (GatewayClient client = gateway.connect(terminal, tenant);
                TransformHelp help = transform.help(terminal, reading, client)) {
            int code = open(help);
            help.report(terminal);
            return code;
        }
    }

    private int open(TransformHelp help) throws Exception {
        try {
            String name = output;
            if (name != null && OriginFolder.isNamed(name)) {
                try (OriginFolder files = OriginFolder.create(name)) {
                    openAll(
                            help,
                            (envelope, signed, origins) ->
                                    i -> files.of(envelope.sender(), signed, origins.isEmpty() ? "" : origins.get(i)));
                }
            } else {
                Output.to(terminal, name, false, out -> openAll(help, (envelope, signed, origins) -> i -> out));
            }
        } finally {
            progress.end(terminal);
        }
        if (unsigned > 0 && help.reading().knowsSenders()) {
            terminal.err().println("warning: " + unsigned + " envelopes are not signed by a registered sender");
        }
        if (wrappedByFrodoKem > 0) {
            terminal.err()
                    .println("note: " + wrappedByFrodoKem + " envelopes were wrapped with "
                            + WrapAlgorithm.X25519_FRODOKEM_976.id() + ", opened by " + NativeLibrary.inUse());
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

    private void openAll(TransformHelp help, Places places) throws Exception {
        refused = envelopes.forEach(terminal, new EnvelopeSource.Each() {
            @Override
            public void envelope(String source, byte[] bytes) throws Exception {
                open(help.reading(), Envelope.decode(bytes), places);
                progress.at(terminal, "records", records);
            }

            @Override
            public int ahead() {
                return help.isThere() ? AHEAD : 0;
            }

            @Override
            public void comes(byte[] bytes) {
                announce(help, bytes);
            }
        });
    }

    private static void announce(TransformHelp help, byte[] bytes) {
        try {
            Envelope envelope = Envelope.decode(bytes);
            boolean opened = !envelope.mediaType().equals(TemplateCatalogue.MEDIA_TYPE)
                    && envelope.detachedDigest().isEmpty()
                    && envelope.recordCount() > 0;
            if (opened) {
                help.ahead(envelope);
            }
        } catch (MalformedEncodingException e) {
            // said when its turn comes
        }
    }

    private void open(Reading reading, Envelope envelope, Places places) throws Exception {
        boolean signed = reading.isProven(envelope);
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
        if (envelope.wrapAlgorithms().stream()
                .allMatch(name -> name.endsWith(WrapAlgorithm.X25519_FRODOKEM_976.id()))) {
            wrappedByFrodoKem++;
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
