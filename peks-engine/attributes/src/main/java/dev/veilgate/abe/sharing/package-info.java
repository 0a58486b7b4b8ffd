/**
 * The linear secret sharing that turns a policy into exponents. Depends on {@code abe.policy} and {@code math.pairing}; knows no scheme. Not exported.
 */
@NullMarked
package dev.veilgate.abe.sharing;

import org.jspecify.annotations.NullMarked;
