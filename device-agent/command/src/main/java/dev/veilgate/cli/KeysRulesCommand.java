package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.profiles.ProfileParts;
import dev.veilgate.profiles.RulesPlan;
import dev.veilgate.profiles.RulesRequest;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** By which rules keywords are made, epoch by epoch. */
@Command(
        name = "rules",
        header = "Show or change by which rules senders make keywords",
        description = {
            "  Without options prints what senders do and searches ask in each epoch. NUMBER makes a profile of",
            "  these rules from that of rules 1, with the options below in place of its parts; senders that know",
            "  them use it from the first epoch on, all others go on by rules 1, and searches ask both. Once nobody",
            "  makes keywords by rules 1 any more, --alone-from names an epoch from which on gateways refuse them.",
            "  Refused is what would hide what was sealed: to move or withdraw rules whose first epoch has begun,",
            "  to give up rules 1 in an epoch that has begun, and to take something out of a profile that is used.",
            "  With --gateway it says who made keywords by rules 1 last.",
        },
        footer = {
            "  veilgate keys rules",
            "  veilgate keys rules 2 && veilgate keys bundle -o acme.vgb      # from the next epoch on",
            "  veilgate keys rules 2 --from 2027-02 --fields unit,line",
            "  veilgate keys rules --alone-from 2027-06 --gateway https://gateway.example.org",
        })
final class KeysRulesCommand extends KeysChange {
    @Parameters(
            arity = "0..1",
            paramLabel = "NUMBER",
            description = "The later rules: " + ExtractorProfile.NEWEST_RULES + ".")
    private @Nullable Integer number;

    @Option(
            names = "--from",
            paramLabel = "EPOCH",
            description = "The first epoch whose keywords are made by them; default: the next that begins.")
    private @Nullable String from;

    @Option(
            names = "--alone-from",
            paramLabel = "EPOCH",
            description = "The epoch from which on nothing else is taken and asked for; an empty value for none.")
    private @Nullable String aloneFrom;

    @Option(names = "--withdraw", description = "Take the later rules away, before their first epoch begins.")
    private boolean withdraw;

    @Option(names = "--json", description = "Print what there is as JSON.")
    private boolean json;

    @Mixin
    private ProfileOptions options = new ProfileOptions();

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    private @Nullable RulesPlan plan;

    KeysRulesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        RulesRequest wanted = new RulesRequest(number, from, aloneFrom, withdraw, options.parts());
        int code = ExitCode.OK;
        if (!wanted.isEmpty()) {
            RulesPlan wished = plan(folder.keys(), wanted);
            plan = wished;
            if (wished.isChange()) {
                code = super.run(folder);
                wished.notes().forEach(note -> terminal.err().println("note: " + Printable.of(note)));
                if (aloneFrom != null && !aloneFrom.isBlank()) {
                    warnOfSenders(folder.keys().tenant());
                }
            } else {
                terminal.err().println("nothing changes: it is so already");
            }
        }
        print(folder.keys());
        return code;
    }

    private RulesPlan plan(TenantKeys keys, RulesRequest wanted) throws Exception {
        try {
            return LaterRules.of(keys, terminal.clock().instant()).plan(wanted);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } catch (IllegalStateException e) {
            throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    String change(TenantKeys keys) {
        RulesPlan wished = Objects.requireNonNull(plan);
        keys.setProfiles(wished.profiles());
        return wished.done();
    }

    /** Who would be refused. A key folder does not know, but a gateway does. */
    private void warnOfSenders(String tenant) throws CommandFailure, InterruptedException {
        if (!gateway.isNamed(terminal)) {
            return; // a note says where to look
        }
        List<String> former;
        try (GatewayClient client = gateway.connect(terminal, tenant)) {
            former = SeenRules.ask(client).map(SeenRules::byRules1).orElse(null);
        } catch (GatewayException | IOException e) {
            terminal.err()
                    .println("warning: the gateway does not say who makes keywords by rules 1: "
                            + Printable.of(String.valueOf(e.getMessage())));
            return;
        }
        if (former == null) {
            terminal.err()
                    .println("warning: the gateway is of before, and does not know who makes keywords by rules 1");
        } else if (!former.isEmpty()) {
            terminal.err().println("warning: made keywords by rules 1 last, and would be refused:");
            former.forEach(name -> terminal.err()
                    .println("  " + (name.equals(SeenRules.UNSIGNED) ? SeenRules.UNSIGNED_SHOWN : Printable.of(name))));
        }
    }

    private void print(TenantKeys keys) throws Exception {
        LaterRules rules = LaterRules.of(keys, terminal.clock().instant());
        Optional<Map<String, Object>> profile =
                rules.profile().map(ProfileParts::of).map(ProfileOptions::facts);
        if (!json) {
            rules.situation().forEach(sentence -> terminal.out().println(Printable.of(sentence)));
            profile.ifPresent(parts -> terminal.out()
                    .println("The profile of rules "
                            + rules.profile().orElseThrow().rules() + ":\n" + ProfileOptions.lines(parts)));
            return;
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        NextProfile next = keys.profiles().next().orElse(null);
        rules.profile().ifPresent(known -> facts.put("rules", known.rules()));
        if (next != null) {
            facts.put("from", next.from().name());
            facts.put("used", rules.isUsed());
            Epoch alone = next.onlyFrom();
            if (alone != null) {
                facts.put("aloneFrom", alone.name());
            }
        }
        profile.ifPresent(parts -> facts.put("profile", parts));
        facts.put("formerProfiles", keys.profiles().former().size());
        facts.put("mostFormerProfiles", TenantProfiles.MAX_FORMER);
        facts.put("bytes", keys.profiles().bytes());
        facts.put("mostBytes", TenantProfiles.MAX_BYTES);
        terminal.out().println(Json.of(facts));
    }
}
