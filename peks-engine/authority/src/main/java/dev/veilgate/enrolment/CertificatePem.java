package dev.veilgate.enrolment;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** The text form of certificates (RFC 7468), which mail programs import. */
public final class CertificatePem {
    private static final int LINE = 64;

    private CertificatePem() {}

    /** The text of a certificate, with a line feed at its end. */
    public static String of(X509Certificate certificate) throws CertificateEncodingException {
        String base64 = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
    }
}
