package dev.veilgate.gateway.broker;

import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.exceptions.StartAbortedException;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import com.hivemq.extension.sdk.api.services.builder.PublishBuilder;
import com.hivemq.extension.sdk.api.services.publish.PublishService;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.files.LockFile;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.broker.Patience.StuckException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * HiveMQ CE inside this process. Envelopes never rest in it: it acknowledges one when the gateway has made it durable. What it keeps, in the
 * data folder, are sessions of subscribers and what waits for them.
 */
final class EmbeddedBroker implements Broker {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

    /** How long the rest of the program waits for it: then it starts, and the broker goes on by itself. */
    private static final Duration WAITED_FOR = Duration.ofSeconds(60);

    /** How long a stop waits for a start that is under way to end. */
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(5);

    /** How often this process has launched HiveMQ. */
    private static final AtomicInteger LAUNCHES = new AtomicInteger();

    private final MqttSettings settings;
    private final Path folder;
    private final Access access;
    private final SslBundles bundles;

    private final TenantTopics topics;
    private final MeterRegistry meters;
    private final ConnectionMeters connections;
    private final OpenConnections open;
    private final QosRefusals refusals = new QosRefusals();
    private volatile @Nullable Running running;
    private volatile @Nullable DiskRoom room;
    private volatile @Nullable String failure;
    private volatile @Nullable String progress;
    private @Nullable CompletableFuture<Running> starting;
    private @Nullable Thread starter;

    /** Whether a HiveMQ that nobody waits for has the folder: nobody else gets it before that has ended. */
    private volatile boolean isLeftStarting;

    private record Running(
            EmbeddedHiveMQ hivemq, DeviceExtension extension, HiveMqInternals internals, BrokerProbe probe) {}

    private @Nullable EmbeddedWatch watch;

    /** Held while the folder is in use: nobody else's data are moved aside. */
    private volatile @Nullable LockFile lock;

    /** @param folder of its own, made if it is not there */
    EmbeddedBroker(
            MqttSettings settings,
            Path folder,
            Access access,
            SslBundles bundles,
            TenantTopics topics,
            MeterRegistry meters) {
        this.settings = settings;
        this.folder = folder;
        this.access = access;
        this.bundles = bundles;
        this.topics = topics;
        this.meters = meters;
        this.connections = new ConnectionMeters(meters);
        MqttSettings.Limits limits = settings.embedded().limits();
        this.open = new OpenConnections(limits.unfinished(), limits.unfinishedPerClient());
        if (settings.embedded().startTimeout() != null) {
            LOG.warn(
                    "veilgate.mqtt.embedded.start-timeout has no effect any more, and is not needed: a start may take as long as it takes; take it out of the settings");
        }
    }

    @Override
    public synchronized void prepare() {
        if (starting == null) {
            CompletableFuture<Running> started = new CompletableFuture<>();
            DiskRoom disk = new DiskRoom(folder);
            progress = "starting";
            starter = Thread.ofPlatform().daemon().name("mqtt-start").start(() -> {
                try {
                    started.complete(boot(disk));
                } catch (RuntimeException | Error e) {
                    started.completeExceptionally(e);
                }
            });
            room = disk;
            failure = null;
            starting = started;
        }
    }

    /** {@inheritDoc} Without room on the disk, or if it takes long, it returns before it serves, and goes on by itself. */
    @Override
    public void start(EnvelopeSink sink) {
        CompletableFuture<Void> opened;
        DiskRoom disk;
        synchronized (this) {
            prepare();
            CompletableFuture<Running> started = Objects.requireNonNull(starting);
            disk = Objects.requireNonNull(room);
            opened = started.thenAccept(made -> open(started, made, sink));
        }
        try {
            CompletableFuture<Void> late =
                    new CompletableFuture<Void>().completeOnTimeout(null, WAITED_FOR.toSeconds(), TimeUnit.SECONDS);
            CompletableFuture.anyOf(opened, disk.shortage(), late).get(); // which a stop of the program interrupts
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IllegalStateException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the embedded MQTT broker was starting", e);
        }
        if (!opened.isDone()) {
            opened.whenComplete((done, e) -> {
                if (e != null) {
                    failedLater(e.getCause() == null ? e : e.getCause());
                }
            });
        }
    }

