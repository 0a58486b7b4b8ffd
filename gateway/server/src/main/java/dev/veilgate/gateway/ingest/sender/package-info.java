/**
 * Senders that a mail names, and whether it may: domains of the site, what programs show of a header, and a count of
 * mails in the name of such a domain whom nothing proves. Knows neither channels nor admission, which use it.
 */
@NullMarked
package dev.veilgate.gateway.ingest.sender;

import org.jspecify.annotations.NullMarked;
