package dev.veilgate.proxy;

import java.util.List;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.esmtp.EhloExtension;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.MailParametersHook;

/** SIZE (RFC 1870): announced, and held at MAIL FROM if the client says how long its message is. */
final class SizeLimit implements EhloExtension, MailParametersHook {
    static final String TOO_LARGE = "5.3.4 The message is longer than this server takes";

    private final long maxBytes;

    SizeLimit(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public List<String> getImplementedEsmtpFeatures(SMTPSession session) {
        return List.of("SIZE " + maxBytes);
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
        boolean fits = value.length() < 19 && Long.parseLong(value) <= maxBytes;
        return fits ? HookResult.DECLINED : deny("552", TOO_LARGE);
    }

    private static HookResult deny(String code, String text) {
        return HookResult.builder()
                .hookReturnCode(HookReturnCode.deny())
                .smtpReturnCode(code)
                .smtpDescription(text)
                .build();
    }
}
