package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trapdoors one by one are those of the whole request, and their entries those of its log. */
class PendingRequestTest {
    private static final List<String> EPOCHS = List.of("2026-10", "2026-11");
    private static final Keyword OVERHEAT = Keyword.text("word", "overheat");
    private static final Keyword PUMP = Keyword.text("word", "pump");
    private static final List<List<Keyword>> TERMS = List.of(List.of(OVERHEAT, PUMP), List.of(PUMP));

    private Path folder;

    @BeforeEach
    void makeKeys(@TempDir Path temporary) throws Exception {
        folder = SealedWord.keys(temporary);
    }

    @Test
    void isTheSameAsAWholeRequest() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.CHANGE);
                FileTrapdoorStore store = read.trapdoors()) {
            read.keys().rotateIndexKey(new SecureRandom(), SealedWord.NOW);
            PendingRequest pending = read.keys().pending("plant-7", EPOCHS, TERMS, Expression.allOf(2));
            assertThat(pending.total()).isEqualTo(3 * 2 * 2);
            assertThat(read.keys().trapdoorsOfKeyword()).isEqualTo(2);
            List<LogDraft> entries = new ArrayList<>();
            for (int done = 0; done < pending.total(); done++) {
                assertThat(pending.done()).isEqualTo(done);
                assertThat(pending.isComplete()).isFalse();
                assertThatIllegalStateException().isThrownBy(pending::request).withMessageContaining("not been issued");
                pending.next(store)
                        .map(issued -> IssuedEntries.trapdoor("ada", 7, issued, LogDraft::with))
                        .ifPresent(entries::add);
            }
            assertThat(pending.isComplete()).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> pending.next(store));

            SearchRequest whole = read.keys().request("plant-7", EPOCHS, TERMS, Expression.allOf(2), store);
            assertThat(pending.request()).isEqualTo(whole);
            assertThat(entries)
                    .as("pump of the second term has its entries already")
                    .hasSize(2 * 2 * 2)
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyElementsOf(IssuedEntries.trapdoors("ada", 7, TERMS, whole, LogDraft::with));
        }
    }

    @Test
    void isOfTheKeysThatThereWereWhenItBegan() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.CHANGE);
                FileTrapdoorStore store = read.trapdoors()) {
            PendingRequest pending = read.keys().pending("plant-7", EPOCHS, TERMS, Expression.allOf(2));
            SearchRequest before = read.keys().request("plant-7", EPOCHS, TERMS, Expression.allOf(2), store);
            pending.next(store);
            read.keys().rotateIndexKey(new SecureRandom(), SealedWord.NOW);
            while (!pending.isComplete()) {
                pending.next(store);
            }
            assertThat(pending.request()).isEqualTo(before);
        }
    }

    @Test
    void whatCannotBeARequestIsRefusedBeforeAnythingIsIssued() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            TenantKeys keys = read.keys();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keys.pending(
                            "plant-7",
                            Collections.nCopies(SearchRequest.MAX_TRAPDOORS + 1, "2026-11"),
                            List.of(List.of(PUMP)),
                            Expression.allOf(1)))
                    .withMessageContaining("takes 8193 trapdoors, and at most 8192");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keys.pending("plant-7", EPOCHS, TERMS, Expression.allOf(1)))
                    .withMessageContaining("must use each of the terms");
            assertThatIllegalArgumentException().isThrownBy(() -> keys.pending("", EPOCHS, TERMS, Expression.allOf(2)));
        }
    }
}
