package dev.veilgate.console.custody;

import dev.veilgate.authority.FindingBudget;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.peks.FileTrapdoorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/**
 * The tenant's keys as long as the console runs. Locked, it holds nothing; open, it keeps the key folder against changes by others. One caller at a time uses the keys. Safe for use by several
 * threads.
 */
public final class Custody implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Custody.class);
    private static final Duration BUNDLE_VALID = Duration.ofDays(90);
    private static final Duration STORE_PATIENCE = Duration.ofSeconds(5);
    private static final String BUNDLE_FILE = "bundle.vgb";

    /** What is done with the keys. */
    @FunctionalInterface
    public interface KeyUse<T> {
        /** The keys are the custody's; nothing of them may be kept but what its own documentation allows. */
        T with(TenantKeys keys) throws Exception;
    }

    /** What is done with the keys and the store of issued trapdoors. */
    @FunctionalInterface
    public interface Issue<T> {
        /** As {@link KeyUse}. */
        T with(TenantKeys keys, FileTrapdoorStore store) throws Exception;
    }

    private final Path folder;
    private final Path dataDir;
    private final Clock clock;
    private final SecureRandom random;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final List<Runnable> onLock = new ArrayList<>();
    private final List<Opening> onUnlock = new ArrayList<>();
    private @Nullable KeyFolder open;
    private volatile String tenant = "";
    private volatile byte @Nullable [] bundle;
    private volatile @Nullable Path registry;

    /**
     * Of a key folder, which is not opened yet.
     *
     * @param dataDir where the published bundle is kept
     */
    public Custody(Path folder, Path dataDir, Clock clock, SecureRandom random) {
        this.folder = folder;
        this.dataDir = dataDir;
        this.clock = clock;
        this.random = random;
    }

    /** Called, by whoever holds what was made with the keys, before they are erased. */
    public void beforeLocking(Runnable forget) {
        lock.lock();
        try {
            onLock.add(forget);
        } finally {
            lock.unlock();
        }
    }

    /** What is made with the keys when they are opened. */
    @FunctionalInterface
    public interface Opening {
        /** As {@link KeyUse}; if it fails, the keys are locked again. */
        void with(KeyFolder folder) throws IOException;
    }

    /** Called whenever the keys have been opened; now, if they are open. */
    public void afterUnlocking(Opening begin) throws IOException {
        lock.lock();
        try {
            onUnlock.add(begin);
            KeyFolder now = open;
            if (now != null) {
                begin.with(now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody has opened the keys. */
    public boolean isLocked() {
        return tenant.isEmpty();
    }

    /** Whose keys; empty as long as they are locked. */
    public String tenant() {
        return tenant;
    }

    /** The signed public bundle, if the keys have been opened since the start. */
    public Optional<byte[]> bundle() {
        byte[] now = bundle;
        return Optional.ofNullable(now).map(byte[]::clone);
    }

    /** The file of the sender registry that goes with the public bundle; empty until the keys were opened for the first time. It may be gone when somebody else has changed the keys since. */
    public Optional<Path> senderRegistry() {
        return Optional.ofNullable(registry);
    }

    /**
     * Opens the keys. If they are open already nothing is done, and the passphrase may be any.
     *
     * @param passphrase UTF-8; the caller wipes it
     * @return whether they were opened by this
     */
    public boolean unlock(byte[] passphrase) throws KeyFileException, IOException, MalformedEncodingException {
        lock.lock();
        try {
            if (open != null) {
                return false;
            }
            KeyFolder opened = KeyFolder.open(folder, passphrase, KeyFolder.Access.CHANGE, random);
            try {
                opened.trapdoors().close(); // says now if they are missing
                bundle = publishedOrNew(opened);
                registry = opened.keys().senders().file().orElse(null);
                for (Opening begin : onUnlock) {
                    begin.with(opened);
                }
                tenant = opened.keys().tenant();
                open = opened;
            } finally {
                if (open == null) {
                    try {
                        forget();
                    } finally {
                        opened.close();
                    }
                }
            }
            LOG.info("the keys are open");
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The one that was handed out last, unless it ends soon: an unchanged bundle keeps its serial. */
    private byte[] publishedOrNew(KeyFolder opened) throws IOException {
        try {
            byte[] published = Files.readAllBytes(dataDir.resolve(BUNDLE_FILE));
            PublicBundle verified = PublicBundle.verify(
                    published,
                    opened.keys().authority().fingerprint(),
                    clock.instant().plus(BUNDLE_VALID.dividedBy(3)));
            if (verified.serial() == opened.keys().serial() && verified.sendersInRegistry()) {
                return published;
            }
        } catch (NoSuchFileException e) {
            LOG.debug("no bundle was published before", e);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            LOG.info("the published bundle is renewed: {}", e.getMessage());
        }
        return publish(opened);
    }

    /** A new bundle before the published one ends, however long the keys stay open. */
    void renewBundleIfDue() throws IOException {
        lock.lock();
        try {
            KeyFolder now = open;
            if (now != null) {
                bundle = publishedOrNew(now);
                registry = now.keys().senders().file().orElse(null);
            }
        } finally {
            lock.unlock();
        }
    }

    private byte[] publish(KeyFolder opened) throws IOException {
        byte[] made = signed(opened);
        keep(made);
        return made;
    }

    /** Also keeps the keys. */
    private byte[] signed(KeyFolder opened) throws IOException {
        byte[] made = opened.keys().nextBundle(clock.instant(), BUNDLE_VALID);
        opened.save(); // so that no serial is used twice
        return made;
    }

    private void keep(byte[] made) throws IOException {
        DurableFiles.createFolder(dataDir);
        DurableFiles.replace(dataDir, BUNDLE_FILE, null, made);
    }

    /**
     * Uses the keys without changing them.
     *
     * @throws ProblemException 423 if they are locked
     */
    public <T> T use(KeyUse<T> use) throws Exception {
        lock.lock();
        try {
            return use.with(opened().keys());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Issues trapdoors. The store is held only as long; another process that issues from the same folder is waited for.
     *
     * @throws ProblemException 423 if the keys are locked
     */
    public <T> T issue(Issue<T> issue) throws Exception {
        lock.lock();
        try {
            KeyFolder opened = opened();
            try (FileTrapdoorStore store = store(opened)) {
                return issue.with(opened.keys(), store);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Check of an index, with the keys, the store of issued trapdoors and the count of findings. */
    @FunctionalInterface
    public interface Check<T> {
        /** As {@link KeyUse}. */
        T with(TenantKeys keys, FileTrapdoorStore store, FindingBudget budget) throws Exception;
    }

    /**
     * Looks into indexes. As {@link #issue}, the store is held only as long.
     *
     * @throws ProblemException 423 if the keys are locked
     */
    public <T> T check(Check<T> check) throws Exception {
        lock.lock();
        try {
            KeyFolder opened = opened();
            FindingBudget budget = opened.findingBudget(clock); // a small file; nobody else counts meanwhile
            try (FileTrapdoorStore store = store(opened)) {
                return check.with(opened.keys(), store, budget);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Look at the count of findings about indexes, or a change of it. */
    @FunctionalInterface
    public interface FindingUse<T> {
        /** As {@link KeyUse}. */
        T with(TenantKeys keys, FindingBudget budget) throws Exception;
    }

    /**
     * Looks at what was found in indexes, or lets more be found.
     *
     * @throws ProblemException 423 if the keys are locked
     */
    public <T> T findings(FindingUse<T> use) throws Exception {
        lock.lock();
        try {
            KeyFolder opened = opened();
            return use.with(opened.keys(), opened.findingBudget(clock));
        } finally {
            lock.unlock();
        }
    }

    private FileTrapdoorStore store(KeyFolder opened) throws Exception {
        long until = System.nanoTime() + STORE_PATIENCE.toNanos();
        while (true) {
            try {
                return opened.trapdoors();
            } catch (IOException e) {
                if (System.nanoTime() > until) {
                    throw new ProblemException(
                            HttpStatus.SERVICE_UNAVAILABLE,
                            "store-in-use",
                            "another program is issuing trapdoors from the same key folder; try again");
                }
            }
            Thread.sleep(20);
        }
    }

    /**
     * Changes the keys, keeps them durably and publishes a new bundle. If the change fails, or cannot be kept, the keys are as they were, in memory and on the disk.
     *
     * @throws ProblemException 423 if they are locked
     */
    public <T> T change(KeyUse<T> change) throws Exception {
        lock.lock();
        try {
            KeyFolder opened = opened();
            List<byte[]> made = new ArrayList<>();
            T result = opened.keys().allOrNothing(() -> {
                T changed = change.with(opened.keys());
                made.add(signed(opened));
                return changed;
            });
            bundle = made.getFirst();
            registry = opened.keys().senders().file().orElse(null);
            try {
                keep(made.getFirst());
            } catch (IOException e) { // the keys have changed; without its file the next start signs another bundle
                LOG.error("the new bundle is handed out, but its file could not be written", e);
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** How many trapdoors were issued and are kept. Looks at each of them, and holds up nobody meanwhile. */
    public long issuedTrapdoors() throws IOException {
        return KeyFolder.issuedTrapdoors(folder);
    }

    /** Uses the folder itself: to back it up. */
    public <T> T folder(FolderUse<T> use) throws Exception {
        lock.lock();
        try {
            return use.with(opened());
        } finally {
            lock.unlock();
        }
    }

    /** What is done with the folder. */
    @FunctionalInterface
    public interface FolderUse<T> {
        /** As {@link KeyUse}. */
        T with(KeyFolder folder) throws Exception;
    }

    private KeyFolder opened() {
        KeyFolder now = open;
        if (now == null) {
            throw ProblemException.locked();
        }
        return now;
    }

    /** Erases the keys from memory and lets others change the folder. */
    public void lock() throws IOException {
        lock.lock();
        try {
            KeyFolder now = open;
            if (now == null) {
                return;
            }
            try {
                forget();
            } finally {
                tenant = "";
                open = null;
                now.close();
            }
            LOG.info("the keys are locked");
        } finally {
            lock.unlock();
        }
    }

    /** One that fails keeps neither the others from it nor the keys in memory. */
    private void forget() {
        for (Runnable each : onLock) {
            try {
                each.run();
            } catch (RuntimeException e) {
                LOG.error("something that was made with the keys is not forgotten as it should be", e);
            }
        }
    }

    /** {@link #lock}. */
    @Override
    public void close() throws IOException {
        lock();
    }
}
