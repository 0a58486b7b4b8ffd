/** Everything together as its users have it: the installed programs as processes, and real clients. */
@NullMarked
package dev.veilgate.acceptance;

import org.jspecify.annotations.NullMarked;
