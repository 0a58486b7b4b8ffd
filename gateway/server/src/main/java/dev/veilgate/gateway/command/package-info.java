/** The command line of the gateway: run it, and say who may use it. */
@NullMarked
package dev.veilgate.gateway.command;

import org.jspecify.annotations.NullMarked;
