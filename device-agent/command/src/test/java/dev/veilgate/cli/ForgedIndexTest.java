package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.ForgedIndexBlock;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.LyingSealer;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of mails, which a search of local files believes without opening the mail. */
class ForgedIndexTest {
    private static final SecureRandom RANDOM = new SecureRandom();

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
    void searchFindsTheIndexOfAMail() throws Exception {
        Path honest = sealed("honest", (block, context) -> block);
        Result found = run.run("search", "--scope", "plant-7", "pump", honest);
        assertThat(found.code()).as(found.err()).isEqualTo(ExitCode.OK);
        assertThat(found.out()).startsWith("mail ");
        assertThat(run.run("search", "--scope", "plant-7", "valve", honest).code())
                .isEqualTo(ExitCode.NO_MATCH);
    }

    @Test
    void searchNamesNoMailByABlockWhoseMaskWasChosen() throws Exception {
        Path forged = sealed("forged", ForgedIndexBlock::wronglyBound);
        Result found = run.run("search", "--scope", "plant-7", "valve", forged);
        assertThat(found.out()).isEmpty();
        assertThat(found.err()).contains("refused", "ntru-peks.binding");
        assertThat(found.code()).isEqualTo(ExitCode.REFUSED);
    }

    @Test
    void searchNamesNoMailByABlockOfAnother() throws Exception {
        IndexBlock[] taken = new IndexBlock[1];
        sealed("honest", (block, context) -> taken[0] = block);
        Path moved = sealed("moved", (block, context) -> taken[0]);
        Result found = run.run("search", "--scope", "plant-7", "pump", moved);
        assertThat(found.out()).isEmpty();
        assertThat(found.err()).contains("refused", "ntru-peks.binding");
        assertThat(found.code()).isEqualTo(ExitCode.REFUSED);
    }

    /** Nobody can tell whether they are forged: whoever reads the output is told so. */
    @Test
    void saysWhatIsOfAFormThatCannotBeVerified() throws Exception {
        Path forged = sealed("before", ForgedIndexBlock::unshifted);
        Result found = run.run("search", "--scope", "plant-7", "valve", forged);
        assertThat(found.out()).startsWith("mail ");
        assertThat(found.err()).contains("before.vge:1: the index is of an earlier form");
        Path request = temporary.resolve("valve.search");
        run.ok("trapdoor", "--scope", "plant-7", "-o", request, "valve");
        Result tested = run.run("test", request, forged);
        assertThat(tested.out()).endsWith(" 0\n");
        assertThat(tested.err()).contains("before.vge:1: the index is of an earlier form");
    }

    /** The index of a mail with the word pump, and what a liar makes of it. */
    private Path sealed(String name, BiFunction<IndexBlock, MessageContext, IndexBlock> lie) throws Exception {
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, Instant.now());
        PublicBundle.IndexKey key = bundle.indexKeys().getFirst();
        IndexSealer honest = IndexSchemes.load().byId(key.scheme()).sealer(key.publicKey(), RANDOM);
        IndexSealer lying = new LyingSealer(honest, lie);
        Instant now = Instant.now();
        EnvelopeDraft draft = new EnvelopeDraft(
                "plant-7",
                bundle.epochs().getFirst().name(),
                now,
                now,
                "application/pkcs7-mime",
                List.of(),
                List.of(),
                List.of(),
                0);
        Path file = temporary.resolve(name + ".vge");
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                bundle.tenant(), List.of(lying), bundle.wrapKey(), null, Clock.systemUTC(), RANDOM)) {
            List<Posting> postings = List.of(Posting.of(Keyword.text("word", "pump"), 0));
            Files.write(
                    file,
                    sealer.sealDetached(draft, postings, new byte[32], new byte[32], ChainPosition.first())
                            .bytes());
        }
        return file;
    }
}
