package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.ks.zxa14.IndexPublicKey;
import dev.veilgate.abe.ks.zxa14.SecretKey;
import dev.veilgate.abe.ks.zxa14.Zxa14;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searcher's keys from the authority to the search that a reader makes without it. */
class SearcherKeysTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String POLICY = "role:auditor AND site:plant-7";
    private static final String RIGHT = "role:auditor, site:plant-7, clearance = 5";
    private static final List<String> NOVEMBER = List.of("2026-11");

    @TempDir
    Path temporary;

    private Path path;
    private KeyFolder folder;
    private TenantKeys keys;

    @BeforeEach
    void open() throws Exception {
        path = SealedWord.keys(temporary);
        folder = SealedWord.open(path, Access.CHANGE);
        keys = folder.keys();
        keys.rings.index.clear();
        keys.rotateIndexKey(scheme(POLICY), RANDOM, SealedWord.NOW);
        folder.save();
    }

    @AfterEach
    void close() throws Exception {
        folder.close();
    }

    private static SearchScheme scheme(String policy) throws Exception {
        return new SearchScheme("cp-zxa14", Optional.of(Policy.parse(policy)));
    }

    private static AttributeSet attributes(String text) throws Exception {
        return AttributeSet.parse(text);
    }

    private PublicBundle bundle() throws Exception {
        return PublicBundle.verify(
                keys.nextBundle(SealedWord.NOW, Duration.ofDays(30)),
                keys.authority().fingerprint(),
                SealedWord.NOW);
    }

    /** Under the next bundle of the folder. */
    private Envelope sealed(String word) throws Exception {
        folder.save();
        folder.close();
        Envelope envelope = SealedWord.of(path, word);
        folder = SealedWord.open(path, Access.CHANGE);
        keys = folder.keys();
        return envelope;
    }

    private List<SearcherKey> issue(String holder, String attributes, List<String> epochs) throws Exception {
        keys.issueReaderKeys(holder, new Label.OfAttributes(attributes(attributes)), epochs, RANDOM)
                .forEach(ReaderKey::close);
        return keys.issueSearcherKeys(holder, attributes(attributes), epochs, RANDOM);
    }

    private SearchRequest request(List<SearcherKey> held, String word, List<String> epochs) throws Exception {
        return new SearcherKeys(held, bundle())
                .request("plant-7", epochs, List.of(List.of(Keyword.text("word", word))), Expression.allOf(1));
    }

    private SearchReach reach(List<SearcherKey> held, List<String> epochs) throws Exception {
        return new SearcherKeys(held, bundle()).reach(epochs, attributes(RIGHT).attributes());
    }

    @Test
    void whoseAttributesSatisfyTheIndexPolicySearchesAlone() throws Exception {
        List<SearcherKey> ada = issue("ada", RIGHT, NOVEMBER);
        assertThat(ada).hasSize(1);
        Envelope envelope = sealed("overheat");
        assertThat(SealedWord.found(request(ada, "overheat", NOVEMBER), envelope))
                .containsExactly(1);
        assertThat(SealedWord.found(request(ada, "underheat", NOVEMBER), envelope))
                .isEmpty();
        assertThat(reach(ada, NOVEMBER).gaps()).isEmpty();
        assertThat(ada.getFirst())
                .hasToString("SearcherKey[hidden, of ada, role:auditor@2026-11, site:plant-7@2026-11]");
    }

    @Test
    void whoseAttributesDoNotSatisfyItGetsNoKey() throws Exception {
        for (String wrong : new String[] {"role:auditor", "site:plant-7, role:guest", "role:auditor, site:plant-8"}) {
            assertThat(issue("eve", wrong, NOVEMBER)).as(wrong).isEmpty();
        }
        SearchReach reach = keys.reach(Optional.of(attributes("role:auditor, site:plant-8")), NOVEMBER);
        assertThat(reach.isNothing()).isTrue();
        assertThat(reach.gaps())
                .singleElement()
                .asString()
                .contains("2026-11", "which is for (role:auditor AND site:plant-7)", "site:plant-7@2026-11 is missing");
        assertThat(keys.reach(Optional.empty(), NOVEMBER).isNothing()).isTrue();
        assertThat(keys.issuedTo("eve").orElseThrow().indexKeys()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(List.of(), "overheat", NOVEMBER))
                .withMessageContaining("no key to search");
    }

    @Test
    void aKeyEndsWithItsEpoch() throws Exception {
        List<SearcherKey> october = issue("ada", RIGHT, List.of("2026-10"));
        assertThat(reach(october, NOVEMBER).isNothing()).isTrue();
        assertThat(reach(october, NOVEMBER).gaps().getFirst())
                .hasToString("what is sealed in 2026-11 under the index key "
                        + october.getFirst().index().id()
                        + ", which is for (role:auditor AND site:plant-7): no searcher's key was issued for it");
        assertThatIllegalArgumentException().isThrownBy(() -> request(october, "overheat", NOVEMBER));
        SearchReach both = reach(october, List.of("2026-10", "2026-11"));
        assertThat(both.isNothing()).isFalse();
        assertThat(both.gaps()).hasSize(1);
        assertThat(request(october, "overheat", List.of("2026-10", "2026-11"))
                        .terms()
                        .getFirst())
                .hasSize(1);
        assertThat(issue("ada", RIGHT, List.of("2026-11", "2026-12"))).hasSize(2);
    }

    @Test
    void aKeyFindsNothingUnderTheNextIndexKey() throws Exception {
        List<SearcherKey> ada = issue("ada", RIGHT, NOVEMBER);
        Envelope before = sealed("overheat");
        keys.rotateSearchersIndexKey(RANDOM, SealedWord.NOW);
        Envelope after = sealed("overheat");
        SearchRequest old = request(ada, "overheat", NOVEMBER);
        assertThat(SealedWord.found(old, before)).containsExactly(1);
        assertThat(SealedWord.found(old, after)).isEmpty();
        assertThat(reach(ada, NOVEMBER).gaps()).singleElement().asString().contains("no searcher's key was issued");
        List<SearcherKey> again = issue("ada", RIGHT, NOVEMBER);
        assertThat(again).as("one for each index key").hasSize(2);
        assertThat(SealedWord.found(request(again, "overheat", NOVEMBER), before))
                .containsExactly(1);
        assertThat(SealedWord.found(request(again, "overheat", NOVEMBER), after))
                .containsExactly(1);
        keys.rotateIndexKey(scheme("role:dpo"), RANDOM, SealedWord.NOW);
        assertThat(issue("ada", RIGHT, NOVEMBER))
                .as("a policy that they do not satisfy")
                .hasSize(2);
    }

    /** Parts of two keys in one, names exchanged: the algebra of it, against what the gateway tests. */
    @Test
    void searchersWhoPoolTheirKeysFindNothingMore() throws Exception {
        TrapdoorIssuer.Searchers authority =
                keys.rings.index.getFirst().issuer().searchers().orElseThrow();
        SecretKey ada = authority.keyGen(attributes("role:auditor@2026-11, site:plant-8@2026-11"), RANDOM);
        SecretKey ben = authority.keyGen(attributes("role:visitor@2026-11, site:plant-7@2026-11"), RANDOM);
        Envelope envelope = sealed("overheat");
        IndexPublicKey index = keys.rings.index.getFirst().searchers().orElseThrow();
        SecretKey whole = keys.rings
                .index
                .getFirst()
                .issuer()
                .searchers()
                .orElseThrow()
                .keyGen(attributes("role:auditor@2026-11, site:plant-7@2026-11"), RANDOM);
        assertThat(found(spliced(whole, whole, whole), index, envelope))
                .as("the way of pooling is right")
                .isTrue();
        for (SecretKey root : List.of(ada, ben)) {
            assertThat(found(spliced(root, ada, ben), index, envelope)).isFalse();
        }
    }

    /** A key that names both attributes: A of one key, the first attribute's components of another, the second's of a third. */
    private static SecretKey spliced(SecretKey root, SecretKey first, SecretKey second) throws Exception {
        int names =
                AttributeSet.parse("role:auditor@2026-11, site:plant-7@2026-11").encode().length;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        out.write(
                AttributeSet.parse("role:auditor@2026-11, site:plant-7@2026-11").encode());
        for (int half = 0; half < 2; half++) {
            int at = 1 + names + half * (48 + 2 * 144);
            out.write(root.encode(), at, 48);
            out.write(first.encode(), at + 48, 144);
            out.write(second.encode(), at + 48 + 144, 144);
        }
        return SecretKey.decode(out.toByteArray());
    }

    private static boolean found(SecretKey key, IndexPublicKey index, Envelope envelope) throws Exception {
        ScopedTrapdoor token = Zxa14.withDefaults()
                .token(key, index, new KeywordDomain("acme", "plant-7", "2026-11"), Keyword.text("word", "overheat"))
                .orElseThrow();
        return SealedWord.found(SearchRequest.allOf("acme", List.of(List.of(token))), envelope).length > 0;
    }

    @Test
    void aSearchThroughTheAuthorityIsMadeByAttributes() throws Exception {
        Envelope envelope = sealed("overheat");
        List<List<Keyword>> terms = List.of(List.of(Keyword.text("word", "overheat")));
        try (var store = folder.trapdoors()) {
            SearchRequest request = keys.pendingFor(
                            Optional.of(attributes(RIGHT)), "plant-7", NOVEMBER, terms, Expression.allOf(1))
                    .requestWith(store);
            assertThat(SealedWord.found(request, envelope)).containsExactly(1);
            assertThat(keys.reach(Optional.of(attributes(RIGHT)), NOVEMBER).gaps())
                    .isEmpty();
            for (Optional<AttributeSet> wrong :
                    List.of(Optional.of(attributes("role:auditor")), Optional.<AttributeSet>empty())) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> keys.pendingFor(wrong, "plant-7", NOVEMBER, terms, Expression.allOf(1)));
            }
            keys.rotateIndexKey(new SearchScheme("bdop04-peks", Optional.empty()), RANDOM, SealedWord.NOW);
            assertThat(keys.reach(Optional.empty(), NOVEMBER).isNothing())
                    .as("under the key of another scheme")
                    .isFalse();
            assertThat(keys.pendingFor(Optional.empty(), "plant-7", NOVEMBER, terms, Expression.allOf(1))
                            .requestWith(store)
                            .terms()
                            .getFirst())
                    .singleElement()
                    .satisfies(trapdoor -> assertThat(trapdoor.scheme()).isEqualTo("bdop04-peks"));
        }
    }

    /** One of the first form, as folders of before have: its policy is the same in all epochs, and a key of it makes trapdoors for all. */
    @Test
    void anIndexKeyOfBeforeGoesOnUntilItIsRotated() throws Exception {
        var pair = Zxa14.withDefaults().setup();
        IndexPublicKey old = new IndexPublicKey(pair.publicKey(), Policy.parse(POLICY));
        keys.rings.index.clear();
        keys.rings.index.add(new IndexKeyEntry(
                SealedWord.NOW,
                new PublicBundle.IndexKey("cp-zxa14", "BLS12-381", old.encode()),
                pair.masterKey().encode()));
        List<SearcherKey> ada = issue("ada", RIGHT, List.of("2026-09", "2026-10"));
        assertThat(ada).hasSize(1);
        Envelope before = sealed("overheat");
        assertThat(SealedWord.found(request(ada, "overheat", NOVEMBER), before)).containsExactly(1);
        try (var store = folder.trapdoors()) {
            assertThat(SealedWord.found(SealedWord.request(folder, store, "overheat"), before))
                    .as("the authority's own")
                    .containsExactly(1);
        }
        keys.rotateIndexKey(RANDOM, SealedWord.NOW);
        IndexPublicKey next = keys.rings.index.getFirst().searchers().orElseThrow();
        assertThat(next.isByEpoch()).isTrue();
        assertThat(next.policy()).isEqualTo(old.policy());
        assertThat(SealedWord.found(request(ada, "overheat", NOVEMBER), sealed("overheat")))
                .isEmpty();
        assertThat(issue("ada", RIGHT, NOVEMBER)).hasSize(2);
    }

    @Test
    void theFolderRemembersWhoSearches() throws Exception {
        issue("ada", RIGHT, NOVEMBER);
        keys.issueReaderKeys("carl", Label.attributes("role:dpo"), NOVEMBER, RANDOM);
        folder.save();
        folder.close();
        folder = SealedWord.open(path, Access.CHANGE);
        keys = folder.keys();
        IssuedKeys ada = keys.issuedTo("ada").orElseThrow();
        assertThat(ada.searches()).isTrue();
        assertThat(ada.indexKeys()).containsExactly(keys.rings.index.getFirst().id());
        assertThat(keys.issuedTo("carl").orElseThrow().searches()).isFalse();
        keys.issueReaderKeys("ada", Label.attributes(RIGHT), List.of("2026-12"), RANDOM);
        assertThat(keys.issuedTo("ada").orElseThrow().searches())
                .as("issued without")
                .isFalse();
        assertThat(keys.issuedTo("ada").orElseThrow().indexKeys())
                .as("cannot be called back")
                .hasSize(1);
    }

    @Test
    void aFileCarriesReadingAndSearchersKeys() throws Exception {
        List<ReaderKey> reading =
                keys.issueReaderKeys("ada", Label.attributes(RIGHT), List.of("2026-11", "2026-12"), RANDOM);
        List<SearcherKey> searching =
                keys.issueSearcherKeys("ada", attributes(RIGHT), List.of("2026-11", "2026-12"), RANDOM);
        byte[] sealed = ReaderKeyFile.seal(reading, searching, SealedWord.PASSPHRASE, SealedWord.CHEAP, RANDOM);
        Path file = temporary.resolve("ada.vgr");
        Files.write(file, sealed);
        try (ReaderKeyFile.Content content = ReaderKeyFile.open(file, SealedWord.PASSPHRASE)) {
            assertThat(content.readers()).hasSize(2);
            assertThat(content.searchers()).extracting(SearcherKey::epoch).containsExactly("2026-11", "2026-12");
            SearcherKey read = content.searchers().getFirst();
            assertThat(read.encode()).isEqualTo(searching.getFirst().encode());
            assertThat(read.epochs()).isEqualTo(EpochPolicy.MONTHLY);
            assertThat(content).hasToString("Content[hidden]");
        }
        assertThat(ReaderKeyFile.read(file, SealedWord.PASSPHRASE)).hasSize(2);
        searching.getFirst().close();
        assertThatThrownBy(() -> searching.getFirst().encode()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void damagedKeysAreRefused() throws Exception {
        byte[] good = issue("ada", RIGHT, NOVEMBER).getFirst().encode();
        assertThat(SearcherKey.isOne(good)).isTrue();
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 400; round++) {
            byte[] bytes = good.clone();
            bytes[round < 120 ? round : random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            try {
                assertThat(SearcherKey.decode(bytes).encode()).isEqualTo(bytes);
            } catch (MalformedEncodingException expected) {
                assertThat(expected).hasMessageContaining(":");
            }
        }
        String text = new String(good, StandardCharsets.ISO_8859_1);
        for (String epoch : new String[] {"2026-13", "26-11-x"}) {
            byte[] other = text.replace("2026-11", epoch).getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> SearcherKey.decode(other)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    @Test
    void thereMustBeAnIndexKeyThatIsSearchedByAttributes() throws Exception {
        keys.rings.index.clear();
        keys.rotateIndexKey(new SearchScheme("bdop04-peks", Optional.empty()), RANDOM, SealedWord.NOW);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> issue("ada", RIGHT, NOVEMBER))
                .withMessageContaining("--index-policy makes one");
    }
}
