package dev.veilgate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression.And;
import dev.veilgate.query.Expression.Not;
import dev.veilgate.query.Expression.Or;
import dev.veilgate.query.Expression.Term;
import dev.veilgate.random.TestSeed;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The container of a search. What it finds is tested with the authority that issues it. */
class SearchRequestTest {
    private static final Term A = new Term(0);
    private static final Term B = new Term(1);
    private static final Term C = new Term(2);
    private static final Filter FILTER = new Filter(
            Optional.of(Instant.parse("2026-11-05T00:00:00.001Z")),
            Optional.of(Instant.parse("2026-11-06T00:00:00Z")),
            Set.of("", "press-4", "press-11"));
    private static final SearchRequest REQUEST = request(new And(List.of(A, new Or(List.of(B, C)))), FILTER);
    private static final SearchRequest GRANTED = REQUEST.with(Grant.issue(
            SigningKey.generate("acme", new SecureRandom()),
            "auditor",
            REQUEST.digests(),
            Instant.parse("2026-12-01T00:00:00Z"),
            7));

    static ScopedTrapdoor trapdoor(int i) {
        return new ScopedTrapdoor(
                "ntru-peks", "N2048_Q29", KeyId.of(new byte[KeyId.BYTES]), "plant-7", "2026-11", new byte[] {(byte) i});
    }

    private static SearchRequest request(Expression expression, Filter filter) {
        return new SearchRequest(
                "acme",
                List.of(List.of(trapdoor(1), trapdoor(2)), List.of(trapdoor(3)), List.of(trapdoor(4))),
                expression,
                filter,
                Optional.empty());
    }

    @Test
    void encodingComesBack() throws Exception {
        for (SearchRequest request : List.of(
                REQUEST,
                GRANTED,
                SearchRequest.allOf("acme", List.of(List.of(trapdoor(1)))),
                request(new And(List.of(new Not(new And(List.of(A, new Not(B)))), C)), Filter.NONE),
                request(
                        Expression.allOf(3),
                        new Filter(Optional.of(Instant.ofEpochMilli(-5)), Optional.empty(), Set.of())))) {
            assertThat(SearchRequest.decode(request.encode())).isEqualTo(request);
            assertThat(request.toString()).doesNotContain("plant", "2026");
        }
    }

