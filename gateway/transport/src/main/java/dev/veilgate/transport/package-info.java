/**
 * What gateway, console, client and agent share when they speak to others: TLS from files, sockets, pauses between attempts. Depends on the JDK only.
 */
@NullMarked
package dev.veilgate.transport;

import org.jspecify.annotations.NullMarked;
