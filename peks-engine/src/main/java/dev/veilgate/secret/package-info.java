/**
 * What every secret key does, of whatever scheme: start at {@link dev.veilgate.secret.ErasableKey}. Depends on nothing of the engine.
 */
@NullMarked
package dev.veilgate.secret;

import org.jspecify.annotations.NullMarked;