    private synchronized void open(CompletableFuture<Running> by, Running started, EnvelopeSink sink) {
        if (starting != by) {
            return; // closed meanwhile
        }
        started.extension().open(sink);
        DeviceExtension extension = started.extension();
        watch = new EmbeddedWatch(
                meters,
                started.hivemq().getMetricRegistry(),
                started.internals(),
                open,
                extension::keptFromBroker,
                () -> {
                    connections.flush();
                    extension.flushLog();
                });
        running = started;
        progress = null;
        LOG.info("MQTT: {}", status());
    }

    /** Nobody waits for the start any more. */
    private synchronized void failedLater(Throwable e) {
        if (starting != null) {
            failure = "not started: " + (e.getMessage() == null ? e.toString() : e.getMessage())
                    + "; start the gateway again";
            progress = null;
            LOG.error("MQTT: the embedded broker did not start; start the gateway again", e);
        }
    }

    /** Everything but letting devices in. */
    private Running boot(DiskRoom disk) {
        // HiveMQ says only in its log that an address cannot be had, and may begin without it
        listeners().forEach(MqttSettings.Listener::requireFree);
        Thread.UncaughtExceptionHandler uncaught = Thread.getDefaultUncaughtExceptionHandler();
        try {
            boolean isInUse = false; // by a broker of ours that hangs
            while (true) {
                if (disk.await()) {
                    listeners().forEach(MqttSettings.Listener::requireFree);
                }
                try {
                    takeFolder(isInUse);
                    configure();
                    StoreBounds.apply();
                    return isInUse ? launch(disk) : launchOrBeginAnew(disk);
                } catch (LackOfRoomException | IOException e) {
                    if (!(e instanceof LackOfRoomException) && !DiskRoom.isForLackOfRoom(e)) {
                        throw e;
                    }
                    isInUse |= e instanceof LackOfRoomException;
                    LOG.warn(
                            "MQTT: the disk became full while the embedded broker started; it is started again, with what is in its folder, when there is room",
                            e);
                    disk.pause();
                }
            }
        } catch (InterruptedException e) {
            if (!isLeftStarting) {
                unlock();
            }
            throw new IllegalStateException("the embedded MQTT broker was stopped while it started", e);
        } catch (ExecutionException | StuckException | LackOfRoomException | IOException | RuntimeException e) {
            unlock();
            throw new IllegalStateException("the embedded MQTT broker did not start: " + e, e);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(uncaught); // its own ends the process
        }
    }

    /** It did not start, and there was no room for it: that says nothing of its folder. */
    private static final class LackOfRoomException extends Exception {
        private static final long serialVersionUID = 1L;

        LackOfRoomException(Exception cause) {
            super("no room on the disk", cause);
        }
    }

    private void takeFolder(boolean isInUse) throws IOException {
        DurableFiles.createFolder(folder);
        if (lock == null) {
            lock = LockFile.tryLock(folder.resolve("lock"))
                    .orElseThrow(() -> new IOException(folder + " is in use by another process"));
        }
        // HiveMQ's own, which one that could not open all of its stores keeps until the process ends
        Files.deleteIfExists(folder.resolve("data/data.lock"));
        BrokerData data = new BrokerData(folder);
        data.recover();
        if (isInUse) {
            data.renew();
        }
    }

    /**
     * With damaged data HiveMQ fails, or waits for stores that it could not open. They may be lost, and so must not keep the gateway from starting: they are set aside once HiveMQ has ended, not
     * twice within an hour, and put back if it does not start without them either.
     */
    private Running launchOrBeginAnew(DiskRoom disk)
            throws IOException, InterruptedException, ExecutionException, StuckException, LackOfRoomException {
        try {
            return launch(disk);
        } catch (ExecutionException | StuckException e) {
            if (disk.isClosed() || e.getCause() instanceof StartAbortedException) {
                throw e; // another process has the data, or nobody waits any more
            }
            listeners().forEach(MqttSettings.Listener::requireFree); // which HiveMQ ends for, too
            SetAsideData aside = SetAsideData.of(folder, e);
            Running anew;
            try {
                anew = launch(disk);
            } catch (ExecutionException | StuckException | RuntimeException another) {
                aside.putBack();
                throw another;
            }
            LOG.error(
                    "MQTT: the embedded broker did not start with what is in its folder, with room on the disk; it is begun anew. Sessions of subscribers and what waited for them"
                            + " are in {}, which nobody needs any more",
                    aside.path(),
                    e);
            return anew;
        }
    }

