package dev.veilgate.gateway.retention;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.ingest.BlockAdmission;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.EnvelopeStore.Expired;
import dev.veilgate.gateway.store.EnvelopeStore.Holdings;
import dev.veilgate.gateway.store.EnvelopeStore.Page;
import dev.veilgate.gateway.store.StoredEnvelope;
import dev.veilgate.peks.ForgedBlockException;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks once, after an upgrade, what earlier versions took: an index block that is refused today as forged would still match searches and
 * routes. Its envelope is written to a folder first, as it came, and then leaves the store with a tombstone, so that its sender's chain shows no gap and
 * nobody can send it again. What is interrupted begins again with the next start.
 */
final class StoreRecheck implements StoredChecks {
    /** Raised when envelopes that this version's predecessors took are refused. */
    static final int RULES = 3;

    static final String WHY = "a block of its index is forged; set aside";

    private static final Logger LOG = LoggerFactory.getLogger(StoreRecheck.class);
    private static final String DONE_FILE = "rules-checked";
    private static final String SUFFIX = ".envelope";
    private static final int ID_CHARACTERS = 36;
    private static final int DIGEST_CHARACTERS = 32;
    private static final Pattern NAME = Pattern.compile("[0-9a-f-]{36}(-[0-9a-f]{32})?\\.envelope");
    private static final String CONTENT_SUFFIX = ".eml";
    private static final int PAGE = 1000;
    private static final int REPORT_EVERY = 100_000;

    private final Path folder;
    private final EnvelopeStore store;
    private final IndexSchemes schemes;
    private final Retention retention;
    private volatile State state;
    private volatile long checked;
    private volatile long of;

    /** @param folder of its own; made if it is not there */
    StoreRecheck(Path folder, EnvelopeStore store, IndexSchemes schemes, Retention retention) throws IOException {
        this.folder = folder;
        this.store = store;
        this.schemes = schemes;
        this.retention = retention;
        DurableFiles.createFolder(folder);
        this.state = isDone() ? State.DONE : State.WAITING;
    }

    private boolean isDone() throws IOException {
        Path file = folder.resolve(DONE_FILE);
        return Files.exists(file) && Files.readString(file).strip().equals(Integer.toString(RULES));
    }

    /**
     * Goes through the store, unless this version has done so.
     *
     * @param stopped asked before each envelope; true ends it early
     */
    void run(BooleanSupplier stopped) throws IOException {
        if (state == State.DONE) {
            return;
        }
        state = State.RUNNING;
        Map<String, Holdings> holdings = store.holdings();
        of = holdings.values().stream().mapToLong(Holdings::envelopes).sum();
        if (of > 0) {
            LOG.info("checking {} stored envelopes by the rules of this version", of);
        }
        for (String tenant : holdings.keySet()) {
            Page page = store.names(tenant, null, PAGE);
            while (!page.names().isEmpty()) {
                for (EnvelopeName envelope : page.names()) {
                    if (stopped.getAsBoolean()) {
                        state = State.WAITING;
                        return;
                    }
                    check(tenant, envelope);
                }
                page = store.names(tenant, page.end(), PAGE);
            }
        }
        DurableFiles.replace(folder, DONE_FILE, null, Integer.toString(RULES).getBytes(StandardCharsets.US_ASCII));
        state = State.DONE;
        if (of > 0) {
            LOG.info("all {} stored envelopes are checked", checked);
        }
    }

    private void check(String tenant, EnvelopeName name) throws IOException {
        Optional<StoredEnvelope> stored = store.find(tenant, name);
        if (stored.isPresent()) {
            try {
                BlockAdmission.store(stored.get().envelope(), schemes, key -> true);
            } catch (ForgedBlockException e) {
                setAside(tenant, stored.get());
            } catch (MalformedEncodingException e) {
                throw new IOException("a stored envelope is damaged: " + e.getMessage(), e);
            }
        }
        if (++checked % REPORT_EVERY == 0) {
            LOG.info("{} of {} stored envelopes are checked", checked, of);
        }
    }

    private void setAside(String tenant, StoredEnvelope stored) throws IOException {
        Envelope envelope = stored.envelope();
        String name = prefix(tenant) + envelope.id();
        if (isAnother(name, envelope)) {
            name += "-" + EnvelopeName.of(envelope).digest().substring(0, DIGEST_CHARACTERS);
        }
        byte[] content = stored.content();
        if (content != null) {
            DurableFiles.replace(folder, name + CONTENT_SUFFIX, null, content);
        }
        DurableFiles.replace(folder, name + SUFFIX, null, envelope.bytes());
        retention.remove(
                tenant, List.of(new Expired(EnvelopeName.of(envelope), envelope.sender(), envelope.sequence())), WHY);
        LOG.warn(
                "envelope {} of {} has a forged index block: it is no longer searched, and set aside as {}",
                envelope.id(),
                tenant,
                name + SUFFIX);
    }

    /** Whether an envelope of this id is here already that is another one. */
    private boolean isAnother(String name, Envelope envelope) throws IOException {
        Path file = folder.resolve(name + SUFFIX);
        return Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), envelope.bytes());
    }

    /** What the names of a tenant's files begin with, and of no other's: an encoded name has no tilde. */
    private static String prefix(String tenant) {
        return URLEncoder.encode(tenant, StandardCharsets.UTF_8) + "~";
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public long checked() {
        return checked;
    }

    @Override
    public long of() {
        return of;
    }

    @Override
    public List<UUID> setAside(String tenant) {
        String prefix = prefix(tenant);
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix)
                            && NAME.matcher(name.substring(prefix.length())).matches())
                    .map(name -> UUID.fromString(name.substring(prefix.length(), prefix.length() + ID_CHARACTERS)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            LOG.warn("the folder of forged envelopes cannot be listed", e);
            return List.of();
        }
    }
}
