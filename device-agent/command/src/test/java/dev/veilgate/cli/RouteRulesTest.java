package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.client.JsonObject;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes that were issued before the tenant had later rules of keywords, and what becomes of them. */
class RouteRulesTest {
    private static final byte[] PASSPHRASE = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        site = Site.ofRules1(temporary);
        run = site.run;
        gateway = new FakeGateway();
        gateway.saysRules = true;
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_SCOPE", "plant-7");
        run.environment.put("VEILGATE_TENANT", "acme");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void useRules2() throws Exception {
        try (KeyFolder folder = KeyFolder.open(site.keys, PASSPHRASE, KeyFolder.Access.CHANGE, new SecureRandom())) {
            TenantKeys keys = folder.keys();
            keys.setProfiles(keys.profiles()
                    .withNext(new NextProfile(
                            ExtractorProfile.defaults().withRules(2).encode(), EpochPolicy.MONTHLY.at(run.now), null)));
            folder.save();
        }
        gateway.hasLaterRules = true;
    }

    private List<LogEntry> entries() throws Exception {
        try (KeyFolder folder = KeyFolder.open(site.keys, PASSPHRASE, KeyFolder.Access.READ, new SecureRandom());
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            return log.newestFirst(Long.MAX_VALUE, 100).reversed();
        }
    }

    /** The search that the gateway was given last. */
    private SearchRequest lastSearch() throws Exception {
        String json = gateway.requests.stream()
                .filter(each -> each.startsWith("{"))
                .reduce((one, other) -> other)
                .orElseThrow();
        return SearchRequest.decode(Base64.getDecoder()
                .decode(JsonObject.parse(json.getBytes(StandardCharsets.UTF_8)).text("search")));
    }

    /** Tells the gateway that a route is of rules 1, as it does of those that came when there were no others. */
    private void makeFormer(String name) {
        gateway.routes.computeIfPresent(
                name, (_, json) -> json.replace("\"formerRules\":false", "\"formerRules\":true"));
    }

    @Test
    void theListSaysWhichRoutesAreOfFormerRulesAlone() throws Exception {
        run.ok("route", "add", "root", "--topic", "alarms", "user:root");
        assertThat(run.ok("route", "list").out()).contains("RULES").doesNotContain("former");
        useRules2();
        makeFormer("root");
        run.ok("route", "add", "heat", "--topic", "alarms", "overheat");
        Result list = run.ok("route", "list");
        assertThat(list.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .containsExactly(
                        "NAME ACTION TARGET ENDS RULES",
                        "heat topic alarms 2027-01-01T00:00:00Z 1,2",
                        "root topic alarms 2027-01-01T00:00:00Z 1 (former)");
        assertThat(list.err()).contains("root.", "route renew").doesNotContain("heat");
        assertThat(run.ok("route", "list", "--json").out()).contains("\"formerRules\":true");
    }

    @Test
    void aRouteIsIssuedAgainWithTheQueryThatTheIssuingLogHas() throws Exception {
        run.ok("keys", "log", "--begin");
        Path query = Files.writeString(temporary.resolve("query"), "salary AND NOT user:root\n");
        run.ok(
                "route",
                "add",
                "pay",
                "--webhook",
                "https://siem.example.org/hook",
                "--sender",
                "press-4",
                "--grant-to",
                "ada",
                "@" + query);
        run.ok("route", "add", "heat", "--topic", "alarms", "overheat");
        useRules2();
        makeFormer("pay");
        SearchRequest before = lastSearch();
        Result renewed = run.ok("route", "renew");
        assertThat(renewed.err())
                .contains("pay is issued again")
                .doesNotContain("salary")
                .doesNotContain("heat");
        SearchRequest again = lastSearch();
        assertThat(again.digests()).as("another route's").isNotEqualTo(before.digests());
        assertThat(again.terms()).hasSize(2);
        assertThat(again.filter().senders()).containsExactly("press-4");
        assertThat(again.grant().orElseThrow().holder()).isEqualTo("ada");
        assertThat(run.ok("route", "list").out()).contains("webhook").doesNotContain("former");
        assertThat(run.ok("route", "renew").err()).as("none is former").isEmpty();

        LogEntry first = entries().stream()
                .filter(entry -> entry.kind() == EntryKind.ROUTE_CHANGE)
                .findFirst()
                .orElseThrow();
        assertThat(new String(first.encode(), StandardCharsets.ISO_8859_1)).doesNotContain("salary");
        assertThat(entries().stream()
                        .filter(entry -> entry.kind() == EntryKind.ROUTE_CHANGE)
                        .map(entry -> entry.details().get("action") + " "
                                + entry.details().get("name")))
                .containsExactly("installed pay", "installed heat", "renewed pay");
    }

    @Test
    void aRouteWhoseQueryIsNotKeptHasToBeIssuedByHand() throws Exception {
        run.ok("route", "add", "root", "--topic", "alarms", "user:root");
        useRules2();
        makeFormer("root");
        Result refused = run.run("route", "renew");
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("root", "by hand", "route add");
        assertThat(run.run("route", "renew", "absent").err()).contains("no route absent");
        run.ok("route", "add", "root", "--topic", "alarms", "user:root");
        assertThat(run.ok("route", "list").out()).doesNotContain("former");
    }

    @Test
    void epochsThatWereNamedAndAreOverAreLeftOut() throws Exception {
        run.ok("keys", "log", "--begin");
        run.ok("route", "add", "heat", "--topic", "alarms", "--epoch", "2026-11..2026-12", "overheat");
        useRules2();
        run.now = Instant.parse("2026-12-03T12:00:00Z");
        run.ok("route", "renew", "heat");
        assertThat(lastSearch().terms().getFirst())
                .extracting(ScopedTrapdoor::epoch)
                .containsOnly("2026-12");
        run.now = Instant.parse("2027-01-03T12:00:00Z");
        assertThat(run.run("route", "renew", "heat").err()).contains("are over");
    }
}
