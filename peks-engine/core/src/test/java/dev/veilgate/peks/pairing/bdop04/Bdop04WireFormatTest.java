package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.peks.pairing.PairingWireFormatTest;
import java.util.Map;

class Bdop04WireFormatTest extends PairingWireFormatTest {
    @Override
    protected PairingSchemeUnderTest scheme() {
        return Bdop04UnderTest.of(frozen(1));
    }

    @Override
    protected Map<String, String> digests() {
        return Map.of(
                "public-key",
                "d291587a580b03b21c3809fc42b2f204927e61ae31e09444bfb20bd3c5358dbd",
                "secret-key",
                "d775fdbcd65beccd755717968c11270f7b94b825c568a037c1ee6e9d826b9008",
                "trapdoor",
                "d7714ae23801df1f036c34fe14460a44b1abd950d2eeeee282a5175a292587b3",
                "block",
                "bce6c750fcf30687f900162b7e6e57449110ff1e0cab53cda2828d2a33bccf9e",
                "block-of-one",
                "756a4a1ce45822a18908876d629702009c383fb9bc54f5684d0f5e94864a3bd9");
    }
}
