package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import java.security.SecureRandom;

/** Bdop04 with one pair of keys. */
record Bdop04UnderTest(KeyPair keys) implements PairingSchemeUnderTest {
    static Bdop04UnderTest of(SecureRandom random) {
        return new Bdop04UnderTest(new Bdop04(random).keyGen());
    }

    @Override
    public IndexScheme scheme() {
        return new Bdop04IndexScheme();
    }

    @Override
    public byte[] publicKey() {
        return keys.publicKey().encode();
    }

    @Override
    public byte[] secretKey() {
        return keys.secretKey().encode();
    }

    @Override
    public byte[] recodedSecretKey(byte[] encoded) throws MalformedEncodingException {
        return SecretKey.decode(encoded).encode();
    }

    @Override
    public ScopedTrapdoor trapdoor(KeywordDomain domain, Keyword keyword) {
        return Bdop04.withDefaults().trapdoor(keys.secretKey(), domain, keyword);
    }

    @Override
    public IndexSealer oneKeywordPerBlock(SecureRandom random) {
        return Bdop04IndexSealer.oneKeywordPerBlock(keys.publicKey(), random);
    }

    @Override
    public int blockPointBytes() {
        return G2.BYTES;
    }

    @Override
    public int shareBytes() {
        return 0;
    }
}
