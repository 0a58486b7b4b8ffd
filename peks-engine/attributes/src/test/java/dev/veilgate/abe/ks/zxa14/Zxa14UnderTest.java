package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import java.security.SecureRandom;

/** One authority, one policy, one searcher who satisfies it. */
record Zxa14UnderTest(Zxa14 zxa14, KeyPair authority, IndexPublicKey index, SecretKey key)
        implements PairingSchemeUnderTest {
    static final String POLICY = "(role:auditor AND site:plant-7) OR role:dpo";

    static Zxa14UnderTest of(SecureRandom random) {
        return of(random, POLICY, "role:auditor, site:plant-7, team:a");
    }

    static Zxa14UnderTest of(SecureRandom random, String policy, String attributes) {
        Zxa14 zxa14 = new Zxa14(random);
        KeyPair authority = zxa14.setup();
        return new Zxa14UnderTest(
                zxa14,
                authority,
                new IndexPublicKey(authority.publicKey(), policy(policy)),
                zxa14.keyGen(authority.masterKey(), attributes(attributes)));
    }

    static Policy policy(String text) {
        try {
            return Policy.parse(text);
        } catch (PolicySyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static AttributeSet attributes(String text) {
        try {
            return AttributeSet.parse(text);
        } catch (PolicySyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public IndexScheme scheme() {
        return new Zxa14IndexScheme();
    }

    @Override
    public byte[] publicKey() {
        return index.encode();
    }

    @Override
    public byte[] secretKey() {
        return authority.masterKey().encode();
    }

    @Override
    public byte[] recodedSecretKey(byte[] encoded) throws MalformedEncodingException {
        return MasterKey.decode(encoded).encode();
    }

    @Override
    public ScopedTrapdoor trapdoor(KeywordDomain domain, Keyword keyword) {
        return zxa14.token(key, index, domain, keyword).orElseThrow();
    }

    @Override
    public IndexSealer oneKeywordPerBlock(SecureRandom random) {
        return Zxa14IndexSealer.oneKeywordPerBlock(index, random);
    }

    @Override
    public int blockPointBytes() {
        return 2;
    }

    @Override
    public int shareBytes() {
        return 240 + 3 * 144;
    }
}
