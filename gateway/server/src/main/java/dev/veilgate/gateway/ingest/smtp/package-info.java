/**
 * Mail in: SMTP of Apache James' protocol stack on Netty. Nothing here blocks a Netty thread: a connection whose mail is being made durable, or
 * whose password is being checked, is not read from until that is done.
 */
@NullMarked
package dev.veilgate.gateway.ingest.smtp;

import org.jspecify.annotations.NullMarked;
