/**
 * What attribute-based schemes have in common below the door {@code dev.veilgate.abe}: the contract of their algebra, security against chosen
 * ciphertexts over it, and decryption with a server's help. Depends on {@code math.pairing}, {@code random}, {@code encoding}, {@code secret}; knows no scheme. Not
 * exported.
 */
@NullMarked
package dev.veilgate.abe.kem;

import org.jspecify.annotations.NullMarked;
