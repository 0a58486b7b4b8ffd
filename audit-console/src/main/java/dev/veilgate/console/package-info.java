/** The console: a domain of trust of its own, the only service with secret keys. A package a capability; each is entered through its few public types. */
@NullMarked
package dev.veilgate.console;

import org.jspecify.annotations.NullMarked;
