package dev.veilgate.benchmarks.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the command line against a running gateway: a log that an agent seals for a policy is found by its keyword, and opens for readers whom the policy names and for nobody else, from a
 * machine where the key folder is not. The index is of a pairing scheme, which the agent, the gateway and the searches take like the default.
 */
class ReadersAcceptanceTest {
    private static final String POLICY = "(role:auditor AND site:plant-7) OR role:dpo";
    private static final String LINE = "2026-11-21T10:00:05Z press-4 pump[9]: overheat";

    @TempDir
    private Path folder;

    private Programs programs;
    private String fingerprint = "";

    private String run(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", Programs.edge()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return programs.run(command);
    }

    /** What the authority does, on its machine. */
    private String authority(String command, String subcommand, Object... arguments) throws Exception {
        List<Object> all = new ArrayList<>(List.of(command));
        if (!subcommand.isEmpty()) {
            all.add(subcommand);
        }
        all.addAll(List.of("--keys", folder.resolve("keys"), "--passphrase-file", folder.resolve("passphrase")));
        all.addAll(List.of(arguments));
        return run(all.toArray());
    }

    private Path issue(String reader, String attributes) throws Exception {
        Path file = folder.resolve(reader + ".vgr");
        authority(
                "keys",
                "issue",
                "--memory",
                "8",
                "--reader-passphrase-file",
                folder.resolve("passphrase"),
                reader,
                "--attributes",
                attributes,
                "-o",
                file);
        return file;
    }

    @Test
    void whatIsSealedForAPolicyOpensForItsReadersOnly() throws Exception {
        Files.writeString(folder.resolve("passphrase"), "correct horse battery\n");
        try (Programs started = new Programs(folder)) {
            programs = started;
            String made =
                    authority("keys", "init", "--tenant", "acme", "--memory", "8", "--index-scheme", "bdop04-peks");
            fingerprint = made.substring(made.indexOf("authority ") + 10).strip();
            Path publicKey = folder.resolve("press-4.pub");
            Path identity = folder.resolve("identity");
            String identityMade = run("identity", "init", "--sender=press-4", identity);
            Files.writeString(publicKey, identityMade.substring(identityMade.indexOf("-----BEGIN")));
            authority("keys", "add-sender", publicKey);
            Path bundle = folder.resolve("bundle");
            authority("keys", "bundle", "-o", bundle);

            Path access = folder.resolve("data/access");
            Path token = Files.writeString(
                    folder.resolve("token"), programs.access(access, "acme", "token", "auditor", "--right", "search"));
            Path password =
                    Files.writeString(folder.resolve("password"), programs.access(access, "acme", "device", "press-4"));
            Gateway gateway = new Gateway(
                    programs,
                    folder.resolve("data"),
                    bundle,
                    fingerprint,
                    Files.readString(token),
                    List.of("veilgate.smtp.listeners[0].tls=none"));
            Path log = Files.writeString(
                    folder.resolve("day.log"), LINE + "\n2026-11-21T10:00:06Z press-4 pump[9]: calm\n");
            run(
                    "agent",
                    "run",
                    "--once",
                    "--bundle",
                    bundle,
                    "--authority",
                    fingerprint,
                    "--identity",
                    identity,
                    "--state",
                    folder.resolve("state"),
                    "--scope",
                    "plant-7",
                    "--readers",
                    POLICY,
                    "--file",
                    log,
                    "--mqtt-url",
                    "mqtt://127.0.0.1:" + gateway.mqtt,
                    "--mqtt-user",
                    "press-4",
                    "--mqtt-password-file",
                    password);

            Path request = folder.resolve("overheat.search");
            authority("trapdoor", "", "--scope", "plant-7", "-o", request, "overheat");
            Path[] right = {issue("ada", "role:auditor, site:plant-7"), issue("carl", "role:dpo")};
            Path[] wrong = {
                issue("eve", "role:auditor"),
                issue("mallory", "site:plant-7"),
                issue("bob", "role:auditor, site:plant-8")
            };
            Files.move(folder.resolve("keys"), folder.resolve("elsewhere"));
            programs.await("the line in searches", () -> found(gateway, token, bundle, request, right[0]));
            for (Path reader : right) {
                assertThat(search(gateway, token, bundle, request, reader)).isEqualTo(LINE + "\n");
            }
            for (Path reader : wrong) {
                assertThatThrownBy(() -> search(gateway, token, bundle, request, reader))
                        .hasMessageContaining("role:dpo") // what was needed
                        .hasMessageNotContaining("pump");
            }
        }
    }

    private boolean found(Gateway gateway, Path token, Path bundle, Path request, Path reader) throws Exception {
        try {
            return search(gateway, token, bundle, request, reader).contains("overheat");
        } catch (IllegalStateException e) {
            return false; // nothing yet
        }
    }

    private String search(Gateway gateway, Path token, Path bundle, Path request, Path reader) throws Exception {
        return run(
                "search",
                "--gateway",
                gateway.uri(""),
                "--token-file",
                token,
                "--bundle",
                bundle,
                "--authority",
                fingerprint,
                "--request",
                request,
                "--reader-key",
                reader,
                "--reader-passphrase-file",
                folder.resolve("passphrase"),
                "overheat");
    }
}
