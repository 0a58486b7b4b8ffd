package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.IssuingLogException;
import dev.veilgate.issuing.SignedTreeHead;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hands out the issuing log. */
@Command(
        name = "log",
        header = "Hand out the issuing log, a signed head of it, or a proof from it",
        description = {
            "  The log in the key folder says who was allowed to search what, and which trapdoors and keys were issued. Whoever keeps",
            "  a signed head can tell later that nothing before it was altered: hand heads out regularly. veilgate verify",
            "  --issuing-log checks all that this command writes. What is sealed in entries stays sealed.",
        },
        footer = {
            "  veilgate keys log --begin                             # where no console keeps one",
            "  veilgate keys log -o acme.vgl                         # all of it",
            "  veilgate keys log --signed-head -o 2026-11.vgh        # for the works council to keep",
            "  veilgate keys log --entry 4711 -o entry.vgp           # that this entry is in it",
            "  veilgate keys log --since 2026-10.vgh -o grown.vgp    # that it was only added to since that head",
        })
final class KeysLogCommand extends AuthorityCommand {
    /** What else than the whole log. */
    static final class What {
        @Option(
                names = "--begin",
                description =
                        "Begin a log if there is none; from then on the commands that issue or change keys write into it.")
        private boolean begin;

        @Option(names = "--signed-head", description = "Write a signed head of all entries.")
        private boolean head;

        @Option(names = "--entry", paramLabel = "NUMBER", description = "Write the proof that an entry is in the log.")
        private long entry;

        @Option(
                names = "--since",
                paramLabel = "FILE",
                description = "Write the proof that the log of this older signed head was only added to.")
        private @Nullable Path since;
    }

    @ArgGroup(exclusive = true)
    private What what = new What();

    @Option(names = "-o", paramLabel = "FILE", description = "Where to write it; - is standard output.")
    private @Nullable String output;

    KeysLogCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        if (!what.begin && !CommandLog.isKept(folder)) {
            throw new CommandFailure(
                    ExitCode.NO_MATCH, "no issuing log is kept in " + folder.path() + "; --begin begins one");
        }
        try (IssuingLog log = AuthorityLog.open(folder, HeadPolicy.DEFAULT, terminal.clock(), new SecureRandom())) {
            if (what.begin) {
                terminal.out().println("the issuing log in " + folder.path() + " has " + log.size() + " entries");
                return ExitCode.OK;
            }
            Output.to(terminal, output, true, out -> {
                if (what.head) {
                    out.write(log.head().encode());
                } else if (what.entry != 0) {
                    out.write(log.proveInclusion(what.entry, log.head()).encode());
                } else if (what.since != null) {
                    out.write(log.proveConsistency(read(what.since), log.head()).encode());
                } else {
                    log.export(out);
                }
            });
            return ExitCode.OK;
        } catch (IssuingLogException e) {
            throw new CommandFailure(ExitCode.IO, String.valueOf(e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
        }
    }

    private static SignedTreeHead read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return SignedTreeHead.decode(in.readNBytes(SignedTreeHead.MAX_BYTES + 1));
        }
    }
}
