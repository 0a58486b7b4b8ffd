package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.Label;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearcherKeys;
import dev.veilgate.files.Frozen;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Envelopes with each kind of wrap and of index that an earlier version sealed are found and opened. Whoever adds a
 * kind freezes an envelope of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@FieldSource("dev.veilgate.files.Frozen#SETS")
class FrozenEnvelopesTest {
    @Parameter
    private FrozenSet set;

    private KeyFolder folder;
    private ReaderKeyFile.Content ada;
    private ReaderKeyFile.Content ben;
    private ReaderKeyFile.Content former;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void open(@TempDir Path temporary) throws Exception {
        folder = KeyFolder.open(
                set.copy("keys", temporary),
                Frozen.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                Access.READ,
                new SecureRandom());
        ada = reader("ada");
        ben = reader("ben");
        former = reader("ada-former");
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    void close() throws Exception {
        former.close();
        ben.close();
        ada.close();
        folder.close();
    }

    private ReaderKeyFile.Content reader(String name) throws Exception {
        return ReaderKeyFile.open(
                set.path("readers/" + name + ".vgr"), Frozen.READER_PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }

    private Envelope envelope(String name) throws Exception {
        return Envelope.decode(Frozen.envelopes(set, name).getFirst());
    }

    List<String> names() throws IOException {
        return set.names("envelopes");
    }

    static List<String> policySchemes() {
        return AttributeKems.all().stream().map(AttributeKem::id).toList();
    }

    static List<String> indexSchemes() {
        return ServiceLoader.load(IndexScheme.class, IndexSchemes.class.getClassLoader()).stream()
                .map(scheme -> scheme.get().id())
                .sorted()
                .toList();
    }

    private List<String> open(EnvelopeOpener opener, String name) throws Exception {
        return opener.open(envelope(name)).stream()
                .map(record -> new String(record, StandardCharsets.UTF_8))
                .toList();
    }

    private static SearchRequest ofScheme(SearchRequest request, String scheme) {
        List<ScopedTrapdoor> only = request.terms().getFirst().stream()
                .filter(trapdoor -> trapdoor.scheme().equals(scheme))
                .toList();
        return SearchRequest.allOf(request.tenant(), List.of(only));
    }

    private int[] found(SearchRequest request, String name) throws Exception {
        return PreparedSearch.of(request, IndexSchemes.load())
                .match(envelope(name), IndexAdmission.trust(envelope(name), IndexSchemes.load()))
                .ordinals()
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theAuthorityOpensEachAndItsSignatureHolds(String name) throws Exception {
        assertThat(open(folder.keys().opener(), name)).isEqualTo(Frozen.lines(name));
        SenderPublicKey sender = folder.keys().sender("press-4").orElseThrow();
        assertThat(envelope(name).signedBy(sender)).isTrue();
        Envelope templates = Envelope.decode(Frozen.envelopes(set, name).getLast());
        assertThat(templates.signedBy(sender)).isTrue();
        assertThat(folder.keys().opener().open(templates)).hasSize(templates.recordCount());
    }

    @Test
    void theyAreOneChain() throws Exception {
        List<Envelope> all = new ArrayList<>();
        for (String name : names()) {
            for (byte[] each : Frozen.envelopes(set, name)) {
                all.add(Envelope.decode(each));
            }
        }
        all.sort(Comparator.comparingLong(Envelope::sequence));
        assertThat(all).hasSize(2 * names().size());
        byte[] previous = new byte[32];
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).sequence()).isEqualTo(i + 1);
            assertThat(all.get(i).previousDigest()).isEqualTo(previous);
            previous = all.get(i).digest();
        }
    }

