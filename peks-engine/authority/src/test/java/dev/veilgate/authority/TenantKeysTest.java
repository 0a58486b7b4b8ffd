package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sealed under a tenant's keys, old and new and of every scheme, is searched and opened with them. */
class TenantKeysTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = SealedWord.NOW;

    private Path folder;

    @BeforeEach
    void makeKeys(@TempDir Path temporary) throws Exception {
        folder = SealedWord.keys(temporary);
    }

    @Test
    void searchesAndOpensUnderOldKeysAfterRotation() throws Exception {
        Envelope before = SealedWord.of(folder, "overheat");
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            change.keys().rotateIndexKey(RANDOM, NOW);
            change.keys().rotateWrapKey(RANDOM, NOW);
            change.save();
        }
        Envelope after = SealedWord.of(folder, "overheat");
        assertThat(after.index()).hasSize(1); // sealed under the current key only
        assertThat(after.index().getFirst().keyId())
                .isNotEqualTo(before.index().getFirst().keyId());
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest request = SealedWord.request(read, store, "overheat");
            PreparedSearch search = PreparedSearch.of(request, IndexSchemes.load());
            for (Envelope envelope : List.of(before, after)) {
                assertThat(search.match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                                .ordinals()
                                .toArray())
                        .containsExactly(1);
                assertThat(read.keys().opener().open(envelope).get(1))
                        .isEqualTo("overheat".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(SealedWord.request(read, store, "overheat")).isEqualTo(request); // issued once, then stored
            assertThat(SealedWord.found(SealedWord.request(read, store, "underheat"), before))
                    .isEmpty();
            SearchRequest granted = read.keys().granted(request, "auditor", NOW.plusSeconds(60));
            granted.grant().orElseThrow().verify(read.keys().authority(), granted, NOW);
            assertThat(SealedWord.found(granted, before)).containsExactly(1);
        }
    }

    /** Blocks of all schemes beside each other; each is searched with its own trapdoors. */
    @Test
    void everySchemeIsSealedSearchedAndRotated() throws Exception {
        List<SearchScheme> schemes = new ArrayList<>();
        for (String id : SearchScheme.ids()) {
            boolean byAttributes = id.equals("cp-zxa14");
            Policy searchers = Policy.parse(
                    "role:auditor AND clearance >= 3 AND clearance <= 5"); // bits that contradict each other
            schemes.add(new SearchScheme(id, byAttributes ? Optional.of(searchers) : Optional.empty()));
        }
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            for (SearchScheme scheme : schemes) {
                change.keys().rotateIndexKey(scheme, RANDOM, NOW);
            }
            change.save();
        }
        Envelope envelope = SealedWord.of(folder, "overheat");
        assertThat(envelope.index().stream().map(block -> block.scheme()))
                .containsExactlyInAnyOrderElementsOf(SearchScheme.ids());
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest request = SealedWord.request(read, store, "overheat");
            for (String scheme : SearchScheme.ids()) {
                List<ScopedTrapdoor> own = request.terms().getFirst().stream()
                        .filter(trapdoor -> trapdoor.scheme().equals(scheme))
                        .toList();
                assertThat(SealedWord.found(SearchRequest.allOf("acme", List.of(own)), envelope))
                        .as(scheme)
                        .containsExactly(1);
            }
            assertThat(SealedWord.found(SealedWord.request(read, store, "underheat"), envelope))
                    .isEmpty();
        }
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            int before = change.keys().keys().size();
            change.keys().rotateIndexKey(RANDOM, NOW);
            assertThat(change.keys().keys()).hasSize(before + SearchScheme.ids().size());
            change.replaceIndexKeysAfterLoss(RANDOM, NOW);
            assertThat(change.keys().keys().stream().filter(key -> key.kind().equals("ntru-peks")))
                    .hasSize(1);
            assertThat(change.keys().keys().stream().filter(key -> key.kind().equals("bdop04-peks")))
                    .hasSize(2); // its trapdoors are made again
        }
    }

    @Test
    void aPolicyOfSearchersBelongsToAttributeBasedSearch() throws Exception {
        Policy policy = Policy.parse("role:auditor");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchScheme("cp-zxa14", Optional.empty()))
                .withMessageContaining("needs a policy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchScheme("ntru-peks", Optional.of(policy)))
                .withMessageContaining("takes no policy");
        assertThatIllegalArgumentException().isThrownBy(() -> new SearchScheme("rot13", Optional.empty()));
        Policy large =
                Policy.parse(IntStream.range(0, 401).mapToObj(i -> "role:r" + i).collect(Collectors.joining(" OR ")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchScheme("cp-zxa14", Optional.of(large)))
                .withMessageContaining("at most 400 attributes");
    }

    /** What asks for other metadata, tenants or keys finds nothing or is refused. */
    @Test
    void clearMetadataIsCompared() throws Exception {
        Envelope envelope = SealedWord.of(folder, "overheat");
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            SearchRequest request = SealedWord.request(read, store, "overheat");
            Filter matching = new Filter(Optional.of(NOW), Optional.of(NOW.plusMillis(1)), Set.of("press-4"));
            assertThat(SealedWord.found(request.with(matching), envelope)).containsExactly(1);
            assertThat(SealedWord.found(
                            request.with(new Filter(Optional.empty(), Optional.of(NOW), Set.of())), envelope))
                    .isEmpty();
            assertThat(SealedWord.found(
                            request.with(new Filter(Optional.empty(), Optional.empty(), Set.of("press-5"))), envelope))
                    .isEmpty();
            SearchRequest others =
                    new SearchRequest("umbrella", request.terms(), request.expression(), Filter.NONE, Optional.empty());
            assertThat(SealedWord.found(others, envelope)).isEmpty();
        }
    }

    @Test
    void theExpressionIsAskedOfEachRecord() throws Exception {
        Envelope envelope = SealedWord.of(folder, "overheat");
        try (KeyFolder read = SealedWord.open(folder, Access.READ);
                FileTrapdoorStore store = read.trapdoors()) {
            Keyword hot = Keyword.text("word", "overheat");
            Keyword first = Keyword.text("word", "first");
            Expression a = new Expression.Term(0);
            Expression b = new Expression.Term(1);
            List<List<Keyword>> both = List.of(List.of(hot), List.of(first));
            assertThat(match(read, store, envelope, both, Expression.allOf(2))).isEmpty();
            assertThat(match(read, store, envelope, both, new Expression.Or(List.of(a, b))))
                    .containsExactly(0, 1);
            assertThat(match(read, store, envelope, List.of(List.of(hot, first)), a))
                    .containsExactly(0, 1);
            assertThat(match(
                            read,
                            store,
                            envelope,
                            List.of(List.of(hot, first), List.of(first)),
                            new Expression.And(List.of(a, new Expression.Not(b)))))
                    .containsExactly(1);
        }
    }

    /**
     * Senders choose policies; what contradicts itself, or no number satisfies, must not keep the authority from
     * reading.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "role:auditor AND site:plant-7",
                "clearance >= 3 AND clearance <= 5",
                "clearance > 5 AND clearance < 3",
                "2 of (clearance >= 4, clearance < 4, role:dpo)"
            })
    void theAuthorityOpensWhateverASenderSealed(String policy) throws Exception {
        for (String scheme : List.of("cp-fabeo22", "cp-bsw07")) {
            try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
                change.keys().rotatePolicyKey(scheme, RANDOM, NOW);
                change.keys().sealWith(scheme);
                change.save();
            }
            Envelope envelope = SealedWord.of(folder, "overheat", new Label.OfPolicy(Policy.parse(policy)));
            try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
                assertThat(read.keys().opener().open(envelope).get(1))
                        .as(scheme)
                        .isEqualTo("overheat".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void pairsForPoliciesAreRotatedByScheme() throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            keys.rotatePolicyKey("kp-fabeo22", RANDOM, NOW);
            keys.rotatePolicyKey(RANDOM, NOW);
            List<TenantKeys.KeyInfo> pairs = keys.keys().stream()
                    .filter(key -> key.kind().equals("policy"))
                    .toList();
            assertThat(pairs.stream().map(TenantKeys.KeyInfo::parameters).map(text -> text.replaceAll(" .*", "")))
                    .containsExactly(AttributeKems.DEFAULT_ID, AttributeKems.DEFAULT_ID, "kp-fabeo22", "kp-fabeo22");
            assertThat(pairs.stream().map(TenantKeys.KeyInfo::current)).containsExactly(true, false, true, false);
            assertThat(pairs.stream().map(TenantKeys.KeyInfo::seals)).containsExactly(true, false, true, false);
        }
    }

    @Test
    void readsKeysFromBeforeItWasRememberedWhatReadersWereIssued() throws Exception {
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            read.keys().setMailSigning(MailSigning.NONE);
            byte[] now = TenantKeysCodec.encode(read.keys(), null);
            assertThat(now).endsWith(0x0f, 0x80); // field 15, empty
            byte[] before = Arrays.copyOf(now, now.length - 2);
            assertThat(before[0]).isEqualTo((byte) 0xaf); // a map of 15
            before[0]--;
            try (TenantKeys old = TenantKeysCodec.decode(before)) {
                assertThat(TenantKeysCodec.encode(old)).isEqualTo(now);
            }
        }
    }

    @Test
    void remembersWhatReadersWereIssued() throws Exception {
        Label dpo = Label.attributes("role:dpo");
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            keys.issueReaderKeys("ada", dpo, List.of("2026-10", "2026-11"), RANDOM);
            keys.issueReaderKeys("ben", dpo, List.of("2026-09"), RANDOM);
            keys.rotatePolicyKey(RANDOM, NOW);
            keys.issueReaderKeys("ada", dpo, List.of("2026-12"), RANDOM);
            keys.removeReader("ada");
            assertThatThrownBy(() -> keys.allOrNothing(() -> {
                        keys.issueReaderKeys("eve", dpo, List.of("2026-11"), RANDOM);
                        throw new IllegalStateException("the disk is full");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            change.save();
        }
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            TenantKeys keys = read.keys();
            assertThat(keys.readers()).containsOnlyKeys("ben");
            assertThat(keys.formerReaders()).containsOnlyKeys("ada");
            IssuedKeys ada = keys.issuedTo("ada").orElseThrow();
            assertThat(ada.epochs()).containsExactly("2026-10", "2026-11", "2026-12");
            assertThat(ada.pairs()).hasSize(2);
            assertThat(keys.lapsedReaders(List.of("2026-12"), NOW)).containsExactly("ben");
            assertThat(keys.lapsedReaders(List.of("2026-10"), NOW)).isEmpty();
        }
    }

    @Test
    void aSchemeSealsWhenItIsChosen() throws Exception {
        try (KeyFolder change = SealedWord.open(folder, Access.CHANGE)) {
            TenantKeys keys = change.keys();
            assertThatThrownBy(() -> keys.sealWith("cp-bsw07")).hasMessageContaining("--policy-scheme cp-bsw07");
            keys.rotatePolicyKey("cp-bsw07", RANDOM, NOW);
            assertThat(sealing(keys)).isEqualTo("cp-fabeo22");
            keys.rotatePolicyKey(RANDOM, NOW);
            assertThat(sealing(keys)).isEqualTo("cp-fabeo22");
            keys.sealWith("cp-bsw07");
            keys.rotatePolicyKey("cp-fabeo22", RANDOM, NOW);
            keys.rotatePolicyKey("cp-bsw07", RANDOM, NOW);
            assertThat(sealing(keys)).isEqualTo("cp-bsw07");
            change.save();
        }
        try (KeyFolder read = SealedWord.open(folder, Access.READ)) {
            assertThat(sealing(read.keys())).isEqualTo("cp-bsw07");
        }
    }

    /** That of the only pair for policies that seals; as senders find it in a bundle. */
    private static String sealing(TenantKeys keys) throws Exception {
        List<TenantKeys.KeyInfo> seal = keys.keys().stream()
                .filter(key -> key.kind().equals("policy") && key.seals())
                .toList();
        PublicBundle bundle = PublicBundle.verify(
                keys.nextBundle(NOW, Duration.ofDays(1)), keys.authority().fingerprint(), NOW);
        String scheme = bundle.policyKeys().stream()
                .filter(key -> key.takes(new Label.OfPolicy(new Policy.Leaf(Attribute.of("a", "x")))))
                .findFirst()
                .orElseThrow()
                .schemeId();
        assertThat(seal)
                .singleElement()
                .satisfies(key -> assertThat(key.parameters()).startsWith(scheme));
        return scheme;
    }

    private static int[] match(
            KeyFolder read,
            FileTrapdoorStore store,
            Envelope envelope,
            List<List<Keyword>> terms,
            Expression expression)
            throws Exception {
        return SealedWord.found(
                read.keys().request("plant-7", List.of("2026-10", "2026-11"), terms, expression, store), envelope);
    }
}
