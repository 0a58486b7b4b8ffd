package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader whose pairings the gateway does, honestly or not. */
class TransformedReadingTest {
    private static final int LINES = 60;
    private static final String POLICY = "role:auditor AND site:plant-7";

    private static final List<String> FILES = IntStream.range(0, 3)
            .mapToObj(file -> IntStream.range(file * LINES / 3, (file + 1) * LINES / 3)
                    .mapToObj("2026-11-21T10:00:%02dZ press-4 pump[9]: overheat\n"::formatted)
                    .collect(Collectors.joining()))
            .toList();
    private static final String ALL_LINES = String.join("", FILES);

    /** With sixty envelopes of a line, in three files; each test has a copy of it. */
    private static Site prepared;

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;
    private FakeGateway gateway;
    private Path request;
    private Path sealed;
    private Path ada;

    @BeforeAll
    static void prepare(@TempDir Path folder) throws Exception {
        prepared = new Site(folder);
        CommandRun run = environment(prepared);
        run.ok("keys", "rotate", "--policy-scheme", "cp-bsw07");
        String attributes = "role:auditor, site:plant-7";
        run.ok("keys", "issue", "--memory", "8", "ada", "--attributes", attributes, "-o", folder.resolve("ada.vgr"));
        run.ok("trapdoor", "-o", folder.resolve("overheat.search"), "overheat");
        sealUnder("cp-bsw07", prepared);
    }

