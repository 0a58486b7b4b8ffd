package dev.veilgate.peks.pairing;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** A scheme over pairings with one pair of keys, as its tests see it. */
public interface PairingSchemeUnderTest {
    /** Of all sealed blocks. */
    KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");

    /** Of all sealed blocks. */
    MessageContext CONTEXT = new MessageContext("device-1", new UUID(1, 2), new byte[32]);

    /** The scheme. */
    IndexScheme scheme();

    /** The public key, encoded. */
    byte[] publicKey();

    /** The secret key, encoded, after decoding it from these bytes. */
    byte[] recodedSecretKey(byte[] encoded) throws MalformedEncodingException;

    /** The secret key, encoded. */
    byte[] secretKey();

    /** A trapdoor. */
    ScopedTrapdoor trapdoor(KeywordDomain domain, Keyword keyword);

    /** The sealer of blocks of one slot. */
    IndexSealer oneKeywordPerBlock(SecureRandom random);

    /** Bytes of a payload's points that belong to the block as a whole. */
    int blockPointBytes();

    /** Bytes of a payload's points that belong to one slot. */
    int shareBytes();

    /** The i-th of a list of keywords that never ends. */
    static Keyword word(int i) {
        return Keyword.text("word", "w" + i);
    }

    /** The first keywords, each in one record. */
    static List<Posting> postings(int keywords, int records) {
        return IntStream.range(0, keywords)
                .mapToObj(i -> Posting.of(word(i), i % records))
                .toList();
    }

    /** One block of so many keywords. */
    default IndexBlock block(int keywords, int records, SecureRandom random) throws MalformedEncodingException {
        return scheme().sealer(publicKey(), random)
                .seal(DOMAIN, CONTEXT, records, postings(keywords, records))
                .getFirst();
    }

    /** What a store keeps of a payload in that block's place. */
    default StoredBlock admit(IndexBlock block, byte[] payload) throws MalformedEncodingException {
        IndexBlock other = new IndexBlock(
                block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
        return scheme().storedForm(other, CONTEXT);
    }
}