    private void unlock() {
        LockFile held = lock;
        lock = null;
        try {
            if (held != null) {
                held.close();
            }
        } catch (IOException e) {
            LOG.warn("The lock of the MQTT broker's folder could not be closed", e);
        }
    }

    /**
     * The folder of the data by a path that no launch of this process had. RocksDB refuses to open a store whose path it has open already, even if that path leads to
     * other files now; and a broker that hangs may keep some stores open until the process ends.
     */
    private Path dataByAnotherName() {
        Path data = folder.resolve("data");
        for (int bits = LAUNCHES.getAndIncrement(); bits > 0; bits >>= 1) {
            data = data.resolve((bits & 1) == 0 ? "." : "../data");
        }
        return data;
    }

    private Running launch(DiskRoom disk)
            throws InterruptedException, ExecutionException, StuckException, LackOfRoomException {
        StartingThreads threads = new StartingThreads();
        BrokerProbe probe = probe();
        DeviceExtension extension = new DeviceExtension(
                access,
                refusals,
                settings.embedded(),
                open::loggedIn,
                topics,
                connections,
                new PublishMeters(meters),
                probe);
        EmbeddedHiveMQ hivemq = EmbeddedHiveMQ.builder()
                .withConfigurationFolder(folder.resolve("conf"))
                .withDataFolder(dataByAnotherName())
                .withExtensionsFolder(folder.resolve("extensions"))
                .withEmbeddedExtension(EmbeddedExtension.builder()
                        .withId("veilgate")
                        .withName("Veilgate")
                        .withVersion("1")
                        .withExtensionMain(extension)
                        .build())
                .withoutLoggingBootstrap()
                .build();
        Patience patience = new Patience(disk, threads, text -> progress = text);
        try {
            // the embedded form lets everybody in where no extension asks
            InternalConfigurations.AUTH_DENY_UNAUTHENTICATED_CONNECTIONS.set(true);
            patience.await(hivemq.start());
            if (extension.publisher() == null) {
                throw new IllegalStateException("its extension did not start");
            }
            HiveMqInternals internals = new HiveMqInternals(hivemq);
            ListenerGate gate = new ListenerGate(
                    client -> new LoginWatch(
                            open, connections, settings.embedded().connectTimeout(), client),
                    probe::isFrom);
            AcceptErrors errors = new AcceptErrors(connections);
            internals
                    .listeners()
                    .forEach(listener -> listener.pipeline().addFirst(gate).addLast(errors));
            patience.await(extension.countSessions());
            progress = "starting, waits for an answer to its own login";
            probe.start();
            return new Running(hivemq, extension, internals, probe);
        } catch (InterruptedException e) {
            isLeftStarting = true;
            hivemq.stop().whenComplete((done, cause) -> unlock()); // not waited for: it ends when it has started
            throw e;
        } catch (ExecutionException | StuckException | RuntimeException e) {
            if (patience.sawShortage() || DiskRoom.isForLackOfRoom(e) || disk.look()) {
                hivemq.stop(); // not waited for: it waits for stores that it could not open, and keeps the others
                throw new LackOfRoomException(e);
            }
            if (disk.isClosed()) {
                hivemq.stop();
            } else {
                end(hivemq, threads);
            }
            throw e;
        }
    }

