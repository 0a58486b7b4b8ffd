/**
 * Where random coins come from: a seeded stream that is either fresh (from an injected {@link java.security.SecureRandom})
 * or the pseudorandom function that a scheme needs to be deterministic. Depends on nothing. Not exported.
 */
@NullMarked
package dev.veilgate.random;

import org.jspecify.annotations.NullMarked;
