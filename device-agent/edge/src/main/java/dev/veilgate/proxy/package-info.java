/**
 * Mail at the edge: {@code veilgate mail send} and {@code veilgate mail proxy}. A message comes in, is sealed, and goes on by SMTP; plaintext
 * is in memory only (what is too long for that is in a file under a key that is in memory only). docs/mail.md says what a sealed mail is.
 *
 * <p>From the wire to the wire: {@link dev.veilgate.proxy.SubmissionServer} takes a message, {@link dev.veilgate.proxy.MailSealing} seals it
 * into {@link dev.veilgate.proxy.OutboundSpool}, {@link dev.veilgate.proxy.Deliverer} brings it to the relay. Nothing logs an address,
 * a header or a reply text.
 */
@NullMarked
package dev.veilgate.proxy;

import org.jspecify.annotations.NullMarked;
