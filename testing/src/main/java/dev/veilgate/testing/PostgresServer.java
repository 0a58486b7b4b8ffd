package dev.veilgate.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL with a cluster of its own in a temporary folder, on a free port of loopback; Debian's package has
 * the programs. Root may not run it, so as root it runs as the user {@code postgres} of that package.
 */
public final class PostgresServer implements AutoCloseable {
    /** A folder of versions, as Debian has it. */
    private static final Path VERSIONS =
            Path.of(System.getenv().getOrDefault("VEILGATE_POSTGRESQL", "/usr/lib/postgresql"));

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path programs;
    private final Path folder;
    private final int port;
    private final AtomicInteger databases = new AtomicInteger();
    private final Thread hook = new Thread(this::kill);
    private final List<AutoCloseable> clients = new CopyOnWriteArrayList<>();
    private @Nullable Process process;

    /** Makes a cluster and starts it. */
    public PostgresServer() throws IOException {
        programs = programs();
        port = FreePort.choose();
        folder = Files.createTempDirectory("veilgate-postgres");
        if (isRoot()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
        }
        Runtime.getRuntime().addShutdownHook(hook);
        run(List.of(
                program("initdb"),
                "--auth=trust",
                "--username=veilgate",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--pgdata=" + folder.resolve("data")));
        start();
    }

    /** JDBC address of a new, empty database. */
    public String newDatabase() {
        return newDatabase("");
    }

    /**
     * JDBC address of a new, empty database.
     *
     * @param options of CREATE DATABASE
     */
    public String newDatabase(String options) {
        String name = "test" + databases.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url("postgres"), user(), "");
                var statement = connection.createStatement()) {
            statement.execute("create database " + name + " " + options);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url(name);
    }

    /** Who may log in, with any password. */
    public String user() {
        return "veilgate";
    }

    /** Starts it again after {@link #stop}, on the same port, with the same data. */
    public void start() throws IOException {
        process = builder(List.of(
                        program("postgres"),
                        "-D",
                        folder.resolve("data").toString(),
                        "-p",
                        Integer.toString(port),
                        "-k",
                        folder.toString(),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "max_connections=50",
                        "-c",
                        "shared_buffers=16MB",
                        "-c",
                        "fsync=off"))
                .start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new IOException("PostgreSQL does not start:\n" + Files.readString(log()));
            }
        }
    }

    /** Stops it at once, as a crash would: connections break. */
    public void stop() throws IOException {
        Process running = process;
        if (running != null) {
            run(List.of(program("pg_ctl"), "stop", "--mode=immediate", "--pgdata=" + folder.resolve("data")));
            running.onExit().join();
            process = null;
        }
    }

    /** A copy of its data as they are, for {@link #restore}; stop it first. */
    public Path copy() throws IOException {
        Path copy = folder.resolve("copy" + databases.incrementAndGet());
        run(List.of("cp", "-a", folder.resolve("data").toString(), copy.toString()));
        return copy;
    }

    /** Puts a copy in place of its data; stop it first. */
    public void restore(Path copy) throws IOException {
        run(List.of("rm", "-rf", folder.resolve("data").toString()));
        run(List.of("cp", "-a", copy.toString(), folder.resolve("data").toString()));
    }

    /** Takes a client that ends when this does: a pool that outlives it logs errors among those of later tests. */
    public void closeFirst(AutoCloseable client) {
        clients.add(client);
    }

    @Override
    public void close() {
        for (AutoCloseable client : clients) {
            try {
                client.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        kill();
    }

    private void kill() {
        try {
            stop();
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url("postgres"), user(), "")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            pause();
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20); // the condition is looked at again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(List<String> command) throws IOException {
        try {
            if (builder(command).start().waitFor() != 0) {
                throw new IOException(command.getFirst() + " failed:\n" + Files.readString(log()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private ProcessBuilder builder(List<String> command) {
        var all = new ArrayList<String>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"));
        }
        all.addAll(command);
        return new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    }

    private Path log() {
        return folder.resolve("log");
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    /** The newest version, or what is on the PATH. */
    private static Path programs() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(VERSIONS)) {
            try (Stream<Path> versions = Files.list(VERSIONS)) {
                versions.sorted(Comparator.comparingInt(PostgresServer::version).reversed())
                        .map(version -> version.resolve("bin"))
                        .forEach(found::add);
            }
        }
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(Path::of)
                .forEach(found::add);
        return found.stream()
                .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                .findFirst()
                .orElseThrow(() -> new IOException("there is no PostgreSQL: ./verify installs it or says how"));
    }

    private static int version(Path folder) {
        String name = String.valueOf(folder.getFileName());
        return name.matches("[0-9]{1,4}") ? Integer.parseInt(name) : 0;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }
}
