package dev.veilgate.sender;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Summary;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.transport.Backoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file in which the tenant's public bundle is found, wherever it comes from. One at an address is fetched at the start and from time to time, verified under the pinned authority, and kept
 * in a file if its serial is higher than the one's there: never lower, never one that is refused. So whoever reads the file goes on with what it has when the console is away, also after
 * a restart.
 */
public final class KeptBundle implements AutoCloseable {
    /** Name of the file in the folder of whoever keeps it. */
    public static final String FILE = "bundle.vgb";

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LEAST_PAUSE = Duration.ofMillis(10);
    private static final Duration SILENCE = Duration.ofDays(1);
    private static final long JOIN_MILLIS = 1000;
    /** Another process writes for milliseconds. */
    private static final long LOCK_MILLIS = 5000;

    private static final long LOCK_PAUSE_MILLIS = 20;

    /**
     * How an address is looked at.
     *
     * @param every       how often
     * @param authorities PEM of those to trust instead of the machine's
     */
    public record Looking(Duration every, @Nullable Path authorities) {}

    private final Path file;
    private final String authority;
    private final Clock clock;
    private final Consumer<String> log;
    private final @Nullable BundleFetch fetch;
    private String tag = "";
    private volatile String refused = "";
    private volatile String away = "";
    private volatile @Nullable Instant awaySince;
    private @Nullable Thread thread;

    private KeptBundle(Path file, String authority, Clock clock, Consumer<String> log, @Nullable BundleFetch fetch) {
        this.file = file;
        this.authority = authority;
        this.clock = clock;
        this.log = log;
        this.fetch = fetch;
    }

    /** One in a file that somebody else replaces. */
    public static KeptBundle ofFile(Path file) {
        return new KeptBundle(file, "", Clock.systemUTC(), line -> {}, null);
    }

    /**
     * Looks once. If nothing usable is at an address, what was kept before stays in use.
     *
     * @param kept        where one of an address is kept
     * @param authorities PEM of those to trust instead of the machine's
     * @param authority   the pinned fingerprint
     * @param log         gets lines for people
     * @throws CommandFailure if nothing usable is there and nothing was kept
     */
    public static KeptBundle once(
            BundleLocation location,
            Path kept,
            @Nullable Path authorities,
            String authority,
            Clock clock,
            Consumer<String> log)
            throws IOException, CommandFailure {
        KeptBundle bundle = of(location, kept, authorities, authority, clock, log);
        if (bundle.fetch != null) {
            bundle.begin(Duration.ZERO);
        }
        return bundle;
    }

    /**
     * As {@link #once} for a command that runs often: one that is kept, is valid and was looked at a short while ago is not looked at again.
     *
     * @param looking how often
     */
    public static KeptBundle seldom(
            BundleLocation location, Path kept, Looking looking, String authority, Clock clock, Consumer<String> log)
            throws IOException, CommandFailure {
        KeptBundle bundle = of(location, kept, looking.authorities(), authority, clock, log);
        if (bundle.fetch != null) {
            bundle.begin(looking.every());
        }
        return bundle;
    }

    private static KeptBundle of(
            BundleLocation location,
            Path kept,
            @Nullable Path authorities,
            String authority,
            Clock clock,
            Consumer<String> log) {
        return switch (location) {
            case BundleLocation.OfFile own -> ofFile(own.file());
            case BundleLocation.OfUrl address ->
                new KeptBundle(
                        kept.toAbsolutePath(), authority, clock, log, new BundleFetch(address.url(), authorities));
        };
    }

    /** As {@link #once}, and then from time to time, in a thread of its own, until it is closed. */
    public static KeptBundle following(
            BundleLocation location, Path kept, Looking looking, String authority, Clock clock, Consumer<String> log)
            throws IOException, CommandFailure {
        KeptBundle bundle = once(location, kept, looking.authorities(), authority, clock, log);
        if (bundle.fetch != null) {
            bundle.follow(looking.every());
        }
        return bundle;
    }

    /** Where it is. Read it again when it changes, and verify it: somebody may have written there. */
    public Path file() {
        return file;
    }

    /** What is wrong with what is at the address, so that it is not used; empty if all is well. That nobody answers is wrong after a day. */
    public String problem() {
        Instant since = awaySince;
        return !refused.isEmpty()
                ? refused
                : since != null && since.plus(SILENCE).isBefore(clock.instant())
                        ? "no bundle could be fetched since " + since + ": " + away
                        : "";
    }

