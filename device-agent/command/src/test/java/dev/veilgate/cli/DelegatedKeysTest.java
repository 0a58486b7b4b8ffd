package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader's file that a reader made from its own, used as the authority's are. */
class DelegatedKeysTest {
    private static final String LINE = "2026-11-21T10:00:05Z press-4 pump[9]: overheat";
    private static final String ADA = "ada's horse battery";
    private static final String ASSISTANT = "the assistant's horse";

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;
    private Path ada;

    @BeforeEach
    void start() throws Exception {
        site = new Site(temporary);
        run = site.run;
        gateway = new FakeGateway();
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_SCOPE", "plant-7");
        run.ok("keys", "rotate", "--policy-scheme", "cp-bsw07");
        run.ok("keys", "seal-with", "cp-bsw07");
        site.newBundle();
        ada = issue("ada", "role:auditor, site:plant-7, clearance = 5", "2026-11,2026-12");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private Path issue(String reader, String attributes, String epochs) {
        Path file = temporary.resolve(reader + ".vgr");
        run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        run.ok("keys", "issue", "--memory", "8", reader, "--attributes", attributes, "--epoch", epochs, "-o", file);
        return file;
    }

    private Path seal(String readers) throws Exception {
        Path log = temporary.resolve("day.log");
        Files.writeString(log, LINE + "\n");
        Path sealed = temporary.resolve("day.vge");
        run.ok("seal", "--identity", site.identity, "--readers", readers, "-o", sealed, log);
        return sealed;
    }

    private CommandRun.Result delegate(Path from, Path to, String attributes, Object... more) {
        run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        run.environment.put("VEILGATE_NEW_READER_PASSPHRASE", ASSISTANT);
        Object[] arguments = new Object[more.length + 9];
        Object[] fixed = {"keys", "delegate", "--memory", "8", from, "--attributes", attributes, "-o", to};
        System.arraycopy(fixed, 0, arguments, 0, fixed.length);
        System.arraycopy(more, 0, arguments, fixed.length, more.length);
        CommandRun.Result result = run.run(arguments);
        run.environment.put("VEILGATE_READER_PASSPHRASE", ASSISTANT);
        return result;
    }

    private CommandRun.Result open(Path readerKey, Path sealed) {
        return run.run("open", "--reader-key", readerKey, sealed);
    }

    @Test
    void opensAndSearchesForWhatWasHandedOnAndForNothingElse() throws Exception {
        Path request = temporary.resolve("overheat.search");
        run.ok("trapdoor", "-o", request, "overheat");
        run.environment.remove("VEILGATE_SCOPE");
        Path assistant = temporary.resolve("assistant.vgr");
        Path keys = temporary.resolve("keys");
        Path elsewhere = temporary.resolve("elsewhere");
        Files.move(keys, elsewhere);
        CommandRun.Result made = delegate(ada, assistant, "role:auditor");
        assertThat(made.err()).isEmpty();
        assertThat(made.out()).isEqualTo(assistant + ": delegate of ada, role:auditor, 2026-11, 2026-12\n");
        Files.move(elsewhere, keys);

        run.environment.put("VEILGATE_SCOPE", "plant-7");
        Path sealed = seal("role:auditor OR role:dpo");
        gateway.store(sealed);
        assertThat(open(assistant, sealed).out()).isEqualTo(LINE + "\n");
        run.environment.remove("VEILGATE_SCOPE");
        assertThat(run.ok("search", "--request", request, "--reader-key", assistant, "overheat")
                        .out())
                .isEqualTo(LINE + "\n");
        run.environment.put("VEILGATE_SCOPE", "plant-7");
        for (String beyond : new String[] {"role:auditor AND site:plant-7", "clearance >= 3"}) {
            CommandRun.Result refused = open(assistant, seal(beyond));
            assertThat(refused.code()).as(beyond).isEqualTo(ExitCode.REFUSED);
            assertThat(refused.out()).isEmpty();
        }
    }

    @Test
    void aNumberIsHandedOnWithWhatComparesIt() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        assertThat(delegate(ada, assistant, "clearance = 5").code()).isZero();
        assertThat(open(assistant, seal("clearance >= 3")).out()).isEqualTo(LINE + "\n");
        assertThat(delegate(ada, assistant, "clearance = 3").code())
                .as("a lower number is another attribute")
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aDelegateDelegates() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        assertThat(delegate(ada, assistant, "role:auditor, site:plant-7").code())
                .isZero();
        Path trainee = temporary.resolve("trainee.vgr");
        run.environment.put("VEILGATE_NEW_READER_PASSPHRASE", "the trainee's horse");
        run.ok(
                "keys",
                "delegate",
                "--memory",
                "8",
                assistant,
                "--attributes",
                "site:plant-7",
                "--to",
                "trainee",
                "-o",
                trainee);
        run.environment.put("VEILGATE_READER_PASSPHRASE", "the trainee's horse");
        assertThat(open(trainee, seal("site:plant-7")).out()).isEqualTo(LINE + "\n");
        assertThat(open(trainee, seal("role:auditor")).code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void epochsThatAreLeftOutAreNotHandedOn() throws Exception {
        Path december = temporary.resolve("december.vgr");
        assertThat(delegate(ada, december, "role:auditor", "--epoch", "2026-12").out())
                .endsWith("role:auditor, 2026-12\n");
        assertThat(open(december, seal("role:auditor")).code()).isEqualTo(ExitCode.REFUSED);
        assertThat(open(december, seal("role:auditor@2026-12")).out()).isEqualTo(LINE + "\n");
        Path november = temporary.resolve("november.vgr");
        assertThat(delegate(ada, november, "role:auditor", "--epoch", "2026-10..2026-11")
                        .out())
                .endsWith("role:auditor, 2026-11\n");
        assertThat(open(november, seal("role:auditor")).out()).isEqualTo(LINE + "\n");
        CommandRun.Result none = delegate(ada, november, "role:auditor", "--epoch", "2027-01");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("no keys for 2027-01, but for 2026-11, 2026-12");
        for (String wrong : new String[] {"", "2026-12..2026-11", "2026-1..2026-12", ","}) {
            assertThat(delegate(ada, november, "role:auditor", "--epoch", wrong).code())
                    .as(wrong)
                    .isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void attributesThatTheFileHasNotAreRefused() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        for (String beyond : new String[] {"role:dpo", "role:auditor, role:dpo", "role:auditor@2027-01"}) {
            CommandRun.Result refused = delegate(ada, assistant, beyond);
            assertThat(refused.code()).as(beyond).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("it has: ", "role:auditor", "clearance");
        }
        assertThat(delegate(ada, assistant, "role auditor").code()).isEqualTo(ExitCode.USAGE);
        assertThat(assistant).doesNotExist();
    }

    @Test
    void keysOfAnotherSchemeAreRefusedAndTheSchemeThatCanIsNamed() throws Exception {
        run.ok("keys", "seal-with", "cp-fabeo22");
        Path both = issue("carl", "role:dpo", "2026-11");
        Path assistant = temporary.resolve("assistant.vgr");
        assertThat(delegate(both, assistant, "role:dpo").code())
                .as("the file has keys of both pairs")
                .isZero();
        Site plain = Site.another(Files.createDirectory(temporary.resolve("plain")));
        plain.run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        Path fabeo = temporary.resolve("fabeo.vgr");
        plain.run.ok("keys", "issue", "--memory", "8", "eve", "--attributes", "role:dpo", "-o", fabeo);
        CommandRun.Result refused = delegate(fabeo, assistant, "role:dpo");
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("keys of cp-fabeo22 cannot be delegated, those of cp-bsw07 can");
    }

    @Test
    void theNewFileHasAPassphraseOfItsOwn() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        assertThat(delegate(ada, assistant, "role:auditor").code()).isZero();
        Path sealed = seal("role:auditor");
        assertThat(open(ada, sealed).code()).as("with the delegate's").isEqualTo(ExitCode.KEY);
        byte[] before = Files.readAllBytes(assistant);
        run.environment.put("VEILGATE_NEW_READER_PASSPHRASE", ADA);
        run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        CommandRun.Result same =
                run.run("keys", "delegate", "--memory", "8", ada, "--attributes", "role:auditor", "-o", assistant);
        assertThat(same.code()).isEqualTo(ExitCode.KEY);
        assertThat(same.err()).contains("a passphrase of its own");
        assertThat(assistant).hasBinaryContent(before);
        assertThat(delegate(ada, ada, "role:auditor").code())
                .as("over the file that is read")
                .isEqualTo(ExitCode.USAGE);
        run.environment.remove("VEILGATE_READER_PASSPHRASE");
        run.environment.remove("VEILGATE_NEW_READER_PASSPHRASE");
        run.typed.addAll(java.util.List.of(ADA, ASSISTANT, ASSISTANT));
        run.ok("keys", "delegate", "--memory", "8", ada, "--attributes", "role:auditor", "-o", assistant);
        assertThat(run.asked).hasSize(3);
    }

    /** What is no file would be gone: a device, a pipe, and whatever others write to. */
    @Test
    void whatIsNoFileIsNotWrittenOver() throws Exception {
        Path pipe = temporary.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path folder = Files.createDirectory(temporary.resolve("folder"));
        for (Path output : new Path[] {pipe, folder, Path.of("/")}) {
            CommandRun.Result refused = delegate(ada, output, "role:auditor");
            assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.IO);
            assertThat(refused.err()).contains(output + ": ", "name a file");
        }
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
        try (Stream<Path> all = Files.list(temporary)) {
            assertThat(all.filter(path -> path.toString().endsWith(".tmp"))).isEmpty();
        }
    }

    @Test
    void saysWhereAPassphraseCanComeFrom() {
        run.environment.remove("VEILGATE_READER_PASSPHRASE");
        Object[] delegate = {
            "keys", "delegate", ada, "--attributes", "role:auditor", "-o", temporary.resolve("assistant.vgr")
        };
        assertThat(run.run(delegate).err()).contains("use --reader-passphrase-file or VEILGATE_READER_PASSPHRASE");
        run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        assertThat(run.run(delegate).err()).contains("use --new-passphrase-file or VEILGATE_NEW_READER_PASSPHRASE");
        assertThat(run.run("keys", "passphrase").err())
                .contains("use --new-passphrase-file")
                .doesNotContain("VEILGATE");
        run.environment.remove("VEILGATE_PASSPHRASE");
        assertThat(run.run("keys", "show").err()).contains("use --passphrase-file or VEILGATE_PASSPHRASE");
    }

    @Test
    void filesThatAreNoReadersFilesAreRefused() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        assertThat(delegate(temporary.resolve("nothing.vgr"), assistant, "role:auditor")
                        .code())
                .isEqualTo(ExitCode.KEY);
        assertThat(delegate(site.bundle, assistant, "role:auditor").code()).isEqualTo(ExitCode.KEY);
        byte[] damaged = Files.readAllBytes(ada);
        damaged[damaged.length / 2] ^= 1;
        Path broken = Files.write(temporary.resolve("broken.vgr"), damaged);
        assertThat(delegate(broken, assistant, "role:auditor").code()).isEqualTo(ExitCode.KEY);
        assertThat(delegate(ada, assistant, "role:auditor", "--to", "n".repeat(256))
                        .code())
                .isEqualTo(ExitCode.USAGE);
        assertThat(assistant).doesNotExist();
    }

