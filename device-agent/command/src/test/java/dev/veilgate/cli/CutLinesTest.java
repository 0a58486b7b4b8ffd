package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.extract.ExtractorProfile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that container runtimes cut into parts, sealed from a file and searched. */
class CutLinesTest {
    private static final String[] DOCKER = {
        "{\"log\":\"2026-11-21T11:00:01Z ERR\",\"stream\":\"stdout\",\"time\":\"2026-11-21T11:00:01.5Z\"}",
        "{\"log\":\"2026-11-21T11:00:02Z WARN other=1\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-21T11:00:02Z\"}",
        "{\"log\":\"OR overheat user=bo\",\"stream\":\"stdout\",\"time\":\"2026-11-21T11:00:01.5Z\"}",
        "{\"log\":\"b\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T11:00:01.5Z\"}",
    };

    private static final String[] KUBERNETES = {
        "2026-11-21T11:00:01Z stderr P {\"level\":\"err",
        "2026-11-21T11:00:01Z stdout P over",
        "2026-11-21T11:00:01Z stderr F or\",\"user\":\"eve\"}",
        "2026-11-21T11:00:01Z stdout F load",
    };

    @TempDir
    private Path temporary;

    private Site site;

    @BeforeEach
    void makeSite() throws Exception {
        site = Site.ofRules1(temporary);
    }

    private void useRules2() throws Exception {
        byte[] passphrase = CommandRun.PASSPHRASE.getBytes(StandardCharsets.UTF_8);
        try (KeyFolder folder = KeyFolder.open(site.keys, passphrase, KeyFolder.Access.CHANGE, new SecureRandom())) {
            TenantKeys keys = folder.keys();
            keys.setProfiles(keys.profiles()
                    .withNext(new NextProfile(
                            ExtractorProfile.defaults().withRules(2).encode(),
                            EpochPolicy.MONTHLY.at(site.run.now),
                            null)));
            folder.save();
        }
        site.newBundle();
    }

    private String search(String query, Path sealed) {
        return site.run.ok("search", "--scope", "plant-7", query, sealed).out();
    }

    private static String text(String... lines) {
        return String.join("\n", lines) + "\n";
    }

    @Test
    void aLineThatDockerCutIsFoundAsOneByRules2() throws Exception {
        useRules2();
        Path sealed = site.seal("docker", DOCKER);
        String whole = text(DOCKER[0], DOCKER[2], DOCKER[3]);
        assertThat(search("level:error user:bob overheat stream:stdout", sealed))
                .isEqualTo(whole);
        assertThat(site.run
                        .run("search", "--scope", "plant-7", "user:bo OR err OR word:or", sealed)
                        .out())
                .as("no word is of a part")
                .isEmpty();
        assertThat(search("level:warn", sealed)).isEqualTo(text(DOCKER[1]));
        assertThat(site.run.ok("open", sealed).out()).isEqualTo(text(DOCKER[1]) + whole);
        assertThat(site.run.ok("verify", sealed).err()).contains(" 0 findings");
    }

    @Test
    void aLineThatKubernetesCutIsFoundAsOneByRules2() throws Exception {
        useRules2();
        Path sealed = site.seal("kubernetes", KUBERNETES);
        assertThat(search("level:error user:eve stream:stderr", sealed)).isEqualTo(text(KUBERNETES[0], KUBERNETES[2]));
        assertThat(search("overload", sealed)).isEqualTo(text(KUBERNETES[1], KUBERNETES[3]));
    }

    @Test
    void byRules1EachPartIsARecord() throws Exception {
        Path sealed = site.seal("before", DOCKER);
        assertThat(search("overheat", sealed)).isEqualTo(text(DOCKER[2]));
        assertThat(site.run.ok("open", sealed).out()).isEqualTo(text(DOCKER));
        useRules2();
        assertThat(search("overheat", sealed)).isEqualTo(text(DOCKER[2]));
    }

    @Test
    void aFormatThatIsNamedIsReadLineByLine() throws Exception {
        useRules2();
        Path log = Files.writeString(temporary.resolve("named.log"), text(DOCKER));
        Path sealed = temporary.resolve("named.vge");
        site.run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "--format", "json", "-o", sealed, log);
        assertThat(site.run.ok("open", sealed).out()).isEqualTo(text(DOCKER));
    }

    /** A part that waits at the end of a file is no part of the next file. */
    @Test
    void aPartWhoseRestIsMissingIsARecord() throws Exception {
        useRules2();
        Path first = Files.writeString(temporary.resolve("1.log"), text(DOCKER[0]));
        Path second = Files.writeString(temporary.resolve("2.log"), text(DOCKER[3]) + KUBERNETES[0]);
        Path sealed = temporary.resolve("both.vge");
        site.run.ok("seal", "--identity", site.identity, "--scope", "plant-7", "-o", sealed, first, second);
        assertThat(search("word:err stream:stdout", sealed)).isEqualTo(text(DOCKER[0]));
        assertThat(site.run.ok("open", sealed).out()).isEqualTo(text(DOCKER[0], DOCKER[3]) + KUBERNETES[0]);
    }
}
