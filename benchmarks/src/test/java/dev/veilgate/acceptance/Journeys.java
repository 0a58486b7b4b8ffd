package dev.veilgate.acceptance;

import dev.veilgate.testing.ProcessLock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** The journeys through the console in Chromium: src/test/journeys. */
final class Journeys {
    private static final Path FOLDER = Path.of("benchmarks/src/test/journeys").toAbsolutePath();
    private static final String PASSED = "  ✓";

    private Journeys() {}

    /** What somebody hostile sends. */
    static String hostile(String name) throws IOException {
        return Files.readString(FOLDER.resolve("hostile").resolve(name), StandardCharsets.UTF_8);
    }

    /**
     * Runs them to their end.
     *
     * @param project     the folder of them
     * @param environment what they are told of the site
     * @param logs        of the site, if one fails
     * @throws AssertionError if one fails, with what they said
     */
    static void run(String project, Map<String, String> environment, Callable<String> logs) throws Exception {
        setUp(FOLDER, Path.of("benchmarks/target/journeys-set-up.lock"), environment);
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", System.getProperty("java.home"));
        all.put("JOURNEYS_OUTPUT", Path.of("benchmarks/target/journeys").toAbsolutePath() + "/" + project);
        Said said = script(FOLDER, "--project=" + project, all);
        System.out.println(said.text());
        if (said.status() != 0) {
            String failed =
                    said.text().lines().filter(line -> !line.startsWith(PASSED)).collect(Collectors.joining("\n"));
            throw new AssertionError("journeys of " + project + " failed:\n" + failed + "\n" + logs.call());
        }
    }

    /**
     * Installs the packages of the journeys, where they are not installed yet. Several test JVMs may come here at the same time, and there is one folder of packages.
     *
     * @param lock that only one of them holds
     */
    static void setUp(Path folder, Path lock, Map<String, String> environment) throws Exception {
        try (ProcessLock _ = ProcessLock.take(lock)) {
            Said said = script(folder, "set-up", environment);
            if (said.status() != 0) {
                throw new AssertionError("setting up the journeys failed:\n" + said.text());
            }
        }
    }

    private record Said(int status, String text) {}

    private static Said script(Path folder, String argument, Map<String, String> environment) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(List.of("sh", folder.resolve("run").toString(), argument)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    static boolean answers(String address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        }
    }
}
