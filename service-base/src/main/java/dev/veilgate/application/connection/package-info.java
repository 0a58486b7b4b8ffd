/**
 * Connections to the services: how many an address may have open at the HTTP ports, what is counted and logged of
 * them, and how near the process is to the end of its file descriptors.
 */
@NullMarked
package dev.veilgate.application.connection;

import org.jspecify.annotations.NullMarked;
