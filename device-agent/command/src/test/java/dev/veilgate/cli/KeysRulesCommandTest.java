package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.terminal.ExitCode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant that goes over to later rules of keywords by commands. */
class KeysRulesCommandTest {
    /** Rules 1 see a JSON record with a text, rules 2 the line that a container wrote. */
    private static final String WRAPPED =
            "{\"log\":\"2026-11-21T11:00:01Z ERROR overheat user=bob\\n\",\"stream\":\"stderr\","
                    + "\"time\":\"2026-11-21T11:00:01.5Z\"}";

    private static final Instant DECEMBER = Instant.parse("2026-12-05T12:00:00Z");
    private static final Instant FEBRUARY = Instant.parse("2027-02-02T12:00:00Z");

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void make() throws Exception {
        site = Site.ofRules1(Files.createDirectory(temporary.resolve("site")));
        run = site.run;
    }

    private NextProfile next() throws Exception {
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now);
        return bundle.nextProfile().orElseThrow();
    }

    /** The one with the records; another may end the chain. */
    private static Envelope envelope(Path sealed) throws Exception {
        try (InputStream in = Files.newInputStream(sealed)) {
            CborSequence sequence = new CborSequence("envelope", in, Envelope.MAX_BYTES);
            return Envelope.decode(sequence.next().orElseThrow());
        }
    }

    private static int rules(Path sealed) throws Exception {
        return envelope(sealed).indexRules().map(IndexRules::rules).orElse(1);
    }

    private Result refused(Object... arguments) throws Exception {
        byte[] before = Files.readAllBytes(site.keys.resolve("keys.vgk"));
        byte[] previous = Files.readAllBytes(site.keys.resolve("keys.vgk.previous"));
        Result refused = run.run(arguments);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.out()).isEmpty();
        assertThat(site.keys.resolve("keys.vgk")).hasBinaryContent(before);
        assertThat(site.keys.resolve("keys.vgk.previous")).hasBinaryContent(previous);
        return refused;
    }

    @Test
    void fromMakingThemToGivingRules1Up() throws Exception {
        Site outdated = site.copyTo(Files.createDirectory(temporary.resolve("outdated")));
        assertThat(run.ok("keys", "rules").out()).startsWith("Senders make keywords by rules 1,");
        Result made = run.ok("keys", "rules", 2);
        assertThat(made.out())
                .contains("keywords by rules 2 of profile ", " from epoch 2026-12\n", "veilgate keys bundle")
                .contains("From epoch 2026-12 on senders that know rules 2")
                .contains("The profile of rules 2:");
        assertThat(made.err()).contains("before epoch 2026-12 begins", "keys.vgk.previous");
        site.newBundle();

        Path november = site.seal("november", WRAPPED);
        run.now = DECEMBER;
        Path december = site.seal("december", WRAPPED);
        assertThat(rules(november)).isEqualTo(1);
        assertThat(rules(december)).isEqualTo(2);
        assertThat(search("overheat", november, december)).isEqualTo((WRAPPED + "\n").repeat(2));
        assertThat(search("user:bob", november, december))
                .as("of rules 2 alone")
                .isEqualTo(WRAPPED + "\n");

        assertThat(run.ok("keys", "rules", "--alone-from", "2027-02").err()).contains("veilgate senders");
        site.newBundle();
        run.now = FEBRUARY;
        outdated.run.now = FEBRUARY;
        Path late = outdated.seal("late", WRAPPED);
        Path present = site.seal("present", WRAPPED);
        assertThat(rules(late)).isEqualTo(1);
        assertThat(next().refusalOf(envelope(late))).get().asString().contains("rules 1", "2027-02");
        for (Path taken : List.of(november, december, present)) {
            assertThat(next().refusalOf(envelope(taken))).isEmpty();
        }
        assertThat(search("user:bob", november, december, present)).isEqualTo((WRAPPED + "\n").repeat(2));
    }

    /** In all epochs that have begun since November. */
    private String search(String query, Path... sealed) {
        String epochs = "2026-11.." + EpochPolicy.MONTHLY.at(run.now).name();
        List<Object> arguments = new ArrayList<>(List.of("search", "--scope", "plant-7", "--epoch", epochs, query));
        arguments.addAll(List.of(sealed));
        return run.ok(arguments.toArray()).out();
    }

    @Test
    void whatWouldHideWhatWasSealedIsRefusedAndNothingIsWritten() throws Exception {
        assertThat(refused("keys", "rules", 2, "--from", "2026-11").err())
                .contains("veilgate keys rules: ", "epoch 2026-11 has begun", "2026-12");
        run.ok("keys", "rules", 2, "--ip-prefixes", "8,16");
        run.now = DECEMBER;
        assertThat(refused("keys", "rules", "--withdraw").err()).contains("used since epoch 2026-12");
        assertThat(refused("keys", "rules", "--from", "2027-01").err()).contains("cannot be moved");
        assertThat(refused("keys", "rules", "--alone-from", "2026-12").err()).contains("2026-12 has begun", "2027-01");
        assertThat(refused("keys", "rules", "--ip-prefixes", "8").err())
                .contains("networks of 16 bits are left out", "only be added to");
        run.ok("keys", "rules", "--ip-prefixes", "8,16,24", "--alone-from", "2027-01");
        assertThat(run.ok("keys", "rules").out()).contains("[8, 16, 24]", "1 former profile is kept, of 1,024 at most");
    }

    @Test
    void whatIsWrittenOtherwiseIsNotUnderstood() {
        for (Object[] wrong : new Object[][] {
            {"keys", "rules", 1},
            {"keys", "rules", 3},
            {"keys", "rules", "--from", "2027-01"},
            {"keys", "rules", 2, "--from", "soon"},
            {"keys", "rules", 2, "--withdraw"},
            {"keys", "rules", 2, "--ip-prefixes", "99"},
            {"keys", "rules", 2, "--from", "2027-02", "--alone-from", "2027-01"},
        }) {
            assertThat(run.run(wrong).code()).as("%s", List.of(wrong)).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void canBeWithdrawnBeforeTheyBeginAndTheFolderOfBeforeIsBeside() throws Exception {
        byte[] before = Files.readAllBytes(site.keys.resolve("keys.vgk"));
        run.ok("keys", "rules", 2);
        assertThat(site.keys.resolve("keys.vgk.previous")).hasBinaryContent(before);
        assertThat(run.ok("keys", "rules", "--withdraw").out()).contains("no later rules of keywords");
        assertThat(run.ok("keys", "rules", "--json").out())
                .isEqualTo("{\"formerProfiles\":1,\"mostFormerProfiles\":1024,\"bytes\":" + bytes()
                        + ",\"mostBytes\":16777216}\n");
    }

    private int bytes() throws Exception {
        try (KeyFolder folder = open()) {
            return folder.keys().profiles().bytes();
        }
    }

    private KeyFolder open() throws Exception {
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        return KeyFolder.open(site.keys, passphrase, KeyFolder.Access.READ, new SecureRandom());
    }

    @Test
    void areInTheIssuingLogAndForScripts() throws Exception {
        run.ok("keys", "log", "--begin");
        run.ok("keys", "rules", 2, "--from", "2027-01", "--alone-from", "2027-04");
        assertThat(run.ok("keys", "rules", 2, "--from", "2027-01").err()).contains("nothing changes");
        assertThat(run.ok("keys", "rules", "--json").out())
                .startsWith("{\"rules\":2,\"from\":\"2027-01\",\"used\":false,\"aloneFrom\":\"2027-04\",\"profile\":"
                        + "{\"ipPrefixes\":[8,16,24,\"::/32\",\"::/40\",\"::/48\",\"::/56\",\"::/64\"],");
        try (KeyFolder folder = open();
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            List<LogEntry> entries = log.newestFirst(Long.MAX_VALUE, 100);
            assertThat(entries.getFirst().kind()).isEqualTo(EntryKind.SENDER_CHANGE);
            assertThat(entries.getFirst().details().get("name").toString())
                    .contains("keywords by rules 2 of profile ", "from epoch 2027-01, alone from epoch 2027-04");
            assertThat(entries.stream().filter(entry -> entry.kind() == EntryKind.SENDER_CHANGE))
                    .hasSize(1);
        }
    }

    @Test
    void whoWouldBeRefusedIsSaidWhereAGatewayIsNamed() throws Exception {
        run.ok("keys", "rules", 2);
        try (FakeGateway gateway = new FakeGateway()) {
            run.environment.put("VEILGATE_GATEWAY", gateway.url());
            run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
            assertThat(run.ok("keys", "rules", "--alone-from", "2027-03").err()).contains("does not know who");
            gateway.rules = """
                    [{"sender":"press-4","rules":1,"lastSealed":"2026-11-21T11:00:00Z"},
                    {"sender":"press-5","rules":1,"lastSealed":"2026-11-20T11:00:00Z"},
                    {"sender":"press-5","rules":2,"lastSealed":"2026-11-21T11:00:00Z"},
                    {"sender":"","rules":1,"lastSealed":"2026-11-21T11:00:00Z"}]""";
            assertThat(run.ok("keys", "rules", "--alone-from", "2027-04").err())
                    .contains("would be refused:\n  (mail that no sender signed)\n  press-4\n")
                    .doesNotContain("press-5");
        }
        assertThat(run.ok("keys", "rules", "--alone-from", "2027-05").err())
                .as("it is away, and the change is made")
                .contains("does not say who");
        assertThat(run.ok("keys", "rules").out()).contains("From epoch 2027-05 on gateways refuse");
    }

    @Test
    void theProfilesOfAllRulesAreChangedTogether() {
        run.ok("keys", "rules", 2);
        assertThat(run.ok("keys", "profile", "--fields", "unit").out()).doesNotContain("stays as it is");
        assertThat(run.ok("keys", "rules").out()).contains("fields       [unit]");
    }

    @Test
    void networksOfIpv4TakeThoseOfIpv6FromNobody() {
        run.ok("keys", "rules", 2);
        run.ok("keys", "profile", "--ip-prefixes", "8,24");
        assertThat(run.ok("keys", "rules").out()).contains("ipPrefixes   [8, 24, ::/32, ::/40, ::/48, ::/56, ::/64]");
        run.ok("keys", "profile", "--ip-prefixes", "");
        assertThat(run.ok("keys", "rules").out()).contains("ipPrefixes   []");
    }

    @Test
    void aNewTenantHasTheNewestRulesUnlessItIsSaidOtherwise() {
        Path folder = temporary.resolve("new");
        run.ok("keys", "init", "--tenant", "x", "--memory", "8", "--keys", folder);
        assertThat(run.ok("keys", "rules", "--keys", folder).out()).contains("From epoch 2026-11 on", "rules 2");
        Path former = temporary.resolve("former");
        run.ok("keys", "init", "--tenant", "x", "--memory", "8", "--rules", 1, "--keys", former);
        assertThat(run.ok("keys", "rules", "--keys", former).out()).doesNotContain("From epoch");
        assertThat(run.run("keys", "init", "--tenant", "x", "--rules", 3, "--keys", temporary.resolve("none"))
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aChangeThatWouldHideWhatLaterRulesSealedIsMadeOfRules1Alone() {
        run.ok("keys", "rules", 2, "--fields", "unit");
        run.now = DECEMBER;
        assertThat(run.ok("keys", "profile", "--fields", "").out()).contains("stays as it is (veilgate keys rules)");
        assertThat(run.ok("keys", "rules").out()).contains("fields       [unit]");
    }
}
