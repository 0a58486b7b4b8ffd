package dev.veilgate.cli;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The folder that a new user of mail is given: key, certificates, settings of mail programs, and what to do with them.
 * Readable by its owner only, and there as a whole or not at all.
 */
final class EnrolmentFolder {
    static final String AUTHORITY = "authority.pem";
    static final String AUTOCONFIG = "config-v1.1.xml";
    static final String README = "README.txt";

    private final String address;
    private final MailServers servers;
    private final X509Certificate authority;
    private final Map<String, byte[]> files = new LinkedHashMap<>();

    EnrolmentFolder(String address, MailServers servers, X509Certificate authority) {
        this.address = address;
        this.servers = servers;
        this.authority = authority;
    }

    /** The folder of an address unless its keeper names another. */
    static Path unlessGiven(String address) {
        return Path.of(OriginPaths.part(address));
    }

    /** Nothing is overwritten, for there may be somebody's only key in it. */
    static void requireNew(Path folder) throws CommandFailure {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandFailure(
                    ExitCode.IO, folder + " exists already; remove it, or name another folder with --out");
        }
    }

    /** Puts in a key that was made here; the array is wiped by {@link #close}. */
    void addKey(byte[] pkcs12) throws CertificateEncodingException {
        String name = OriginPaths.part(address) + ".p12";
        files.put(name, pkcs12);
        String local = address.substring(0, address.indexOf('@'));
        add(
                OriginPaths.part(local) + ".mobileconfig",
                MailProgramSettings.appleProfile(address, name, pkcs12, authority.getEncoded(), servers));
        addOthers(EnrolmentReadme.withKey(address, name, OriginPaths.part(local) + ".mobileconfig", servers));
    }

    /** Puts in the certificate of a key that its user has. */
    void addCertificate(X509Certificate certificate) throws CertificateEncodingException {
        String name = OriginPaths.part(address) + ".pem";
        add(name, MailSignerShowCommand.pem(certificate));
        addOthers(EnrolmentReadme.withCertificate(address, name, servers));
    }

    private void addOthers(String readme) throws CertificateEncodingException {
        add(AUTHORITY, MailSignerShowCommand.pem(authority));
        if (servers.areKnown()) {
            add(AUTOCONFIG, MailProgramSettings.autoconfig(address.substring(address.indexOf('@') + 1), servers));
        }
        add(README, readme);
    }

    private void add(String name, String text) {
        files.put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Names of its files. */
    List<String> names() {
        return new ArrayList<>(files.keySet());
    }

    /** Writes all of it beside its place, and then moves it there. */
    void write(Path folder) throws IOException, CommandFailure {
        Path place = folder.toAbsolutePath();
        Path parent = DurableFiles.folderOf(place);
        Path aside = parent.resolve("." + place.getFileName() + "~" + UUID.randomUUID() + ".tmp");
        boolean whole = false;
        try {
            DurableFiles.createFolder(aside);
            for (Map.Entry<String, byte[]> each : files.entrySet()) {
                DurableFiles.replace(aside, each.getKey(), null, each.getValue());
            }
            requireNew(folder);
            Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
            DurableFiles.forceFolder(parent);
            whole = true;
        } finally {
            if (!whole) {
                delete(aside);
            }
        }
    }

    /** Removes what was written, where the key folder could not be. */
    void delete(Path folder) throws IOException {
        for (String name : files.keySet()) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }

    /** Wipes what has the key in it, in memory. */
    void close() {
        files.values().forEach(bytes -> Arrays.fill(bytes, (byte) 0));
    }
}
