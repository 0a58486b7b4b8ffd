package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.profiles.ProfileParts;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.Map;
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
            "  The profile of later rules is shown and changed by veilgate keys rules.",
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
        keys.setProfiles(keys.profiles().withFirst(options.parts().in(profile).encode()));
        return "profile changed";
    }

    @Override
    String consequence(TenantKeys keys) {
        return super.consequence(keys)
                + (keys.profiles().next().isPresent()
                        ? "\nthe profile of later rules stays as it is: veilgate keys rules changes it"
                        : "");
    }
}