    @Test
    void aNotWithoutSomethingPositiveBesideItIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SearchRequest.allOf("acme", List.of(List.of(trapdoor(1))))
                        .with(Filter.NONE)
                        .terms()
                        .forEach(term ->
                                new SearchRequest("acme", List.of(term), new Not(A), Filter.NONE, Optional.empty())))
                .withMessageContaining("NOT");
        assertThatIllegalArgumentException().isThrownBy(() -> new Or(List.of(A, new Not(B))));
        assertThatIllegalArgumentException().isThrownBy(() -> new And(List.of(new Not(A), new Not(B))));
        assertThatIllegalArgumentException().isThrownBy(() -> new Not(new Not(A)));
        CborWriter encoded = new CborWriter(100)
                .array(7)
                .text("veilgate-search")
                .integer(1)
                .text("acme")
                .array(1)
                .array(1)
                .bytes(trapdoor(1).encode())
                .array(2)
                .integer(3)
                .integer(0)
                .map(0)
                .bytes(new byte[0]);
        assertThatThrownBy(() -> SearchRequest.decode(encoded.toByteArray()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("NOT");
    }

    @Test
    void refusesEmptyLongAndUnusedTerms() {
        assertThatIllegalArgumentException().isThrownBy(() -> SearchRequest.allOf("acme", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> SearchRequest.allOf("acme", List.of(List.of())));
        List<ScopedTrapdoor> many = Collections.nCopies(SearchRequest.MAX_TRAPDOORS, trapdoor(1));
        SearchRequest.allOf("acme", List.of(many));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SearchRequest.allOf("acme", List.of(many, List.of(trapdoor(2)))));
        assertThatIllegalArgumentException().isThrownBy(() -> request(new And(List.of(A, B)), Filter.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> request(Expression.allOf(4), Filter.NONE));
        assertThatIllegalArgumentException().isThrownBy(() -> new And(List.of(A)));
    }

    @Test
    void deepAndLargeExpressionsAreRefused() {
        Expression deep = A;
        for (int depth = 1; depth < Expression.MAX_DEPTH; depth++) {
            deep = new And(List.of(B, deep));
        }
        SearchRequest deepest = SearchRequest.allOf("acme", List.of(List.of(trapdoor(1)), List.of(trapdoor(2))));
        new SearchRequest("acme", deepest.terms(), deep, Filter.NONE, Optional.empty());
        Expression deeper = new And(List.of(B, deep));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchRequest("acme", deepest.terms(), deeper, Filter.NONE, Optional.empty()))
                .withMessageContaining("deep");
        List<Expression> terms = IntStream.range(0, Expression.MAX_NODES)
                .mapToObj(i -> (Expression) new Term(i % 2))
                .toList();
        Expression largest = new Or(terms.subList(1, terms.size()));
        new SearchRequest("acme", deepest.terms(), largest, Filter.NONE, Optional.empty());
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new SearchRequest("acme", deepest.terms(), new Or(terms), Filter.NONE, Optional.empty()));
    }

    @Test
    void aFilterComparesTimesAndSenders() {
        Instant from = FILTER.from().orElseThrow();
        Instant to = FILTER.to().orElseThrow();
        assertThat(FILTER.admits("press-4", Instant.EPOCH, from)).isTrue();
        assertThat(FILTER.admits("", to.minusMillis(1), to)).isTrue();
        assertThat(FILTER.admits("press-4", Instant.EPOCH, from.minusMillis(1))).isFalse();
        assertThat(FILTER.admits("press-4", to, to)).isFalse();
        assertThat(FILTER.admits("press-5", from, from)).isFalse();
        assertThat(Filter.NONE.admits("press-5", from, from)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> new Filter(Optional.of(to), Optional.of(to), Set.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Filter(Optional.of(to.plusNanos(1)), Optional.empty(), Set.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Filter(Optional.of(Instant.MAX), Optional.empty(), Set.of()));
    }

    @Test
    void garbageIsRefusedOrCanonical() {
        SplittableRandom random = TestSeed.of(SearchRequestTest.class).random("fuzz");
        for (SearchRequest request : List.of(REQUEST, GRANTED)) {
            byte[] good = request.encode();
            int accepted = 0;
            for (int i = 0; i < 30_000; i++) {
                byte[] altered =
                        Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
                for (int change = random.nextInt(3); change >= 0 && altered.length > 0; change--) {
                    altered[random.nextInt(Math.min(altered.length, 700))] = (byte) random.nextInt(256);
                }
                try {
                    assertThat(SearchRequest.decode(altered).encode()).isEqualTo(altered);
                    accepted++;
                } catch (MalformedEncodingException e) {
                    assertThat(e.getMessage()).isNotEmpty();
                }
            }
            assertThat(accepted).isPositive();
            assertThatThrownBy(() -> SearchRequest.decode(Arrays.copyOf(good, good.length + 1)))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("trailing");
        }
    }

    @Test
    void limitsComeBeforeAllocation() {
        CborWriter bomb = new CborWriter(100)
                .array(7)
                .text("veilgate-search")
                .integer(1)
                .text("acme")
                .array(SearchRequest.MAX_TERMS + 1);
        assertThatThrownBy(() -> SearchRequest.decode(bomb.toByteArray()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("at most 1024");
        assertThatThrownBy(() -> SearchRequest.decode(new byte[SearchRequest.MAX_BYTES + 1]))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("bytes");
    }

    @Test
    void aTargetIsTheHeaderOfItsBlocks() {
        BlockTarget target = BlockTarget.of(trapdoor(1));
        assertThat(target).isEqualTo(BlockTarget.of(target.emptyBlock()));
        assertThat(target.encode()).isEqualTo(target.emptyBlock().encode());
    }
}
