package dev.veilgate.envelope.smime;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraintValidatorException;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.PKIXNameConstraintValidator;
import org.jspecify.annotations.Nullable;

/** Mail addresses that the certificate of an authority permits below it (RFC 5280, section 4.2.1.10). */
final class SenderNames {
    private SenderNames() {}

    /** Hosts and addresses that are permitted, as the certificate has them; empty if it does not restrict them. */
    static List<String> permitted(X509Certificate certificate) {
        NameConstraints constraints = constraints(certificate);
        return constraints == null
                ? List.of()
                : trees(constraints.getPermittedSubtrees())
                        .map(GeneralSubtree::getBase)
                        .filter(name -> name.getTagNo() == GeneralName.rfc822Name)
                        .map(name -> name.getName().toString())
                        .toList();
    }

    /** Tells if a certificate permits an address. */
    static boolean permit(X509Certificate certificate, String address) {
        NameConstraints constraints = constraints(certificate);
        if (constraints == null) {
            return true;
        }
        PKIXNameConstraintValidator validator = new PKIXNameConstraintValidator();
        GeneralName name = new GeneralName(GeneralName.rfc822Name, address);
        try {
            if (constraints.getPermittedSubtrees() != null) {
                validator.intersectPermittedSubtree(constraints.getPermittedSubtrees());
            }
            trees(constraints.getExcludedSubtrees()).forEach(validator::addExcludedSubtree);
            validator.checkPermitted(name);
            validator.checkExcluded(name);
            return true;
        } catch (NameConstraintValidatorException e) {
            return false;
        }
    }

    private static Stream<GeneralSubtree> trees(GeneralSubtree @Nullable [] trees) {
        return trees == null ? Stream.of() : Stream.of(trees);
    }

    private static @Nullable NameConstraints constraints(X509Certificate certificate) {
        byte[] value = certificate.getExtensionValue(Extension.nameConstraints.getId());
        return value == null
                ? null
                : NameConstraints.getInstance(ASN1OctetString.getInstance(value).getOctets());
    }
}
