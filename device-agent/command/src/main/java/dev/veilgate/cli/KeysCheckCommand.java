package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolderCheck;
import dev.veilgate.authority.KeyFolderCheck.Finding;
import dev.veilgate.authority.KeyFolderCheck.Result;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.IssuingLogException;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Whether the folder is what was written. */
@Command(
        name = "check",
        header = "Check the key folder: keys, stored trapdoors, and the log of what was issued",
        description = {
            "  The key file is sealed under the passphrase, the stored trapdoors are not. Each that the issuing log names is checked by",
            "  the equation of its keyword and by the digest that was logged; others as far as their files go, and by the equation when",
            "  they are asked for. Prints a line for each finding (key-pair, trapdoor, trapdoor-missing, trapdoor-differs, log), none of",
            "  them with a keyword. The exit status is 1 if there is any. Changes no key and no trapdoor. Lock a console's keys first.",
        },
        footer = {"  veilgate keys check", "  veilgate keys check --json"})
final class KeysCheckCommand extends AuthorityCommand {
    @Option(names = "--json", description = "Print a JSON object a line for each finding.")
    private boolean json;

    KeysCheckCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        Result result = check(folder);
        result.findings().forEach(this::print);
        MailSignerNotice.warn(terminal, folder.keys());
        if (!json) {
            terminal.err()
                    .println(result.keys() + " keys and " + result.trapdoors() + " trapdoors checked, "
                            + result.proven() + " of these against the log, "
                            + result.findings().size() + " findings");
        }
        return result.findings().isEmpty() ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private Result check(KeyFolder folder) throws IOException, CommandFailure {
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            if (!CommandLog.isKept(folder)) {
                return KeyFolderCheck.of(folder.keys(), store, null);
            }
            try (IssuingLog log = AuthorityLog.open(folder, HeadPolicy.DEFAULT, terminal.clock(), new SecureRandom())) {
                return KeyFolderCheck.of(folder.keys(), store, log);
            } catch (IssuingLogException e) {
                throw new CommandFailure(ExitCode.IO, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private void print(Finding finding) {
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("problem", finding.problem().id());
            line.put("detail", finding.detail());
            terminal.out().println(Json.of(line));
        } else {
            terminal.out().println(finding.problem().id() + " " + Printable.of(finding.detail()));
        }
    }
}