    /** A scheme without a frozen envelope fails here. */
    @ParameterizedTest
    @MethodSource("policySchemes")
    void readersOpenWhatIsSealedUnderEachSchemeOfPolicies(String scheme) throws Exception {
        Label label = envelope(scheme).readers().getFirst();
        boolean isPolicy = label instanceof Label.OfPolicy;
        assertThat(isPolicy).isEqualTo(!AttributeKems.byId(scheme).keysHavePolicies());
        List<WrappedKey> wraps = envelope(scheme).wraps();
        assertThat(wraps).hasSize(1);
        assertThat(wraps.getFirst().algorithm()).isEqualTo("abe+x25519+ml-kem-768");
        assertThat(AttributeKems.ofCiphertext(PolicyWrap.attributeCiphertext(wraps.getFirst()))
                        .id())
                .isEqualTo(scheme);
        ReaderKeyFile.Content reader = isPolicy ? ada : ben;
        ReaderKeyFile.Content other = isPolicy ? ben : ada;
        assertThat(open(new EnvelopeOpener(List.of(), ReaderKeys.of(reader.readers())), scheme))
                .isEqualTo(Frozen.lines(scheme));
        assertThatThrownBy(() -> open(new EnvelopeOpener(List.of(), ReaderKeys.of(other.readers())), scheme))
                .isInstanceOf(UnopenableEnvelopeException.class);
    }

    @Test
    void readersOpenWhatIsSealedUnderAFormerPair() throws Exception {
        String name = "former-cp-fabeo22";
        assertThat(open(new EnvelopeOpener(List.of(), ReaderKeys.of(former.readers())), name))
                .isEqualTo(Frozen.lines(name));
    }

    /** A scheme without a frozen envelope fails here. */
    @ParameterizedTest
    @MethodSource("indexSchemes")
    void issuedTrapdoorsFindWhatIsIndexedUnderEachScheme(String scheme) throws Exception {
        assertThat(envelope("tenant-key").index())
                .extracting(IndexBlock::scheme)
                .contains(scheme);
        SearchRequest request = ofScheme(SearchRequest.decode(set.bytes("overheated.vgs")), scheme);
        assertThat(found(request, "tenant-key")).containsExactly(1);
        assertThat(found(request, "tenant-key-next-epoch")).containsExactly(1);
    }

    @Test
    void trapdoorsOfBeforeTheRotationFindWhatWasSealedThen() throws Exception {
        SearchRequest request = SearchRequest.decode(set.bytes("overheated-former.vgs"));
        assertThat(found(request, "former")).containsExactly(1);
        assertThat(found(request, "tenant-key")).as("sealed under later keys").isEmpty();
    }

    @Test
    void searchersByAttributesFindWithTheirOwnKeys() throws Exception {
        PublicBundle bundle = PublicBundle.verify(set.bytes("bundles/last.vgb"), Frozen.authority(set), set.now());
        SearcherKeys keys = new SearcherKeys(ada.searchers(), bundle);
        for (String word : List.of("overheated", "cold")) {
            SearchRequest request = keys.request(
                    "plant-7",
                    Frozen.epochs(set).subList(0, 1),
                    List.of(List.of(Keyword.text("word", word))),
                    Expression.allOf(1));
            assertThat(found(request, "tenant-key")).isEqualTo(word.equals("cold") ? new int[0] : new int[] {1});
        }
    }

    /** An algorithm of wraps without a frozen envelope fails here. */
    @Test
    void eachAlgorithmOfWrapsHasAnEnvelope() throws Exception {
        Set<String> frozen = new TreeSet<>();
        for (String name : names()) {
            frozen.addAll(envelope(name).wrapAlgorithms());
        }
        for (FrozenSet wraps : Frozen.WRAPS) {
            for (String name : wraps.names("envelopes")) {
                frozen.addAll(Envelope.decode(Frozen.envelopes(wraps, name).getFirst())
                        .wrapAlgorithms());
            }
        }
        Set<String> algorithms = new TreeSet<>();
        for (WrapAlgorithm algorithm : WrapAlgorithm.values()) {
            algorithms.add(algorithm.id());
            algorithms.add("abe+" + algorithm.id());
        }
        assertThat(frozen).isEqualTo(algorithms);
    }
}
