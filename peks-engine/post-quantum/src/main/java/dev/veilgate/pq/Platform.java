package dev.veilgate.pq;

import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * Bouncy Castle for ML-KEM and FrodoKEM, and for keys of ML-DSA; the Java runtime for signatures of ML-DSA, whose
 * vector code needs two thirds of the time.
 */
final class Platform implements PostQuantumProvider {
    static final Platform INSTANCE = new Platform();

    private final Kem mlKem768 = new PlatformMlKem768();
    private final Kem frodoKem976 = new PlatformFrodoKem976();
    private final SignatureScheme mlDsa65 = new PlatformMlDsa65();

    private Platform() {}

    @Override
    public String name() {
        return "platform";
    }

    @Override
    public String description() {
        return "Bouncy Castle " + new BouncyCastleProvider().getVersionStr() + " and Java "
                + Runtime.version().feature();
    }

    @Override
    public Kem mlKem768() {
        return mlKem768;
    }

    @Override
    public Kem frodoKem976() {
        return frodoKem976;
    }

    @Override
    public SignatureScheme mlDsa65() {
        return mlDsa65;
    }
}
