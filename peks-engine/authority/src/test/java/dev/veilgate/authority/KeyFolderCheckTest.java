package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.authority.KeyFolderCheck.Problem;
import dev.veilgate.authority.KeyFolderCheck.Result;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody who can write into the store of trapdoors, and knows its format, but has no passphrase. */
class KeyFolderCheckTest {
    private static final int HEADER = 33; // version, digest

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void issueTwo() throws Exception {
        folder = SealedWord.keys(temporary);
        issue("alpha", true);
        issue("beta", true);
    }

    private SearchRequest issue(String word, boolean logs) throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest request = SealedWord.request(read, store, word);
            if (logs) {
                try (IssuingLog log = log(read)) {
                    List<LogDraft> entries = IssuedEntries.trapdoors(
                            "test",
                            0,
                            List.of(List.of(Keyword.text("word", word))),
                            request,
                            (draft, name, value) -> draft.sealed(AuthorityLog.sealingKey(read.keys()), name, value));
                    log.append(entries);
                }
            }
            return request;
        }
    }

    private static IssuingLog log(KeyFolder read) throws IOException {
        return AuthorityLog.open(
                read, HeadPolicy.DEFAULT, Clock.fixed(SealedWord.NOW, ZoneOffset.UTC), new SecureRandom());
    }

    private Result check() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors();
                IssuingLog log = log(read)) {
            return KeyFolderCheck.of(read.keys(), store, log);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("trapdoors"), 2)) {
            return all.filter(file -> Files.isRegularFile(file)
                            && file.getFileName().toString().length() == 62)
                    .sorted()
                    .toList();
        }
    }

    /** Writes another trapdoor under a name, with a digest that fits. */
    private static void plant(Path file, byte[] trapdoor) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        sha.update(HexFormat.of().parseHex(file.getParent().getFileName() + "" + file.getFileName()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        out.writeBytes(sha.digest(trapdoor));
        out.writeBytes(trapdoor);
        Files.write(file, out.toByteArray());
    }

    private static byte[] trapdoor(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        return Arrays.copyOfRange(all, HEADER, all.length);
    }

    private void exchange() throws Exception {
        List<Path> files = files();
        byte[] one = trapdoor(files.get(0));
        byte[] two = trapdoor(files.get(1));
        plant(files.get(0), two);
        plant(files.get(1), one);
    }

    @Test
    void findsNothingInAWholeFolder() throws Exception {
        issue("gamma", false);
        Result result = check();
        assertThat(result.findings()).isEmpty();
        assertThat(result.keys()).isEqualTo(5); // index, wrap, policy, mail signer and its authority
        assertThat(result.trapdoors()).isEqualTo(3);
        assertThat(result.proven()).isEqualTo(2);
    }

    @Test
    void handsOutNoOtherKeywordsTrapdoor() throws Exception {
        SearchRequest before = issue("alpha", false);
        exchange();
        for (String word : List.of("alpha", "beta")) {
            assertThatThrownBy(() -> issue(word, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another keyword's trapdoor");
        }
        assertThat(check().findings())
                .extracting(KeyFolderCheck.Finding::problem)
                .containsExactly(Problem.TRAPDOOR, Problem.TRAPDOOR);
        exchange();
        assertThat(issue("alpha", false).digests()).isEqualTo(before.digests());
        assertThat(check().findings()).isEmpty();
    }

    /** Short, so that it decodes, and no preimage of anything. */
    @Test
    void handsOutNothingThatIsNoPreimage() throws Exception {
        Path file = files().getFirst();
        byte[] other = trapdoor(file);
        other[other.length - 1] ^= 0x10; // 2^12 or so of one coefficient, hidden in the norm of t
        plant(file, other);
        assertThat(check().findings())
                .extracting(KeyFolderCheck.Finding::problem)
                .containsExactly(Problem.TRAPDOOR);
    }

    @Test
    void findsWhatIsMissingDamagedOrForeign() throws Exception {
        List<Path> files = files();
        Files.delete(files.get(0));
        byte[] damaged = Files.readAllBytes(files.get(1));
        damaged[100] ^= 1;
        Files.write(files.get(1), damaged);
        assertThat(check().findings())
                .extracting(KeyFolderCheck.Finding::problem)
                .containsExactlyInAnyOrder(Problem.TRAPDOOR_MISSING, Problem.TRAPDOOR);
        Files.writeString(files.get(1).resolveSibling("notes.txt"), "what does not belong there");
        assertThatThrownBy(this::check).isInstanceOf(IOException.class).hasMessageContaining("notes.txt");
    }

    /** Of a log that says another digest: whoever has the secret key could sample a second trapdoor of a keyword. */
    @Test
    void findsATrapdoorThatIsNotTheIssuedOne() throws Exception {
        SearchRequest beta = issue("beta", false);
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                IssuingLog log = log(read)) {
            log.append(IssuedEntries.trapdoors(
                    "test",
                    0,
                    List.of(List.of(Keyword.text("word", "alpha"))), // the digest is that of beta
                    beta,
                    (draft, name, value) -> draft.sealed(AuthorityLog.sealingKey(read.keys()), name, value)));
        }
        assertThat(check().findings())
                .extracting(KeyFolderCheck.Finding::problem)
                .containsExactly(Problem.TRAPDOOR_DIFFERS);
    }

    @Test
    void saysNoKeyword() throws Exception {
        exchange();
        assertThat(check().findings().toString()).doesNotContain("alpha").doesNotContain("beta");
    }
}
