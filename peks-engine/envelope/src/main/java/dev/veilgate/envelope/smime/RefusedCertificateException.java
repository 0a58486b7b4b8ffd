package dev.veilgate.envelope.smime;

/** A certificate that mail must not be sealed for. Says which rule it breaks; a certificate is public, so the text may be shown. */
public final class RefusedCertificateException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedCertificateException(String message) {
        super(message);
    }
}
