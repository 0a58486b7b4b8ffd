package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import dev.veilgate.peks.pairing.PairingWireFormatTest;
import java.util.Map;

class Zi07WireFormatTest extends PairingWireFormatTest {
    @Override
    protected PairingSchemeUnderTest scheme() {
        return Zi07UnderTest.of(frozen(1));
    }

    @Override
    protected Map<String, String> digests() {
        return Map.of(
                "public-key",
                "0a31381cc55e3007ae4c0ac9194cf6d47027e658fae9b8b84cacd659add3e47e",
                "secret-key",
                "bed52c4714223502c39eab140a6717f8ca6a2064b98c4fb83d48f5932e023fad",
                "trapdoor",
                "71de91a07faeec07cf61c6e0206b0c904acadaf5bc000d29717a8e65bac813b5",
                "block",
                "27bb9e6deaa2e96777cb415406aa1a53c23e22674dc4179d94362155d0c9c23b",
                "block-of-one",
                "4a26186ce4701765d98a51419c748071a0c7938fd9fdbff5c270cd76eea04ff8");
    }
}
