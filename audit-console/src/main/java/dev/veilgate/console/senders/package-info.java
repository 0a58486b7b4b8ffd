/** Registered senders, and what the gateway knows of their chains. */
@NullMarked
package dev.veilgate.console.senders;

import org.jspecify.annotations.NullMarked;