    /** @param fresh how long one that was looked at is not looked at again */
    private void begin(Duration fresh) throws IOException, CommandFailure {
        DurableFiles.createFolder(DurableFiles.folderOf(file));
        if (isFresh(fresh)) {
            return;
        }
        try {
            look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        boolean isKept = kept().isPresent();
        if (!isKept && !refused.isEmpty()) {
            throw new CommandFailure(ExitCode.REFUSED, refused);
        }
        if (!isKept) {
            throw new CommandFailure(ExitCode.IO, away + "; no bundle was kept before in " + file);
        }
    }

    private boolean isFresh(Duration fresh) throws IOException {
        Instant now = clock.instant();
        Optional<Summary> kept = kept();
        if (kept.isEmpty() || now.isAfter(kept.get().notAfter())) {
            return false;
        }
        Duration age = Duration.between(Files.getLastModifiedTime(file).toInstant(), now);
        return !age.isNegative() && age.compareTo(fresh) < 0;
    }

    private void follow(Duration every) {
        thread = Thread.ofPlatform().daemon().name("bundle").start(() -> {
            Duration usual = every.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : every;
            Backoff backoff = Backoff.doubling(FIRST_PAUSE, usual, Backoff.Spread.TENTH);
            int failures = 0;
            try {
                while (true) {
                    failures = isWell() ? 0 : failures + 1;
                    Thread.sleep(failures == 0 ? Backoff.Spread.TENTH.draw(usual) : backoff.pause(failures));
                    look();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // it is closed
            }
        });
    }

    private boolean isWell() {
        return refused.isEmpty() && away.isEmpty();
    }

    /** Never fails: what is wrong is said, and what was kept stays. */
    private void look() throws InterruptedException {
        BundleFetch from = Objects.requireNonNull(fetch);
        try {
            Optional<Summary> kept = kept();
            fetch(from, kept);
            Files.setLastModifiedTime(file, FileTime.from(clock.instant())); // when it was looked at
            refused = "";
            answered();
        } catch (MalformedEncodingException | RefusedBundleException e) {
            answered();
            String why = "what is fetched is refused: " + e.getMessage();
            if (!why.equals(refused)) {
                log.accept("the public bundle: " + why);
            }
            refused = why;
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (awaySince == null) {
                awaySince = clock.instant();
            }
            if (!why.equals(away)) {
                log.accept("the public bundle: " + why + "; the one that was kept stays in use");
            }
            away = why;
        }
    }

    private void fetch(BundleFetch from, Optional<Summary> kept)
            throws IOException, InterruptedException, MalformedEncodingException, RefusedBundleException {
        try {
            BundleFetch.Answer answer = from.get(kept.isEmpty() ? "" : tag, SealingBundle.maxFetchedBytes());
            byte[] bytes = answer.bytes();
            if (bytes != null) {
                take(bytes, kept);
                tag = answer.tag(); // of one that was taken or is known: one that is refused is refused again
            }
        } catch (OutOfMemoryError e) { // what was taken for it is free again
            throw SealingBundle.noMemory();
        }
    }

    private void answered() {
        away = "";
        awaySince = null;
    }

    private void take(byte[] bytes, Optional<Summary> kept)
            throws IOException, InterruptedException, MalformedEncodingException, RefusedBundleException {
        long serial = kept.map(Summary::serial).orElse(0L);
        PublicBundle fetched = SealingBundle.verify(bytes, authority, clock.instant(), serial);
        try (LockFile _ = lock()) {
            long present = kept().map(Summary::serial).orElse(0L); // another process may have been quicker
            if (fetched.serial() <= present) {
                return;
            }
            DurableFiles.replace(DurableFiles.folderOf(file), file.getFileName().toString(), null, bytes);
        }
        log.accept("the public bundle with serial " + fetched.serial() + " was fetched");
    }

    private LockFile lock() throws IOException, InterruptedException {
        Path name = file.resolveSibling(file.getFileName() + ".lock");
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOCK_MILLIS);
        while (true) {
            Optional<LockFile> lock = LockFile.tryLock(name);
            if (lock.isPresent()) {
                return lock.get();
            }
            if (System.nanoTime() > end) {
                throw new IOException(file + " is being written by another process");
            }
            Thread.sleep(LOCK_PAUSE_MILLIS);
        }
    }

    /** The one in the file, also one that expired; empty if there is none that the authority signed. */
    private Optional<Summary> kept() throws IOException {
        try {
            return Optional.of(PublicBundle.summary(SealingBundle.bytes(file), authority));
        } catch (NoSuchFileException | MalformedEncodingException | RefusedBundleException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            try {
                running.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
