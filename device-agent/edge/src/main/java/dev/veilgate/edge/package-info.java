/**
 * The program of devices and mail servers, {@code veilgate-edge}: its entry, and the command that makes their
 * identity. It depends on agent and proxy.
 */
@NullMarked
package dev.veilgate.edge;

import org.jspecify.annotations.NullMarked;
