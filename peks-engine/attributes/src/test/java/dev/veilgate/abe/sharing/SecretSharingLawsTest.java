package dev.veilgate.abe.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.abe.policy.RandomPolicies;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.random.TestSeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Shares are linear in the secret and the random exponents: a matrix with a row for each leaf and a column for the secret and each exponent. What a set of leaves knows of the
 * secret is whether (1, 0, ..., 0) is in the span of its rows: if it is, the secret follows; if it is not, every secret explains the shares equally well. So the
 * rank says all, for every set of attributes, without trusting the code that finds coefficients.
 */
class SecretSharingLawsTest {
    private static final TestSeed SEED = TestSeed.of(SecretSharingLawsTest.class);
    private static final BigInteger R = Zr.ORDER;

    private static List<Policy> policies() throws PolicySyntaxException {
        List<Policy> all = new ArrayList<>();
        for (String text : List.of(
                "role:auditor",
                "role:auditor AND role:dpo",
                "role:auditor OR role:dpo",
                "2 of (role:auditor, role:dpo, site:plant-7)",
                "3 of (role:auditor, role:dpo, site:plant-7, role:auditor, site:x)",
                "(role:auditor AND role:dpo) OR (role:auditor AND site:plant-7)",
                "2 of (role:auditor AND site:plant-7, role:dpo OR site:x, 2 of (role:auditor, role:dpo, site:x))")) {
            all.add(Policy.parse(text));
        }
        RandomPolicies random = new RandomPolicies(SEED.random("policies"));
        for (int i = 0; i < 14; i++) {
            all.add(random.ofDepth(i % 7, 14));
        }
        return all;
    }

    /** Rows by leaf; column 0 is the secret. */
    private static BigInteger[][] matrix(SecretSharing sharing) {
        int[] drawn = new int[1];
        sharing.share(Zr.ZERO, () -> {
            drawn[0]++;
            return Zr.ZERO;
        });
        int columns = 1 + drawn[0];
        BigInteger[][] rows = new BigInteger[sharing.leaves().size()][columns];
        for (int column = 0; column < columns; column++) {
            int wanted = column;
            int[] at = new int[1];
            List<Zr> shares = sharing.share(column == 0 ? Zr.ONE : Zr.ZERO, () -> ++at[0] == wanted ? Zr.ONE : Zr.ZERO);
            for (int leaf = 0; leaf < rows.length; leaf++) {
                rows[leaf][column] = new BigInteger(1, shares.get(leaf).encode());
            }
        }
        return rows;
    }

    /** By Gaussian elimination over Z_r. */
    private static int rank(List<BigInteger[]> of) {
        List<BigInteger[]> rows =
                new ArrayList<>(of.stream().map(BigInteger[]::clone).toList());
        int rank = 0;
        int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
        for (int column = 0; column < columns; column++) {
            int pivot = rank;
            while (pivot < rows.size() && rows.get(pivot)[column].signum() == 0) {
                pivot++;
            }
            if (pivot == rows.size()) {
                continue;
            }
            BigInteger[] top = rows.set(pivot, rows.get(rank));
            rows.set(rank, top);
            BigInteger inverse = top[column].modInverse(R);
            for (int i = rank + 1; i < rows.size(); i++) {
                BigInteger[] row = rows.get(i);
                BigInteger factor = row[column].multiply(inverse).mod(R);
                for (int j = column; j < columns && factor.signum() != 0; j++) {
                    row[j] = row[j].subtract(factor.multiply(top[j])).mod(R);
                }
            }
            rank++;
        }
        return rank;
    }

    private static boolean determinesTheSecret(List<BigInteger[]> rows) {
        if (rows.isEmpty()) {
            return false;
        }
        BigInteger[] secret = new BigInteger[rows.getFirst().length];
        Arrays.fill(secret, BigInteger.ZERO);
        secret[0] = BigInteger.ONE;
        List<BigInteger[]> more = new ArrayList<>(rows);
        more.add(secret);
        return rank(more) == rank(rows);
    }

