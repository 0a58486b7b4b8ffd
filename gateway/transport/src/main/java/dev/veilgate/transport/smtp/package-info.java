/** SMTP as the mail proxy and the gateway both speak it. */
@NullMarked
package dev.veilgate.transport.smtp;

import org.jspecify.annotations.NullMarked;