    @BeforeEach
    void start() throws Exception {
        site = prepared.copyTo(temporary);
        run = environment(site);
        gateway = new FakeGateway();
        ada = temporary.resolve("ada.vgr");
        request = temporary.resolve("overheat.search");
        run.environment.put("VEILGATE_GATEWAY", gateway.url());
        run.environment.put("VEILGATE_TOKEN", FakeGateway.TOKEN);
        sealed = temporary.resolve("cp-bsw07");
        store();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private static CommandRun environment(Site site) {
        site.run.environment.put("VEILGATE_SCOPE", "plant-7");
        site.run.environment.put("VEILGATE_READER_PASSPHRASE", "another horse battery");
        return site.run;
    }

    /** Seals all lines, in a folder that has the scheme's name. */
    private static void sealUnder(String scheme, Site site) throws Exception {
        site.run.ok("keys", "seal-with", scheme);
        site.newBundle();
        Path folder = Files.createDirectory(site.folder.resolve(scheme));
        for (int file = 0; file < FILES.size(); file++) {
            seal(FILES.get(file), folder.resolve(file + ".vge"), site);
        }
    }

    private static void seal(String some, Path file, Site site) throws Exception {
        Path log = Files.writeString(site.folder.resolve("day.log"), some);
        site.run.ok("seal", "--batch", "1", "--identity", site.identity, "--readers", POLICY, "-o", file, log);
    }

    /** Gives the gateway what is sealed. */
    private void store() throws Exception {
        for (int file = 0; file < FILES.size(); file++) {
            gateway.store(sealed.resolve(file + ".vge"));
        }
    }

    private CommandRun.Result open(Object... more) {
        Object[] arguments = new Object[more.length + 5];
        Object[] fixed = {"open", "--gateway-transform", "--reader-key", ada, sealed};
        System.arraycopy(fixed, 0, arguments, 0, fixed.length);
        System.arraycopy(more, 0, arguments, fixed.length, more.length);
        return run.run(arguments);
    }

    private CommandRun.Result search() {
        run.environment.remove("VEILGATE_SCOPE");
        return run.run("search", "--gateway-transform", "--request", request, "--reader-key", ada, "overheat");
    }

    private void opensAll(CommandRun.Result result) {
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(ALL_LINES);
    }

    @Test
    void opensAndSearchesWithTheGatewaysPairings() {
        CommandRun.Result opened = open();
        opensAll(opened);
        assertThat(opened.err()).isEqualTo("note: the gateway did the pairings of 60 envelopes\n");
        assertThat(gateway.transforms).as("many wraps in a request").hasSizeLessThan(8);
        int ofOpen = gateway.transforms.size();
        CommandRun.Result found = search();
        opensAll(found);
        assertThat(found.err()).contains("note: the gateway did the pairings of 60 envelopes\n");
        assertThat(gateway.transforms).as("many wraps in a request").hasSizeBetween(ofOpen + 1, ofOpen + 15);
        assertThat(keyOf(gateway.transforms.getFirst()))
                .as("one blinding a run, a fresh one each")
                .isEqualTo(keyOf(gateway.transforms.get(ofOpen - 1)))
                .isNotEqualTo(keyOf(gateway.transforms.getLast()));
    }

    private static String keyOf(TransformRequest request) {
        byte[] encoded = request.encode();
        return IntStream.range(22, 400)
                .mapToObj(i -> Integer.toHexString(encoded[i] & 0xff))
                .collect(Collectors.joining());
    }

    /** What a gateway that lies could do with all that it sees: another element, none, another envelope's, another reader's. */
    @Test
    void aLyingGatewayIsFoundOutAndEverythingOpensAllTheSame() {
        List<byte[]> earlier = new ArrayList<>(); // of a run with another blinding
        gateway.transformed = answers -> {
            answers.forEach(answer -> earlier.add(((TransformAnswer.Transformed) answer).element()));
            return answers;
        };
        opensAll(open());
        Map<String, UnaryOperator<List<TransformAnswer>>> lies = new TreeMap<>();
        lies.put("altered", answers -> each(answers, LyingGateway::altered));
        lies.put("zero", answers -> each(answers, element -> new byte[element.length]));
        lies.put("swapped", answers -> {
            List<TransformAnswer> turned = new ArrayList<>(answers);
            Collections.rotate(turned, 1);
            return turned.size() > 1 ? turned : each(turned, LyingGateway::altered);
        });
        lies.put("of another blinding", answers -> each(answers, element -> earlier.getFirst()));
        lies.forEach((what, lie) -> {
            gateway.transformed = lie;
            for (CommandRun.Result result : List.of(open(), search())) {
                opensAll(result);
                assertThat(result.err())
                        .as(what)
                        .contains("warning: the gateway answered wrong for ", "whoever runs it should know");
            }
            run.environment.put("VEILGATE_SCOPE", "plant-7");
        });
    }

    private static final class LyingGateway {
        static byte[] altered(byte[] element) {
            byte[] other = element.clone();
            other[100] ^= 1;
            return other;
        }
    }

    private static List<TransformAnswer> each(List<TransformAnswer> answers, UnaryOperator<byte[]> lie) {
        return answers.stream()
                .map(answer -> answer instanceof TransformAnswer.Transformed done
                        ? new TransformAnswer.Transformed(lie.apply(done.element()))
                        : answer)
                .toList();
    }

    @Test
    void anOlderGatewayIsNamedAndTheReaderOpensByItself() {
        gateway.refuseTransforms = 404;
        for (CommandRun.Result result : List.of(open(), search())) {
            opensAll(result);
            assertThat(result.err())
                    .contains("warning: the gateway does not transform wraps for this tenant: it is older")
                    .contains("note: the gateway did the pairings of 0 envelopes; ");
        }
        gateway.refuseTransforms = 403;
        opensAll(open());
        assertThat(open().err()).contains("warning: the gateway refused: not here");
    }

    @Test
    void answersOfAnotherShapeAreNotTaken() {
        gateway.transformed = answers -> answers.subList(0, 0);
        CommandRun.Result result = open();
        opensAll(result);
        assertThat(result.err()).contains("warning: the gateway answers for other wraps than it was asked for");
    }

    @Test
    void whatTheGatewayDoesNotHaveIsOpenedHere() {
        gateway.envelopes.entrySet().removeIf(each -> each.getKey().getLeastSignificantBits() % 2 == 0);
        int there = (int) gateway.envelopes.values().stream()
                .filter(TransformedReadingTest::hasLines)
                .count();
        CommandRun.Result result = open();
        opensAll(result);
        int missing = LINES - there;
        assertThat(result.err())
                .isEqualTo("note: the gateway did the pairings of " + there + " envelopes; " + missing
                        + " were opened without it, " + missing + " of which it does not have\n");
    }

    /** Others are catalogues of templates. */
    private static boolean hasLines(byte[] envelope) {
        try {
            return Envelope.decode(envelope).mediaType().equals("text/plain");
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /** A gateway that says later to all but the first of a request, as one with much work does. */
    @Test
    void asksAgainForWhatIsLeft() {
        Map<Integer, Integer> sizes = new ConcurrentHashMap<>();
        gateway.transformed = answers -> {
            sizes.merge(answers.size(), 1, Integer::sum);
            List<TransformAnswer> less = new ArrayList<>(answers);
            for (int i = 1; i < less.size(); i++) {
                less.set(i, TransformAnswer.Refusal.LATER);
            }
            return less;
        };
        CommandRun.Result result = open();
        opensAll(result);
        assertThat(result.err()).isEqualTo("note: the gateway did the pairings of 60 envelopes\n");
        gateway.transformed = answers -> Collections.nCopies(answers.size(), TransformAnswer.Refusal.LATER);
        opensAll(open());
    }

    @Test
    void keysWithFewPairingsAreNotSent() throws Exception {
        sealUnder("cp-fabeo22", site);
        sealed = temporary.resolve("cp-fabeo22");
        store();
        CommandRun.Result opened = open();
        opensAll(opened);
        assertThat(gateway.transforms).as("the file has keys of both schemes").isEmpty();
        Site plain = Site.another(Files.createDirectory(temporary.resolve("plain")));
        plain.run.environment.putAll(run.environment);
        plain.run.environment.put("VEILGATE_KEYS", plain.keys.toString());
        plain.run.environment.put("VEILGATE_BUNDLE", plain.bundle.toString());
        plain.run.environment.put("VEILGATE_AUTHORITY", plain.authority);
        Path file = temporary.resolve("plain.vgr");
        plain.run.ok("keys", "issue", "--memory", "8", "ada", "--attributes", "role:auditor", "-o", file);
        Path log = Files.writeString(temporary.resolve("plain.log"), "a line\n");
        Path envelope = temporary.resolve("plain.vge");
        plain.run.ok("seal", "--identity", plain.identity, "--readers", "role:auditor", "-o", envelope, log);
        CommandRun.Result result = plain.run.ok("open", "--gateway-transform", "--reader-key", file, envelope);
        assertThat(result.out()).isEqualTo("a line\n");
        assertThat(result.err()).contains("note: the gateway is not asked: keys of cp-fabeo22");
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThat(run.run("open", "--gateway-transform", sealed).err()).contains("goes with --reader-key");
        assertThat(run.run("open", "--gateway", gateway.url(), "--reader-key", ada, sealed)
                        .code())
                .isEqualTo(ExitCode.USAGE);
        run.environment.remove("VEILGATE_GATEWAY");
        CommandRun.Result none = open();
        assertThat(none.code()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("--gateway-transform needs a gateway");
        run.environment.put("VEILGATE_GATEWAY", "http://localhost:1");
        CommandRun.Result away = open();
        opensAll(away);
        assertThat(away.err()).contains("warning: there is no gateway at http://localhost:1");
    }

    /** What is refused is refused with the gateway's help too, in its place. */
    @Test
    void damagedEnvelopesAreNamedAndTheOthersOpened() throws Exception {
        Path last = sealed.resolve("9.vge");
        seal("2026-11-21T10:01:00Z press-4 pump[9]: overheat\n", last, site);
        byte[] damaged = Files.readAllBytes(last);
        damaged[damaged.length / 2] ^= 1;
        Files.write(last, damaged);
        CommandRun.Result result = open();
        assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
        assertThat(result.out()).isEqualTo(ALL_LINES);
        assertThat(result.err()).contains("9.vge:1: refused: ").doesNotContain("answered wrong");
    }
}
