package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The list of senders, with the rules by which each sealed last. */
class SendersCommandTest {
    private static final String SENDER = """
            {"sender":"%s","envelopes":7,"highestSequence":7,"gaps":[],"forks":0,
            "lastSealed":"2026-11-21T11:00:00Z","lastArrived":"2026-11-21T11:00:01Z","silentSince":null}""";

    private static final String SEEN = "{\"sender\":\"%s\",\"rules\":%d,\"lastSealed\":\"%s\"}";

    private final CommandRun run = new CommandRun();
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = new FakeGateway();
        gateway.senders = "[" + SENDER.formatted("press-4") + "," + SENDER.formatted("press-5") + ","
                + SENDER.formatted("press-6") + "]";
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_TENANT", "acme");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void see(String... seen) {
        gateway.rules = "[" + String.join(",", seen) + "]";
    }

    @Test
    void eachHasTheRulesByWhichItSealedLast() {
        see(
                SEEN.formatted("press-4", 1, "2026-11-21T11:00:00Z"),
                SEEN.formatted("press-4", 2, "2026-11-20T11:00:00Z"),
                SEEN.formatted("press-5", 1, "2026-11-20T11:00:00Z"),
                SEEN.formatted("press-5", 2, "2026-11-20T11:00:00Z"),
                SEEN.formatted("", 1, "2026-11-19T11:00:00Z"));
        Result table = run.ok("senders");
        assertThat(table.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .containsExactly(
                        "SENDER ENVELOPES HIGHEST GAPS FORKS SEALED ARRIVED SILENT RULES",
                        "press-4 7 7 - 0 2026-11-21T11:00:00Z 2026-11-21T11:00:01Z - 1",
                        "press-5 7 7 - 0 2026-11-21T11:00:00Z 2026-11-21T11:00:01Z - 2",
                        "press-6 7 7 - 0 2026-11-21T11:00:00Z 2026-11-21T11:00:01Z - -",
                        "(mail that no sender signed) - - - - 2026-11-19T11:00:00Z - - 1");
        assertThat(run.ok("senders", "--json").out().lines().toList())
                .hasSize(4)
                .anyMatch(line -> line.contains("\"press-4\"") && line.endsWith("\"lastRules\":1}"))
                .anyMatch(line -> line.contains("\"press-5\"") && line.endsWith("\"lastRules\":2}"))
                .anyMatch(line -> line.contains("\"press-6\"") && !line.contains("lastRules"))
                .anyMatch(line -> line.contains("\"sender\":\"\"") && line.endsWith("\"lastRules\":1}"));
    }

    @Test
    void aGatewayOfBeforeHasNoRules() {
        assertThat(run.ok("senders").out()).doesNotContain("RULES").doesNotContain("mail that no");
        assertThat(run.ok("senders", "--json").out()).doesNotContain("lastRules");
    }

    @Test
    void whatIsNoTimeIsRefused() {
        see(SEEN.formatted("press-4", 1, "yesterday"));
        Result other = run.run("senders");
        assertThat(other.code()).isEqualTo(ExitCode.IO);
        assertThat(other.err()).contains("lastSealed must be a time");
    }
}
