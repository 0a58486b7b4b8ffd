package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.AddressForm;
import java.io.IOException;
import java.util.Map;
import org.apache.james.core.MailAddress;
import org.apache.james.core.MaybeSender;
import org.apache.james.protocols.api.ProtocolSession.AttachmentKey;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.RcptHook;

/** Refuses a recipient for whom mail cannot be sealed, at RCPT, so that the mail program shows which one it was and why. */
final class RecipientKeys implements RcptHook {
    /** Recipients refused in this transaction. */
    static final AttachmentKey<Integer> REFUSED = AttachmentKey.of("veilgate-refused", Integer.class);

    private static final int MAX_RECIPIENTS = 1000;

    private final MailSubmission submission;

    RecipientKeys(MailSubmission submission) {
        this.submission = submission;
    }

    @Override
    public HookResult doRcpt(
            SMTPSession session, MaybeSender sender, MailAddress recipient, Map<String, String> parameters) {
        if (session.getRcptCount() >= MAX_RECIPIENTS) {
            return deny(HookReturnCode.denySoft(), "452", "4.5.3 Too many recipients; send the rest in another mail");
        }
        if (!AddressForm.isTaken(recipient.asString())) {
            return refuse(session, "553", "5.1.3 This is not a mail address; nothing was sent");
        }
        try {
            submission.check(recipient.asString());
            return HookResult.DECLINED;
        } catch (NoKeyException e) {
            return refuse(
                    session,
                    "550",
                    "5.7.5 no key for <" + recipient.asString() + ">: " + e.getMessage() + "; nothing was sent");
        } catch (IOException e) {
            return deny(HookReturnCode.denySoft(), "451", "4.7.5 No usable public bundle; tell your administrator");
        }
    }

    private HookResult refuse(SMTPSession session, String code, String text) {
        int before = session.getAttachment(REFUSED, State.Transaction).orElse(0);
        session.setAttachment(REFUSED, before + 1, State.Transaction);
        submission.metrics().refusedRecipients.increment();
        return deny(HookReturnCode.deny(), code, text);
    }

    static HookResult deny(HookReturnCode kind, String code, String text) {
        return HookResult.builder()
                .hookReturnCode(kind)
                .smtpReturnCode(code)
                .smtpDescription(text)
                .build();
    }
}
