@NullMarked
package dev.veilgate.console.senders;

import org.jspecify.annotations.NullMarked;
