package dev.veilgate.pq;

import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * The faster of Bouncy Castle and the Java runtime for each operation, where its secrets can be erased: the runtime for
 * ML-DSA and for keys of ML-KEM, Bouncy Castle for the rest.
 */
final class Platform implements PostQuantumProvider {
    static final Platform INSTANCE = new Platform();

    private final Kem mlKem768 = new PlatformMlKem768();
    private final Kem frodoKem976 = new PlatformFrodoKem976();
    private final SignatureScheme mlDsa65 = new PlatformMlDsa65();
    private final SignatureScheme slhDsaSha2128f = new PlatformSlhDsaSha2128f();

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

    @Override
    public SignatureScheme slhDsaSha2128f() {
        return slhDsaSha2128f;
    }
}
