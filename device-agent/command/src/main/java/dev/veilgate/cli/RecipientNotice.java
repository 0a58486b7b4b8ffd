package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.enrolment.MailUser;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says in time that certificates of recipients of mail end: edges refuse mail to them after that. */
final class RecipientNotice {
    private static final Duration AHEAD = Duration.ofDays(60);
    private static final int MOST_NAMED = 10;

    private RecipientNotice() {}

    /** Warns on standard error of certificates that have expired or will within 60 days. */
    static void warn(Terminal terminal, TenantKeys keys) {
        Instant until = terminal.clock().instant().plus(AHEAD);
        List<String> ending = new ArrayList<>();
        for (Recipient each : keys.recipients()) {
            MailUser.of(each, Optional.empty())
                    .notAfter()
                    .filter(end -> end.isBefore(until))
                    .ifPresent(end -> ending.add(Printable.of(each.address()) + " (" + end + ")"));
        }
        if (!ending.isEmpty()) {
            int named = Math.min(ending.size(), MOST_NAMED);
            String more = ending.size() == named ? "" : " and " + (ending.size() - named) + " others";
            terminal.err()
                    .println("warning: mail is refused when the recipient's certificate has ended: "
                            + String.join(", ", ending.subList(0, named)) + more
                            + "; veilgate mail enrol --renew, or keys add-recipient");
        }
    }
}
