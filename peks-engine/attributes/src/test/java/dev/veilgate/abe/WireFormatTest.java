package dev.veilgate.abe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.PolicySyntaxException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Freezes keys, ciphertexts and the secrets in them: archives of ten years must still open. A digest that changes is a new format or scheme, which takes a new
 * version or id. Of a new scheme, the digests are those that the failing test prints.
 */
class WireFormatTest {
    private static final String POLICY =
            "(role:auditor AND site:\"Werk Zürich\"@2026-11 AND clearance >= 3) OR 2 of (role:auditor, role:dpo, team:blue)";
    private static final Map<String, Map<String, byte[]>> MADE = new HashMap<>();
    private static final String ATTRIBUTES = "role:auditor, role:dpo, clearance = 5, site:\"Werk Zürich\"@2026-11";

    @ParameterizedTest
    @CsvSource({
        "cp-fabeo22, publicKey, eaf6fc2dc51bbfecaeb1c746f23033a49a095bd1474ca679f883eb7d424e1fa3",
        "cp-fabeo22, masterKey, 928c6030e1c02ac2feef569379b5139f588c3b0eb78016beed8fd4bfcfa0cf75",
        "cp-fabeo22, secretKey, 28ecc208a162ac030418fed769926a860d498e274b5f40b89ca0de8187bdd055",
        "cp-fabeo22, ciphertext, 658a2a1a62e07a4b2b168d7575e8fb146eec7dfef5b3bcfec9ef3c2044012b72",
        "cp-fabeo22, secret, f0c890677827121565aa8ea31ea79040dda418fceffa8e970adf3037b9635415",
        "kp-fabeo22, publicKey, 561e33c8fc824d7bd671a75ef91da0798d479f3749594a5b2006e8720e360e2a",
        "kp-fabeo22, masterKey, 1d079118d8ea9f780250d69a10519fd2b8bf67a9cd474bdbb522ddd6d49cb04d",
        "kp-fabeo22, secretKey, 8cca69aa7610e1714c0205b94a54334fd058bf8cd395176a3f3ac0b4ad00b405",
        "kp-fabeo22, ciphertext, 7223f59e98ea014a202db0af30e8cd50381bc3fe1046fc6e4d0911472670449a",
        "kp-fabeo22, secret, 6100eab3b217aa7dbd34b9a81f2c0925af03a80ac97bc19f5904a779f2e3c8ec",
        "cp-bsw07, publicKey, 5e346b732e58d7a78780eaf65e4c763503b7a09bb10b520bdfd3053442d0380f",
        "cp-bsw07, masterKey, f96e3fd6a9c5d18af2c26c6771e48c593f54d02d8549ed528ec4b104e43270f1",
        "cp-bsw07, secretKey, 3174559f2aa6a604bdc425652e97ef81aea2a561e8d86dc735bf17b457683654",
        "cp-bsw07, ciphertext, 9ba7fc280d19dadeab837e144b1c9ed7aa1fae4a6683811cc2462e1dd3c1a3b6",
        "cp-bsw07, secret, 3d0a595b18c3aae994591bdeb28e4614891d34c01ad00a53a541ff8eba34199b",
        "kp-gpsw06, publicKey, fd31bea145a2855c2b820d90b7a13b709cccdeb1bcb74d4060095845b6b0449f",
        "kp-gpsw06, masterKey, 455bfa95614914f7efa21b1c18b5315289e09674fc76524427bcc1cc306a2300",
        "kp-gpsw06, secretKey, b1abdf594f74839615a2c997a12603bef2e9eca2c5eed5e1021de45c16ae3a7f",
        "kp-gpsw06, ciphertext, e820228695762018964e92e55e46cfa5215bed2c51a98173fc8dfe753339a1fa",
        "kp-gpsw06, secret, 34e54baea5ed8616b3671518796eb0f0eb95ee63e707e7e85201b91399469173",
    })
    void digestsAreFrozen(String scheme, String what, String digest) throws Exception {
        assertThat(sha256(made(scheme).get(what))).isEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp-fabeo22", "kp-fabeo22", "cp-bsw07", "kp-gpsw06"})
    void frozenCiphertextsOpen(String scheme) throws Exception {
        Map<String, byte[]> made = made(scheme);
        AttributePublicKey publicKey = AttributePublicKey.decode(made.get("publicKey"));
        AttributeSecretKey key = AttributeSecretKey.decode(made.get("secretKey"));
        assertThat(AttributeKems.byId(scheme).decapsulate(publicKey, key, made.get("ciphertext")))
                .isEqualTo(made.get("secret"));
    }

    private static Map<String, byte[]> made(String scheme) throws Exception {
        if (!MADE.containsKey(scheme)) {
            MADE.put(scheme, artefacts(AttributeKems.byId(scheme)));
        }
        return MADE.get(scheme);
    }

    private static Map<String, byte[]> artefacts(AttributeKem kem) throws PolicySyntaxException {
        AttributeKeys keys = kem.setup(AuthoritiesUnderTest.frozen("wire/authority/" + kem.id()));
        Encapsulation sent = kem.encapsulate(
                keys.publicKey(),
                AuthoritiesUnderTest.ofCiphertext(kem, POLICY, ATTRIBUTES),
                AuthoritiesUnderTest.frozen("wire/sent/" + kem.id()));
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("publicKey", keys.publicKey().encode());
        all.put("masterKey", keys.masterKey().encode());
        all.put(
                "secretKey",
                kem.keyGen(
                                keys.masterKey(),
                                keys.publicKey(),
                                AuthoritiesUnderTest.ofKey(kem, POLICY, ATTRIBUTES),
                                AuthoritiesUnderTest.frozen("wire/key/" + kem.id()))
                        .encode());
        all.put("ciphertext", sent.ciphertext());
        all.put("secret", sent.secret());
        return all;
    }

    private static String sha256(byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
