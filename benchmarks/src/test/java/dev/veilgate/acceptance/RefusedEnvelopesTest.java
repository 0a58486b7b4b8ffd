package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.benchmarks.Corpus;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The installed agent and the installed gateway, which refuses an envelope for good: the agent sets it aside with the gateway's reason, reports it, and goes on. */
class RefusedEnvelopesTest {
    private static final int UNUSED_PORT = 9;

    @TempDir
    private Path folder;

    private Path log;

    @Test
    void oneTooLargeEnvelopeHoldsNothingUp() throws Exception {
        log = Files.createDirectory(folder.resolve("logs")).resolve("a.log");
        try (Site site = new Site(folder, UNUSED_PORT, "veilgate.ingest.max-envelope=120KB")) {
            startAgent(site);
            append(lines("before", 20));
            site.programs.await("what came before", () -> found(site) == 20);
            append(tooLarge());
            site.programs.await("the refused envelope", () -> !refused(".env").isEmpty());
            append(lines("after", 20));
            site.programs.await("what came after", () -> found(site) == 40);

            assertThat(refused(".env")).hasSize(1);
            assertThat(Files.readString(refused(".reason").getFirst())).contains("122880");
            assertThat(Files.readString(folder.resolve("agent.log"))).contains("refused-by-gateway");
            site.programs.await(
                    "the loss in the sender's chain", () -> senders(site).contains("refused-by-gateway"));
        }
    }

    private void append(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String lines(String word, int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append(Instant.now())
                    .append(" pump[9]: ")
                    .append(word)
                    .append(' ')
                    .append(i)
                    .append('\n');
        }
        return lines.toString();
    }

    private static String tooLarge() {
        byte[] noise = new byte[120_000];
        new Random(1).nextBytes(noise);
        return Base64.getEncoder().encodeToString(noise) + "\n";
    }

    private void startAgent(Site site) throws IOException {
        site.programs.start(
                "agent",
                List.of(
                        "sh",
                        Programs.edge(),
                        "agent",
                        "run",
                        "--bundle=" + site.file("bundle"),
                        "--authority=" + site.keys.authority().fingerprint(),
                        "--identity=" + site.file("identity"),
                        "--state=" + folder.resolve("agent-state"),
                        "--scope=" + Site.SCOPE,
                        "--directory=" + log.getParent(),
                        "--batch-records=20",
                        "--refused-after=1 s",
                        "--mqtt-url=mqtt://127.0.0.1:" + site.gateway.mqtt,
                        "--mqtt-user=" + Site.AGENT,
                        "--mqtt-password-file=" + site.file("agent.password")));
    }

    private List<Path> refused(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("agent-state/refused"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    /** Lines of the log that a search finds. */
    private int found(Site site) throws Exception {
        SearchRequest search = site.keys.request(
                Site.SCOPE,
                List.of(site.keys.epochs().at(Instant.now()).name()),
                List.of(List.of(SourceKeyword.of(log.toString(), ExtractorProfile.defaults())
                        .orElseThrow())),
                new Expression.Term(0),
                new Corpus.MemoryStore());
        return site.search(search).values().stream().mapToInt(List::size).sum();
    }

    private static String senders(Site site) throws Exception {
        return new String(
                site.gateway.get("/v1/tenants/" + Site.TENANT + "/senders").body(), StandardCharsets.UTF_8);
    }
}
