/**
 * How a tenant's authority changes by which profiles and rules keywords are made
 * ({@link dev.veilgate.profiles.LaterRules}): what is refused since it would hide what was sealed, and what becomes of
 * each epoch, in words. For the command and the console.
 *
 * <p>Depends on {@link dev.veilgate.envelope}, {@link dev.veilgate.authority} and {@link dev.veilgate.extract}.
 */
@NullMarked
package dev.veilgate.profiles;

import org.jspecify.annotations.NullMarked;
