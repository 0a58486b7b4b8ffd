package dev.veilgate.transport;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and private keys in PEM files. One file may hold both, in any order, with other text around them. */
public final class PemFile {
    private static final String LABEL = "-----BEGIN (?:X509 )?CERTIFICATE-----";
    private static final Pattern CERTIFICATE_START = Pattern.compile(LABEL);
    private static final Pattern CERTIFICATE = Pattern.compile(LABEL + "([^-]*)-----END (?:X509 )?CERTIFICATE-----");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC |DSA )?PRIVATE KEY)-----([^-:]*)-----END \\1-----");

    private static final byte INTEGER = 0x02;
    private static final byte OCTET_STRING = 0x04;
    private static final byte SEQUENCE = 0x30;
    private static final byte[] ZERO = {INTEGER, 1, 0};

    private PemFile() {}

    /**
     * The certificates of a file, in their order; at least one. Also of one in DER or PKCS #7.
     *
     * @throws IOException              if it cannot be read, or holds none
     * @throws GeneralSecurityException if one of them is cut or none that Java reads
     */
    public static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<X509Certificate> found = new ArrayList<>();
        if (CERTIFICATE_START.matcher(text).find()) {
            for (Matcher each = CERTIFICATE.matcher(text); each.find(); ) {
                found.add(
                        (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(decode(each.group(1)))));
            }
            if (found.size() != CERTIFICATE_START.matcher(text).results().count()) {
                throw new CertificateException("a certificate in " + file + " has no end");
            }
        } else {
            for (Certificate each : factory.generateCertificates(new ByteArrayInputStream(bytes))) {
                found.add((X509Certificate) each);
            }
        }
        if (found.isEmpty()) {
            throw new IOException(file + " must hold certificates in PEM");
        }
        return found;
    }

    /**
     * The first private key of a file: PKCS #8, or the older forms of RSA (PKCS #1), EC (SEC 1) and DSA. None of them under a passphrase.
     *
     * @param certificate of its public key, which says the kind of key and, of an old form, its curve
     * @throws IOException              if it cannot be read, or holds none
     * @throws GeneralSecurityException if it is no key of that kind
     */
    public static PrivateKey privateKey(Path file, Certificate certificate)
            throws IOException, GeneralSecurityException {
        Matcher found = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!found.find()) {
            throw new IOException(file + " must hold a private key in PEM without a passphrase");
        }
        byte[] der = {};
        byte[] pkcs8 = {};
        try {
            der = decode(found.group(2));
            pkcs8 = switch (found.group(1)) {
                case "PRIVATE KEY" -> der;
                case "DSA PRIVATE KEY" ->
                    pkcs8(certificate, Element.inside(der, 5).bytes());
                default -> pkcs8(certificate, der);
            };
            return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } finally {
            Arrays.fill(der, (byte) 0);
            Arrays.fill(pkcs8, (byte) 0);
        }
    }

    private static byte[] decode(String base64) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("what is between the lines of PEM must be base64", e);
        }
    }

    /** The old forms are what PKCS #8 wraps together with the algorithm, which a certificate names the same way. */
    private static byte[] pkcs8(Certificate certificate, byte[] key) throws InvalidKeyException {
        byte[] algorithm =
                Element.inside(certificate.getPublicKey().getEncoded(), 0).bytes();
        return wrap(SEQUENCE, ZERO, algorithm, wrap(OCTET_STRING, key));
    }

    private static byte[] wrap(byte tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (length >= 0x80) {
            out.write(0x82); // two bytes: no key has as many as 65,536
            out.write(length >> 8);
        }
        out.write(length);
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** An element of DER: from its tag to its end. */
    private record Element(byte[] der, int start, int content, int end) {
        /** The element of this number inside the one that is all of the bytes. */
        static Element inside(byte[] der, int number) throws InvalidKeyException {
            Element found = at(der, at(der, 0).content);
            for (int i = 0; i < number; i++) {
                found = at(der, found.end);
            }
            return found;
        }

        private static Element at(byte[] der, int start) throws InvalidKeyException {
            int content = start + 2;
            long length = content > der.length ? Long.MAX_VALUE : der[start + 1] & 0xff;
            if (length > 0x80 && length <= 0x82) {
                int bytes = (int) length & 0x7f;
                length = content + bytes > der.length ? Long.MAX_VALUE : 0;
                for (int i = 0; i < bytes && length < Integer.MAX_VALUE; i++) {
                    length = length << 8 | der[content + i] & 0xff;
                }
                content += bytes;
            }
            if (length > der.length - content) {
                throw new InvalidKeyException("a private key in PEM is cut");
            }
            return new Element(der, start, content, content + (int) length);
        }

        byte[] bytes() {
            return Arrays.copyOfRange(der, start, end);
        }
    }
}
