package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.util.List;
import java.util.Locale;

/**
 * Whose mail is refused at RCPT because nobody of that name is there: to take it and report it later would send a mail to whomever the sender claims to be. Known are those for
 * whom a tenant's bundle has a certificate; a domain of which no bundle names anybody cannot be judged by that.
 */
final class KnownRecipients {
    private final SmtpSettings settings;
    private final Tenants tenants;

    KnownRecipients(SmtpSettings settings, Tenants tenants) {
        this.settings = settings;
        this.tenants = tenants;
    }

    /** Whether a recipient of a served domain is certainly unknown. */
    boolean isUnknown(String address) {
        String domain = address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        if (settings.recipients(domain) == SmtpSettings.Recipients.ANY) {
            return false;
        }
        List<Tenant> all = tenants.all();
        return all.stream().anyMatch(tenant -> tenant.namesRecipientsOf(domain))
                && all.stream()
                        .noneMatch(tenant -> tenant.bundle().recipient(address).isPresent());
    }
}
