package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.abe.ks.zxa14.Zxa14UnderTest.attributes;
import static dev.veilgate.abe.ks.zxa14.Zxa14UnderTest.policy;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Index keys that ask for attributes in the epoch of what is sealed: a searcher's key ends with its epoch. */
class Zxa14EpochTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14EpochTest.class);
    private static final IndexScheme SCHEME = new Zxa14IndexScheme();
    private static final Zxa14 ZXA14 = new Zxa14(new ReplayableRandom(SEED.coins("keys")));
    private static final KeyPair AUTHORITY = ZXA14.setup();
    private static final KeywordDomain NOVEMBER = new KeywordDomain("acme", "plant-7", "2026-11");
    private static final KeywordDomain DECEMBER = new KeywordDomain("acme", "plant-7", "2026-12");
    private static final String OF_NOVEMBER = "role:auditor@2026-11, site:plant-7@2026-11";
    private static final IndexPublicKey INDEX =
            IndexPublicKey.byEpoch(AUTHORITY.publicKey(), policy("role:auditor AND site:plant-7"));

    private final Zxa14IndexSealer sealer =
            Zxa14IndexSealer.oneKeywordPerBlock(INDEX, new ReplayableRandom(SEED.coins("blocks")));

    private StoredBlock sealed(KeywordDomain domain) throws MalformedEncodingException {
        return SCHEME.storedForm(
                sealer.seal(domain, CONTEXT, 9, List.of(Posting.of(word(1), 2, 8)))
                        .getFirst(),
                CONTEXT);
    }

    private static SecretKey key(String attributes) {
        return ZXA14.keyGen(AUTHORITY.masterKey(), attributes(attributes));
    }

    private static List<SlotMatch> match(ScopedTrapdoor token, StoredBlock block) throws MalformedEncodingException {
        return SCHEME.match(SCHEME.prepare(token), block);
    }

    @Test
    void aKeyOfOneEpochFindsWhatIsSealedInIt() throws MalformedEncodingException {
        for (KeywordDomain domain : List.of(NOVEMBER, DECEMBER, NOVEMBER)) { // the sealer goes on to another and back
            StoredBlock block = sealed(domain);
            String epoch = domain.epoch();
            try (SecretKey key = key("role:auditor@" + epoch + ", site:plant-7@" + epoch)) {
                ScopedTrapdoor token = ZXA14.token(key, INDEX, domain, word(1)).orElseThrow();
                assertThat(match(token, block)).containsExactly(new SlotMatch(0, RecordSet.of(2, 8)));
                assertThat(match(ZXA14.token(key, INDEX, domain, word(2)).orElseThrow(), block))
                        .isEmpty();
            }
        }
    }

    @Test
    void attributesOfOtherEpochsSatisfyNothing() {
        for (String wrong : new String[] {
            "role:auditor, site:plant-7",
            OF_NOVEMBER,
            "role:auditor@2026-12, site:plant-7@2026-11",
            "role:auditor@2026-12, site:plant-8@2026-12"
        }) {
            assertThat(ZXA14.token(key(wrong), INDEX, DECEMBER, word(1)))
                    .as(wrong)
                    .isEmpty();
        }
    }

    /**
     * The check is gone round by a searcher who writes another epoch, or site, into its key: what the names stand for
     * in the ciphertext is not in the key.
     */
    @Test
    void aKeyThatIsRenamedFindsNothing() throws MalformedEncodingException {
        StoredBlock november = sealed(NOVEMBER);
        StoredBlock december = sealed(DECEMBER);
        SecretKey ofDecember = renamed(key(OF_NOVEMBER), "2026-11", "2026-12");
        ScopedTrapdoor forged =
                ZXA14.token(ofDecember, INDEX, DECEMBER, word(1)).orElseThrow();
        assertThat(match(forged, december)).isEmpty();
        ScopedTrapdoor elsewhere = new ScopedTrapdoor(
                forged.scheme(), forged.parameters(), forged.keyId(), "plant-7", "2026-11", forged.bytes());
        assertThat(match(elsewhere, november)).isEmpty();
        SecretKey ofPlant7 = renamed(key("role:auditor@2026-11, site:plant-8@2026-11"), "plant-8", "plant-7");
        assertThat(match(ZXA14.token(ofPlant7, INDEX, NOVEMBER, word(1)).orElseThrow(), november))
                .isEmpty();
        SecretKey same = renamed(key("role:auditor@2026-11, site:plant-7@2026-11"), "plant-7", "plant-7");
        assertThat(match(ZXA14.token(same, INDEX, NOVEMBER, word(1)).orElseThrow(), november))
                .as("the way of forging is right")
                .hasSize(1);
    }

    private static SecretKey renamed(SecretKey key, String from, String to) throws MalformedEncodingException {
        String bytes = new String(key.encode(), StandardCharsets.ISO_8859_1);
        return SecretKey.decode(bytes.replace(from, to).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** An epoch that a policy names stays, and counts in all epochs. */
    @Test
    void anEpochThatAPolicyNamesIsKept() throws MalformedEncodingException {
        IndexPublicKey index =
                IndexPublicKey.byEpoch(AUTHORITY.publicKey(), policy("role:auditor AND project:x@2026-10"));
        StoredBlock block = SCHEME.storedForm(
                Zxa14IndexSealer.oneKeywordPerBlock(index, new ReplayableRandom(SEED.coins("named")))
                        .seal(NOVEMBER, CONTEXT, 1, List.of(Posting.of(word(1), 0)))
                        .getFirst(),
                CONTEXT);
        ScopedTrapdoor token = ZXA14.token(key("role:auditor@2026-11, project:x@2026-10"), index, NOVEMBER, word(1))
                .orElseThrow();
        assertThat(match(token, block)).hasSize(1);
        assertThat(ZXA14.token(key("role:auditor@2026-11, project:x@2026-11"), index, NOVEMBER, word(1)))
                .isEmpty();
    }

    @Test
    void bothFormsOfAnIndexKeyAreKeptApart() throws MalformedEncodingException {
        IndexPublicKey always = new IndexPublicKey(AUTHORITY.publicKey(), INDEX.policy());
        assertThat(always).isNotEqualTo(INDEX);
        assertThat(always.id()).isNotEqualTo(INDEX.id()).isEqualTo(KeyId.ofPublicKey(always.encode()));
        assertThat(always.policyIn("2026-11")).isEqualTo(always.policy());
        IndexPublicKey decoded = IndexPublicKey.decode(INDEX.encode());
        assertThat(decoded).isEqualTo(INDEX).hasSameHashCodeAs(INDEX);
        assertThat(decoded.isByEpoch()).isTrue();
        assertThat(decoded.policyIn("2026-11")).isEqualTo(policy("role:auditor@2026-11 AND site:plant-7@2026-11"));
        byte[] later = INDEX.encode();
        later[0] = 3;
        assertThatThrownBy(() -> IndexPublicKey.decode(later))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("newer software");
    }
}
