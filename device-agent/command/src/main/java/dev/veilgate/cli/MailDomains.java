package dev.veilgate.cli;

import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Domains of senders, as options name them. */
final class MailDomains {
    /** Most of one certificate, which goes along with each mail. */
    private static final int MAX = 64;

    private MailDomains() {}

    /** The domains in lower case, each once. */
    static List<String> checked(String option, List<String> given) throws CommandFailure {
        List<String> domains = new ArrayList<>();
        for (String each : given) {
            String domain = each.toLowerCase(Locale.ROOT);
            if (!AddressForm.isTaken("a@" + domain)) {
                throw new CommandFailure(ExitCode.USAGE, option + ": \"" + each + "\" is no mail domain");
            }
            if (!domains.contains(domain)) {
                domains.add(domain);
            }
        }
        if (domains.size() > MAX) {
            throw new CommandFailure(ExitCode.USAGE, option + ": must be at most " + MAX);
        }
        return domains;
    }
}
