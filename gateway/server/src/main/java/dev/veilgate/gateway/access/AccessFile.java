package dev.veilgate.gateway.access;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.FileVersion;
import dev.veilgate.files.LockFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** What is in use; one that could not be read is none, so that it is tried again. */
    private @Nullable FileVersion seen;

    private @Nullable String warned;

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

    /** The digest of random bytes is as good as a number. */
    @Override
    public Optional<String> deviceGrant(String name) {
        return Optional.ofNullable(entries.named.get(new Name(Principal.Kind.DEVICE, name)))
                .map(entry -> HexFormat.of().formatHex(entry.digest()));
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    private Optional<Principal> named(Principal.Kind kind, String name, String password) {
        AccessEntry entry = entries.named.get(new Name(kind, name));
        boolean same = MessageDigest.isEqual(sha256(password), entry == null ? NOBODY : entry.digest());
        return entry != null && same ? Optional.of(entry.principal()) : Optional.empty();
    }

    /** Where it is. */
    Path file() {
        return file;
    }

    /** Who has access, as it was read last. */
    Collection<Principal> principals() {
        return entries.named.values().stream().map(AccessEntry::principal).toList();
    }

    /** Reads the file again if it changed; logs what is wrong with it. */
    void refresh() {
        try {
            if (readIfChanged()) {
                LOG.info("read the access file again");
                listeners.forEach(Runnable::run);
            }
        } catch (IOException e) {
            warn(String.valueOf(e.getMessage()));
        }
    }

    /** Once for each thing that is wrong, however often it is tried again. */
    private synchronized void warn(String what) {
        if (!what.equals(warned)) {
            LOG.warn("the access file as it was read last stays in use: {}", what);
        }
        warned = what;
    }

    private synchronized boolean readIfChanged() throws IOException {
        if (Files.notExists(file)) {
            boolean was = seen != null;
            seen = null;
            warned = null;
            entries = new Entries(Map.of(), Map.of());
            return was;
        }
        FileVersion now = FileVersion.of(file);
        if (now.equals(seen)) {
            return false;
        }
        entries = index(parse(file));
        seen = now;
        warned = null;
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
        return grant(file, principal, random, old -> {});
    }

    /** What somebody may not change is refused before anything is written. */
    @FunctionalInterface
    interface Check<E extends Exception> {
        /** @param old whose access would be replaced or taken away */
        void of(Principal old) throws E;
    }

    /** As {@link #grant(Path, Principal, SecureRandom)}, if what it replaces passes the check. */
    static <E extends Exception> String grant(Path file, Principal principal, SecureRandom random, Check<E> check)
            throws IOException, E {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        String secret = "vg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        change(file, principal.kind(), principal.name(), new AccessEntry(principal, sha256(secret)), check);
        return secret;
    }

    /** @return whether there was such an entry */
    public static boolean revoke(Path file, Principal.Kind kind, String name) throws IOException {
        return revoke(file, kind, name, old -> {});
    }

    /** As {@link #revoke(Path, Principal.Kind, String)}, if it passes the check. */
    static <E extends Exception> boolean revoke(Path file, Principal.Kind kind, String name, Check<E> check)
            throws IOException, E {
        return change(file, kind, name, null, check);
    }

    /** Who has access. */
    public static List<Principal> list(Path file) throws IOException {
        return Files.notExists(file)
                ? List.of()
                : parse(file).stream().map(AccessEntry::principal).toList();
    }

    private static <E extends Exception> boolean change(
            Path file, Principal.Kind kind, String name, @Nullable AccessEntry added, Check<E> check)
            throws IOException, E {
        Path folder = DurableFiles.folderOf(file.toAbsolutePath());
        DurableFiles.createFolder(folder);
        try (LockFile _ = LockFile.tryLock(folder.resolve(file.getFileName() + ".lock"))
                .orElseThrow(() -> new BusyException(file + " is being changed by another process"))) {
            List<AccessEntry> list = new ArrayList<>(Files.exists(file) ? parse(file) : List.of());
            boolean removed = false;
            for (Iterator<AccessEntry> entries = list.iterator(); entries.hasNext(); ) {
                Principal old = entries.next().principal();
                if (old.kind() == kind && old.name().equals(name)) {
                    check.of(old);
                    entries.remove();
                    removed = true;
                }
            }
            if (!removed && added == null) {
                return false;
            }
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

    /** Somebody else is changing the file at this moment. */
    static final class BusyException extends IOException {
        private static final long serialVersionUID = 1L;

        BusyException(String message) {
            super(message);
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
