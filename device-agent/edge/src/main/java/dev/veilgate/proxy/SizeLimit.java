package dev.veilgate.proxy;

import dev.veilgate.transport.smtp.MailSize;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.esmtp.EhloExtension;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.MailParametersHook;

/** SIZE (RFC 1870): announced, and held at MAIL FROM if the client says how long its message is. */
final class SizeLimit implements EhloExtension, MailParametersHook {
    private final LongSupplier maxBytes;

    /** @param maxBytes most bytes of a message now: the next server may announce another limit later */
    SizeLimit(LongSupplier maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * To a message that is too long.
     *
     * @param maxBytes of a message
     */
    static String tooLarge(long maxBytes) {
        return "5.3.4 The message is longer than this server takes: " + MailSize.words(maxBytes)
                + ", which is attachments of about " + MailSize.words(MailSize.attachments(maxBytes, 1));
    }

    @Override
    public List<String> getImplementedEsmtpFeatures(SMTPSession session) {
        return List.of("SIZE " + maxBytes.getAsLong());
    }

    @Override
    public String[] getMailParamNames() {
        return new String[] {"SIZE"};
    }

    @Override
    public HookResult doMailParameter(SMTPSession session, String name, String value) {
        if (!value.matches("[0-9]{1,20}")) {
            return deny("501", "5.5.4 SIZE must be a number");
        }
        boolean fits = value.length() < 19 && Long.parseLong(value) <= maxBytes.getAsLong();
        return fits ? HookResult.DECLINED : deny("552", tooLarge(maxBytes.getAsLong()));
    }

    private static HookResult deny(String code, String text) {
        return HookResult.builder()
                .hookReturnCode(HookReturnCode.deny())
                .smtpReturnCode(code)
                .smtpDescription(text)
                .build();
    }
}
