package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.SenderState;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Seals lines. */
@Command(
        name = "seal",
        header = "Seal the lines of files or a pipe into searchable envelopes",
        description = {
            "  Every line is a record, byte for byte; up to 256 of them are an envelope. By rules 2 of the profile the parts into which",
            "  Docker or Kubernetes cut a line are one record. The output is a file of all envelopes one behind the other, so files can",
            "  be joined with cat; or, if -o names a folder, a file for each. A file's name as given travels sealed with its lines, and",
            "  source:NAME finds them.",
            "  The sender's place in its chain is kept beside the identity. If the command is killed while it writes to a pipe or a",
            "  folder, a number may be missing, and verify says so; none is ever used twice.",
        },
        footer = {
            "  veilgate seal --bundle acme.vgb --authority 5f3c... --identity press-4.identity --scope plant-7 -o day.vge day.log",
            "  journalctl -o short | veilgate seal --scope plant-7 --identity press-4.identity -o spool/",
        })
final class SealCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BundleOptions bundleOptions = new BundleOptions();

    @Mixin
    private SenderOptions senders = new SenderOptions();

    @Option(
            names = "--identity",
            paramLabel = "FILE",
            description = "The sender's identity, see veilgate identity; VEILGATE_IDENTITY.")
    private @Nullable Path identityFile;

    @Option(
            names = "--state",
            paramLabel = "FILE",
            description = "Where the chain's place is kept; beside the identity.")
    private @Nullable Path state;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "What an auditor must be granted: a plant, a mailbox; VEILGATE_SCOPE.")
    private @Nullable String givenScope;

    @Option(
            names = "--epoch",
            paramLabel = "EPOCH",
            description = "Seal for this epoch of the bundle instead of the present one.")
    private @Nullable String epoch;

    @Option(
            names = "--readers",
            paramLabel = "POLICY",
            description =
                    "Who may read, by attributes: '(role:auditor AND site:plant-7) OR role:dpo', '2 of (a:x, b:y, c:z)', 'clearance >= 3'."
                            + " Without it whoever has the tenant's key.")
    private @Nullable String readers;

    @Option(
            names = "--attributes",
            paramLabel = "ATTRIBUTES",
            description = "What it is about, for readers whose keys have policies: 'site:plant-7, level = 3'.")
    private @Nullable String attributes;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "AUTO",
            description = "How lines are written: auto (default), rfc5424, rfc3164, json, key_value, plain.")
    private LogFormat format = LogFormat.AUTO;

    @Option(
            names = "--batch",
            paramLabel = "LINES",
            defaultValue = "256",
            description = "Lines of an envelope, 1 to 256; default 256.")
    private int batch = 256;

    @Option(
            names = "-o",
            paramLabel = "FILE|DIR",
            description =
                    "Where to write; a folder, or a name that ends with /, for a file an envelope; - is standard output.")
    private @Nullable String output;

    @Mixin
    private Progress progress = new Progress();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILES",
            description = "What to seal; - for standard input, which is also the default.")
    private List<String> files = new ArrayList<>();

    private String scope = "";

    SealCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (batch < 1 || batch > 256) {
            throw new CommandFailure(ExitCode.USAGE, "--batch must be 1 to 256");
        }
        scope = terminal.given(givenScope, "--scope", "VEILGATE_SCOPE");
        Path identity = Path.of(terminal.given(
                identityFile == null ? null : identityFile.toString(), "--identity", "VEILGATE_IDENTITY"));
        for (String file : files) { // before anything is sealed
            if (!file.equals("-") && !Files.isReadable(Path.of(file))) {
                throw new CommandFailure(ExitCode.IO, file + ": cannot be read");
            }
        }
        try (SigningKey key = IdentityFile.read(identity);
                SenderState kept = SenderState.open(state == null ? SenderState.besideIdentity(identity) : state)) {
            PublicBundle bundle = bundleOptions.read(terminal, kept.bundleSerial());
            kept.acceptedBundle(bundle.serial());
            checkAgainst(bundle, key);
            try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, key, terminal.clock(), new SecureRandom())) {
                seal(bundle, sealer, kept);
            }
        } finally {
            progress.end(terminal);
        }
        return ExitCode.OK;
    }

    private void checkAgainst(PublicBundle bundle, SigningKey key) throws IOException, CommandFailure {
        if (!bundle.allowsScope(scope)) {
            throw new CommandFailure(ExitCode.USAGE, "the bundle knows no such scope; it has " + bundle.scopes());
        }
        Optional<RegisteredSenders> registered = senders.read(terminal, bundleOptions, bundle);
        if (registered.isEmpty()) {
            terminal.err()
                    .println(
                            "note: whether this identity is registered was not looked up: no sender registry lies beside the bundle");
        } else if (!registered.get().keysOf(key.publicKey().sender()).contains(key.publicKey())) {
            terminal.err()
                    .println("warning: this identity is not registered, so nobody can verify its chain;"
                            + " veilgate keys add-sender registers it");
        }
    }

    private String epochOf(PublicBundle bundle) throws CommandFailure {
        Instant now = terminal.clock().instant();
        if (epoch == null) {
            return bundle.epochAt(now)
                    .map(PublicBundle.Epoch::name)
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.REFUSED, "the bundle has no epoch for " + now + "; fetch a new one"));
        }
        if (bundle.epochs().stream().noneMatch(e -> e.name().equals(epoch))) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "the bundle has no such epoch; it has "
                            + bundle.epochs().stream()
                                    .map(PublicBundle.Epoch::name)
                                    .toList());
        }
        return epoch;
    }

    private List<Label> labels(PublicBundle bundle) throws CommandFailure {
        List<Label> labels = new ArrayList<>();
        try {
            if (readers != null) {
                labels.add(new Label.OfPolicy(Policy.parse(readers)));
            }
            if (attributes != null) {
                labels.add(new Label.OfAttributes(AttributeSet.parse(attributes)));
            }
        } catch (PolicySyntaxException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        for (Label label : labels) {
            try {
                bundle.requireSealable(label);
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
            }
        }
        return labels;
    }

    private void seal(PublicBundle bundle, EnvelopeSealer sealer, SenderState kept) throws Exception {
        boolean folder = output != null && (output.endsWith("/") || Files.isDirectory(Path.of(output)));
        boolean file = output != null && !folder && !output.equals(Output.STANDARD);
        if (folder) {
            Path path = Files.createDirectories(Path.of(output));
            sealTo(bundle, sealer, kept, envelope -> {
                kept.advance(envelope.next());
                String name = "%012d-%s.vge".formatted(envelope.sequence(), envelope.id());
                Output.to(terminal, path.resolve(name).toString(), true, out -> out.write(envelope.bytes()));
            });
            return;
        }
        Output.to(terminal, output, true, out -> {
            LineSealer lines = sealTo(bundle, sealer, kept, envelope -> {
                if (!file) { // what is in a pipe is gone; a file appears when all is done
                    kept.advance(envelope.next());
                }
                out.write(envelope.bytes());
                out.flush();
            });
            kept.advance(lines.position());
        });
    }

    private LineSealer sealTo(PublicBundle bundle, EnvelopeSealer sealer, SenderState kept, LineSealer.Sink sink)
            throws Exception {
        long[] envelopes = new long[1];
        LineSealer[] lines = new LineSealer[1];
        LineSealer.Sink counted = (SealedEnvelope envelope) -> {
            sink.envelope(envelope);
            envelopes[0]++;
            progress.at(terminal, "lines", lines[0].lines());
        };
        lines[0] = new LineSealer(
                sealer,
                IndexProfiles.of(bundle).toSeal(epochOf(bundle)),
                format,
                scope,
                epochOf(bundle),
                labels(bundle),
                batch,
                kept.next(),
                terminal.clock(),
                counted);
        for (String name : files.isEmpty() ? List.of("-") : files) {
            if (name.equals("-")) {
                lines[0].seal("stdin", terminal.in());
            } else {
                try (InputStream in = Files.newInputStream(Path.of(name))) {
                    lines[0].seal(name, in);
                }
            }
        }
        lines[0].sealCatalogue();
        if (lines[0].limited() > 0) {
            terminal.err()
                    .println(
                            "warning: " + lines[0].limited()
                                    + " lines are longer or have more keywords than the profile allows; their ends cannot be searched");
        }
        return lines[0];
    }
}
