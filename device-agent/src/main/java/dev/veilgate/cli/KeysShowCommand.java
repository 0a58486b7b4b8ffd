package dev.veilgate.cli;

import dev.veilgate.authority.IssuedKeys;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What there is, nothing of it secret. */
@Command(
        name = "show",
        header = "Show what keys there are, and the fingerprint that senders pin",
        description = "  Prints nothing secret.",
        footer = {"  veilgate keys show", "  veilgate keys show --json | jq -r .authority"})
final class KeysShowCommand extends AuthorityCommand {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    KeysShowCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) {
        Map<String, Object> facts = facts(folder.keys());
        if (json) {
            terminal.out().println(Json.of(facts));
        } else {
            print(folder.keys(), terminal.out());
        }
        return ExitCode.OK;
    }

    private Map<String, Object> facts(TenantKeys keys) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tenant", keys.tenant());
        facts.put("authority", keys.authority().fingerprint());
        facts.put("created", keys.created().toString());
        facts.put("bundleSerial", keys.serial());
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
        List<Object> recipients = new ArrayList<>();
        for (Recipient recipient : keys.recipients()) {
            recipients.add(Map.of("address", recipient.address(), "scope", recipient.scope()));
        }
        facts.put("recipients", recipients);
        List<Object> senders = new ArrayList<>();
        for (SenderPublicKey sender : keys.senders()) {
            senders.add(Map.of("name", sender.sender(), "fingerprint", sender.fingerprint()));
        }
        facts.put("senders", senders);
        facts.put("scopes", List.copyOf(keys.scopes()));
        List<Object> readers = new ArrayList<>();
        keys.readers()
                .forEach((holder, label) -> readers.add(Map.of(
                        "name", holder, "issued", label.toString(), "epochs", List.copyOf(epochs(keys, holder)))));
        facts.put("readers", readers);
        List<Object> former = new ArrayList<>();
        keys.formerReaders()
                .forEach((holder, its) -> former.add(Map.of("name", holder, "epochs", List.copyOf(its.epochs()))));
        facts.put("formerReaders", former);
        return facts;
    }

    private void print(TenantKeys keys, PrintStream out) {
        out.printf("tenant       %s%n", Printable.of(keys.tenant()));
        out.printf("authority    %s%n", keys.authority().fingerprint());
        out.printf("created      %s%n", keys.created());
        out.printf("last bundle  %s%n", keys.serial() == 0 ? "none yet" : "serial " + keys.serial());
        out.printf(
                "epoch        %s (%s)%n",
                keys.epochs().at(terminal.clock().instant()).name(),
                keys.epochs().id());
        out.println("keys");
        for (TenantKeys.KeyInfo key : keys.keys()) {
            out.printf(
                    "  %s  %-9s  %-17s  %s%s%n",
                    key.id(),
                    key.kind(),
                    key.parameters(),
                    key.created(),
                    !key.current() ? "" : key.seals() ? "  current, seals" : "  current");
        }
        out.println("senders" + (keys.senders().isEmpty() ? "  none registered" : ""));
        for (SenderPublicKey sender : keys.senders()) {
            out.printf("  %s  %s%n", sender.fingerprint(), Printable.of(sender.sender()));
        }
        out.println("recipients" + (keys.recipients().isEmpty() ? "  none" : ""));
        for (Recipient recipient : keys.recipients()) {
            out.printf("  %s  scope %s%n", Printable.of(recipient.address()), Printable.of(recipient.scope()));
        }
        out.println("scopes" + (keys.scopes().isEmpty() ? "  any" : ""));
        keys.scopes().forEach(scope -> out.printf("  %s%n", Printable.of(scope)));
        out.println("readers" + (keys.readers().isEmpty() ? "  none" : ""));
        keys.readers()
                .forEach((holder, label) -> out.printf(
                        "  %s  %s  %s%n",
                        Printable.of(holder), Printable.of(label.toString()), listed(epochs(keys, holder))));
        Map<String, IssuedKeys> former = keys.formerReaders();
        if (!former.isEmpty()) {
            out.println("former readers, whose keys stay good for their epochs");
            former.forEach((holder, its) -> out.printf("  %s  %s%n", Printable.of(holder), listed(its.epochs())));
        }
    }

    private static SortedSet<String> epochs(TenantKeys keys, String holder) {
        return keys.issuedTo(holder).map(IssuedKeys::epochs).orElse(new TreeSet<>());
    }

    private static String listed(SortedSet<String> epochs) {
        return epochs.isEmpty() ? "epochs not known" : String.join(", ", epochs);
    }
}
