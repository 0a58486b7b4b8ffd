package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import java.security.SecureRandom;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The installed scheme takes the default parameter set only: weaker ones must be named, and are not by untrusted bytes.
 */
class AcceptedSetsTest {
    @Test
    void weakerSetsAreRefusedUnlessNamed() throws Exception {
        IndexScheme installed = IndexSchemes.load().byId(NtruIndexScheme.ID);
        for (NtruParameters p : NtruParameters.all()) {
            byte[] publicKey = TestKeys.of(p).publicKey().encode();
            IndexScheme naming = NtruIndexScheme.accepting(List.of(p));
            IndexBlock block = naming.sealer(publicKey, new SecureRandom())
                    .seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(TestKeys.keyword(0), 0)))
                    .getFirst();
            ScopedTrapdoor trapdoor = TestKeys.scoped(p, TestKeys.keyword(0));
            List<ThrowingCallable> uses = List.of(
                    () -> installed.sealer(publicKey, new SecureRandom()),
                    () -> installed.storedForm(block, TestKeys.context(0)),
                    () -> installed.prepare(trapdoor));
            for (ThrowingCallable use : uses) {
                if (p.use() == NtruParameters.Use.DEFAULT) {
                    assertThat(catchThrowable(use)).isNull();
                } else {
                    assertThatThrownBy(use)
                            .isInstanceOf(MalformedEncodingException.class)
                            .hasMessageContaining("must be one of [N2048_Q29]");
                }
            }
        }
    }
}
