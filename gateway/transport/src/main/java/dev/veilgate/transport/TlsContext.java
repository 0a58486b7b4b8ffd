package dev.veilgate.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS as configured, from files. Errors name the file and what it should hold. */
public final class TlsContext {
    private TlsContext() {}

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
        try {
            return authorities == null && keys == null
                    ? SSLContext.getDefault()
                    : context(
                            keys == null ? null : keys.managers(),
                            authorities == null ? null : TrustedAuthorities.managers(authorities));
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    /** That of a server that asks for no certificate. */
    public static SSLContext server(TlsKeys keys) throws IOException {
        try {
            return context(keys.managers(), null);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust, null);
        return context;
    }
}
