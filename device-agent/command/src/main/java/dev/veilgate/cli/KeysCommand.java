package dev.veilgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The authority's keys. */
@Command(
        name = "keys",
        header = "Make, show, rotate and back up a tenant's keys; make its public bundle",
        description = {
            "  The keys are in a folder: one file sealed by a passphrase (Argon2id, AES-256-GCM), the one before it, and every",
            "  trapdoor that was ever issued. Back up the whole folder, and never issue from two copies of it: a trapdoor that",
            "  is sampled a second time could give the secret key away. A key file without its trapdoors issues nothing.",
        },
        footer = {
            "  veilgate keys init --tenant acme                      # makes the folder keys/",
            "  veilgate keys add-sender press-4.pub                  # what identity init printed on the device",
            "  veilgate keys bundle -o acme.vgb                      # what senders need; send it to them",
            "  veilgate keys show                                    # with the fingerprint that senders pin",
            "  veilgate keys check                                   # whether the folder is what was written",
            "  veilgate keys rotate && veilgate keys bundle -o acme.vgb",
            "  veilgate keys issue ada --attributes 'role:auditor, site:plant-7' -o ada.vgr",
            "  veilgate keys delegate ada.vgr --attributes 'role:auditor' -o assistant.vgr   # a reader, from its own file",
            "  veilgate keys revoke eve -o readers-new/",
            "  veilgate keys mail-signer export -o mail-signer.p12    # what mail send and mail proxy sign with",
            "  veilgate keys backup --shares 3-of-5 -o backup-2026-11",
        },
        subcommands = {
            KeysInitCommand.class,
            KeysBundleCommand.class,
            KeysShowCommand.class,
            KeysCheckCommand.class,
            KeysRotateCommand.class,
            KeysChange.SealWith.class,
            KeysIssueCommand.class,
            KeysDelegateCommand.class,
            KeysChange.RemoveReader.class,
            KeysRevokeCommand.class,
            AddSenderCommand.class,
            RemoveSenderCommand.class,
            KeysChange.AddRecipient.class,
            KeysChange.RemoveRecipient.class,
            KeysChange.AddScope.class,
            KeysChange.RemoveScope.class,
            KeysProfileCommand.class,
            KeysRulesCommand.class,
            KeysMailSignerCommand.class,
            KeysPassphraseCommand.class,
            KeysLogCommand.class,
            KeysBackupCommand.class,
            KeysRestoreCommand.class
        })
final class KeysCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do with the keys: init, bundle, show, rotate, issue ...");
    }
}
