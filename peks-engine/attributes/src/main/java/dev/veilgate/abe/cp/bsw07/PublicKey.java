package dev.veilgate.abe.cp.bsw07;

import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;

/**
 * The authority's public key.
 *
 * @param h g2^beta
 * @param f g1^(1/beta): whoever has a key delegates with it
 * @param y e(g1, g2)^alpha
 */
public record PublicKey(G2 h, G1 f, Gt y) {}
