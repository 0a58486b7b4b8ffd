package dev.veilgate.acceptance;

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
        List<String> command = new ArrayList<>(List.of("sh", Programs.command()));
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

    private Path issue(String reader, String attributes, Object... more) throws Exception {
        Path file = folder.resolve(reader + ".vgr");
        List<Object> arguments = new ArrayList<>(List.of(
                "--memory",
                "8",
                "--reader-passphrase-file",
                folder.resolve("passphrase"),
                reader,
                "--attributes",
                attributes,
                "-o",
                file));
        arguments.addAll(List.of(more));
        authority("keys", "issue", arguments.toArray());
        return file;
    }

    /** A tenant, a gateway, and somebody who may search there. */
    private Gateway begin(String... scheme) throws Exception {
        List<Object> init = new ArrayList<>(List.of("--tenant", "acme", "--memory", "8"));
        init.addAll(List.of(scheme));
        String made = authority("keys", "init", init.toArray());
        fingerprint = made.substring(made.indexOf("authority ") + 10).strip();
        String identityMade = run("identity", "init", "--sender=press-4", folder.resolve("identity"));
        Path publicKey = Files.writeString(
                folder.resolve("press-4.pub"), identityMade.substring(identityMade.indexOf("-----BEGIN")));
        authority("keys", "add-sender", publicKey);
        authority("keys", "bundle", "-o", bundle());

        Path access = folder.resolve("data/access");
        Files.writeString(token(), programs.access(access, "acme", "token", "auditor", "--right", "search"));
        Files.writeString(folder.resolve("password"), programs.access(access, "acme", "device", "press-4"));
        return new Gateway(
                programs,
                folder.resolve("data"),
                bundle(),
                fingerprint,
                Files.readString(token()),
                List.of("veilgate.smtp.listeners[0].tls=none"));
    }

    private Path bundle() {
        return folder.resolve("bundle");
    }

    private Path token() {
        return folder.resolve("token");
    }

    /** An agent seals it for readers. */
    private void seal(Gateway gateway, String readers, String lines) throws Exception {
        Path log = Files.writeString(folder.resolve("day.log"), lines);
        run(
                "agent",
                "run",
                "--once",
                "--bundle",
                bundle(),
                "--authority",
                fingerprint,
                "--identity",
                folder.resolve("identity"),
                "--state",
                folder.resolve("state"),
                "--scope",
                "plant-7",
                "--readers",
                readers,
                "--file",
                log,
                "--mqtt-url",
                "mqtt://127.0.0.1:" + gateway.mqtt,
                "--mqtt-user",
                "press-4",
                "--mqtt-password-file",
                folder.resolve("password"));
    }

    @Test
    void whatIsSealedForAPolicyOpensForItsReadersOnly() throws Exception {
        Files.writeString(folder.resolve("passphrase"), "correct horse battery\n");
        try (Programs started = new Programs(folder)) {
            programs = started;
            Gateway gateway = begin("--index-scheme", "bdop04-peks");
            seal(gateway, POLICY, LINE + "\n2026-11-21T10:00:06Z press-4 pump[9]: calm\n");

            Path request = folder.resolve("overheat.search");
            authority("trapdoor", "", "--scope", "plant-7", "-o", request, "overheat");
            Path[] right = {issue("ada", "role:auditor, site:plant-7"), issue("carl", "role:dpo")};
            Path[] wrong = {
                issue("eve", "role:auditor"),
                issue("mallory", "site:plant-7"),
                issue("bob", "role:auditor, site:plant-8")
            };
            Files.move(folder.resolve("keys"), folder.resolve("elsewhere"));
            programs.await("the line in searches", () -> found(gateway, right[0], "--request", request));
            for (Path reader : right) {
                assertThat(search(gateway, reader, "--request", request)).isEqualTo(LINE + "\n");
            }
            for (Path reader : wrong) {
                assertThatThrownBy(() -> search(gateway, reader, "--request", request))
                        .hasMessageContaining("role:dpo") // what was needed
                        .hasMessageNotContaining("pump");
            }
        }
    }

    @Test
    void whomTheIndexPolicyNamesSearchesWithoutTheAuthority() throws Exception {
        Files.writeString(folder.resolve("passphrase"), "correct horse battery\n");
        try (Programs started = new Programs(folder)) {
            programs = started;
            Gateway gateway = begin("--index-scheme", "cp-zxa14", "--index-policy", "role:auditor AND site:plant-7");
            seal(gateway, "role:auditor", LINE + "\n2026-11-21T10:00:06Z press-4 pump[9]: calm\n");
            Path ada = issue("ada", "role:auditor, site:plant-7", "--search");
            Path lapsed = issue("max", "role:auditor, site:plant-7", "--search", "--epoch", "2026-01");
            Path reader = issue("eve", "role:auditor, site:plant-8");
            assertThatThrownBy(() -> issue("mallory", "role:auditor, site:plant-8", "--search"))
                    .hasMessageContaining("satisfy no index policy");
            Files.move(folder.resolve("keys"), folder.resolve("elsewhere"));

            programs.await("the line in searches", () -> found(gateway, ada, "--scope", "plant-7"));
            assertThat(search(gateway, ada, "--scope", "plant-7")).isEqualTo(LINE + "\n");
            assertThatThrownBy(() -> search(gateway, lapsed, "--scope", "plant-7"))
                    .hasMessageContaining("Nothing was sent");
            assertThatThrownBy(() -> search(gateway, reader, "--scope", "plant-7"))
                    .hasMessageContaining("has no searcher's key");
        }
    }

    private boolean found(Gateway gateway, Path reader, Object... trapdoors) throws Exception {
        try {
            return search(gateway, reader, trapdoors).contains("overheat");
        } catch (IllegalStateException e) {
            return false; // nothing yet
        }
    }

    private String search(Gateway gateway, Path reader, Object... trapdoors) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of(
                "search",
                "--gateway",
                gateway.uri(""),
                "--token-file",
                token(),
                "--bundle",
                bundle(),
                "--authority",
                fingerprint,
                "--keys",
                folder.resolve("keys"),
                "--reader-key",
                reader,
                "--reader-passphrase-file",
                folder.resolve("passphrase")));
        arguments.addAll(List.of(trapdoors));
        arguments.add("overheat");
        return run(arguments.toArray());
    }
}
