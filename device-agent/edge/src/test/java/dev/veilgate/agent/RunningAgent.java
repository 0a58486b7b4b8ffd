package dev.veilgate.agent;

import dev.veilgate.agent.spool.SpoolDisk;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AgentSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An agent in a thread of the test. */
final class RunningAgent implements AutoCloseable {
    /** What a test may change. */
    static final class Setup {
        final TestTenant.Sender files;
        final Map<String, String> options = new HashMap<>();
        List<Map<String, List<String>>> sources;
        Clock clock = Clock.systemUTC();
        SpoolDisk disk = SpoolDisk.REAL;
        InputStream in = InputStream.nullInputStream();

        Setup(TestTenant.Sender files, Path folder, String url) {
            this.files = files;
            this.sources = List.of(Map.of("files", List.of(folder.resolve("logs") + "/*.log")));
            options.put("bundle", files.bundle().toString());
            options.put("authority", files.authority());
            options.put("identity", files.identity().toString());
            options.put("agent.state", folder.resolve("state").toString());
            options.put("agent.scope", "plant");
            options.put("agent.mqtt.url", url);
            options.put("agent.batch.time", "50 ms");
            options.put("agent.mqtt.backoff-max", "100 ms");
            options.put("agent.linger", "200 ms");
            options.put("agent.shutdown", "5 s");
            options.put("agent.spool.free-disk", "0");
        }

        Setup with(String key, String value) {
            options.put(key, value);
            return this;
        }
    }

    private final Agent agent;
    private final SigningKey identity;
    private final KeptBundle bundle;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final CompletableFuture<Boolean> result;

    private RunningAgent(Setup setup, boolean once) throws Exception {
        AgentSettings settings = AgentSettings.load(null, setup.options, setup.sources);
        identity = IdentityFile.read(settings.identity());
        LineLog lines = new LineLog(new PrintStream(log, true, StandardCharsets.UTF_8), setup.clock);
        String sender = identity.publicKey().sender();
        bundle = KeptBundle.following(
                settings.bundle(),
                settings.state().resolve(KeptBundle.FILE),
                settings.bundleLooking(),
                settings.authority(),
                setup.clock,
                lines::info);
        agent = new Agent(
                settings,
                AgentParts.mqtt(settings, sender),
                AgentParts.topic("acme", sender),
                start -> new EngineSealer(
                        new BundleFile(bundle, settings.authority(), start.bundleSerial()), identity, start.clock()),
                new Agent.World(setup.in, setup.clock, setup.disk, lines));
        result = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return agent.run(once);
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                },
                task -> Thread.ofPlatform().name("agent").start(task));
    }

    static RunningAgent start(Setup setup) throws Exception {
        return new RunningAgent(setup, false);
    }

    static RunningAgent once(Setup setup) throws Exception {
        return new RunningAgent(setup, true);
    }

    Agent agent() {
        return agent;
    }

    String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Whether all was published. */
    boolean await() throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(120, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        agent.stop();
        try {
            await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(log(), e);
        } finally {
            agent.close();
            bundle.close();
            identity.close();
        }
    }
}
