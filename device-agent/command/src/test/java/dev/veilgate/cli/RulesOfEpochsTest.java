package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that are sealed by rules 1 and by rules 2, and one search for both. */
class RulesOfEpochsTest {
    /** Rules 1 see a JSON record with a text, rules 2 the line that a container wrote. */
    private static final String WRAPPED =
            "{\"log\":\"2026-11-21T11:00:01Z ERROR overheat user=bob\\n\",\"stream\":\"stderr\","
                    + "\"time\":\"2026-11-21T11:00:01.5Z\"}";

    private static final String PLAIN = "2026-11-21T11:00:00Z press-4 pump[7]: level=error overheat";

    @TempDir
    private Path temporary;

    private Site site;
    private Path before;
    private Path after;

    @BeforeEach
    void sealByBoth() throws Exception {
        site = Site.ofRules1(temporary);
        before = site.seal("before", WRAPPED, PLAIN);
        change(present -> new NextProfile(
                ExtractorProfile.defaults().withRules(2).encode(), EpochPolicy.MONTHLY.at(site.run.now), null));
        after = site.seal("after", WRAPPED, PLAIN);
    }

    private void change(Function<TenantProfiles, NextProfile> later) throws Exception {
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(site.keys, passphrase, KeyFolder.Access.CHANGE, new SecureRandom())) {
            TenantKeys keys = folder.keys();
            keys.setProfiles(keys.profiles().withNext(later.apply(keys.profiles())));
            folder.save();
        }
        site.newBundle();
    }

    private String search(String query) {
        return site.run.ok("search", "--scope", "plant-7", query, before, after).out();
    }

    @Test
    void aHitIsDecidedByTheRulesOfItsEnvelope() {
        assertThat(search("overheat")).isEqualTo((WRAPPED + "\n" + PLAIN + "\n").repeat(2));
        assertThat(search("user:bob")).as("of rules 2 alone").isEqualTo(WRAPPED + "\n");
        assertThat(search("stream:stderr overheat")).isEqualTo((WRAPPED + "\n").repeat(2));
        assertThat(search("overheat NOT user:bob"))
                .as("rules 1 do not know whose line it is")
                .isEqualTo(WRAPPED + "\n" + PLAIN + "\n" + PLAIN + "\n");
    }

    @Test
    void anEpochOfLaterRulesAloneIsAskedByTheseAlone() throws Exception {
        Epoch present = EpochPolicy.MONTHLY.at(site.run.now);
        change(profiles -> new NextProfile(profiles.next().orElseThrow().encoded(), present, present));
        assertThat(search("user:bob")).isEqualTo(WRAPPED + "\n");
    }

    /** Each text is one word by rules 1 and two pairs by rules 2; eleven months are searched. */
    @Test
    void aSearchThatIsTooLargeByBothRulesIsRefusedBeforeAnythingIsIssued() throws Exception {
        site.run.ok("keys", "log", "--begin");
        String entries = site.run.ok("keys", "log").out();
        String query = words(260);
        CommandRun.Result refused =
                site.run.run("search", "--scope", "plant-7", "--from", "2026-01-01", query, before, after);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("8580 trapdoors", "8192 are allowed");
        assertThat(site.run.ok("keys", "log").out()).isEqualTo(entries);
        assertThat(site.run
                        .run("search", "--scope", "plant-7", "--from", "2026-10-01", words(100), before, after)
                        .code())
                .isEqualTo(ExitCode.NO_MATCH);
    }

    private static String words(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new String(new int[] {0x4e00 + 3 * i, 0x4e01 + 3 * i, 0x4e02 + 3 * i}, 0, 3))
                .collect(Collectors.joining(" OR "));
    }
}
