package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of mails, which a search of local files believes without opening the mail. */
class ForgedIndexTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ROW_BYTES = 256 / 8;
    private static final int SLOTS = 16;
    private static final int TAG_BYTES = 13;

    @TempDir
    private Path temporary;

    private Site site;
    private CommandRun run;

    /** Another block in place of an honest one. */
    @FunctionalInterface
    private interface Lie {
        IndexBlock of(IndexBlock honest, MessageContext context);
    }

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
        Path forged = sealed("forged", (block, context) -> matchingEverything(block, context, 3));
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
        Path forged = sealed("before", (block, context) -> matchingEverything(block, context, 2));
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
    private Path sealed(String name, Lie lie) throws Exception {
        PublicBundle bundle = PublicBundle.verify(Files.readAllBytes(site.bundle), site.authority, Instant.now());
        PublicBundle.IndexKey key = bundle.indexKeys().getFirst();
        IndexSealer honest = IndexSchemes.load().byId(key.scheme()).sealer(key.publicKey(), RANDOM);
        IndexSealer lying = new IndexSealer() {
            @Override
            public KeyId keyId() {
                return honest.keyId();
            }

            @Override
            public List<IndexBlock> seal(
                    KeywordDomain domain, MessageContext context, int records, List<Posting> postings) {
                return honest.seal(domain, context, records, postings).stream()
                        .map(block -> lie.of(block, context))
                        .toList();
            }
        };
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

    /** A block whose A is 0, so that A·t is 0 for each trapdoor t. */
    private static IndexBlock matchingEverything(IndexBlock like, MessageContext context, int version) {
        byte[] publicPart = new byte[5 + 2048 * 29 / 8];
        publicPart[0] = (byte) version;
        publicPart[1] = 3;
        publicPart[2] = SLOTS - 1;
        byte[] binding = sha(
                ("veilgate/ntru-peks/block/" + version).getBytes(StandardCharsets.US_ASCII),
                like.header(),
                context.encode(),
                publicPart);
        byte[] zeros = new byte[ROW_BYTES];
        byte[] tag = Arrays.copyOf(sha(new byte[] {1}, zeros, binding, zeros), TAG_BYTES);
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(publicPart);
        if (version == 3) {
            payload.writeBytes(binding);
        }
        payload.writeBytes(new byte[ROW_BYTES * SLOTS]);
        for (int slot = 0; slot < SLOTS; slot++) {
            payload.writeBytes(tag);
        }
        return new IndexBlock(
                like.scheme(), like.parameters(), like.keyId(), like.scope(), like.epoch(), payload.toByteArray());
    }

    private static byte[] sha(byte[]... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                sha.update(part);
            }
            return sha.digest();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
