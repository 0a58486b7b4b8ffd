package dev.veilgate.abe.ks.zxa14;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.postings;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.sharing.SecretSharing.Part;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keywords: tokens of several put together, guesses, and what would go wrong if the scheme were a little different. */
class Zxa14KeywordAttackTest {
    private static final TestSeed SEED = TestSeed.of(Zxa14KeywordAttackTest.class);
    private static final Zxa14UnderTest SCHEME = Zxa14UnderTest.of(new ReplayableRandom(SEED.coins("keys")));
    private static final IndexPublicKey INDEX = SCHEME.index();
    private static final PublicKey PUBLIC = INDEX.authority();
    private static final List<G1> HASHES =
            INDEX.policy().leaves().stream().map(Zxa14::hash).toList();
    private static final List<Part> PARTS =
            INDEX.sharing("").parts(SCHEME.key().attributes()).orElseThrow();

    private CoinStream coins;

    @BeforeEach
    void prepare() {
        coins = SEED.coins("attacks");
    }

    private static Zr h(int word) {
        return Zxa14.hash(INDEX.id(), DOMAIN, word(word));
    }

    private Zxa14.Sealed slot(int word) {
        return Zxa14.seal(INDEX.authority(), INDEX.sharing(""), HASHES, h(word), coins);
    }

    private Token token(int word, Zr s) {
        return Zxa14.token(SCHEME.key().parts(), INDEX.authority(), INDEX.sharing(""), PARTS, h(word), s);
    }

    private Token token(int word) {
        return token(word, Zr.random(coins));
    }

    private static Gt tested(Token token, Zxa14.Sealed slot) {
        return Zxa14.tested(token, slot.ciphertext().only(token.places()));
    }

    @Test
    void tokensOfTwoKeywordsDoNotMix() {
        Zxa14.Sealed[] slots = {slot(1), slot(2), slot(3)};
        Token first = token(1);
        Token second = token(2);
        for (int mix = 0; mix < 16; mix++) {
            Token mixed = new Token(
                    first.leaves(),
                    ((mix & 1) == 0 ? first : second).tok1(),
                    ((mix & 2) == 0 ? first : second).tok2(),
                    ((mix & 4) == 0 ? first : second).tok3(),
                    ((mix & 8) == 0 ? first : second).parts());
            for (int i = 0; i < slots.length; i++) {
                boolean pure = mix == 0 && i == 0 || mix == 15 && i == 1;
                assertThat(tested(mixed, slots[i]).equals(slots[i].key()))
                        .as("mix %s on slot %s", mix, i)
                        .isEqualTo(pure);
            }
        }
    }

    /** Tokens are linear: x of one and 1 - x of another are a token, but of no keyword that anybody can name. */
    @Test
    void sumsOfTokensOfTwoKeywordsOpenNothing() {
        Zxa14.Sealed[] slots = {slot(1), slot(2), slot(3)};
        Token first = token(1);
        Token second = token(2);
        for (Zr x : new Zr[] {Zr.of(2), Zr.of(-1), Zr.of(2).inverse(), ratio(1, 2, 3)}) {
            Token sum = sum(first, x, second, Zr.ONE.minus(x));
            for (Zxa14.Sealed slot : slots) {
                assertThat(tested(sum, slot)).isNotEqualTo(slot.key());
            }
        }
        // of one keyword they are one of that keyword, which is nothing new
        assertThat(tested(sum(first, Zr.of(2), token(1), Zr.of(-1)), slots[0])).isEqualTo(slots[0].key());
    }

    /** x with x·h1 + (1 - x)·h2 = h3. */
    private static Zr ratio(int one, int two, int three) {
        return h(three).minus(h(two)).times(h(one).minus(h(two)).inverse());
    }

    private static Token sum(Token first, Zr x, Token second, Zr y) {
        List<Token.Part> parts = new ArrayList<>();
        for (int i = 0; i < first.parts().size(); i++) {
            Token.Part a = first.parts().get(i);
            Token.Part b = second.parts().get(i);
            parts.add(new Token.Part(
                    a.leaf(),
                    a.a().times(x).plus(b.a().times(y)),
                    a.b().times(x).plus(b.b().times(y))));
        }
        return new Token(
                first.leaves(),
                first.tok1().times(x).plus(second.tok1().times(y)),
                first.tok2().times(x).plus(second.tok2().times(y)),
                first.tok3().times(x).plus(second.tok3().times(y)),
                parts);
    }

