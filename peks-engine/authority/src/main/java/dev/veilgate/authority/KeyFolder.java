package dev.veilgate.authority;

import dev.veilgate.authority.KeyFileException.Reason;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderRegistryHead;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which an authority keeps its keys.
 *
 * <pre>
 *   keys.vgk             the keys, sealed by a passphrase ({@link PassphraseCost}); replaced at once as a whole
 *   keys.vgk.previous    what it was before the last change
 *   senders-N.vgs        the registered senders, signed ({@link TenantSenders}): public, and named by the key file
 *   lock                 held by whoever changes the keys
 *   trapdoors/           every trapdoor that was ever issued, and the store's id
 *   index-findings       how many findings of checks of the index there were ({@link FindingBudget})
 *   issuing/             the issuing log, where one is kept ({@link AuthorityLog})
 * </pre>
 *
 * <p>The trapdoors belong to the keys for ever: sampled a second time, a trapdoor could give the secret key away. So a backup is one of the <em>whole
 * folder</em>, two copies of it are never both used to issue, and a key file whose store is missing, or another's, issues nothing:
 * the key file holds the id of its store. What cannot be found out is a store restored from an older backup; the software then samples with the same coins
 * and gives, on the same version, the same bytes, which is what protects it.
 *
 * <p>Safe against a crash at any moment: the key file is written aside, forced to disk and moved to its name; a file that it names is there before, and one that the key file or the previous one names
 * is not removed. For one thread.
 */
@Secret
public final class KeyFolder implements AutoCloseable {
    /** Name of the key file. */
    public static final String KEY_FILE = "keys.vgk";

    static final String PREVIOUS_FILE = KEY_FILE + ".previous";
    static final int STORE_ID_BYTES = 16;

    private static final String LOCK_FILE = "lock";
    private static final String STORE = "trapdoors";
    private static final String STORE_ID_FILE = "store-id";

    /** What a folder is opened for. */
    public enum Access {
        /** To read; any number at once. */
        READ,
        /** To change; one at a time. */
        CHANGE
    }

    private final Path folder;
    private final SecureRandom random;
    private final TenantKeys keys;
    private final @Nullable LockFile changeLock;
    private PassphraseLock passphrase;

    private KeyFolder(
            Path folder,
            TenantKeys keys,
            PassphraseLock passphrase,
            @Nullable LockFile changeLock,
            SecureRandom random) {
        this.folder = folder;
        this.keys = keys;
        this.passphrase = passphrase;
        this.changeLock = changeLock;
        this.random = random;
    }

    /**
     * Makes a folder with new keys in it.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @throws FileAlreadyExistsException if there are keys already; they are left alone
     */
    @Exercises(Power.KEEP_KEYS)
    public static KeyFolder create(
            Path folder, TenantKeys keys, byte[] passphrase, PassphraseCost cost, SecureRandom random)
            throws IOException, KeyFileException {
        DurableFiles.createFolder(folder);
        LockFile lock = lock(folder);
        KeyFolder created = null;
        try {
            if (Files.exists(folder.resolve(KEY_FILE)) || Files.exists(folder.resolve(STORE))) {
                throw new FileAlreadyExistsException(folder.resolve(KEY_FILE).toString());
            }
            KeyFolder made = new KeyFolder(folder, keys, PassphraseLock.fresh(passphrase, cost, random), lock, random);
            made.save();
            made.createStore();
            created = made;
            return made;
        } finally {
            if (created == null) {
                lock.close();
            }
        }
    }

    /**
     * Opens a folder.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @throws KeyFileException           if there are no keys, the passphrase is wrong or the file is damaged
     * @throws MalformedEncodingException if the key file is of another version, or asks for more memory than is allowed
     */
    @Exercises(Power.KEEP_KEYS)
    public static KeyFolder open(Path folder, byte[] passphrase, Access access, SecureRandom random)
            throws IOException, KeyFileException, MalformedEncodingException {
        LockFile lock = access == Access.CHANGE ? lock(requireKeys(folder)) : null;
        KeyFolder opened = null;
        try {
            PassphraseLock.Opened file = PassphraseLock.open(read(requireKeys(folder)), passphrase);
            try {
                TenantKeys keys = TenantKeysCodec.decode(file.content());
                keys.senders().setFolder(folder);
                opened = new KeyFolder(folder, keys, file.lock(), lock, random);
                return opened;
            } finally {
                Arrays.fill(file.content(), (byte) 0);
                if (opened == null) {
                    file.lock().close();
                }
            }
        } finally {
            if (opened == null && lock != null) {
                lock.close();
            }
        }
    }

    private static LockFile lock(Path folder) throws IOException, KeyFileException {
        return LockFile.tryLock(folder.resolve(LOCK_FILE))
                .orElseThrow(() -> new KeyFileException(
                        Reason.IN_USE,
                        "another process is changing the keys in " + folder + "; try again when it is done"));
    }

    /** Whether another holds the folder to change it, as a console does for as long as its keys are open. */
    public boolean isHeldByAnother() throws IOException {
        if (changeLock != null) {
            return false;
        }
        Optional<LockFile> free = LockFile.tryLock(folder.resolve(LOCK_FILE));
        if (free.isPresent()) {
            free.get().close();
        }
        return free.isEmpty();
    }

    private static Path requireKeys(Path folder) throws KeyFileException {
        if (Files.notExists(folder.resolve(KEY_FILE))) {
            throw new KeyFileException(
                    Reason.MISSING, "there are no keys in " + folder + "; veilgate keys init makes them");
        }
        return folder;
    }

    private static byte[] read(Path folder) throws IOException {
        try (InputStream in = Files.newInputStream(folder.resolve(KEY_FILE))) {
            return in.readNBytes(PassphraseLock.MAX_FILE_BYTES + 1); // a longer one fails its checksum
        }
    }

