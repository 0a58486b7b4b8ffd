package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.envelope.smime.AddressForm;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.core.MailAddress;
import org.apache.james.core.MaybeSender;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.RcptCmdHandler;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.RcptHook;
import org.jspecify.annotations.Nullable;

/** RCPT TO: our own domains for everybody, all others for users who logged in. */
final class RcptCommand extends RcptCmdHandler implements RcptHook {
    private static final Pattern ARGUMENT = Pattern.compile("(?i)TO: ?<([^<>\\s]+)>((?: [!-~]+)*) *");

    private final SmtpSettings settings;
    private final SenderLimits limits;
    private final KnownRecipients recipients;

    RcptCommand(SmtpSettings settings, SenderLimits limits, KnownRecipients recipients, MetricFactory metrics) {
        super(metrics);
        this.settings = settings;
        this.limits = limits;
        this.recipients = recipients;
    }

    @Override
    protected @Nullable Response doFilterChecks(SMTPSession session, String command, @Nullable String argument) {
        Matcher matcher = ARGUMENT.matcher(argument == null ? "" : argument);
        if (!matcher.matches()) {
            return Replies.of("501", "5.5.4 Usage: RCPT TO:<address>");
        }
        if (!matcher.group(2).isBlank()) {
            return Replies.of("555", "5.5.4 A parameter is not known here");
        }
        if (!AddressForm.isTaken(matcher.group(1))) {
            return Replies.of("553", "5.1.3 This is not a mail address");
        }
        return super.doFilterChecks(session, command, "TO:<" + matcher.group(1) + ">");
    }

    /** One that is named twice gets one copy. */
    @Override
    protected Response doCoreCmd(SMTPSession session, String command, String parameters) {
        List<MailAddress> before =
                session.getAttachment(SMTPSession.RCPT_LIST, State.Transaction).orElse(List.of());
        boolean known = session.getAttachment(CURRENT_RECIPIENT, State.Transaction)
                .filter(before::contains)
                .isPresent();
        return known ? Replies.of("250", "2.1.5 Recipient OK") : super.doCoreCmd(session, command, parameters);
    }

    @Override
    protected HookResult callHook(RcptHook hook, SMTPSession session, String argument) {
        MaybeSender sender =
                session.getAttachment(SMTPSession.SENDER, State.Transaction).orElse(MaybeSender.nullSender());
        return hook.doRcpt(
                session,
                sender,
                session.getAttachment(CURRENT_RECIPIENT, State.Transaction).orElseThrow());
    }

    @Override
    public HookResult doRcpt(SMTPSession session, MaybeSender sender, MailAddress recipient) {
        Connection connection = Connection.of(session);
        boolean ours = settings.serves(recipient.getDomain().asString());
        if (!ours && connection.principal().isEmpty()) {
            return Replies.deny("550", "5.7.1 Mail for this domain is not taken here");
        }
        // A report has no sender: of it no other report comes, and who gets it need not have a certificate.
        if (ours && !sender.isNullSender() && recipients.isUnknown(recipient.asString())) {
            return Replies.deny("550", "5.1.1 No such recipient here");
        }
        if (session.getRcptCount() >= settings.limits().recipientsPerMessage()) {
            return Replies.deny("452", "4.5.3 Too many recipients; send the others another message");
        }
        if (!limits.takeRecipient(connection, sender.asString(""))) {
            return Replies.deny("452", "4.7.1 Too many recipients within a minute; try again later");
        }
        return HookResult.DECLINED;
    }
}
