package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.pairing.PairingSchemeUnderTest;
import java.security.SecureRandom;

/** Zi07 with one pair of keys. */
record Zi07UnderTest(KeyPair keys) implements PairingSchemeUnderTest {
    static Zi07UnderTest of(SecureRandom random) {
        return new Zi07UnderTest(new Zi07(random).keyGen());
    }

    @Override
    public IndexScheme scheme() {
        return new Zi07IndexScheme();
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
        return Zi07.withDefaults().trapdoor(keys.secretKey(), domain, keyword);
    }

    @Override
    public IndexSealer oneKeywordPerBlock(SecureRandom random) {
        return Zi07IndexSealer.oneKeywordPerBlock(keys.publicKey(), random);
    }

    @Override
    public int blockPointBytes() {
        return 0;
    }

    @Override
    public int shareBytes() {
        return Share.BYTES;
    }
}
