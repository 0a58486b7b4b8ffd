package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.terminal.Terminal;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Says in time that the certificate ends which a tenant's mail is signed with. */
final class MailSignerNotice {
    private static final Duration AHEAD = Duration.ofDays(60);

    /** Mail is shown long after it was signed, and programs look at the certificate's validity when they show it. */
    private static final Duration AHEAD_OF_SENDERS = Duration.ofDays(5 * 365);

    private MailSignerNotice() {}

    /**
     * Warns on standard error if the present signer's certificate, or one that it stands on, has expired or will within
     * 60 days; that of an authority for senders within five years.
     */
    static void warn(Terminal terminal, TenantKeys keys) throws MalformedEncodingException {
        Duration ahead = keys.mailSigner().filter(MailSigner::isAuthority).isPresent() ? AHEAD_OF_SENDERS : AHEAD;
        text(keys.mailSigners(), ahead, terminal.clock().instant())
                .ifPresent(text -> terminal.err().println("warning: " + text));
    }

    private static Optional<String> text(List<List<X509Certificate>> signers, Duration ahead, Instant now) {
        if (signers.isEmpty()) {
            return Optional.empty();
        }
        List<X509Certificate> chain = signers.getFirst();
        X509Certificate first = chain.stream()
                .min(Comparator.comparing(X509Certificate::getNotAfter))
                .orElseThrow();
        Instant end = first.getNotAfter().toInstant();
        if (end.isAfter(now.plus(ahead))) {
            return Optional.empty();
        }
        String which = first.equals(chain.getFirst())
                ? "the mail signing certificate"
                : "a certificate that the mail signing certificate stands on";
        return Optional.of(which + (end.isAfter(now) ? " expires on " : " expired on ") + end
                + "; veilgate keys mail-signer new makes another, keys mail-signer import takes one of yours");
    }
}
