package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envelopes of a stranger who has the public bundle and wants to harm whoever opens them. */
class HostileEnvelopeTest {
    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
    }

    private Path seal(String name, List<Label> readers) throws Exception {
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, run.now);
        byte[] line = "overheat".getBytes(StandardCharsets.UTF_8);
        EnvelopeDraft draft = new EnvelopeDraft(
                "plant-7", "2026-11", run.now, run.now, "text/plain", List.of(line), List.of(), List.of(), 0);
        Path file = temporary.resolve(name);
        try (EnvelopeSealer sealer =
                new EnvelopeSealer(bundle, null, Clock.fixed(run.now, ZoneOffset.UTC), new SecureRandom())) {
            byte[] sealed = sealer.seal(draft.forReaders(readers), ChainPosition.first())
                    .bytes();
            Files.write(file, sealed);
        }
        return file;
    }

    private static Policy leaf(String name, String value) {
        return new Policy.Leaf(Attribute.of(name, value));
    }

    /** For the data protection officer, or hundreds of others. */
    private static Label costly(int variant) {
        List<Policy> children = new ArrayList<>(List.of(leaf("role", "dpo")));
        for (int i = 0; i < 900; i++) {
            children.add(leaf("b" + variant, Integer.toString(i)));
        }
        return new Label.OfPolicy(new Policy.Gate(1, children));
    }

    /** Each wrap opens to nothing, after all the work: its first byte behind the scheme's name is another. */
    private static void spoilWraps(Path file) throws Exception {
        byte[] sealed = Files.readAllBytes(file);
        byte[] mark = "\ncp-fabeo22".getBytes(StandardCharsets.US_ASCII); // its length is 10
        int spoilt = 0;
        for (int at = 0; at < sealed.length - mark.length; at++) {
            if (Arrays.equals(sealed, at, at + mark.length, mark, 0, mark.length)) {
                sealed[at + mark.length] ^= 1;
                spoilt++;
            }
        }
        assertThat(spoilt).isEqualTo(3);
        Files.write(file, sealed);
    }

    @Test
    void namesWhatWasMadeToHoldUpItsReaderAndGoesOn() throws Exception {
        Path hostile = seal("hostile.vge", List.of(costly(1), costly(2), costly(3)));
        assertThat(run.ok("open", hostile).out()).isEqualTo("overheat\n");
        spoilWraps(hostile);
        Path honest = seal("honest.vge", List.of());
        Result opened = run.run("open", hostile, honest);
        assertThat(opened.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(opened.err()).contains("hostile.vge:1: refused: work-limit: ");
        assertThat(opened.out()).isEqualTo("overheat\n");
    }

    @Test
    void printsNoDirectionsOfWritingOfAPolicy() throws Exception {
        String turned = "auditor\u202eopd\u2066";
        Path key = temporary.resolve("eve.vgr");
        run.environment.put("VEILGATE_READER_PASSPHRASE", "another horse battery");
        run.ok("keys", "issue", "--memory", "8", "eve", "--attributes", "role:pilot", "-o", key);
        Path hostile = seal("turned.vge", List.of(new Label.OfPolicy(leaf("role", turned))));
        Result refused = run.run("open", "--reader-key", key, hostile);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err())
                .contains("auditor\\u202eopd\\u2066")
                .doesNotContain("\u202e")
                .doesNotContain("\u2066");
        Result usage = run.run("keys", "issue", "--memory", "8", "eve", "--attributes", "role:\"" + turned, "-o", key);
        assertThat(usage.code()).isEqualTo(ExitCode.USAGE);
        assertThat(usage.err()).doesNotContain("\u202e");
    }
}
