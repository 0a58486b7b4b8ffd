package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantSenders;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Registers senders. */
@Command(
        name = "add-sender",
        aliases = "register-sender",
        header = "Register senders, so that their envelopes form chains that can be verified",
        description = {
            "  Takes the public keys that veilgate identity init printed on the senders' machines: files of one key or of many, one",
            "  behind the other, and folders, of which every *.pub is read. Compare fingerprints by phone.",
            "  All of them are registered, in one change, or none: whatever is wrong is named with its file. A sender that is",
            "  registered with the same key stays as it is. At most 200,000 at once.",
        },
        footer = {
            "  veilgate keys add-sender press-4.pub",
            "  ssh press-4 veilgate identity show | veilgate keys add-sender -",
            "  veilgate keys add-sender fleet/ more.pub",
        })
final class AddSenderCommand extends KeysChange {
    private static final String ENDING = ".pub";
    private static final int MOST_PROBLEMS = 20;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILES",
            description = "Files and folders with public keys; - for standard input, which is also the default.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--replace",
            description = "Senders have made new identities; their old keys are not accepted any more.")
    private boolean replace;

    private final Map<String, SenderPublicKey> wanted = new TreeMap<>();
    private final Map<String, String> sources = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private SendersReport report = new SendersReport("added");
    private long wrong;

    AddSenderCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() throws Exception { // before anybody types a passphrase
        for (String name : files.isEmpty() ? List.of("-") : files) {
            if (name.equals("-")) {
                read("standard input", new InputStreamReader(terminal.in(), StandardCharsets.US_ASCII));
            } else if (Files.isDirectory(Path.of(name))) {
                readFolder(Path.of(name));
            } else {
                readFile(Path.of(name));
            }
        }
        requireNoProblem();
    }

    private void readFolder(Path folder) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.list(folder)) {
            found = all.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        }
        if (found.isEmpty()) {
            problem(folder + ": has no file whose name ends with " + ENDING);
        }
        for (Path file : found) {
            readFile(file);
        }
    }

    private void readFile(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            read(file.toString(), new InputStreamReader(in, StandardCharsets.US_ASCII));
        }
    }

    private void read(String source, Reader text) throws IOException {
        int keys = SenderKeyText.readAll(new BufferedReader(text), new SenderKeyText.Each() {
            @Override
            public void key(int number, SenderPublicKey key) {
                want(source + ", key " + number, key);
            }

            @Override
            public void malformed(int number, MalformedEncodingException why) {
                problem(source + ", key " + number + ": " + why.getMessage());
            }
        });
        if (keys == 0) {
            problem(source + ": has no key; it must have the lines that veilgate identity show prints");
        }
    }

    private void want(String source, SenderPublicKey key) {
        SenderPublicKey other = wanted.get(key.sender());
        if (other != null && !other.equals(key)) {
            problem(source + ": another key of " + Printable.of(key.sender()) + " than in "
                    + sources.get(key.sender()));
        } else if (wanted.size() == TenantSenders.MAX_CHANGES && other == null) {
            problem(source + ": more than " + TenantSenders.MAX_CHANGES
                    + " senders at once; add them in several parts");
        } else {
            wanted.put(key.sender(), key);
            sources.putIfAbsent(key.sender(), source);
        }
    }

    private void problem(String what) {
        wrong++;
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(what);
        }
    }

    private void requireNoProblem() throws CommandFailure {
        if (wrong == 0) {
            return;
        }
        String more = wrong > problems.size() ? "\n  and " + (wrong - problems.size()) + " more" : "";
        throw new CommandFailure(
                ExitCode.REFUSED,
                wrong == 1
                        ? problems.getFirst() + "; nothing was changed"
                        : "nothing was changed, for " + wrong + " reasons:\n  " + String.join("\n  ", problems) + more);
    }

    @Override
    String change(TenantKeys keys) throws Exception {
        report = new SendersReport("added");
        for (SenderPublicKey key : wanted.values()) {
            SenderPublicKey old = keys.sender(key.sender()).orElse(null);
            if (old == null || !old.equals(key) && replace) {
                keys.putSender(key);
                report.changed(key.sender(), key.fingerprint());
            } else if (old.equals(key)) {
                report.unchanged(key.sender(), key.fingerprint());
            } else {
                problem(sources.get(key.sender()) + ": " + Printable.of(key.sender())
                        + " is registered with another key; if it has a new identity, use --replace");
            }
        }
        requireNoProblem();
        return report.text();
    }

    @Override
    List<String> entries(String done) {
        return report.entries();
    }

    @Override
    String consequence(TenantKeys keys) {
        return SendersReport.CONSEQUENCE;
    }
}
