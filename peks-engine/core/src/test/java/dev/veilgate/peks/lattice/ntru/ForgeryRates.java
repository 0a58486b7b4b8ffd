package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.StoredBlock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Prints, for families of forged A at N = 2048, the share of trapdoors that one block matches when nothing is checked, and how often each
 * check refuses it: the table of the specification, section 4. Run by hand; takes some minutes:
 *
 * <pre>java -cp peks-engine/core/target/classes:peks-engine/core/target/test-classes dev.veilgate.peks.lattice.ntru.ForgeryRates</pre>
 */
final class ForgeryRates {
    private static final NtruParameters P = NtruParameters.N2048_Q29;
    private static final int MEMBERS = 3;
    private static final int KNOWN = 1024;
    private static final int TRAPDOORS = 3000;
    private static final int TRIES = 200;

    private ForgeryRates() {}

    /** Prints the table as CSV. */
    public static void main(String[] args) throws MalformedEncodingException {
        SplittableRandom random = new SplittableRandom(1);
        SlotCover attacker = new SlotCover(P, KNOWN, random);
        System.out.println(
                "family,share of trapdoors matched by a block,refused by the check of A,refused by the probes");
        for (var family : families().entrySet()) {
            double share = 0;
            double byCheck = 0;
            double byProbes = 0;
            for (int member = 0; member < MEMBERS; member++) {
                int[] a = family.getValue().apply(random);
                StoredBlock block = attacker.block(a).stored();
                share += share(block, random) / MEMBERS;
                for (int i = 0; i < TRIES; i++) {
                    byCheck += MaskCheck.of(P).isGeneric(a) ? 0 : 1.0 / (TRIES * MEMBERS);
                    ProbeVectors probes = new ProbeVectors(P, TestKeys.random("rates/" + member + "/" + i));
                    byProbes += probes.match(block) ? 1.0 / (TRIES * MEMBERS) : 0;
                }
            }
            System.out.printf(Locale.ROOT, "%s,%.4f,%.3f,%.3f%n", family.getKey(), share, byCheck, byProbes);
        }
    }

    private static double share(StoredBlock block, SplittableRandom random) {
        int hits = 0;
        for (int i = 0; i < TRAPDOORS; i++) {
            PreparedVector t = new PreparedVector(P, SlotCover.vector(P, random));
            hits += t.mayMatch(block.hot(), 0) && !t.decodeSurvivors(block).isEmpty() ? 1 : 0;
        }
        return (double) hits / TRAPDOORS;
    }

    private static Map<String, Function<SplittableRandom, int[]>> families() {
        Map<String, Function<SplittableRandom, int[]>> families = new LinkedHashMap<>();
        families.put("honest", r -> uniform(r));
        for (double amplitude : new double[] {50, 182, 400, 1000, 3000, 100_000_000}) {
            families.put(name("one embedding amplitude %.0f", amplitude), r -> waves(amplitude, 1, r));
        }
        families.put("one embedding amplitude 182 and q/2", r -> shifted(waves(182, 1, r), 2));
        families.put("one embedding amplitude 182 and q/3", r -> shifted(waves(182, 1, r), 3));
        families.put("two embeddings amplitude 182", r -> waves(182, 2, r));
        families.put(
                "two embeddings amplitudes 182 and 20",
                r -> WaveForgeryAttackTest.plus(waves(182, 1, r), waves(20, 1, r)));
        families.put("three embeddings amplitude 182", r -> waves(182, 3, r));
        families.put("three embeddings amplitude 60", r -> waves(60, 3, r));
        families.put(
                "all embeddings ternary A", r -> filled(r.ints(P.n(), -1, 2).toArray()));
        for (int k : new int[] {1, 8, 12, 16}) {
            families.put("q/2 times an ideal of norm 2^" + k, r -> powerOfTwo(k, r));
        }
        for (int norm : new int[] {7_681, 100_000, 690_000, 703_489, 1_256_449, 2_000_000, 8_000_000}) {
            int prime = WaveForgeryAttackTest.primeFrom(norm);
            families.put("ideal of norm " + prime, r -> ideal(prime, r));
        }
        int wide = WaveForgeryAttackTest.primeFrom(100_000);
        families.put(
                "ideal of norm 7681 and one embedding amplitude 60",
                r -> WaveForgeryAttackTest.plus(ideal(7681, r), waves(60, 1, r)));
        families.put(
                "ideal of norm " + wide + " and one embedding amplitude 1500",
                r -> WaveForgeryAttackTest.plus(ideal(wide, r), waves(1500, 1, r)));
        families.put(
                "ideals of norms 7681 and 10753 added",
                r -> WaveForgeryAttackTest.plus(ideal(7681, r), ideal(10_753, r)));
        families.put("random multiples of q/3", r -> multiples(r, 3));
        families.put("multiples of another q/d in each part", r -> multiples(r, 67, 71, 73, 79, 83, 89, 97, 101));
        families.put("powers of y^16 only", r -> sparse(r));
        return families;
    }

    private static String name(String format, double x) {
        return String.format(Locale.ROOT, format, x);
    }

    private static int[] uniform(SplittableRandom random) {
        return random.ints(P.n(), 0, P.q()).toArray();
    }

    private static int[] waves(double amplitude, int count, SplittableRandom random) {
        return WaveForgeryAttackTest.waves(
                amplitude,
                random,
                random.ints(0, P.kept() / 2).distinct().limit(count).toArray());
    }

    private static int[] shifted(int[] a, int d) {
        return WaveForgeryAttackTest.plus(a, WaveForgeryAttackTest.constant(P.q() / d));
    }

    private static int[] filled(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = Math.floorMod(a[i], P.q());
        }
        return a;
    }

    private static int[] ideal(int prime, SplittableRandom random) {
        return ForgeryAttackTest.eigenvector(P, prime, random).plain().a;
    }

    /** q/2 times multiples of (1 + y)^(256 - k) modulo 2. */
    static int[] powerOfTwo(int k, SplittableRandom random) {
        int length = P.kept();
        int[] base = new int[length];
        base[0] = 1;
        for (int power = 0; power < length - k; power++) {
            for (int i = length - 1; i > 0; i--) {
                base[i] ^= base[i - 1];
            }
        }
        int[] a = new int[P.n()];
        for (int part = 0; part < P.stride(); part++) {
            for (int shift = 0; shift < k; shift++) {
                int bit = shift == 0 ? 1 : random.nextInt(2);
                for (int i = 0; i < length; i++) {
                    a[P.stride() * ((i + shift) % length) + part] ^= bit * base[i];
                }
            }
        }
        for (int i = 0; i < a.length; i++) {
            a[i] *= P.q() / 2;
        }
        return a;
    }

    /** Part r has random multiples of q/d_r. */
    private static int[] multiples(SplittableRandom random, int... denominators) {
        int[] a = new int[P.n()];
        for (int i = 0; i < a.length; i++) {
            int d = denominators[i % P.stride() % denominators.length];
            a[i] = (int) Math.round((double) (1 + random.nextInt(d - 1)) * P.q() / d) % P.q();
        }
        return a;
    }

    private static int[] sparse(SplittableRandom random) {
        int[] a = new int[P.n()];
        for (int i = 0; i < a.length; i++) {
            a[i] = i / P.stride() % 16 == 0 ? random.nextInt(P.q()) : 0;
        }
        return a;
    }
}
