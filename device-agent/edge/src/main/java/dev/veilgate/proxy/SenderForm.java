package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.AddressForm;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.smtp.SMTPResponse;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.MailCmdHandler;
import org.jspecify.annotations.Nullable;

/**
 * MAIL FROM: refuses sender addresses that a gateway would refuse later, when the mail has long been acknowledged. Looks at the address before James does, who takes
 * quotes, source routes and address literals and changes some of them.
 */
final class SenderForm extends MailCmdHandler {
    SenderForm(MetricFactory metrics) {
        super(metrics);
    }

    @Override
    protected @Nullable Response doFilterChecks(SMTPSession session, String command, @Nullable String argument) {
        String address = address(argument == null ? "" : argument);
        return address.isEmpty() || AddressForm.isTaken(address)
                ? super.doFilterChecks(session, command, argument)
                : new SMTPResponse("553", "5.1.7 This is not a mail address");
    }

    /** What is between FROM: and the parameters, without its angle brackets; empty for none. */
    private static String address(String argument) {
        String text = argument.substring(argument.indexOf(':') + 1).strip();
        int end = text.startsWith("<") ? text.indexOf('>') : text.indexOf(' ');
        return text.substring(text.startsWith("<") ? 1 : 0, end < 0 ? text.length() : end);
    }
}
