package dev.veilgate.cli;

import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.authority.IssuedKeys;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.peks.KeyId;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What there is, nothing of it secret. */
@Command(
        name = "show",
        header = "Show what keys there are, and the fingerprint that senders pin",
        description =
                "  Prints nothing secret. Of a reader's file, what it is for; the key folder is not needed for that.",
        footer = {
            "  veilgate keys show",
            "  veilgate keys show --json | jq -r .authority",
            "  veilgate keys show --reader-key ada.vgr"
        })
final class KeysShowCommand extends AuthorityCommand {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--reader-key",
            paramLabel = "FILE",
            description = "Show what a reader's file holds; VEILGATE_READER_PASSPHRASE, or a terminal is asked.")
    private @Nullable Path readerFile;

    @Option(
            names = ReaderKeyOptions.PASSPHRASE_FILE,
            paramLabel = "FILE",
            description = "Take the passphrase of the reader's file from the first line of a file.")
    private @Nullable Path readerPassphraseFile;

    KeysShowCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        Map<String, Object> facts = facts(folder.keys());
        if (json) {
            terminal.out().println(Json.of(facts));
        } else {
            print(folder.keys(), terminal.out());
        }
        MailSignerNotice.warn(terminal, folder.keys());
        return ExitCode.OK;
    }

    @Override
    boolean needsKeyFolder() {
        return readerFile == null;
    }

    @Override
    int runAsReader() throws IOException, CommandFailure {
        Path file = Objects.requireNonNull(readerFile);
        byte[] passphrase = new Passphrases(
                        terminal,
                        readerPassphraseFile,
                        ReaderKeyOptions.VARIABLE,
                        ReaderKeyOptions.PASSPHRASE_FILE,
                        "passphrase of the reader's key")
                .existing();
        try (ReaderKeyFile.Content content = ReaderKeyOptions.open(file, passphrase)) {
            ReaderFileView view = new ReaderFileView(content);
            if (json) {
                terminal.out().println(Json.of(view.facts()));
            } else {
                view.print(terminal.out());
            }
            return ExitCode.OK;
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private Map<String, Object> facts(TenantKeys keys) throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tenant", keys.tenant());
        facts.put("authority", keys.authority().fingerprint());
        facts.put("signatures", keys.authority().lastingSchemes());
        facts.put("created", keys.created().toString());
        facts.put("bundleSerial", keys.serial());
        facts.put("sendersSerial", keys.senders().serial());
        facts.put("epochs", keys.epochs().id());
        facts.put("epoch", keys.epochs().at(terminal.clock().instant()).name());
        List<Object> all = new ArrayList<>();
        for (TenantKeys.KeyInfo key : keys.keys()) {
            Map<String, Object> fact = new LinkedHashMap<>();
            fact.put("kind", key.kind());
            fact.put("parameters", key.parameters());
            fact.put("id", key.id().toString());
            fact.put("created", key.created().toString());
            fact.put("current", key.current());
            fact.put("seals", key.seals());
            all.add(fact);
        }
        facts.put("keys", all);
        facts.put("mailSigners", MailSignerShowCommand.facts(keys.mailSigners()));
        List<Object> recipients = new ArrayList<>();
        for (Recipient recipient : keys.recipients()) {
            recipients.add(Map.of("address", recipient.address(), "scope", recipient.scope()));
        }
        facts.put("recipients", recipients);
        List<Object> senders = new ArrayList<>();
        keys.senders()
                .forEach(sender -> senders.add(Map.of("name", sender.sender(), "fingerprint", sender.fingerprint())));
        facts.put("senders", senders);
        facts.put("scopes", List.copyOf(keys.scopes()));
        List<Object> readers = new ArrayList<>();
        keys.readers()
                .forEach((holder, label) -> readers.add(Map.of(
                        "name",
                        holder,
                        "issued",
                        label.toString(),
                        "epochs",
                        List.copyOf(epochs(keys, holder)),
                        "searches",
                        keys.issuedTo(holder).filter(IssuedKeys::searches).isPresent())));
        facts.put("readers", readers);
        List<Object> former = new ArrayList<>();
        keys.formerReaders()
                .forEach((holder, its) -> former.add(Map.of("name", holder, "epochs", List.copyOf(its.epochs()))));
        facts.put("formerReaders", former);
        return facts;
    }

    private void print(TenantKeys keys, PrintStream out) throws Exception {
        out.printf("tenant       %s%n", Printable.of(keys.tenant()));
        out.printf("authority    %s%n", keys.authority().fingerprint());
        out.printf(
                "signatures   %s%s%n",
                String.join(", ", keys.authority().lastingSchemes()),
                keys.authority().version() == 1 ? "; a tenant of before: none of hashes" : "");
        out.printf("created      %s%n", keys.created());
        out.printf("last bundle  %s%n", keys.serial() == 0 ? "none yet" : "serial " + keys.serial());
        out.printf(
                "epoch        %s (%s)%n",
                keys.epochs().at(terminal.clock().instant()).name(),
                keys.epochs().id());
        out.println("keys");
        Map<KeyId, IndexPublicKey> searched = keys.searchedIndexKeys();
        for (TenantKeys.KeyInfo key : keys.keys()) {
            out.printf(
                    "  %s  %-9s  %-17s  %s%s%n",
                    key.id(),
                    key.kind(),
                    key.parameters(),
                    key.created(),
                    !key.current() ? "" : key.seals() ? "  current, seals" : "  current");
            IndexPublicKey index = searched.get(key.id());
            if (index != null) {
                out.printf(
                        "    searched by %s%s%n",
                        Printable.of(index.policy().toString()), index.isByEpoch() ? "" : ", in all epochs");
            }
        }
        out.println("mail signer" + (keys.mailSigners().isEmpty() ? "  none: keys mail-signer new makes one" : ""));
        keys.mailSigners().stream()
                .map(List::getFirst)
                .forEach(certificate -> out.printf(
                        "  %s  to %s%s%n",
                        MailSigner.fingerprint(certificate),
                        certificate.getNotAfter().toInstant(),
                        certificate.equals(keys.mailSigners().getFirst().getFirst()) ? "  current" : ""));
        int registered = keys.senders().count();
        out.println("senders  " + (registered == 0 ? "none" : registered) + " registered");
        keys.senders().forEach(sender -> out.printf("  %s  %s%n", sender.fingerprint(), Printable.of(sender.sender())));
        out.println("recipients" + (keys.recipients().isEmpty() ? "  none" : ""));
        for (Recipient recipient : keys.recipients()) {
            out.printf("  %s  scope %s%n", Printable.of(recipient.address()), Printable.of(recipient.scope()));
        }
        out.println("scopes" + (keys.scopes().isEmpty() ? "  any" : ""));
        keys.scopes().forEach(scope -> out.printf("  %s%n", Printable.of(scope)));
        out.println("readers" + (keys.readers().isEmpty() ? "  none" : ""));
        keys.readers()
                .forEach((holder, label) -> out.printf(
                        "  %s  %s  %s%s%n",
                        Printable.of(holder),
                        Printable.of(label.toString()),
                        listed(epochs(keys, holder)),
                        searches(keys, holder, searched)));
        Map<String, IssuedKeys> former = keys.formerReaders();
        if (!former.isEmpty()) {
            out.println("former readers, whose keys stay good for their epochs");
            former.forEach((holder, its) -> out.printf(
                    "  %s  %s%n", Printable.of(holder), listed(its.epochs()) + searches(keys, holder, searched)));
        }
    }

    /** Under how many index keys of those that are there. */
    private static String searches(TenantKeys keys, String holder, Map<KeyId, IndexPublicKey> searched) {
        long reached = keys.issuedTo(holder).map(IssuedKeys::indexKeys).orElse(Set.of()).stream()
                .filter(searched::containsKey)
                .count();
        return reached == 0
                ? ""
                : "  searches under " + reached + " of " + searched.size() + " index keys by attributes";
    }

    private static SortedSet<String> epochs(TenantKeys keys, String holder) {
        return keys.issuedTo(holder).map(IssuedKeys::epochs).orElse(new TreeSet<>());
    }

    private static String listed(SortedSet<String> epochs) {
        return epochs.isEmpty() ? "epochs not known" : String.join(", ", epochs);
    }
}
