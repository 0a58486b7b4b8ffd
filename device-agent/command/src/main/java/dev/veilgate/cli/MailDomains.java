package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.enrolment.MailEnrolment;
import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Domains of senders and recipients: those that options name, and those that are a tenant's. */
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

    /**
     * Refuses an address whose domain is none of the tenant's.
     *
     * @param otherwise what to do if it is meant
     */
    static void requireOfTenant(TenantKeys keys, String address, String otherwise)
            throws CommandFailure, MalformedEncodingException {
        Optional<String> foreign = MailEnrolment.foreignDomain(keys, address);
        if (foreign.isPresent()) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    Printable.of(foreign.get()) + "; " + otherwise + ", keys mail-signer new --domain adds one");
        }
    }
}
