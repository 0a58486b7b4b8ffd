package dev.veilgate.proxy;

import dev.veilgate.files.FileVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.jspecify.annotations.Nullable;

/**
 * Users of the proxy, one a line: {@code name:argon2id:salt:hash}, made by {@code veilgate mail password}. Argon2id with 19 MiB and two
 * passes; one password is checked at a time, and an unknown user costs as much as a known one. What matched once is remembered, under a key of this process, so that whoever
 * has the right password need not wait behind those who guess. Read again when the file changes.
 */
final class PasswordFile {
    private static final int KIBIBYTES = 19 << 10;
    private static final int PASSES = 2;
    private static final int BYTES = 32;
    private static final int SALT_BYTES = 16;

    private final Path file;
    private final byte[] memoryKey = new byte[BYTES];
    private final Object hashing = new Object();
    private final Map<String, byte[]> remembered = new ConcurrentHashMap<>();
    private @Nullable FileVersion version;
    private volatile Map<String, Entry> users = Map.of();

    @SuppressWarnings("ArrayRecordComponent")
    private record Entry(byte[] salt, byte[] hash) {}

    /** @throws IOException if the file cannot be read or is not one */
    PasswordFile(Path file) throws IOException {
        this.file = file;
        new SecureRandom().nextBytes(memoryKey);
        refresh();
    }

    /** A line for a new user. */
    static String line(String user, String password, SecureRandom random) {
        if (user.isEmpty() || !user.matches("[\\x21-\\x7e&&[^:]]{1,255}")) {
            throw new IllegalArgumentException("a user's name has printable ASCII without spaces and colons");
        }
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        Base64.Encoder base64 = Base64.getEncoder();
        return user + ":argon2id:" + base64.encodeToString(salt) + ":" + base64.encodeToString(hash(password, salt));
    }

    /** Whether the password is the user's; names in any case, since James lowers it. */
    boolean matches(String user, String password) throws IOException {
        refresh();
        String name = user.toLowerCase(Locale.ROOT);
        @Nullable Entry entry = users.get(name);
        byte[] salt = entry == null ? new byte[SALT_BYTES] : entry.salt;
        byte[] found;
        synchronized (hashing) {
            found = hash(password, salt);
        }
        boolean same = MessageDigest.isEqual(found, entry == null ? new byte[BYTES] : entry.hash);
        if (entry == null || !same) {
            return false;
        }
        remembered.put(name, tag(name, password, entry));
        return true;
    }

    /** Whether the password matched before; takes no time, and waits for nobody. */
    boolean isRemembered(String user, String password) throws IOException {
        refresh();
        String name = user.toLowerCase(Locale.ROOT);
        @Nullable Entry entry = users.get(name);
        byte @Nullable [] before = remembered.get(name);
        return entry != null && before != null && MessageDigest.isEqual(before, tag(name, password, entry));
    }

    /** Holds for this password of this user, as long as the file says the same of the user. */
    private byte[] tag(String user, String password, Entry entry) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(memoryKey, "HmacSHA256"));
            mac.update(entry.hash);
            mac.update(user.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime has no HMAC", e);
        }
    }

    /** How many users there are. */
    int count() {
        return users.size();
    }

    private synchronized void refresh() throws IOException {
        FileVersion found = FileVersion.of(file);
        if (found.equals(version)) {
            return;
        }
        var read = new HashMap<String, Entry>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isBlank() && !lines.get(i).startsWith("#")) {
                add(read, lines.get(i), i + 1);
            }
        }
        users = read;
        version = found;
    }

    private void add(Map<String, Entry> read, String line, int number) throws IOException {
        String[] parts = line.strip().split(":", -1);
        try {
            if (parts.length == 4 && parts[1].equals("argon2id")) {
                byte[] hash = Base64.getDecoder().decode(parts[3]);
                if (hash.length == BYTES) {
                    read.put(
                            parts[0].toLowerCase(Locale.ROOT),
                            new Entry(Base64.getDecoder().decode(parts[2]), hash));
                    return;
                }
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IOException(file + ", line " + number + ": must be as the command `mail password` prints it");
    }

    private static byte[] hash(String password, byte[] salt) {
        var generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(KIBIBYTES)
                .withIterations(PASSES)
                .withParallelism(1)
                .withSalt(salt)
                .build());
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        byte[] hash = new byte[BYTES];
        generator.generateBytes(bytes, hash);
        Arrays.fill(bytes, (byte) 0);
        return hash;
    }
}
