/** What an operator sets. Each capability has its own settings beside its code; here is what belongs to all. */
@NullMarked
package dev.veilgate.gateway.settings;

import org.jspecify.annotations.NullMarked;
