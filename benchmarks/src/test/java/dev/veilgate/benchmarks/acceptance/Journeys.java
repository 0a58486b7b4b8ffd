package dev.veilgate.benchmarks.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The journeys through the console in Chromium: src/test/journeys. */
final class Journeys {
    private static final Path FOLDER = Path.of("benchmarks/src/test/journeys").toAbsolutePath();

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
     * @throws AssertionError if one fails, with what they said
     */
    static void run(String project, Map<String, String> environment, RunningDemo demo) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        List.of("sh", FOLDER.resolve("run").toString(), "--project=" + project))
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("JOURNEYS_OUTPUT", Path.of("benchmarks/target/journeys").toAbsolutePath() + "/" + project);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        System.out.println(said);
        if (status != 0) {
            throw new AssertionError("journeys of " + project + " failed:\n" + said + demo.logs());
        }
    }

    static boolean answers(String address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        }
    }
}