    /** Waits until it has ended; if it waits for stores that it could not open, which are interrupted for that, too. */
    private void end(EmbeddedHiveMQ hivemq, StartingThreads threads) throws InterruptedException {
        CompletableFuture<Void> ended = CompletableFuture.runAsync(
                () -> close(hivemq),
                work -> Thread.ofPlatform().daemon().name("mqtt-end").start(work));
        while (true) {
            try {
                ended.get(1, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                threads.look().waiting().forEach(Thread::interrupt);
                progress = "starting: the one before has to end";
            } catch (ExecutionException e) {
                LOG.warn("The embedded MQTT broker did not end cleanly", e.getCause());
                return;
            }
        }
    }

    /** Asks the listener without TLS, if there is one. */
    private BrokerProbe probe() {
        MqttSettings.Embedded embedded = settings.embedded();
        boolean isPlain = !embedded.listen().isEmpty();
        return new BrokerProbe(
                listeners().findFirst().orElse(null),
                isPlain
                        ? null
                        : () -> bundles.getBundle(embedded.tlsBundle())
                                .getStores()
                                .getKeyStore());
    }

    private Stream<MqttSettings.Listener> listeners() {
        return Stream.of(
                        MqttSettings.Listener.parse(
                                "embedded.listen", settings.embedded().listen()),
                        MqttSettings.Listener.parse(
                                "embedded.tls-listen", settings.embedded().tlsListen()))
                .filter(Objects::nonNull);
    }

    private void configure() throws IOException {
        for (String name : new String[] {"conf", "data", "extensions"}) {
            DurableFiles.createFolder(folder.resolve(name));
        }
        Path keyStore = null;
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        if (!settings.embedded().tlsListen().isEmpty()) {
            Path file = folder.resolve("conf/keystore.p12").toAbsolutePath();
            String name = settings.embedded().tlsBundle();
            SslBundle bundle = bundles.getBundle(name);
            KeyStoreFile.write(bundle, file, password);
            bundles.addBundleUpdateHandler(name, fresh -> KeyStoreFile.write(fresh, file, password));
            keyStore = file;
        }
        Files.writeString(folder.resolve("conf/config.xml"), EmbeddedConfiguration.of(settings, keyStore, password));
    }

    @Override
    public CompletableFuture<Void> publish(String topic, byte[] payload, Map<String, String> properties) {
        Running now = running;
        PublishService publisher = now == null ? null : now.extension().publisher();
        if (publisher == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("the MQTT broker is not running"));
        }
        PublishBuilder message = Builders.publish()
                .topic(topic)
                .qos(Qos.AT_LEAST_ONCE)
                .payload(ByteBuffer.wrap(payload))
                .messageExpiryInterval(settings.embedded().queueExpiry().toSeconds());
        properties.forEach(message::userProperty);
        return publisher.publish(message.build());
    }

    @Override
    public boolean ready() {
        Running now = running;
        return now != null && now.probe().trouble() == null;
    }

    @Override
    public long refused(int qos) {
        return refusals.count(qos);
    }

    @Override
    public String status() {
        Running serving = running;
        if (serving != null) {
            String trouble = serving.probe().trouble();
            return "listening on " + listeners().map(Object::toString).collect(Collectors.joining(", "))
                    + (trouble == null ? "" : ", and does not answer its own login and message: " + trouble);
        }
        String failed = failure;
        if (failed != null) {
            return failed;
        }
        DiskRoom disk = room;
        if (disk != null && disk.isShort()) {
            return "not started: " + disk.shortageText();
        }
        String now = progress;
        return now == null ? "not started" : now;
    }

    @Override
    public boolean starting() {
        DiskRoom disk = room; // without room nothing goes on until somebody makes some
        return progress != null && running == null && (disk == null || !disk.isShort());
    }

    @Override
    public synchronized void close() {
        running = null;
        if (watch != null) {
            watch.close();
            watch = null;
        }
        Future<Running> started = starting;
        starting = null;
        if (started == null) {
            return;
        }
        progress = null;
        Objects.requireNonNull(room).close();
        if (!started.isDone()) {
            Objects.requireNonNull(starter).interrupt();
        }
        try {
            Running last = started.get(STOPPED_WITHIN.toSeconds(), TimeUnit.SECONDS);
            last.probe().close();
            close(last.hivemq());
            unlock();
        } catch (ExecutionException e) {
            LOG.debug("Nothing to close", e); // start has said why
        } catch (TimeoutException e) {
            LOG.warn("MQTT: the embedded broker was still starting, and ends with the process");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(EmbeddedHiveMQ hivemq) {
        try {
            hivemq.close();
        } catch (ExecutionException | RuntimeException e) {
            LOG.warn("The embedded MQTT broker did not stop cleanly: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
