package dev.veilgate.gateway.access;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access from a file of digests. It holds no secret, but who may write it may do everything: it is made readable and writable by its owner only. A file that changes is
 * read again; if a line of it is wrong, what was read last stays in use.
 */
public final class AccessFile implements Access {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFile.class);
    private static final int SECRET_BYTES = 32;
    private static final byte[] NOBODY = new byte[32];

    private record Name(Principal.Kind kind, String name) {}

    private record Entries(Map<String, Principal> tokens, Map<Name, AccessEntry> named) {}

    private final Path file;
    private volatile Entries entries = new Entries(Map.of(), Map.of());
    private @Nullable FileTime modified;
    private long size = -1;

    /** @throws IOException if the file is there and cannot be read, or a line is wrong; no file is no access for anybody */
    public AccessFile(Path file) throws IOException {
        this.file = file;
        readIfChanged();
    }

    @Override
    public Optional<Principal> token(String secret) {
        return Optional.ofNullable(entries.tokens.get(HexFormat.of().formatHex(sha256(secret))));
    }

    @Override
    public Optional<Principal> device(String name, String password) {
        return named(Principal.Kind.DEVICE, name, password);
    }

    @Override
    public Optional<Principal> mailUser(String name, String password) {
        return named(Principal.Kind.MAIL, name, password);
    }

    private Optional<Principal> named(Principal.Kind kind, String name, String password) {
        AccessEntry entry = entries.named.get(new Name(kind, name));
        boolean same = MessageDigest.isEqual(sha256(password), entry == null ? NOBODY : entry.digest());
        return entry != null && same ? Optional.of(entry.principal()) : Optional.empty();
    }

    /** Reads the file again if it changed; logs what is wrong with it. */
    void refresh() {
        try {
            if (readIfChanged()) {
                LOG.info("read the access file again");
            }
        } catch (IOException e) {
            LOG.warn("the access file as it was read last stays in use: {}", e.getMessage());
        }
    }

    private synchronized boolean readIfChanged() throws IOException {
        if (Files.notExists(file)) {
            boolean was = size >= 0;
            size = -1;
            entries = new Entries(Map.of(), Map.of());
            return was;
        }
        FileTime now = Files.getLastModifiedTime(file);
        long sizeNow = Files.size(file);
        if (now.equals(modified) && sizeNow == size) {
            return false;
        }
        modified = now;
        size = sizeNow;
        entries = index(parse(file));
        return true;
    }

    private static Entries index(List<AccessEntry> list) {
        Map<String, Principal> tokens = new HashMap<>();
        Map<Name, AccessEntry> named = new HashMap<>();
        for (AccessEntry entry : list) {
            named.put(new Name(entry.principal().kind(), entry.principal().name()), entry);
            if (entry.principal().kind() == Principal.Kind.TOKEN) {
                tokens.put(HexFormat.of().formatHex(entry.digest()), entry.principal());
            }
        }
        return new Entries(Map.copyOf(tokens), Map.copyOf(named));
    }

    private static List<AccessEntry> parse(Path file) throws IOException {
        List<AccessEntry> list = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            try {
                list.add(AccessEntry.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
            }
        }
        return list;
    }

    /**
     * Gives somebody access, in place of what they had under this name.
     *
     * @return the new secret, which is nowhere else
     */
    public static String grant(Path file, Principal principal, SecureRandom random) throws IOException {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        String secret = "vg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        change(file, principal.kind(), principal.name(), new AccessEntry(principal, sha256(secret)));
        return secret;
    }

    /** @return whether there was such an entry */
    public static boolean revoke(Path file, Principal.Kind kind, String name) throws IOException {
        return change(file, kind, name, null);
    }

    /** Who has access. */
    public static List<Principal> list(Path file) throws IOException {
        return Files.notExists(file)
                ? List.of()
                : parse(file).stream().map(AccessEntry::principal).toList();
    }

    private static boolean change(Path file, Principal.Kind kind, String name, @Nullable AccessEntry added)
            throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        DurableFiles.createFolder(folder);
        try (LockFile _ = LockFile.tryLock(folder.resolve(file.getFileName() + ".lock"))
                .orElseThrow(() -> new IOException(file + " is being changed by another process"))) {
            List<AccessEntry> list = new ArrayList<>(Files.exists(file) ? parse(file) : List.of());
            boolean removed = list.removeIf(entry ->
                    entry.principal().kind() == kind && entry.principal().name().equals(name));
            if (added != null) {
                list.add(added);
            }
            StringBuilder text = new StringBuilder("# Who may use the gateway; changed by the command access.\n");
            list.forEach(entry -> text.append(entry.line()).append('\n'));
            DurableFiles.replace(
                    folder, file.getFileName().toString(), null, text.toString().getBytes(StandardCharsets.UTF_8));
            return removed;
        }
    }

    private static byte[] sha256(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
