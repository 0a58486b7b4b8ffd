/** Attacks on the limits of connections, and what is measured of them. */
@NullMarked
package dev.veilgate.application.connection;

import org.jspecify.annotations.NullMarked;
