package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders by the hundred, and commands that need to know who is registered. */
class SendersOfTenantTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    @BeforeEach
    void makeSite() throws Exception {
        site = new Site(temporary);
        run = site.run;
    }

    private static String key(String name) {
        byte[] ed25519 = new byte[32];
        byte[] mlDsa65 = new byte[1952];
        RANDOM.nextBytes(ed25519);
        RANDOM.nextBytes(mlDsa65);
        return SenderKeyText.write(new SenderPublicKey(name, ed25519, mlDsa65));
    }

    private Path registryFile() {
        return temporary.resolve("acme.senders");
    }

    private SenderRegistry registry() throws Exception {
        site.newBundle();
        return SenderRegistry.open(registryFile(), new SenderRegistry.Expected(site.authority, "acme", 0));
    }

    @Test
    void takesFilesFoldersAndManyKeysInOne() throws Exception {
        run.ok("keys", "log", "--begin");
        Path fleet = Files.createDirectory(temporary.resolve("fleet"));
        Files.writeString(fleet.resolve("a.pub"), key("a-1"));
        Files.writeString(fleet.resolve("b.pub"), "sent by mail\n" + key("b-1") + "\n\n" + key("b-2") + "regards\n");
        Files.writeString(fleet.resolve("a.identity"), "not public");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 150; i++) {
            many.append(key("press-%03d".formatted(i)));
        }
        Path file =
                Files.writeString(temporary.resolve("many.txt"), many.toString().replace("\n", "\r\n"));
        Result one = run.ok("keys", "add-sender", fleet);
        assertThat(one.out()).contains("sender a-1 ").contains("sender b-2 ").contains("keys bundle");
        Result all = run.ok("keys", "add-sender", fleet, file, file);
        assertThat(all.out()).contains("added 150 senders; 3 were registered with the same key already");
        try (SenderRegistry registry = registry()) {
            assertThat(registry.head().count()).isEqualTo(154);
            assertThat(registry.keysOf("b-2")).hasSize(1);
            assertThat(registry.keysOf("press-149")).hasSize(1);
        }
        String log = run.ok("keys", "log").out();
        assertThat(log)
                .contains("sender a-1 ")
                .contains("sender b-1 ")
                .contains("added 150 senders, SHA-256 of their lines")
                .doesNotContain("press-149");

        Path names = Files.writeString(temporary.resolve("names"), "press-001\npress-002\n\n");
        assertThat(run.ok("keys", "remove-sender", "a-1", "--from", names).out())
                .contains("removed the sender a-1")
                .contains("removed the sender press-002");
        try (SenderRegistry registry = registry()) {
            assertThat(registry.head().count()).isEqualTo(151);
            assertThat(registry.keysOf("a-1")).isEmpty();
        }
    }

    @Test
    void changesNothingIfAnythingIsWrong() throws Exception {
        String good = key("good");
        String cut = key("cut");
        Path file = Files.writeString(
                temporary.resolve("some.txt"), good + cut.substring(0, 500) + "\n" + key("press-4") + key("good"));
        Path empty = Files.writeString(temporary.resolve("empty.pub"), "hello\n");
        Path folder = Files.createDirectory(temporary.resolve("nothing"));
        byte[] before = Files.readAllBytes(site.keys.resolve("keys.vgk"));
        Result wrong = run.run("keys", "add-sender", file, empty, folder);
        assertThat(wrong.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(wrong.err())
                .contains("nothing was changed, for ")
                .contains("some.txt, key 2: sender-key: must end with")
                .contains("key 4: another key of good than in ")
                .contains("empty.pub: has no key")
                .contains("nothing: has no file whose name ends with .pub");
        Path taken = Files.writeString(temporary.resolve("taken.txt"), good + key("press-4"));
        Result other = run.run("keys", "add-sender", taken);
        assertThat(other.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(other.err())
                .contains("taken.txt, key 2")
                .contains("--replace")
                .contains("nothing was changed");
        assertThat(site.keys.resolve("keys.vgk")).hasBinaryContent(before);
        run.ok("keys", "add-sender", "--replace", taken);

        before = Files.readAllBytes(site.keys.resolve("keys.vgk"));
        Result nobody = run.run("keys", "remove-sender", "good", "nobody", "neither");
        assertThat(nobody.code()).isEqualTo(ExitCode.USAGE);
        assertThat(nobody.err()).contains("no such sender: neither, nobody; nothing was changed");
        assertThat(site.keys.resolve("keys.vgk")).hasBinaryContent(before);
        assertThat(run.run("keys", "remove-sender").code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aBundleOnStandardOutputHasNoRegistryBesideIt() throws Exception {
        Files.delete(registryFile());
        assertThat(run.ok("keys", "bundle", "-o", "-").bytes()).isNotEmpty();
        assertThat(registryFile()).doesNotExist();
        Path named = temporary.resolve("fleet.senders");
        run.ok("keys", "bundle", "-o", "-", "--senders", named);
        assertThat(named).exists();
        Path aside = Files.createDirectory(temporary.resolve("aside"));
        run.ok("keys", "bundle", "-o", aside.resolve("x.vgb"), "--senders", aside.resolve("y"));
        assertThat(aside.resolve("x.senders")).doesNotExist();
        assertThat(aside.resolve("y")).hasBinaryContent(Files.readAllBytes(named));
    }

    @Test
    void oneFileIsNotBundleAndRegistryAtOnce() throws Exception {
        byte[] before = Files.readAllBytes(registryFile());
        Path bundle = temporary.resolve("both");
        for (Object[] places : new Object[][] {
            {"-o", registryFile()}, {"-o", bundle, "--senders", bundle}, {"-o", "-", "--senders", "-"}
        }) {
            List<Object> command = new ArrayList<>(List.of("keys", "bundle"));
            command.addAll(List.of(places));
            CommandRun.Result refused = run.run(command.toArray());
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.err()).contains("would both be written to");
        }
        assertThat(registryFile()).hasBinaryContent(before);
        assertThat(bundle).doesNotExist();
    }

    /** As after a restore: whoever saw serial 7 takes no lower one. */
    @Test
    void serialsAreRaisedAboveThoseThatWereSeen() throws Exception {
        Path out = temporary.resolve("raised.vgb");
        run.ok("keys", "bundle", "-o", out, "--above", "7");
        SenderRegistry.Expected seen = new SenderRegistry.Expected(site.authority, "acme", 8);
        assertThat(SenderRegistry.open(SenderRegistry.beside(out), seen).head().serial())
                .isEqualTo(8);
        assertThat(run.ok("keys", "show", "--json").out())
                .contains("\"bundleSerial\":8")
                .contains("\"sendersSerial\":8");
        run.ok("keys", "bundle", "-o", out, "--above", "3");
        assertThat(run.ok("keys", "show", "--json").out())
                .as("never lower, and no registry without need")
                .contains("\"bundleSerial\":9")
                .contains("\"sendersSerial\":8");
        assertThat(run.ok("keys", "check").code()).isZero();
        assertThat(run.run("keys", "bundle", "-o", out, "--above", "2000000000").code())
                .isEqualTo(2);
    }

    @Test
    void whoVerifiesNeedsTheRegistryAndSaysSo() throws Exception {
        Path sealed = site.seal("day", "one", "two");
        assertThat(run.ok("verify", sealed).err()).contains(" envelopes verified, 0 findings");
        Path away = Files.move(registryFile(), temporary.resolve("away"));
        Result unknown = run.run("verify", sealed);
        assertThat(unknown.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(unknown.err())
                .contains("is not known here")
                .contains("acme.senders")
                .contains("--senders");
        assertThat(run.ok("verify", "--senders", away, sealed).err()).contains("0 findings");
        assertThat(run.run("verify", "--senders", temporary.resolve("absent"), sealed)
                        .code())
                .isEqualTo(ExitCode.IO);

        byte[] bytes = Files.readAllBytes(away);
        bytes[bytes.length - 1] ^= 1;
        Files.write(registryFile(), bytes);
        Result altered = run.run("verify", sealed);
        assertThat(altered.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(altered.err()).contains("acme.senders").contains("was altered");
    }

    @Test
    void sealSaysWhetherItsIdentityIsRegistered() throws Exception {
        Path log = Files.writeString(temporary.resolve("x.log"), "one\n");
        Path out = temporary.resolve("x.vge");
        assertThat(run.ok("seal", "--identity", site.identity, "--scope", "s", "-o", out, log)
                        .err())
                .doesNotContain("registered");
        Path stranger = temporary.resolve("stranger");
        run.ok("identity", "init", stranger, "--sender", "stranger");
        assertThat(run.ok("seal", "--identity", stranger, "--scope", "s", "-o", out, log)
                        .err())
                .contains("warning: this identity is not registered");
        Files.delete(registryFile());
        assertThat(run.ok("seal", "--identity", site.identity, "--scope", "s", "-o", out, log)
                        .err())
                .contains("note: whether this identity is registered was not looked up")
                .doesNotContain("warning");
    }

    @Test
    void aReaderWithoutTheRegistryIsToldThatNoSignatureIsChecked() throws Exception {
        Path file = temporary.resolve("new");
        Files.writeString(file, "a reader's passphrase\n");
        Path reader = temporary.resolve("ada.vgr");
        run.ok(
                "keys",
                "issue",
                "ada",
                "--attributes",
                "role:auditor",
                "--memory",
                "8",
                "--reader-passphrase-file",
                file,
                "-o",
                reader);
        site.newBundle();
        Path log = Files.writeString(temporary.resolve("x.log"), "one\n");
        Path sealed = temporary.resolve("x.vge");
        run.ok("seal", "--identity", site.identity, "--scope", "s", "--readers", "role:auditor", "-o", sealed, log);
        Object[] open = {"open", "--reader-key", reader, "--reader-passphrase-file", file, sealed};
        Result signed = run.ok(open);
        assertThat(signed.out()).isEqualTo("one\n");
        assertThat(signed.err()).isEmpty();
        Files.delete(registryFile());
        Result unknown = run.ok(open);
        assertThat(unknown.out()).isEqualTo("one\n");
        assertThat(unknown.err()).contains("no signature is checked").doesNotContain("not signed by a registered");
        Result only =
                run.run("open", "--signed-only", "--reader-key", reader, "--reader-passphrase-file", file, sealed);
        assertThat(only.code()).isEqualTo(ExitCode.REFUSED);
    }
}
