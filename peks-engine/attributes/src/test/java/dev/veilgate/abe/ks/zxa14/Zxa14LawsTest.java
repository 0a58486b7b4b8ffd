package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.abe.ks.zxa14.Zxa14UnderTest.attributes;
import static dev.veilgate.abe.ks.zxa14.Zxa14UnderTest.policy;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.TestSeed;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cryptography agrees with plain logic; sizes tell what the specification says they tell; keys live and die. */
class Zxa14LawsTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14LawsTest.class);
    private static final IndexScheme SCHEME = new Zxa14IndexScheme();
    private static final Zxa14 ZXA14 = new Zxa14(new ReplayableRandom(SEED.coins("keys")));
    private static final KeyPair AUTHORITY = ZXA14.setup();
    private static final int ROUNDS = 28;

    private static IndexPublicKey index(Policy policy) {
        return new IndexPublicKey(AUTHORITY.publicKey(), policy);
    }

    private static SecretKey key(AttributeSet attributes) {
        return ZXA14.keyGen(AUTHORITY.masterKey(), attributes);
    }

    private static StoredBlock sealed(IndexPublicKey index, String use) throws MalformedEncodingException {
        IndexBlock block = Zxa14IndexSealer.oneKeywordPerBlock(index, new ReplayableRandom(SEED.coins(use)))
                .seal(DOMAIN, CONTEXT, 9, List.of(Posting.of(word(1), 2, 8)))
                .getFirst();
        return SCHEME.storedForm(block, CONTEXT);
    }

    private static List<SlotMatch> match(ScopedTrapdoor token, StoredBlock block) throws MalformedEncodingException {
        return SCHEME.match(SCHEME.prepare(token), block);
    }

    @Test
    void findsExactlyWhatThePolicyAllows() throws MalformedEncodingException {
        RandomPolicies policies = new RandomPolicies(SEED.random("policies"));
        int found = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = policies.ofDepth(round % 7, 12);
            AttributeSet attributes = policies.someAttributes(0.6);
            IndexPublicKey index = IndexPublicKey.decode(index(policy).encode());
            SecretKey key = SecretKey.decode(key(attributes).encode());
            Optional<ScopedTrapdoor> token = ZXA14.token(key, index, DOMAIN, word(1));
            assertThat(token.isPresent())
                    .as("%s by %s", policy, attributes)
                    .isEqualTo(policy.isSatisfiedBy(attributes));
            if (token.isPresent()) {
                StoredBlock block = sealed(index, "round " + round);
                assertThat(match(token.get(), block))
                        .as("%s by %s", policy, attributes)
                        .containsExactly(new SlotMatch(0, RecordSet.of(2, 8)));
                assertThat(match(ZXA14.token(key, index, DOMAIN, word(2)).orElseThrow(), block))
                        .isEmpty();
                found++;
            }
        }
        assertThat(found).as("found of %s", ROUNDS).isBetween(4, ROUNDS - 4);
    }

    /** Who asks for it, the auditor of another plant, or nobody: one policy, three searchers. */
    @Test
    void auditorsOfThePlantAndTheOfficerFindIt() throws MalformedEncodingException {
        IndexPublicKey index = index(policy(Zxa14UnderTest.POLICY));
        StoredBlock block = sealed(index, "searchers");
        for (String searcher : new String[] {"role:auditor, site:plant-7", "role:dpo", "role:dpo, site:plant-8"}) {
            ScopedTrapdoor token = ZXA14.token(key(attributes(searcher)), index, DOMAIN, word(1))
                    .orElseThrow();
            assertThat(match(token, block)).as(searcher).hasSize(1);
        }
        for (String searcher : new String[] {"role:auditor, site:plant-8", "site:plant-7", "role:auditor"}) {
            assertThat(ZXA14.token(key(attributes(searcher)), index, DOMAIN, word(1)))
                    .as(searcher)
                    .isEmpty();
        }
    }

    @Test
    void tokensAreForOnePolicy() throws MalformedEncodingException {
        SecretKey key = key(attributes("role:auditor, site:plant-7, role:dpo"));
        IndexPublicKey index = index(policy("role:auditor AND site:plant-7"));
        StoredBlock block = sealed(index, "policies");
        for (String other :
                new String[] {"site:plant-7 AND role:auditor", "role:auditor OR site:plant-7", "role:dpo"}) {
            IndexPublicKey otherIndex = index(policy(other));
            assertThat(otherIndex.id()).isNotEqualTo(index.id());
            ScopedTrapdoor token = ZXA14.token(key, otherIndex, DOMAIN, word(1)).orElseThrow();
            ScopedTrapdoor renamed = new ScopedTrapdoor(
                    token.scheme(), token.parameters(), index.id(), token.scope(), token.epoch(), token.bytes());
            assertThat(match(renamed, block)).as(other).isEmpty();
        }
    }

    @Test
    void numbersAndEpochsAreAsInEveryPolicy() throws MalformedEncodingException {
        IndexPublicKey index = index(policy("clearance >= 3 AND site:plant-7@2026-11"));
        StoredBlock block = sealed(index, "numbers");
        ScopedTrapdoor token = ZXA14.token(
                        key(attributes("clearance = 5, site:plant-7@2026-11")), index, DOMAIN, word(1))
                .orElseThrow();
        assertThat(match(token, block)).hasSize(1);
        assertThat(ZXA14.token(key(attributes("clearance = 2, site:plant-7@2026-11")), index, DOMAIN, word(1)))
                .isEmpty();
        assertThat(ZXA14.token(key(attributes("clearance = 5, site:plant-7@2026-10")), index, DOMAIN, word(1)))
                .isEmpty();
    }

    @Test
    void sizesTellSlotsRecordsAndLeavesOnly() throws MalformedEncodingException {
        for (String text : new String[] {"role:dpo", Zxa14UnderTest.POLICY}) {
            IndexPublicKey index = index(policy(text));
            int leaves = policy(text).leaves().size();
            assertThat(index.encode()).hasSize(1 + 865 + policy(text).encode().length);
            for (int[] of : new int[][] {{1, 1, 16}, {16, 9, 16}, {17, 256, 32}}) {
                List<Posting> postings = IntStream.range(0, of[0])
                        .mapToObj(i -> Posting.of(word(i), 0))
                        .toList();
                IndexBlock block = SCHEME.sealer(index.encode(), new ReplayableRandom(SEED.coins("sizes")))
                        .seal(DOMAIN, CONTEXT, of[1], postings)
                        .getFirst();
                int slot = 240 + 144 * leaves + 24 + (of[1] + 7) / 8;
                assertThat(block.payload()).hasSize(5 + of[2] * slot);
            }
        }
    }

    /** The largest policy's block and token fit into what carries them. */
    @Test
    void theLargestPolicyFits() {
        List<Policy> leaves = IntStream.range(0, IndexPublicKey.MAX_LEAVES)
                .mapToObj(i -> (Policy) new Policy.Leaf(Attribute.of("a", "" + i)))
                .toList();
        IndexPublicKey index = index(new Policy.Gate(leaves.size(), leaves));
        assertThat(SlotLayout.maxSlots(leaves.size())).isEqualTo(16);
        for (int count : new int[] {200, 400}) {
            int slot = Ciphertext.bytes(count) + 24 + 32;
            assertThat(5 + SlotLayout.maxSlots(count) * slot).isLessThanOrEqualTo(IndexBlock.MAX_PAYLOAD_BYTES);
        }
        assertThat(197 + 146 * leaves.size()).isLessThanOrEqualTo(ScopedTrapdoor.MAX_BYTES);
        assertThat(index.encode().length).isLessThanOrEqualTo(IndexPublicKey.MAX_BYTES);
        List<Policy> more = IntStream.range(0, IndexPublicKey.MAX_LEAVES + 1)
                .mapToObj(i -> (Policy) new Policy.Leaf(Attribute.of("a", "" + i)))
                .toList();
        assertThatThrownBy(() -> index(new Policy.Gate(1, more))).isInstanceOf(IllegalArgumentException.class);
        List<Policy> lengthy = IntStream.range(0, 300)
                .mapToObj(i -> (Policy) new Policy.Leaf(Attribute.of("a", i + "-" + "x".repeat(240))))
                .toList();
        assertThatThrownBy(() -> index(new Policy.Gate(1, lengthy))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyTokenIsFresh() {
        IndexPublicKey index = index(policy("role:dpo"));
        SecretKey key = key(attributes("role:dpo"));
        assertThat(ZXA14.token(key, index, DOMAIN, word(1))).isNotEqualTo(ZXA14.token(key, index, DOMAIN, word(1)));
    }

    @Test
    void keysAreErasedComparedByValueAndNeverPrinted() throws MalformedEncodingException {
        SecretKey key = key(attributes("role:dpo"));
        SecretKey same = SecretKey.decode(key.encode());
        assertThat(key)
                .isEqualTo(same)
                .hasSameHashCodeAs(same)
                .isNotEqualTo(key(attributes("role:dpo")))
                .hasToString("SecretKey[hidden, role:dpo]");
        key.close();
        var itself = key;
        assertThat(key).isEqualTo(itself).isNotEqualTo(same);
        IndexPublicKey index = index(policy("role:dpo"));
        assertThatThrownBy(() -> ZXA14.token(key, index, DOMAIN, word(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(key::encode).isInstanceOf(IllegalStateException.class);

        KeyPair pair = ZXA14.setup();
        MasterKey master = MasterKey.decode(pair.masterKey().encode());
        assertThat(master)
                .isEqualTo(pair.masterKey())
                .hasSameHashCodeAs(pair.masterKey())
                .hasToString("MasterKey[hidden]");
        assertThat(master.publicKey())
                .isEqualTo(pair.publicKey())
                .isEqualTo(PublicKey.decode(pair.publicKey().encode()));
        assertThat(master).isNotEqualTo(AUTHORITY.masterKey());
        master.close();
        assertThat(master).isNotEqualTo(pair.masterKey());
        assertThatThrownBy(() -> ZXA14.keyGen(master, attributes("role:dpo")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(master::encode).isInstanceOf(IllegalStateException.class);

        ScopedTrapdoor token = ZXA14.token(same, index, DOMAIN, word(1)).orElseThrow();
        assertThat(SCHEME.prepare(token).toString()).doesNotContain("w1").hasSizeLessThan(150);
        assertThat(Token.decode(token.bytes())).hasToString("Token[hidden]");
    }

    @Test
    void anIndexKeyNamesAuthorityAndPolicy() throws MalformedEncodingException {
        IndexPublicKey index = index(policy("role:dpo"));
        assertThat(IndexPublicKey.decode(index.encode())).isEqualTo(index).hasSameHashCodeAs(index);
        assertThat(index.id()).isEqualTo(KeyId.ofPublicKey(index.encode()));
        assertThat(index).isNotEqualTo(index(policy("role:auditor")));
        assertThat(new IndexPublicKey(ZXA14.setup().publicKey(), policy("role:dpo")))
                .isNotEqualTo(index);
        assertThat(index.policy()).isEqualTo(policy("role:dpo"));
    }
}
