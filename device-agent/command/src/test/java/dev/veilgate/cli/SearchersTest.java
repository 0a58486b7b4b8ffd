package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers who search by their attributes, with their file and the public bundle: the key folder is elsewhere. */
class SearchersTest {
    private static final String LINE = "2026-11-21T10:00:05Z press-4 pump[9]: overheat";
    private static final String RIGHT = "role:auditor, site:plant-7";

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;
    private String keys;

    @BeforeEach
    void start() throws Exception {
        site = new Site(temporary);
        run = site.run;
        gateway = new FakeGateway();
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        run.environment.put("VEILGATE_SCOPE", "plant-7");
        run.environment.put("VEILGATE_READER_PASSPHRASE", "another horse battery");
        keys = run.environment.get("VEILGATE_KEYS");
        rotate("role:auditor AND site:plant-7");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void rotate(String policy) {
        run.ok("keys", "rotate", "--index-scheme", "cp-zxa14", "--index-policy", policy);
        site.newBundle();
    }

    private CommandRun.Result issue(String reader, String attributes, Object... more) {
        Object[] arguments = new Object[more.length + 10];
        Object[] first = {
            "keys", "issue", "--memory", "8", reader, "--attributes", attributes, "-o", file(reader), "--search"
        };
        System.arraycopy(first, 0, arguments, 0, 10);
        System.arraycopy(more, 0, arguments, 10, more.length);
        return run.run(arguments);
    }

    private Path file(String reader) {
        return temporary.resolve(reader + ".vgr");
    }

    private Path seal(String name) throws Exception {
        Path log = temporary.resolve(name + ".log");
        Files.writeString(log, LINE + " " + name + "\n");
        Path sealed = temporary.resolve(name + ".vge");
        run.ok("seal", "--identity", site.identity, "--readers", "role:auditor", "-o", sealed, log);
        gateway.store(sealed);
        return sealed;
    }

    /** As a reader, who has no key folder. */
    private CommandRun.Result asReader(Object... arguments) {
        run.environment.put("VEILGATE_KEYS", temporary.resolve("elsewhere").toString());
        String passphrase = run.environment.remove("VEILGATE_PASSPHRASE");
        try {
            return run.run(arguments);
        } finally {
            run.environment.put("VEILGATE_KEYS", keys);
            run.environment.put("VEILGATE_PASSPHRASE", passphrase);
        }
    }

    private CommandRun.Result search(String reader, Object... more) {
        Object[] arguments = new Object[more.length + 4];
        arguments[0] = "search";
        arguments[1] = "--reader-key";
        arguments[2] = file(reader);
        System.arraycopy(more, 0, arguments, 3, more.length);
        arguments[more.length + 3] = "overheat";
        return asReader(arguments);
    }

    @Test
    void whoseAttributesSatisfyTheIndexPolicySearchesWithoutTheAuthority() throws Exception {
        Path sealed = seal("day");
        assertThat(issue("ada", RIGHT).out()).contains("ada, role:auditor, site:plant-7, searches, 2026-11");
        Object[] show = {"keys", "show", "--reader-key", file("ada")};
        assertThat(asReader(show).out())
                .containsPattern("searches\n  [0-9a-f]{32}  2026-11  \\(?role:auditor AND site:");
        CommandRun.Result found = search("ada");
        assertThat(found.out()).isEqualTo(LINE + " day\n");
        assertThat(found.err()).isEmpty();
        assertThat(asReader("search", "--reader-key", file("ada"), "underheat").code())
                .isEqualTo(ExitCode.NO_MATCH);
        assertThat(search("ada", "--explain").err()).contains("grant:     none", "it did not learn the words");

        Path request = temporary.resolve("overheat.search");
        Object[] trapdoor = {"trapdoor", "--reader-key", file("ada"), "-o", request, "overheat"};
        assertThat(asReader(trapdoor).code()).isZero();
        assertThat(run.ok("test", request, sealed).out()).isNotEmpty();
        Object[] route = {
            "route", "add", "heat", "--reader-key", file("ada"), "--epoch", "2026-11", "--topic", "t", "overheat"
        };
        assertThat(asReader(route).code()).isZero();
        assertThat(gateway.routes).containsKey("heat");
        Object[] granted = {"trapdoor", "--reader-key", file("ada"), "--grant-to", "eve", "-o", request, "overheat"};
        assertThat(asReader(granted).code()).isEqualTo(ExitCode.USAGE);
        assertThat(asReader(granted).err()).contains("only the authority signs grants");
    }

    @Test
    void whoseAttributesDoNotSatisfyItIsRefusedBeforeAnythingIsSent() throws Exception {
        seal("day");
        for (String wrong : new String[] {"role:auditor", "role:auditor, site:plant-8", "role:guest"}) {
            CommandRun.Result refused = issue("eve", wrong);
            assertThat(refused.code()).as(wrong).isEqualTo(ExitCode.USAGE);
            assertThat(refused.err()).contains("satisfy no index policy", "is missing");
        }
        assertThat(file("eve")).doesNotExist();
        run.ok("keys", "issue", "--memory", "8", "eve", "--attributes", "role:auditor", "-o", file("eve"));
        CommandRun.Result none = search("eve");
        assertThat(none.code()).isEqualTo(ExitCode.KEY);
        assertThat(none.err()).contains("has no searcher's key");
        assertThat(asReader("trapdoor", "--reader-key", file("eve"), "-o", temporary.resolve("x"), "overheat")
                        .code())
                .isEqualTo(ExitCode.KEY);

        issue("ada", RIGHT);
        rotate("role:dpo AND site:plant-7"); // but the first index key is there still
        CommandRun.Result partly = search("ada");
        assertThat(partly.out()).isEqualTo(LINE + " day\n");
        assertThat(partly.err())
                .contains("warning: not searched: what is sealed in 2026-11", "role:dpo@2026-11 is missing");
        gateway.requests.clear();
        CommandRun.Result earlier = search("ada", "--epoch", "2026-10");
        assertThat(earlier.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(earlier.err()).contains("cannot search 2026-10", "Nothing was sent");
        assertThat(gateway.requests).isEmpty();
    }

    @Test
    void aKeyWithoutARightAttributeIsToldWhichIsMissing() throws Exception {
        issue("ada", RIGHT);
        assertThat(run.ok("keys", "rotate", "--index").code()).isZero();
        Files.move(Path.of(keys), temporary.resolve("first"));
        run.ok(
                "keys",
                "init",
                "--tenant",
                "acme",
                "--memory",
                "8",
                "--index-scheme",
                "cp-zxa14",
                "--index-policy",
                "role:dpo");
        String shown = run.ok("keys", "show").out();
        run.environment.put(
                "VEILGATE_AUTHORITY",
                shown.lines()
                        .filter(line -> line.startsWith("authority"))
                        .findFirst()
                        .orElseThrow()
                        .substring(13));
        site.newBundle();
        CommandRun.Result refused = search("ada");
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("which is for role:dpo: role:dpo@2026-11 is missing. Nothing was sent");
        assertThat(gateway.requests).isEmpty();
    }

    @Test
    void aSearcherIsOneForTheEpochsOfItsKey() throws Exception {
        seal("day");
        issue("ada", RIGHT, "--epoch", "2026-10");
        CommandRun.Result refused = search("ada");
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(refused.err()).contains("2026-11", "no searcher's key was issued for it");
        assertThat(gateway.requests).isEmpty();
        Path folder = temporary.resolve("again");
        run.ok("keys", "issue", "--memory", "8", "carl", "--attributes", "role:dpo", "-o", file("carl"));
        CommandRun.Result again = run.ok("keys", "issue", "--memory", "8", "--again", "-o", folder);
        assertThat(again.out()).contains("ada, role:auditor, site:plant-7, searches, 2026-11");
        assertThat(again.out().lines().filter(line -> line.contains("carl")))
                .singleElement()
                .asString()
                .doesNotContain("searches");
        Files.copy(folder.resolve("ada.vgr"), file("ada"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        run.environment.put("VEILGATE_READER_PASSPHRASE", passphrase("ada", again.out()));
        assertThat(search("ada").out()).isEqualTo(LINE + " day\n");
        assertThat(run.ok("keys", "show").out())
                .contains(
                        "searched by (role:auditor AND site:plant-7)",
                        "2026-10, 2026-11  searches under 1 of 1 index keys");
        assertThat(run.ok("keys", "remove-reader", "ada").out()).contains("2026-10, 2026-11, to open and to find it");
    }

    private static String passphrase(String reader, String printed) {
        String line = printed.lines()
                .filter(each -> each.contains(reader + ".vgr: "))
                .findFirst()
                .orElseThrow();
        return line.substring(line.lastIndexOf(' ') + 1);
    }

    @Test
    void whoIsRevokedFindsNothingThatIsSealedAfterwards() throws Exception {
        seal("before");
        issue("eve", RIGHT);
        issue("ada", RIGHT);
        Path folder = temporary.resolve("stay");
        CommandRun.Result revoked = run.ok("keys", "revoke", "eve", "--memory", "8", "-o", folder);
        assertThat(revoked.out()).contains("eve can still make trapdoors of every keyword", "take that away, too");
        site.newBundle();
        seal("after");
        CommandRun.Result old = search("eve");
        assertThat(old.out()).isEqualTo(LINE + " before\n");
        assertThat(old.err()).contains("warning: not searched", "no searcher's key was issued for it");
        Files.copy(folder.resolve("ada.vgr"), file("ada"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        run.environment.put("VEILGATE_READER_PASSPHRASE", passphrase("ada", revoked.out()));
        CommandRun.Result both = search("ada");
        assertThat(both.err())
                .as("content before is for keys that were issued before: the old file opens it")
                .doesNotContain("not searched");
        assertThat(both.out()).contains(" after\n");
    }

    /** What it was before there were searcher's keys. */
    @Test
    void theAuthorityStillSeesWhatAReaderSees() throws Exception {
        seal("day");
        run.ok("keys", "issue", "--memory", "8", "ada", "--attributes", RIGHT, "-o", file("ada"));
        assertThat(run.ok("search", "--reader-key", file("ada"), "overheat").out())
                .as("trapdoors of the key folder")
                .isEqualTo(LINE + " day\n");
        assertThat(run.run("keys", "issue", "--memory", "8", "ada", "--policy", "a:b", "--search", "-o", file("ada"))
                        .code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void theIssuingLogSaysWhoMaySearchUnderWhatKey() throws Exception {
        run.ok("keys", "log", "--begin");
        issue("ada", RIGHT);
        Path log = temporary.resolve("log.vgl");
        run.ok("keys", "log", "-o", log);
        String shown = run.ok("keys", "show").out();
        String id = shown.lines()
                .filter(line -> line.contains("cp-zxa14"))
                .findFirst()
                .orElseThrow()
                .strip()
                .split(" ")[0];
        byte[] written = Files.readAllBytes(log);
        assertThat(new String(written, java.nio.charset.StandardCharsets.ISO_8859_1))
                .contains("index-keys", id, "role:auditor, site:plant-7");
    }

    @Test
    void thereMustBeAnIndexToSearchByAttributes() {
        Path other = temporary.resolve("plain");
        run.environment.put("VEILGATE_KEYS", other.toString());
        run.ok("keys", "init", "--tenant", "acme", "--memory", "8");
        CommandRun.Result refused = issue("ada", RIGHT);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains("--index-scheme cp-zxa14 --index-policy makes one");
    }
}
