package dev.veilgate.abe.kp.gpsw06;

import dev.veilgate.math.pairing.Gt;

/**
 * The authority's public key.
 *
 * @param y e(g1, g2)^y, y the master key
 */
public record PublicKey(Gt y) {}
