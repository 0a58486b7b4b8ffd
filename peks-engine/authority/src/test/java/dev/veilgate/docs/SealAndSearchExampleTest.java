package dev.veilgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of README.md and of the package page: it runs, and both show it to the letter. */
class SealAndSearchExampleTest {
    @Test
    void findsTheRecords(@TempDir Path folder) throws Exception {
        byte[] encrypted = {1, 2, 3};
        List<SlotMatch> hits = new ArrayList<>();
        // example
        // The authority makes the keys.
        NtruPeks peks = NtruPeks.withDefaults();
        KeyPair keys = peks.keyGen();

        // A device seals the keywords of a message with three records.
        var domain = new KeywordDomain("acme", "plant-7", "2026-11");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(encrypted);
        var message = new MessageContext("press-4", UUID.randomUUID(), digest);
        var sealer = new NtruIndexSealer(keys.publicKey(), new SecureRandom());
        Posting error = Posting.of(Keyword.text("level", "error"), 0, 2);
        Posting sshd = Posting.of(Keyword.text("unit", "sshd"), 1);
        List<IndexBlock> index = sealer.seal(domain, message, 3, List.of(error, sshd));

        // The authority issues a trapdoor for "level:error".
        ScopedTrapdoor trapdoor;
        try (var store = FileTrapdoorStore.open(folder)) {
            trapdoor = peks.trapdoor(keys.secretKey(), domain, Keyword.text("level", "error"), store);
        }

        // The gateway verifies the blocks, tests it against them, and learns which records match, not what they hold.
        IndexScheme scheme = IndexSchemes.load().byId(trapdoor.scheme());
        IndexVerifier verifier = scheme.verifier(keys.publicKey().encode());
        PreparedTrapdoor prepared = scheme.prepare(trapdoor);
        for (StoredBlock stored : verifier.verify(index, message)) {
            hits.addAll(scheme.match(prepared, stored)); // one hit, records {0, 2}
        }
        // end
        assertThat(hits).hasSize(1);
        assertThat(hits.getFirst().records().ordinals()).containsExactly(0, 2);
    }

    @Test
    void isWhatTheDocumentsShow() throws Exception {
        Path root = repositoryRoot();
        String source = Files.readString(
                root.resolve("peks-engine/authority/src/test/java/dev/veilgate/docs/SealAndSearchExampleTest.java"));
        int start = source.indexOf("// example\n") + "// example\n".length();
        String example = source.substring(start, source.indexOf("        // end\n"))
                .stripTrailing() // a last line without text would count as no indentation
                .stripIndent();
        assertThat(example.lines().count()).isGreaterThan(15);
        assertThat(Files.readString(root.resolve("README.md"))).contains(example);
        String page = Files.readString(
                        root.resolve("peks-engine/core/src/main/java/dev/veilgate/peks/package-info.java"))
                .replaceAll("(?m)^ \\* ?", "");
        assertThat(page).contains(example);
    }

    private static Path repositoryRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
