package dev.veilgate.abe.fabeo22;

import dev.veilgate.math.pairing.Gt;

/**
 * The authority's public key.
 *
 * @param form which scheme it is for
 * @param y    e(g1, g2)^alpha
 */
public record PublicKey(Form form, Gt y) {}