    /** Why s is used once: two tokens under one s are tokens of every keyword. */
    @Test
    void twoTokensUnderOneSOpenEveryKeyword() {
        Zr s = Zr.random(coins);
        Token first = token(1, s);
        Token second = token(2, s);
        Zxa14.Sealed slot = slot(3);
        Zr x = ratio(1, 2, 3);
        assertThat(tested(sum(first, x, second, Zr.ONE.minus(x)), slot)).isEqualTo(slot.key());
        assertThat(tested(sum(first, x, token(2), Zr.ONE.minus(x)), slot)).isNotEqualTo(slot.key());
    }

    @Test
    void noTwoTokensHaveOneS() throws MalformedEncodingException {
        Set<G2> seen = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            assertThat(seen.add(
                            Token.decode(SCHEME.trapdoor(DOMAIN, word(i % 2)).bytes())
                                    .tok2()))
                    .isTrue();
        }
    }

    /** e(W_0, g2^c) / e(g1^a·g1^(b·h), W), which everybody can compute for a guess: e(g1, g2)^(a·c·r2) if it is right. */
    private static Gt guessed(Ciphertext slot, int word) {
        return new PairingProduct()
                .times(slot.w0(), PUBLIC.g2C())
                .over(PUBLIC.g1A().plus(PUBLIC.g1B().times(h(word))), slot.w())
                .value();
    }

    /** Why the value that Test compares is not what posting lists are sealed under: without s it is public for a guess, and the tag would confirm it. */
    @Test
    void theComparedValueIsPublicForAGuessAndIsNotTheSlotsSecret() {
        MasterKey.Parts master = SCHEME.authority().masterKey().parts();
        for (int sealed = 0; sealed < 2; sealed++) {
            Zxa14.Sealed slot = slot(sealed);
            G2 g2R2 = slot.ciphertext().wPrime().times(master.b().inverse());
            Gt compared = Gt.pairing(PUBLIC.g1A().times(master.c()), g2R2);
            for (int guess = 0; guess < 2; guess++) {
                Gt candidate = guessed(slot.ciphertext(), guess);
                assertThat(candidate.equals(compared)).isEqualTo(guess == sealed);
                assertThat(candidate).isNotEqualTo(slot.key());
            }
        }
    }

    /** Why slots share nothing: under one r2 two right guesses give one value, and everybody sees it. */
    @Test
    void slotsUnderOneR2WouldConfirmGuessesOfTwoKeywords() {
        Zr r2 = Zr.random(coins);
        Ciphertext[] shared = {shared(1, r2), shared(2, r2)};
        Ciphertext[] real = {slot(1).ciphertext(), slot(2).ciphertext()};
        for (int one = 0; one < 4; one++) {
            for (int two = 0; two < 4; two++) {
                assertThat(guessed(shared[0], one).equals(guessed(shared[1], two)))
                        .as("guess %s, %s", one, two)
                        .isEqualTo(one == 1 && two == 2);
                assertThat(guessed(real[0], one)).isNotEqualTo(guessed(real[1], two));
            }
        }
    }

    private Ciphertext shared(int word, Zr r2) {
        Zr r1 = Zr.random(coins);
        return new Ciphertext(
                PUBLIC.g1A().times(r1.plus(r2)).plus(PUBLIC.g1B().times(h(word).times(r1))),
                PUBLIC.g2C().times(r1),
                PUBLIC.g2B().times(r2),
                List.of());
    }

    /** r1 = 0 takes the keyword out of W_0: such a slot matches every token, and is refused by its W. */
    @Test
    void aSlotWithoutKeywordWouldMatchEveryTokenAndIsRefused() throws MalformedEncodingException {
        Zr r2 = Zr.random(coins);
        List<Zr> shares = INDEX.sharing("").share(r2, () -> Zr.random(coins));
        List<Ciphertext.Leaf> leaves = IntStream.range(0, shares.size())
                .mapToObj(v -> new Ciphertext.Leaf(
                        G2.GENERATOR.times(shares.get(v)), HASHES.get(v).times(shares.get(v))))
                .toList();
        Ciphertext forged =
                new Ciphertext(PUBLIC.g1A().times(r2), G2.IDENTITY, PUBLIC.g2B().times(r2), leaves);
        for (int word = 0; word < 3; word++) {
            Token token = token(word);
            assertThat(Zxa14.tested(token, forged.only(token.places())))
                    .isEqualTo(PUBLIC.y().power(r2));
        }
        IndexBlock block = SCHEME.block(1, 1, new ReplayableRandom(SEED.coins("block")));
        byte[] payload = block.payload();
        System.arraycopy(forged.encode(), 0, payload, 5, SCHEME.shareBytes());
        assertThatThrownBy(() -> SCHEME.admit(block, payload))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("cp-zxa14.w: not the identity");
    }

    /** Slots of points that fit no policy or no keyword: of each, two tokens find two values, so that no forger can have sealed for both. */
    @Test
    void forgedPointsHaveNoValueForAllTokens() {
        Ciphertext honest = slot(1).ciphertext();
        Ciphertext other = slot(2).ciphertext();
        List<Ciphertext.Leaf> zeroes = honest.leaves().stream()
                .map(leaf -> new Ciphertext.Leaf(G2.GENERATOR, G1.GENERATOR))
                .toList();
        for (Ciphertext forged : List.of(
                new Ciphertext(other.w0(), honest.w(), honest.wPrime(), honest.leaves()),
                new Ciphertext(honest.w0(), other.w(), honest.wPrime(), honest.leaves()),
                new Ciphertext(honest.w0(), honest.w(), other.wPrime(), honest.leaves()),
                new Ciphertext(honest.w0(), honest.w(), honest.wPrime(), other.leaves()),
                new Ciphertext(honest.w0(), honest.w(), honest.wPrime(), zeroes),
                new Ciphertext(G1.GENERATOR, G2.GENERATOR, G2.GENERATOR, zeroes))) {
            Token one = token(1);
            Token same = token(1);
            assertThat(Zxa14.tested(one, forged.only(one.places())))
                    .isNotEqualTo(Zxa14.tested(same, forged.only(same.places())));
        }
    }

    /** Points of a slot can be blinded anew by who knows its keyword; its key is bound to the old ones. */
    @Test
    void aSlotBlindedAnewOpensNothing() throws MalformedEncodingException {
        IndexBlock block = SCHEME.oneKeywordPerBlock(new ReplayableRandom(SEED.coins("blind")))
                .seal(DOMAIN, CONTEXT, 1, postings(1, 1))
                .getFirst();
        byte[] payload = block.payload();
        Ciphertext slot = Ciphertext.decode(payload, 5, 3);
        Zr more = Zr.random(coins);
        Ciphertext blinded = new Ciphertext(
                slot.w0().plus(PUBLIC.g1A().plus(PUBLIC.g1B().times(h(0))).times(more)),
                slot.w().plus(PUBLIC.g2C().times(more)),
                slot.wPrime(),
                slot.leaves());
        Token token = token(0);
        assertThat(Zxa14.tested(token, blinded.only(token.places())))
                .isEqualTo(Zxa14.tested(token, slot.only(token.places())));
        var prepared = SCHEME.scheme().prepare(SCHEME.trapdoor(DOMAIN, word(0)));
        assertThat(SCHEME.scheme().match(prepared, SCHEME.admit(block, payload)))
                .hasSize(1);
        System.arraycopy(blinded.encode(), 0, payload, 5, SCHEME.shareBytes());
        assertThat(SCHEME.scheme().match(prepared, SCHEME.admit(block, payload)))
                .isEmpty();
    }

    /** A token for fewer leaves, or of another policy, on a block of this one: no match, and no error. */
    @Test
    void aTokenOfAPolicyWithOtherLeavesIsNotTested() throws MalformedEncodingException {
        IndexBlock block = SCHEME.block(1, 1, new ReplayableRandom(SEED.coins("leaves")));
        Token token = token(0);
        for (int leaves : new int[] {2, 4, 400}) {
            Token other = new Token(leaves, token.tok1(), token.tok2(), token.tok3(), token.parts());
            ScopedTrapdoor honest = SCHEME.trapdoor(DOMAIN, word(0));
            var prepared = SCHEME.scheme()
                    .prepare(new ScopedTrapdoor(
                            honest.scheme(),
                            honest.parameters(),
                            honest.keyId(),
                            honest.scope(),
                            honest.epoch(),
                            other.encode()));
            assertThat(SCHEME.scheme().match(prepared, SCHEME.admit(block, block.payload())))
                    .isEmpty();
        }
    }

    /** Not an attack that is prevented: every scheme has it whose Test needs nothing but a token. */
    @Test
    void aTokensHolderGuessesItsKeywordWithPublicDataAlone() throws MalformedEncodingException {
        Token stolen = Token.decode(SCHEME.trapdoor(DOMAIN, word(7)).bytes());
        Gt held = Gt.pairing(stolen.tok1(), PUBLIC.g2C());
        int[] guessed = IntStream.range(0, 12)
                .filter(i ->
                        held.equals(Gt.pairing(PUBLIC.g1A().plus(PUBLIC.g1B().times(h(i))), stolen.tok2())))
                .toArray();
        assertThat(guessed).containsExactly(7);
    }

    /** Why the halves of a key have an r each: under one r, any key, whatever its attributes, turns a guess into a candidate for the slot's secret. */
    @Test
    void oneRForBothHalvesWouldConfirmGuesses() {
        MasterKey.Parts master = SCHEME.authority().masterKey().parts();
        Zr r = Zr.random(coins);
        Zr inverse = master.b().inverse();
        G1 ofAc = G1.GENERATOR.times(master.a().times(master.c()).minus(r).times(inverse));
        G1 ofD = G1.GENERATOR.times(master.d().minus(r).times(inverse));
        SecretKey.Parts real = SCHEME.key().parts();
        Zxa14.Sealed slot = slot(1);
        for (int guess = 0; guess < 3; guess++) {
            assertThat(candidate(slot, guess, ofAc.minus(ofD)).equals(slot.key()))
                    .isEqualTo(guess == 1);
            assertThat(candidate(
                            slot, guess, real.masking().a().minus(real.opening().a())))
                    .isNotEqualTo(slot.key());
        }
    }

    /** e(g1, g2)^(ac·r2), if the guess is right, less what the quotient of a key's two A gives. */
    private static Gt candidate(Zxa14.Sealed slot, int guess, G1 quotient) {
        return guessed(slot.ciphertext(), guess)
                .times(Gt.pairing(quotient.negate(), slot.ciphertext().wPrime()));
    }

    /** Nor is this: tokens of one key lie on a line. */
    @Test
    void threeTokensOfOneKeyCanBeLinked() {
        SecretKey.Parts other = SCHEME.zxa14()
                .keyGen(SCHEME.authority().masterKey(), SCHEME.key().attributes())
                .parts();
        Token foreign = Zxa14.token(other, INDEX.authority(), INDEX.sharing(""), PARTS, h(3), Zr.random(coins));
        assertThat(onALine(token(1), token(2), token(3))).isTrue();
        assertThat(onALine(token(1), token(2), foreign)).isFalse();
    }

    private static boolean onALine(Token first, Token second, Token third) {
        Token.Part a = first.parts().getFirst();
        Token.Part b = second.parts().getFirst();
        Token.Part c = third.parts().getFirst();
        return Gt.pairing(a.a().minus(b.a()), a.b().minus(c.b()))
                .equals(Gt.pairing(a.a().minus(c.a()), a.b().minus(b.b())));
    }

    /** Nor is this: whoever satisfies the policy needs no keyword to open what was sealed under it. */
    @Test
    void whoSatisfiesThePolicyOpensEverySlot() {
        SecretKey.Half opening = SCHEME.key().parts().opening();
        for (int word = 0; word < 2; word++) {
            Zxa14.Sealed slot = slot(word);
            PairingProduct product =
                    new PairingProduct().times(opening.a(), slot.ciphertext().wPrime());
            for (Part part : PARTS) {
                SecretKey.Component own =
                        opening.components().get(INDEX.policy().leaves().get(part.leaf()));
                Ciphertext.Leaf leaf = slot.ciphertext().leaves().get(part.leaf());
                product.times(own.a().times(part.coefficient()), leaf.w())
                        .over(leaf.d().times(part.coefficient()), own.b());
            }
            assertThat(product.value()).isEqualTo(slot.key());
        }
    }
}
