package dev.veilgate.enrolment;

import dev.veilgate.files.FileNamePart;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The files that a new user of mail is given: key, certificates, settings of mail programs, and what to do with them.
 * The private key is in them under its passphrase only.
 */
@Secret
public final class EnrolmentFiles implements AutoCloseable {
    static final String AUTHORITY = "authority.pem";
    static final String AUTOCONFIG = "config-v1.1.xml";
    static final String README = "README.txt";

    private final String address;
    private final MailServers servers;
    private final X509Certificate authority;
    private final SequencedMap<String, byte[]> files = new LinkedHashMap<>();

    private EnrolmentFiles(String address, MailServers servers, X509Certificate authority) {
        this.address = address;
        this.servers = servers;
        this.authority = authority;
    }

    /**
     * Makes the files of a user whose key the authority made.
     *
     * @param pkcs12    has the key under a passphrase
     * @param authority that mail programs are to trust
     */
    static EnrolmentFiles withKey(String address, MailServers servers, X509Certificate authority, byte[] pkcs12)
            throws CertificateEncodingException {
        EnrolmentFiles made = new EnrolmentFiles(address, servers, authority);
        String name = FileNamePart.of(address) + ".p12";
        made.files.put(name, pkcs12);
        String profile = FileNamePart.of(address.substring(0, address.indexOf('@'))) + ".mobileconfig";
        made.add(profile, MailProgramSettings.appleProfile(address, name, pkcs12, authority.getEncoded(), servers));
        made.addOthers(EnrolmentReadme.withKey(address, name, profile, servers));
        return made;
    }

    /** Makes the files of a user who has the key, with its certificate. */
    static EnrolmentFiles withCertificate(
            String address, MailServers servers, X509Certificate authority, X509Certificate certificate)
            throws CertificateEncodingException {
        EnrolmentFiles made = new EnrolmentFiles(address, servers, authority);
        String name = FileNamePart.of(address) + ".pem";
        made.add(name, CertificatePem.of(certificate));
        made.addOthers(EnrolmentReadme.withCertificate(address, name, servers));
        return made;
    }

    private void addOthers(String readme) throws CertificateEncodingException {
        add(AUTHORITY, CertificatePem.of(authority));
        if (servers.areKnown()) {
            add(AUTOCONFIG, MailProgramSettings.autoconfig(address.substring(address.indexOf('@') + 1), servers));
        }
        add(README, readme);
    }

    private void add(String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Content of each file by its name, which is one part of a path and harmless on every system. */
    public SequencedMap<String, byte[]> byName() {
        return Collections.unmodifiableSequencedMap(files);
    }

    /** Wipes the contents. */
    @Override
    public void close() {
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Arrays.fill(each.getValue(), (byte) 0);
        }
    }
}
