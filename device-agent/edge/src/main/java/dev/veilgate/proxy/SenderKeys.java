package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Senders' own keys, from files of a folder that are named by address: {@code ada@acme.example.p12}, with its
 * passphrase in {@code ada@acme.example.passphrase} or in a file for all, or {@code ada@acme.example.pem}. Read once.
 *
 * @param byAddress in lower case
 */
record SenderKeys(Map<String, MailSigner> byAddress) {
    /** Nobody's. */
    static final SenderKeys NONE = new SenderKeys(Map.of());

    private static final String SETTING = "mail.sender-keys";
    private static final String PKCS12 = ".p12";
    private static final String PEM = ".pem";
    private static final int MAX = 10_000;

    /** Copies. */
    SenderKeys {
        byAddress = Map.copyOf(byAddress);
    }

    /**
     * Reads all keys of a folder. Those that have expired are left to {@link #problem}.
     *
     * @param folder     null for none
     * @param passphrase file of those that have no file of their own; null for none
     * @throws SigningKeyFile.UnusableSignerException naming a file that cannot be used, and why
     */
    static SenderKeys read(@Nullable Path folder, @Nullable Path passphrase)
            throws SigningKeyFile.UnusableSignerException {
        if (folder == null) {
            return NONE;
        }
        Map<String, MailSigner> keys = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                String end = name.endsWith(PKCS12) ? PKCS12 : name.endsWith(PEM) ? PEM : "";
                if (end.isEmpty() || name.startsWith(".")) {
                    continue;
                }
                String address = name.substring(0, name.length() - end.length());
                Path own = folder.resolve(address + ".passphrase");
                MailSigner signer = SigningKeyFile.read(SETTING, file, Files.exists(own) ? own : passphrase);
                address = address.toLowerCase(Locale.ROOT);
                if (!signer.names(address) || signer.isAuthority()) {
                    throw unusable(file, "its certificate is none of the address");
                }
                if (keys.put(address, signer) != null) {
                    throw unusable(file, "there are two keys of this address");
                }
                if (keys.size() > MAX) {
                    throw unusable(folder, "has more than " + MAX + " keys");
                }
            }
        } catch (SigningKeyFile.UnusableSignerException e) {
            throw e;
        } catch (IOException e) {
            throw new SigningKeyFile.UnusableSignerException(SETTING, folder, "cannot be read", e);
        }
        return new SenderKeys(keys);
    }

    private static SigningKeyFile.UnusableSignerException unusable(Path file, String why) {
        return new SigningKeyFile.UnusableSignerException(SETTING, file, why, null);
    }

    /** The key of an address, if its certificate is valid. */
    Optional<MailSigner> of(String address, Instant now) {
        return Optional.ofNullable(byAddress.get(address)).filter(signer -> isValid(signer, now));
    }

    /**
     * Warning with the number of keys whose certificates have expired; empty if none has. The site's key takes their
     * place.
     */
    String problem(Instant now) {
        long expired = byAddress.values().stream()
                .filter(signer -> !isValid(signer, now))
                .count();
        return expired == 0
                ? ""
                : SETTING + ": " + expired
                        + " certificates have expired; mail of their senders is signed by the site's";
    }

    private static boolean isValid(MailSigner signer, Instant now) {
        try {
            signer.requireValid(now);
            return true;
        } catch (RefusedSignerException e) {
            return false;
        }
    }
}
