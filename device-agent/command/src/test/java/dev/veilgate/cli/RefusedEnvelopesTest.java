package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged or forged among envelopes: named, and nothing else is lost by it. */
class RefusedEnvelopesTest {
    private static final byte[] NO_ENVELOPE = {0x01}; // an item of CBOR
    private static final byte[] NO_ITEM = {(byte) 0xff};

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(Files.createDirectory(temporary.resolve("site")));
        run = site.run;
    }

    @Test
    void openGoesOnBehindWhatIsRefused() throws Exception {
        Path joined = joined(foreign(), NO_ENVELOPE, Files.readAllBytes(site.seal("second", "two")), NO_ITEM);
        Path third = site.seal("third", "three");
        Result opened = run.run("open", joined, third);
        assertThat(opened.out()).isEqualTo("two\nthree\n");
        assertThat(opened.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(opened.err())
                .contains(joined + ":1: refused: ")
                .contains(joined + ":3: refused: ")
                .containsPattern("joined.vge:[6-9]: refused: .* behind it in this file cannot be read");
        Path file = temporary.resolve("opened.log");
        assertThat(run.run("open", "-o", file, joined, third).code()).isEqualTo(ExitCode.REFUSED);
        assertThat(file).hasContent("two\nthree\n");
        Result signed = run.run("open", "--signed-only", forged("lie"), third);
        assertThat(signed.out()).isEqualTo("three\n");
        assertThat(signed.err()).contains("forged.vge:1: refused: not signed by a registered sender");
        assertThat(signed.code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void templatesGoOnBehindWhatIsRefused() throws Exception {
        Path joined = joined(NO_ENVELOPE, Files.readAllBytes(site.seal("first", "valve opened")), NO_ITEM);
        Result listed = run.run("templates", joined, site.seal("second", "pump started"));
        assertThat(listed.out()).contains("valve opened", "pump started");
        assertThat(listed.err()).contains(joined + ":1: refused: ").contains(joined + ":4: refused: ");
        assertThat(listed.code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void verifyTellsWhatItFoundBeforeAFileBroke() throws Exception {
        site.seal("first", "one");
        Path joined = joined(Files.readAllBytes(site.seal("second", "two")), NO_ITEM);
        Result verified = run.run("verify", joined);
        assertThat(verified.out()).startsWith("missing press-4 1");
        assertThat(verified.err()).contains(joined + ":3: refused: ").contains("2 envelopes verified, 1 findings");
        assertThat(verified.code()).isEqualTo(ExitCode.REFUSED);
    }

    /** Whoever has the public bundle can seal a catalogue in any name, and give a kind of messages another's names. */
    @Test
    void templatesTakesNoCatalogueThatNobodySignedFor() throws Exception {
        Path forged = forged("lie told");
        Result listed = run.ok("templates", "--json", forged, site.seal("first", "pump started"));
        assertThat(listed.out()).contains("pump started", "\"press-4\"").doesNotContain("lie");
        assertThat(listed.err()).contains("warning: 1 catalogues are not signed by a registered sender");
        assertThat(run.run("templates", forged).code()).isEqualTo(ExitCode.NO_MATCH);
    }

    @Test
    void testShowsOnlySendersThatTheBundleProves() throws Exception {
        Path request = temporary.resolve("pump.search");
        run.ok("trapdoor", "--scope", "plant-7", "-o", request, "pump");
        Path sealed = site.seal("first", "pump started");
        Path forged = forged("pump started");
        Object[] proven = {"test", "--json", "--bundle", site.bundle, "--authority", site.authority, request};
        assertThat(run.ok(with(proven, sealed)).out()).contains("\"sender\":\"press-4\"");
        assertThat(run.ok(with(proven, forged)).out())
                .contains("\"records\":[0]")
                .doesNotContain("press-4");
        Path altered = temporary.resolve("altered.vge");
        byte[] bytes = Files.readAllBytes(sealed);
        int block = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("ntru-peks");
        bytes[block + 1000] ^= 1; // in the mask
        Files.write(altered, bytes);
        CommandRun.Result refused = run.run(with(proven, altered));
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("ntru-peks.binding");
    }

    private static Object[] with(Object[] arguments, Object last) {
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = last;
        return all;
    }

    private Path forged(String line) throws Exception {
        Path forger = temporary.resolve("forger.identity");
        IdentityFile.create(forger, "press-4", new SecureRandom()).close();
        Path log = temporary.resolve("forged.log");
        Files.writeString(log, line + "\n");
        Path forged = temporary.resolve("forged.vge");
        run.ok("seal", "--identity", forger, "--scope", "plant-7", "-o", forged, log);
        return forged;
    }

    /** Envelopes of another tenant: whole, and not for these keys. */
    private byte[] foreign() throws Exception {
        Site other = Site.another(Files.createDirectory(temporary.resolve("other")));
        return Files.readAllBytes(other.seal("other", "other"));
    }

    private Path joined(byte[]... parts) throws Exception {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        Path file = temporary.resolve("joined.vge");
        Files.write(file, joined.toByteArray());
        return file;
    }
}
