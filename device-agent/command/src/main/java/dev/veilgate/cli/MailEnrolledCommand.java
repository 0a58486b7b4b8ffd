package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.enrolment.MailUser;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the users of mail. */
@Command(
        name = "enrolled",
        header = "List the users of mail that there are certificates of",
        description = {
            "  With those of keys add-recipient, whose certificates are of other authorities. The exit status is 1 if",
            "  there is none.",
        },
        footer = "  veilgate mail enrolled --json")
final class MailEnrolledCommand extends AuthorityCommand {
    private static final String UNREADABLE = "unreadable";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    MailEnrolledCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        List<Recipient> recipients = folder.keys().recipients();
        Optional<X509Certificate> authority = folder.keys().mailAuthority();
        List<Object> facts = new ArrayList<>();
        for (Recipient each : recipients) {
            Map<String, Object> fact = facts(MailUser.of(each, authority));
            facts.add(fact);
            if (!json) {
                terminal.out()
                        .println(Printable.of(each.address() + "  " + fact.get("certificate") + "  to "
                                + fact.get("notAfter") + "  scope " + each.scope()
                                + (Boolean.TRUE.equals(fact.get("issuedHere")) ? "" : "  of another authority")));
            }
        }
        if (json) {
            terminal.out().println(Json.of(Map.of("enrolled", facts)));
        } else if (recipients.isEmpty()) {
            terminal.err().println("nobody is enrolled yet: veilgate mail enrol ADDRESS");
        }
        return recipients.isEmpty() ? ExitCode.NO_MATCH : ExitCode.OK;
    }

    private static Map<String, Object> facts(MailUser user) {
        Map<String, Object> fact = new LinkedHashMap<>();
        fact.put("address", user.recipient().address());
        fact.put("scope", user.recipient().scope());
        fact.put("certificate", user.fingerprint().orElse(UNREADABLE));
        fact.put("notAfter", user.notAfter().map(Instant::toString).orElse(UNREADABLE));
        fact.put("issuedHere", user.issuedHere());
        return fact;
    }
}
