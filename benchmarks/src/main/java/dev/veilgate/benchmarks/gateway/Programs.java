package dev.veilgate.benchmarks.gateway;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.testing.FreePort;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the programs that the build has installed under target/, and others; what runs in the background logs into a folder and ends with this. */
public final class Programs implements AutoCloseable {
    private final Path folder;
    private final Map<String, String> environment;
    private final List<Process> running = new ArrayList<>();

    /** @param folder for logs, one NAME.log for each program */
    public Programs(Path folder) {
        this(folder, Map.of());
    }

    /**
     * With variables for every program.
     *
     * @param folder      for logs, one NAME.log for each program
     * @param environment beside that of this process, and before it
     */
    public Programs(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    /** The gateway's launcher, as the build made it. */
    public static String builtGateway() {
        return installed("gateway/server/target/veilgate-gateway/veilgate-gateway");
    }

    /** The gateway's launcher; in tests with an archive of its classes. */
    public static String gateway() {
        return ArchivedService.launcher(Path.of(builtGateway())).toString();
    }

    /** The launcher of the command that has all: keys, search, agent, proxy. */
    public static String command() {
        return installed("device-agent/command/target/veilgate/veilgate");
    }

    /** The launcher of devices: the agent. */
    public static String edge() {
        return installed("device-agent/edge-package/target/veilgate-edge/veilgate-edge");
    }

    /** The launcher of mail servers: the proxy. */
    public static String mail() {
        return installed("device-agent/mail-package/target/veilgate-edge-mail/veilgate-edge");
    }

    /** The console's launcher, as the build made it. */
    public static String builtConsole() {
        return installed("audit-console/target/veilgate-console/veilgate-console");
    }

    /** The console's launcher; in tests with an archive of its classes. */
    public static String console() {
        return ArchivedService.launcher(Path.of(builtConsole())).toString();
    }

    /** Where {@code veilgate demo} finds the programs that it starts. */
    public static Map<String, String> homes() {
        return Map.of(
                "VEILGATE_GATEWAY_HOME",
                DurableFiles.folderOf(Path.of(gateway())).toString(),
                "VEILGATE_CONSOLE_HOME",
                DurableFiles.folderOf(Path.of(console())).toString());
    }

    private static String installed(String program) {
        if (!Files.exists(Path.of(program))) {
            throw new IllegalStateException(program + " is not built: ./mvnw package");
        }
        return Path.of(program).toAbsolutePath().toString();
    }

    /** Reserved for this JVM, another one at each call. */
    public static int freePort() {
        return FreePort.choose();
    }

    /** Runs a program to its end; what it says. */
    public String run(List<String> command) throws IOException, InterruptedException {
        Process process = builder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command.subList(0, Math.min(4, command.size())) + " failed: " + said);
        }
        return said;
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** Starts a program that runs until the end. */
    public Process start(String name, List<String> command) throws IOException {
        return start(name, command, Map.of());
    }

    /**
     * Starts a program that runs until the end.
     *
     * @param environment beside its own
     */
    public Process start(String name, List<String> command, Map<String, String> environment) throws IOException {
        File log = folder.resolve(name + ".log").toFile();
        ProcessBuilder builder = builder(command);
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
        running.add(process);
        return process;
    }

    /** The mail proxy on this port, towards a server without TLS; it is up then. */
    public void startProxy(int port, Path bundle, String authority, Path spool, int next) throws Exception {
        Process proxy = start(
                "proxy",
                List.of(
                        "sh",
                        mail(),
                        "mail",
                        "proxy",
                        "--bundle=" + bundle,
                        "--authority=" + authority,
                        "--port=" + port,
                        "--spool=" + spool,
                        "--signing-key=" + signingKey(),
                        "--smtp-url=smtp+plain://127.0.0.1:" + next));
        await("the proxy", () -> {
            if (!proxy.isAlive()) {
                throw new IllegalStateException("the proxy ended; see its log in " + folder);
            }
            return RawMail.listens(port);
        });
    }

    /** Key and certificate in PEM, of all proxies here. */
    private Path signingKey() throws Exception {
        Path signer = folder.resolve("mail-signer.pem");
        if (!Files.exists(signer)) {
            Path key = folder.resolve("mail-signer-key.pem");
            Path certificate = folder.resolve("mail-signer-certificate.pem");
            certificate("email:sealing@acme.example", key, certificate);
            Files.writeString(signer, Files.readString(key) + Files.readString(certificate));
        }
        return signer;
    }

    /**
     * A self-signed certificate.
     *
     * @param alternative subject alternative name, as openssl takes it
     * @return its DER
     */
    public byte[] certificate(String alternative, Path key, Path certificate) throws Exception {
        run(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "60",
                "-subj",
                "/CN=test",
                "-addext",
                "subjectAltName=" + alternative,
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
        return Base64.getMimeDecoder().decode(Files.readString(certificate).replaceAll("-----[A-Z ]+-----", ""));
    }

    /**
     * Gives somebody access to the gateway.
     *
     * @param kind token or device
     * @return the secret
     */
    public String access(Path file, String tenant, String kind, String name, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", gateway(), "access", kind, name));
        command.addAll(List.of("--tenant", tenant, "--file", file.toString()));
        command.addAll(List.of(more));
        return run(command).strip();
    }

    /** Something that becomes so. */
    public interface Condition {
        /** Whether it is; an IOException is a no. */
        boolean holds() throws Exception;
    }

    /** Waits for at most ten minutes. */
    public void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (!holds(condition)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(what + ": not within ten minutes; see the logs in " + folder);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static boolean holds(Condition condition) throws Exception {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        running.reversed().forEach(Process::destroy);
        for (Process process : running) {
            try {
                if (!process.waitFor(30, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
