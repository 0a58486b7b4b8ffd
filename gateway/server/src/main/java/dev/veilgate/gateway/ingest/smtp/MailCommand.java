package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.envelope.smime.AddressForm;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.core.MaybeSender;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.MailCmdHandler;
import org.apache.james.protocols.smtp.core.esmtp.EhloExtension;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.MailHook;
import org.jspecify.annotations.Nullable;

/**
 * MAIL FROM: who may send, with which sender address, how much. SIZE (RFC 1870) is announced and held here if the
 * client says it: a message that is too long, or for which there is no memory now, need not be sent first.
 */
final class MailCommand extends MailCmdHandler implements MailHook, EhloExtension {
    private static final Pattern ARGUMENT = Pattern.compile("(?i)FROM: ?<([^<>\\s]*)>((?: [!-~]+)*) *");
    private static final Pattern PARAMETER = Pattern.compile(
            "(?i)SIZE=(?<size>[0-9]{1,20})|BODY=(?:7BIT|8BITMIME)|AUTH=[!-~]+"); // AUTH: RFC 4954, not used here

    private final SmtpSettings settings;
    private final SenderLimits limits;
    private final MessageMemory memory;
    private final Supplier<Response> noMemory;

    /** @param noMemory what a message is answered for which there is no memory now */
    MailCommand(
            SmtpSettings settings,
            SenderLimits limits,
            MessageMemory memory,
            Supplier<Response> noMemory,
            MetricFactory metrics) {
        super(metrics);
        this.settings = settings;
        this.limits = limits;
        this.memory = memory;
        this.noMemory = noMemory;
    }

    @Override
    public List<String> getImplementedEsmtpFeatures(SMTPSession session) {
        return List.of("SIZE " + settings.maxMessage().toBytes());
    }

    /** Before James looks at it: James takes parameters that it does not know, and logs addresses that are none. */
    @Override
    protected @Nullable Response doFilterChecks(SMTPSession session, String command, @Nullable String argument) {
        Matcher matcher = ARGUMENT.matcher(argument == null ? "" : argument);
        if (!matcher.matches()) {
            return Replies.of("501", "5.5.4 Usage: MAIL FROM:<address>");
        }
        long declared = 0;
        for (String each : matcher.group(2).strip().split(" +")) {
            Matcher parameter = PARAMETER.matcher(each);
            if (!each.isEmpty() && !parameter.matches()) {
                return Replies.of("555", "5.5.4 A parameter is not known here");
            }
            if (!each.isEmpty() && parameter.group("size") != null) {
                if (!fits(parameter.group("size"))) {
                    return Replies.tooLarge(settings.maxMessage());
                }
                declared = Long.parseLong(parameter.group("size"));
            }
        }
        Connection connection = Connection.of(session);
        if (!memory.of(connection.address()).has(declared)) {
            return noMemory.get();
        }
        connection.declaredBytes = declared;
        String address = matcher.group(1);
        if (!address.isEmpty() && !AddressForm.isTaken(address)) {
            return Replies.of("553", "5.1.7 This is not a mail address");
        }
        return super.doFilterChecks(session, command, "FROM:<" + address + ">");
    }

    private boolean fits(String size) {
        return size.length() < 19
                && Long.parseLong(size) <= settings.maxMessage().toBytes();
    }

    @Override
    public HookResult doMail(SMTPSession session, MaybeSender sender) {
        Connection connection = Connection.of(session);
        String address = sender.asString("");
        if (connection.authRequired() && connection.principal().isEmpty()) {
            return Replies.deny("530", "5.7.0 Authentication required");
        }
        boolean isOthers = connection
                .principal()
                .filter(who -> !address.isEmpty() && !settings.mayUse(who, address))
                .isPresent();
        if (isOthers) {
            return Replies.deny("553", "5.7.1 Who logged in may not use this sender address");
        }
        if (connection.messages >= settings.limits().messagesPerConnection()) {
            return Replies.deny("452", "4.7.0 Enough messages for one connection");
        }
        if (!limits.takeMessage(connection, address)) {
            return Replies.deny("452", "4.7.1 Too many messages within a minute; try again later");
        }
        return HookResult.DECLINED;
    }
}
