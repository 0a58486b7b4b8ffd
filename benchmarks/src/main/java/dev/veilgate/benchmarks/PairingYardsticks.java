package dev.veilgate.benchmarks;

import dev.veilgate.math.pairing.Domains;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The steps that schemes over BLS12-381 are made of, as the native library does them: a scheme's time can be compared with the number of its steps, on any machine.
 */
final class PairingYardsticks {
    /** In the place of a scheme's id. */
    static final String ID = "bls12-381";

    private static final String DOMAIN = Domains.g1("BENCHMARK", "YARDSTICK");
    private static final byte[] MESSAGE = "site:plant-7".getBytes(StandardCharsets.UTF_8);
    private static final int FACTORS = 8;

    private PairingYardsticks() {}

    /** By name. */
    static Map<String, Callable<?>> all() {
        try (CoinStream coins = CoinStream.fresh(new SecureRandom())) {
            Zr s = Zr.random(coins);
            G1 p = G1.random(coins);
            G2 q = G2.random(coins);
            Gt e = Gt.pairing(p, q);
            byte[] p1 = p.encode();
            byte[] q1 = q.encode();
            byte[] e1 = e.encode();
            Map<String, Callable<?>> steps = new LinkedHashMap<>();
            steps.put("g1-multiplication", () -> p.times(s));
            steps.put("g2-multiplication", () -> q.times(s));
            steps.put("gt-power", () -> e.power(s));
            steps.put("hash-to-g1", () -> G1.hash(DOMAIN, MESSAGE));
            steps.put("pairing", () -> Gt.pairing(p, q));
            steps.put("product-of-" + FACTORS + "-pairings", () -> product(p, q));
            steps.put("g1-encoding", () -> p.plus(G1.GENERATOR).encode());
            steps.put("g2-encoding", () -> q.plus(G2.GENERATOR).encode());
            steps.put("g1-decoding", () -> G1.decode("point", p1));
            steps.put("g2-decoding", () -> G2.decode("point", q1));
            steps.put("gt-decoding", () -> Gt.decode("element", e1));
            return steps;
        }
    }

    private static Gt product(G1 p, G2 q) {
        PairingProduct product = new PairingProduct();
        for (int i = 0; i < FACTORS; i++) {
            product.times(p, q);
        }
        return product.value();
    }
}