    /** Where it is. */
    public Path path() {
        return folder;
    }

    /** The keys; change them, then {@link #save}. */
    public TenantKeys keys() {
        return keys;
    }

    /**
     * Whether this is the folder's passphrase. Takes as long as opening it.
     *
     * @param given UTF-8; the caller wipes it
     * @throws IOException              if the key file cannot be read
     * @throws KeyFileException         if it is damaged
     * @throws MalformedEncodingException if it is of another version
     */
    public boolean isPassphrase(byte[] given) throws IOException, KeyFileException, MalformedEncodingException {
        try {
            PassphraseLock.Opened file = PassphraseLock.open(read(folder), given);
            Arrays.fill(file.content(), (byte) 0);
            file.lock().close();
            return true;
        } catch (KeyFileException e) {
            if (e.reason() == Reason.WRONG_PASSPHRASE) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Writes the keys, durably; the file before it becomes the previous one.
     *
     * @throws IllegalStateException if the folder was opened for reading
     */
    @Exercises(Power.SAVE_KEYS)
    public void save() throws IOException {
        requireChange();
        long before = keys.senders().serial();
        SenderRegistryHead registry = keys.senders().save(folder);
        byte[] content = TenantKeysCodec.encode(keys, registry);
        try {
            DurableFiles.replace(
                    folder,
                    KEY_FILE,
                    PREVIOUS_FILE,
                    passphrase.seal(keys.authority().version(), content, random));
        } finally {
            Arrays.fill(content, (byte) 0);
        }
        keys.senders().adopt(registry, folder);
        removeRegistriesBut(before, registry.serial());
    }

    /** Those that neither the key file nor the previous one names, and what a crash left aside. The keys are kept already: what cannot be removed now is the next time. */
    private void removeRegistriesBut(long previous, long current) {
        try (DirectoryStream<Path> registries = Files.newDirectoryStream(folder, TenantSenders.ALL_FILES)) {
            for (Path path : registries) {
                String name = path.getFileName().toString();
                if (!name.equals(TenantSenders.fileName(previous)) && !name.equals(TenantSenders.fileName(current))) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return;
        }
    }

    /** Seals under another passphrase, and saves. The previous file is overwritten too: it would open with the old one. */
    @Exercises(Power.KEEP_KEYS)
    public void changePassphrase(byte[] newPassphrase, PassphraseCost cost) throws IOException {
        requireChange();
        PassphraseLock fresh = PassphraseLock.fresh(newPassphrase, cost, random); // may fail: then the old one stays
        passphrase.close();
        passphrase = fresh;
        save();
        save();
    }

    /**
     * The store of issued trapdoors of these keys; close it.
     *
     * @throws KeyFileException if it is missing or belongs to other keys: nothing may be issued then
     */
    public FileTrapdoorStore trapdoors() throws IOException, KeyFileException {
        Path store = folder.resolve(STORE);
        String id;
        try {
            id = Files.readString(store.resolve(STORE_ID_FILE)).strip();
        } catch (NoSuchFileException e) {
            id = "";
        }
        if (!id.equals(HexFormat.of().formatHex(keys.storeId()))) {
            throw new KeyFileException(
                    Reason.TRAPDOORS_MISSING,
                    store
                            + " is not the store of these keys' issued trapdoors. Restore it from a backup of the whole folder: issued a second time, a"
                            + " trapdoor could give the secret key away. If it is lost, veilgate keys rotate --lost-trapdoors makes"
                            + " new keys; what was sealed before can then be opened, but not searched");
        }
        return FileTrapdoorStore.open(store);
    }

    /**
     * How often checks of the index may still find something.
     *
     * @throws IllegalStateException      if the folder was opened for reading: two processes would count apart
     * @throws MalformedEncodingException if the file is damaged
     */
    public FindingBudget findingBudget(Clock clock) throws IOException, MalformedEncodingException {
        requireChange();
        return FindingBudget.open(folder, clock);
    }

    /** How many trapdoors of the keys of a folder were issued and are kept; looks at each of them. */
    public static long issuedTrapdoors(Path folder) throws IOException {
        return FileTrapdoorStore.count(folder.resolve(STORE));
    }

    /** {@link TenantKeys#replaceIndexKeysAfterLoss}, with the store that goes with it; the old one, if any, is kept under another name. */
    @Exercises(Power.KEEP_KEYS)
    public void replaceIndexKeysAfterLoss(SecureRandom coins, Instant now) throws IOException {
        requireChange();
        Path store = folder.resolve(STORE);
        keys.replaceIndexKeysAfterLoss(coins, now);
        save();
        if (Files.exists(store)) {
            Path aside = folder.resolve(STORE + "-before-" + now.getEpochSecond());
            Files.move(store, aside);
        }
        createStore();
    }

    private void createStore() throws IOException {
        Path store = folder.resolve(STORE);
        DurableFiles.createFolder(store);
        DurableFiles.replace(
                store,
                STORE_ID_FILE,
                null,
                (HexFormat.of().formatHex(keys.storeId()) + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether others than the owner may read the folder's key file. It is sealed, but a guess of the passphrase can then be tried elsewhere. */
    public boolean readableByOthers() throws IOException {
        return DurableFiles.readableByOthers(folder.resolve(KEY_FILE));
    }

    private void requireChange() {
        if (changeLock == null) {
            throw new IllegalStateException("the folder was opened for reading");
        }
    }

    /** Erases the keys in memory and lets others change the folder. */
    @Override
    public void close() throws IOException {
        keys.close();
        passphrase.close();
        if (changeLock != null) {
            changeLock.close();
        }
    }
}
