/**
 * Searchable encryption: what every scheme has in common. No scheme is named here; see {@link
 * dev.veilgate.peks.IndexScheme}, the contract, and {@code docs/spec} for each scheme. Depends on {@code encoding} only.
 *
 * <p>Sealing keywords, issuing a trapdoor and testing it, in full:
 *
 * {@snippet class="SealAndSearchExample" region="example"}
 */
@NullMarked
package dev.veilgate.peks;

import org.jspecify.annotations.NullMarked;
