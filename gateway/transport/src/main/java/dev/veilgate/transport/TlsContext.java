package dev.veilgate.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS as configured, with the hybrid key exchange X25519MLKEM768 wherever the other side has it too, and classical
 * groups where not. All connections of
 * Veilgate's programs, as client or server, have their contexts from here. Errors name the file and what it should
 * hold.
 */
public final class TlsContext {
    /** System property of Java that names a key store, which only the runtime's own default context reads. */
    private static final String MACHINE_KEYS = "javax.net.ssl.keyStore";

    private TlsContext() {}

    /** The context that trusts the machine's authorities, made once. */
    private static final class Machine {
        static final SSLContext CONTEXT = make();

        private Machine() {}

        private static SSLContext make() {
            try {
                return System.getProperty(MACHINE_KEYS) == null && HybridTls.isOffered()
                        ? HybridTls.context(null, null)
                        : SSLContext.getDefault();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("TLS cannot be set up: " + e.getMessage(), e);
            }
        }
    }

    /**
     * That of a client that trusts the machine's authorities and shows no certificate, unless {@code
     * javax.net.ssl.keyStore} names one.
     */
    public static SSLContext machine() {
        return Machine.CONTEXT;
    }

    /**
     * That of a client that shows no certificate of its own.
     *
     * @param authorities PEM of those to trust instead of the machine's; null: the machine's
     * @throws IOException if the file cannot be read or holds no certificates
     */
    public static SSLContext client(@Nullable Path authorities) throws IOException {
        return client(authorities, null);
    }

    /**
     * That of a client.
     *
     * @param authorities PEM of those to trust instead of the machine's; null: the machine's
     * @param keys        what it shows to a server that asks; null: nothing
     * @throws IOException if the file cannot be read or holds no certificates
     */
    public static SSLContext client(@Nullable Path authorities, @Nullable TlsKeys keys) throws IOException {
        return authorities == null && keys == null
                ? machine()
                : of(
                        keys == null ? null : keys.managers(),
                        authorities == null ? null : TrustedAuthorities.managers(authorities));
    }

    /** That of a server that asks for no certificate. */
    public static SSLContext server(TlsKeys keys) throws IOException {
        return of(keys.managers(), null);
    }

    /**
     * That of managers that are there already.
     *
     * @param keys  null: nothing is shown
     * @param trust null: the machine's authorities
     * @throws IOException if it cannot be set up
     */
    public static SSLContext of(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust) throws IOException {
        try {
            return HybridTls.context(keys, trust);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Whether X25519MLKEM768 is offered by the contexts of this class. */
    public static boolean isHybrid() {
        return HybridTls.isOffered();
    }

    /**
     * The Java runtime's TLS with the keys and trust of a context of this class: for servers of others, whose
     * certificates or cipher suites BoringSSL may lack. Whoever is between the two can have it used by breaking the
     * first handshake, so it is for connections that are open to such a one anyway.
     */
    public static SSLContext classical(SSLContext context) {
        return HybridTls.runtime(context);
    }

    /** Whether X25519MLKEM768 is offered by one context. */
    public static boolean isHybrid(SSLContext context) {
        return HybridTls.isOfferedBy(context);
    }

    /**
     * Whether {@link #isHybrid()} is as it was asked for: false if the hybrid group is missed and nobody switched it
     * off.
     */
    public static boolean isAsIntended() {
        return HybridTls.isAsIntended();
    }

    /** One line for a log: which key exchange is offered, and why if it is not the hybrid one. */
    public static String status() {
        return "TLS: " + HybridTls.status();
    }
}
