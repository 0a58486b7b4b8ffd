package dev.veilgate.math.pairing;

/**
 * Domain separation tags of RFC 9380: what is hashed for one use says nothing about another. One for each scheme, role and version of the product's
 * formats; the suite's name is in it, as section 3.1 asks.
 */
public final class Domains {
    private Domains() {}

    /** The tag of a random oracle into G1 ({@code BLS12381G1_XMD:SHA-256_SSWU_RO_}). */
    public static String g1(String scheme, String role) {
        return of(scheme, role, "BLS12381G1_XMD:SHA-256_SSWU_RO_");
    }

    /** The tag of a random oracle into G2 ({@code BLS12381G2_XMD:SHA-256_SSWU_RO_}). */
    public static String g2(String scheme, String role) {
        return of(scheme, role, "BLS12381G2_XMD:SHA-256_SSWU_RO_");
    }

    /** The tag of a random oracle into Z_r. */
    public static String zr(String scheme, String role) {
        return of(scheme, role, "BLS12381R_XMD:SHA-256_RO_");
    }

    private static String of(String scheme, String role, String suite) {
        return "VEILGATE-V1-" + scheme + "-" + role + "-with-" + suite;
    }
}
