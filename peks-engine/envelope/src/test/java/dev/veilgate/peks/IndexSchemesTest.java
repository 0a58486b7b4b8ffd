package dev.veilgate.peks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import org.junit.jupiter.api.Test;

/** Holds that schemes are found by the id in untrusted bytes, and that a test's scheme is never installed. */
class IndexSchemesTest {

    @Test
    void findsTheInstalledSchemes() throws MalformedEncodingException {
        for (String id : new String[] {"ntru-peks", "bdop04-peks", "zi07-peks", "cp-zxa14"}) {
            assertThat(IndexSchemes.load().byId(id).id()).isEqualTo(id);
            assertThat(IndexSchemes.load().isKnown(id)).isTrue();
        }
    }

    @Test
    void unknownIdsAreRefusedWithoutBeingRepeated() {
        for (String id : new String[] {"", "NTRU-PEKS", "insecure-toy", "no\nsuch"}) {
            assertThatThrownBy(() -> IndexSchemes.load().byId(id))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessage("scheme: must be one of [bdop04-peks, cp-zxa14, ntru-peks, zi07-peks]");
        }
    }
}
