package dev.veilgate.transport;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A trust manager of the Java runtime as Conscrypt may ask it: the two have different words for the key exchange of
 * TLS 1.3, which says nothing of the certificate. All else is handed on, so that the runtime checks certificate,
 * name,
 * algorithms and revocation as in a connection of its own.
 */
final class RuntimeTrust extends X509ExtendedTrustManager {
    private static final String CONSCRYPT_TLS13 = "GENERIC";
    private static final String RUNTIME_TLS13 = "UNKNOWN";

    /** Names of authorities that a server tells its clients: Conscrypt fails where they do not fit into a record. */
    private static final int MAX_NAMES_BYTES = 8 << 10;

    private final X509ExtendedTrustManager trust;
    private final X509Certificate[] named;

    private RuntimeTrust(X509ExtendedTrustManager trust) {
        this.trust = trust;
        X509Certificate[] all = trust.getAcceptedIssuers();
        int bytes = 0;
        for (X509Certificate authority : all) {
            bytes += authority.getSubjectX500Principal().getEncoded().length;
        }
        this.named = bytes <= MAX_NAMES_BYTES ? all : new X509Certificate[0];
    }

    /**
     * Whether all of some managers see the connection. Others could not check the name in a certificate, and only the
     * runtime's own TLS does it for them.
     */
    static boolean fits(TrustManager[] managers) {
        for (TrustManager manager : managers) {
            if (!(manager instanceof X509ExtendedTrustManager)) {
                return false;
            }
        }
        return true;
    }

    /** Managers for Conscrypt, of such that {@link #fits} says yes to. */
    static TrustManager[] of(TrustManager[] managers) {
        TrustManager[] asked = new TrustManager[managers.length];
        for (int i = 0; i < managers.length; i++) {
            asked[i] = new RuntimeTrust((X509ExtendedTrustManager) managers[i]);
        }
        return asked;
    }

    private static String type(String authType) {
        return authType.equals(CONSCRYPT_TLS13) ? RUNTIME_TLS13 : authType;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        trust.checkClientTrusted(chain, type(authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        trust.checkClientTrusted(chain, type(authType), socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        trust.checkClientTrusted(chain, type(authType), engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        trust.checkServerTrusted(chain, type(authType));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        trust.checkServerTrusted(chain, type(authType), socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        trust.checkServerTrusted(chain, type(authType), engine);
    }

    /** {@inheritDoc} None if they are too many to be told, which lets a client show any certificate. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return named.clone();
    }
}
