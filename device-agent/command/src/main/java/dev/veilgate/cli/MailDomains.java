package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.envelope.smime.MailSigner;
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
     * Refuses an address whose domain is none of the tenant's: neither one that mail is signed for, nor that of another
     * recipient. Where there are none of either, any is taken.
     *
     * @param otherwise what to do if it is meant
     */
    static void requireOfTenant(TenantKeys keys, String address, String otherwise)
            throws CommandFailure, MalformedEncodingException {
        String domain = of(address);
        Optional<MailSigner> signer = keys.mailSigner();
        List<String> known = signer.map(MailSigner::domains).orElse(List.of());
        boolean isKnown = known.isEmpty() && keys.recipients().isEmpty()
                || signer.filter(each -> each.permits(address)).isPresent()
                || keys.recipients().stream()
                        .anyMatch(each -> of(each.address()).equals(domain));
        if (!isKnown) {
            String those =
                    known.isEmpty() ? "" : " (mail is signed for " + Printable.of(String.join(", ", known)) + ")";
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    domain + " is none of the tenant's mail domains" + those + "; " + otherwise
                            + ", keys mail-signer new --domain adds one");
        }
    }

    private static String of(String address) {
        return address.substring(address.indexOf('@') + 1);
    }
}
