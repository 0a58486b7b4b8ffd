/**
 * What every secret key does, of whatever scheme: start at {@link dev.veilgate.secret.HiddenKey}; and the marks by which tests find secrets, {@link dev.veilgate.secret.Secret} and
 * {@link dev.veilgate.secret.Exercises}. Depends on nothing of the engine.
 */
@NullMarked
package dev.veilgate.secret;

import org.jspecify.annotations.NullMarked;
