package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.profiles.ProfileParts;
import dev.veilgate.profiles.RulesPlan;
import dev.veilgate.profiles.RulesRequest;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which keywords senders extract by rules 1. */
@Command(
        name = "profile",
        header = "Show or change which keywords senders extract",
        description = {
            "  Without options prints the profile of rules 1. An option replaces that part of it; an empty value",
            "  clears it. What is not extracted cannot be found; what is, costs some 70 bytes a keyword and batch.",
            "  Later rules have a profile of their own, which is changed alike where nothing that was sealed by it is",
            "  missed then; veilgate keys rules shows it.",
        },
        footer = {
            "  veilgate keys profile",
            "  veilgate keys profile --ip-prefixes 8,16,24 --numeric temperature=-50..200",
        })
final class KeysProfileCommand extends KeysChange {
    @Mixin
    private ProfileOptions options = new ProfileOptions();

    @Option(names = "--json", description = "Print the profile as JSON.")
    private boolean json;

    /** Sentences on the profile of later rules, for people. */
    private final List<String> notes = new ArrayList<>();

    KeysProfileCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        boolean changes = !options.parts().isNone();
        int code = changes ? super.run(folder) : ExitCode.OK;
        if (!changes || json) {
            ExtractorProfile profile =
                    ExtractorProfile.decode(folder.keys().profiles().first());
            Map<String, Object> facts = ProfileOptions.facts(ProfileParts.of(profile));
            terminal.out().println(json ? Json.of(facts) : ProfileOptions.lines(facts));
        }
        return code;
    }

    @Override
    String change(TenantKeys keys) throws Exception {
        ExtractorProfile profile = ExtractorProfile.decode(keys.profiles().first());
        ProfileParts parts = options.parts();
        byte[] changed = parts.in(profile).encode();
        if (keys.profiles().next().isPresent()) {
            changeLater(keys, parts);
        }
        keys.setProfiles(keys.profiles().withFirst(changed));
        return "profile changed";
    }

    private void changeLater(TenantKeys keys, ProfileParts parts) throws MalformedEncodingException {
        try {
            LaterRules later = LaterRules.of(keys, terminal.clock().instant());
            // A profile of rules 1 has no networks of IPv6, so that nobody can have named them here.
            ProfileParts alike = later.profile().map(parts::withIp6Of).orElse(parts);
            RulesPlan plan = later.plan(new RulesRequest(null, null, null, false, alike));
            keys.setProfiles(plan.profiles());
            notes.addAll(plan.notes());
        } catch (IllegalStateException e) {
            notes.add("the profile of later rules stays as it is (veilgate keys rules): " + e.getMessage());
        }
    }

    @Override
    String consequence(TenantKeys keys) {
        return Stream.concat(Stream.of(super.consequence(keys)), notes.stream()).collect(Collectors.joining("\n"));
    }
}
