package dev.veilgate.envelope.smime;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Header fields of a mail outside its sealed content, and the signature that binds them to it. */
public interface BoundHeader {
    /** Fields as who sealed the mail left them: {@code Name: value}, unfolded; proven by {@link #isBoundBy} alone. */
    List<String> outerFields();

    /** DER of the signer's certificate; empty without a signature. */
    Optional<byte[]> mailCertificate();

    /** Tells if the holder of a certificate's key signed the fields with the content. */
    boolean isBoundBy(X509Certificate certificate);
}
