package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Key folders that open at next to no cost, which no command makes: the least that {@code --memory} takes is 8 MiB. Tests open a folder with each command, and
 * with cold code Argon2id is half of what they take.
 */
public final class CheapPassphrase {
    private static final PassphraseCost COST = new PassphraseCost(64, 1, 1);

    private CheapPassphrase() {}

    /** Seals a key folder anew under the passphrase that it has. */
    public static void seal(Path keys, String passphrase) throws Exception {
        byte[] bytes = passphrase.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(keys, bytes, KeyFolder.Access.CHANGE, new SecureRandom())) {
            folder.changePassphrase(bytes, COST);
        }
    }
}
