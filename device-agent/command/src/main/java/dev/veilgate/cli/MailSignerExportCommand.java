package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the key for those who sign. */
@Command(
        name = "export",
        header = "Write the mail signer's key and certificates for those who seal mail",
        description = {
            "  A PKCS #12 file under a passphrase that is asked for twice, readable by its owner only: for veilgate mail send and mail",
            "  proxy. Whoever has both signs mail as the tenant, and opens none.",
        },
        footer = "  veilgate keys mail-signer export -o mail-signer.p12 --signer-passphrase-file p12.pass")
final class MailSignerExportCommand extends AuthorityCommand {
    @Option(names = "-o", required = true, paramLabel = "FILE", description = "The file to write.")
    private Path output = Path.of("");

    @Option(names = "--replace", description = "Overwrite the file if it is there.")
    private boolean replace;

    @Mixin
    private SignerPassphraseOptions passphrase = new SignerPassphraseOptions();

    MailSignerExportCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (output.toString().equals(Output.STANDARD)) {
            throw new CommandFailure(ExitCode.USAGE, "-o: name a file; a key does not go to standard output");
        }
        requireNew();
    }

    private void requireNew() throws CommandFailure {
        if (!replace && Files.exists(output)) {
            throw new CommandFailure(ExitCode.IO, output + " exists already; --replace overwrites it");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        MailSigner signer = signer(folder.keys());
        char[] secret = passphrase.chosen(terminal);
        byte[] file = new byte[0];
        try {
            file = signer.toPkcs12(secret);
            CommandLog.append(
                    terminal,
                    folder,
                    CommandLog.done(EntryKind.KEY_CHANGE, "exported", "mail signer " + signer.fingerprint()));
            requireNew();
            Path absolute = output.toAbsolutePath();
            DurableFiles.replace(
                    DurableFiles.folderOf(absolute), absolute.getFileName().toString(), null, file);
        } finally {
            Arrays.fill(secret, '\0');
            Arrays.fill(file, (byte) 0);
        }
        terminal.out().println(output + ": mail signer " + signer.fingerprint());
        MailSignerNotice.warn(terminal, folder.keys());
        return ExitCode.OK;
    }

    private static MailSigner signer(TenantKeys keys) throws CommandFailure, MalformedEncodingException {
        return keys.mailSigner()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.KEY, "no mail is signed yet; veilgate keys mail-signer new makes a key for it"));
    }
}
