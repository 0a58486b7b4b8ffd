package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.time.Instant;

/**
 * The signature that a mail gets: by whom, and with which signing time (RFC 5652, section 11.3).
 *
 * @param signer whose certificate goes along: that of a sender, or the tenant's
 * @param time   in whole seconds; a claim of the signer's. Thunderbird calls a signature invalid whose time is more
 * than
 *               an hour from the Date of the mail
 */
@Secret
public record SignedAs(MailSigner signer, Instant time) {}