    @Test
    void aFileSaysWhatItHoldsWithoutTheKeyFolder() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        delegate(ada, assistant, "role:auditor", "--epoch", "2026-11");
        run.environment.put("VEILGATE_KEYS", temporary.resolve("nowhere").toString());
        String shown = run.ok("keys", "show", "--reader-key", assistant).out();
        assertThat(shown)
                .contains("tenant       acme\n", "reader       delegate of ada\n")
                .containsPattern("  cp-bsw07 +role:auditor@2026-11  can be delegated\n")
                .doesNotContain("site", "cp-fabeo22");
        assertThat(run.ok("keys", "show", "--json", "--reader-key", assistant).out())
                .contains("\"holder\":\"delegate of ada\"", "\"epochs\":[\"2026-11\"]", "\"canDelegate\":true");
        run.environment.put("VEILGATE_READER_PASSPHRASE", ADA);
        assertThat(run.ok("keys", "show", "--reader-key", ada).out()).contains("cp-fabeo22", "clearance@2026-12 = 5");
        assertThat(run.run("keys", "show", "--reader-key", assistant).code()).isEqualTo(ExitCode.KEY);
    }

    /** Who is revoked takes its delegates along: they had its epochs, of its pair. */
    @Test
    void aRevokedReadersDelegatesDoNotReadOn() throws Exception {
        Path assistant = temporary.resolve("assistant.vgr");
        delegate(ada, assistant, "role:auditor");
        Path before = Files.copy(seal("role:auditor"), temporary.resolve("before.vge"));
        run.ok("keys", "revoke", "ada", "--memory", "8", "-o", temporary.resolve("readers"));
        site.newBundle();
        assertThat(open(assistant, seal("role:auditor")).code()).isEqualTo(ExitCode.REFUSED);
        assertThat(open(assistant, before).out()).isEqualTo(LINE + "\n");
    }
}