    @Test
    void sharesOfASetDetermineTheSecretExactlyIfItSatisfiesThePolicy() throws PolicySyntaxException {
        int satisfied = 0;
        int not = 0;
        for (Policy policy : policies()) {
            SecretSharing sharing = new SecretSharing(policy);
            BigInteger[][] matrix = matrix(sharing);
            List<Attribute> attributes = policy.leaves().stream().distinct().toList();
            for (int chosen = 1; chosen < 1 << attributes.size(); chosen++) {
                List<Attribute> some = new ArrayList<>();
                for (int i = 0; i < attributes.size(); i++) {
                    if ((chosen >>> i & 1) == 1) {
                        some.add(attributes.get(i));
                    }
                }
                List<BigInteger[]> rows = new ArrayList<>();
                for (int leaf = 0; leaf < matrix.length; leaf++) {
                    if (some.contains(sharing.leaves().get(leaf).attribute())) {
                        rows.add(matrix[leaf]);
                    }
                }
                boolean expected = policy.isSatisfiedBy(AttributeSet.of(some));
                assertThat(determinesTheSecret(rows))
                        .as("%s by %s", policy, some)
                        .isEqualTo(expected);
                satisfied += expected ? 1 : 0;
                not += expected ? 0 : 1;
            }
        }
        assertThat(satisfied).isGreaterThan(100);
        assertThat(not).isGreaterThan(100);
    }

    @Test
    void coefficientsFindTheSecret() throws PolicySyntaxException {
        CoinStream coins = SEED.coins("shares");
        RandomPolicies random = new RandomPolicies(SEED.random("sets"));
        for (Policy policy : policies()) {
            SecretSharing sharing = new SecretSharing(policy);
            Zr secret = Zr.random(coins);
            List<Zr> shares = sharing.share(secret, () -> Zr.random(coins));
            for (int i = 0; i < 6; i++) {
                AttributeSet some = i == 0 ? AttributeSet.of(policy.leaves()) : random.someAttributes(0.6);
                Optional<List<SecretSharing.Part>> parts = sharing.parts(some);
                assertThat(parts.isPresent()).as("%s by %s", policy, some).isEqualTo(policy.isSatisfiedBy(some));
                if (parts.isPresent()) {
                    Zr sum = Zr.ZERO;
                    for (SecretSharing.Part part : parts.get()) {
                        assertThat(some.contains(
                                        sharing.leaves().get(part.leaf()).attribute()))
                                .isTrue();
                        sum = sum.plus(part.coefficient().times(shares.get(part.leaf())));
                    }
                    assertThat(sum).as("%s by %s", policy, some).isEqualTo(secret);
                }
            }
        }
    }

    @Test
    void fewestLeavesAreTaken() throws PolicySyntaxException {
        SecretSharing sharing =
                new SecretSharing(Policy.parse("(a:1 AND b:1 AND c:1) OR (a:1 AND d:1) OR (2 of (b:1, c:1, d:1))"));
        assertThat(sharing.parts(AttributeSet.parse("a:1, b:1, c:1, d:1")).orElseThrow())
                .hasSize(2);
        assertThat(sharing.parts(AttributeSet.parse("a:1, d:1")).orElseThrow())
                .containsExactly(new SecretSharing.Part(3, Zr.ONE), new SecretSharing.Part(4, Zr.ONE));
    }

    @Test
    void usesOfAnAttributeAreCounted() throws PolicySyntaxException {
        SecretSharing sharing = new SecretSharing(Policy.parse("(a:1 AND b:1) OR (a:1 AND c:1) OR a:1@e"));
        assertThat(sharing.leaves()).map(SecretSharing.Leaf::use).containsExactly(0, 0, 1, 0, 0);
        assertThat(sharing.uses()).isEqualTo(2);
    }
}
