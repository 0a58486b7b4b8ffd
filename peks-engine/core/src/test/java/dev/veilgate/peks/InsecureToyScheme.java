package dev.veilgate.peks;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A second scheme, as unlike the real one as the contract allows: one deterministic ciphertext a keyword, no posting
 * lists, no padding, a public key that is the secret key. It shows what the contract itself promises; it hides nothing.
 *
 * <pre>
 *   trapdoor = HMAC(key, H1 input)        ciphertext = HMAC(trapdoor, header || context || records - 1)
 * </pre>
 */
final class InsecureToyScheme implements IndexScheme {
    static final String ID = "insecure-toy";
    static final String INSECURE_TOY = "INSECURE_TOY";
    static final int KEY_BYTES = 32;
    static final int MAX_KEYWORDS = 40;
    private static final int MAC_BYTES = 32;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        if (publicKey.length != KEY_BYTES) {
            throw new MalformedEncodingException("public-key", "must have " + KEY_BYTES + " bytes");
        }
        return new Sealer(publicKey.clone());
    }

    static ScopedTrapdoor trapdoor(byte[] key, KeywordDomain domain, Keyword keyword) {
        KeyId id = KeyId.ofPublicKey(key);
        byte[] bytes = hmac(key, domain.hashInput(id, keyword));
        return new ScopedTrapdoor(ID, INSECURE_TOY, id, domain.scope(), domain.epoch(), bytes);
    }

    private record Sealer(byte[] key) implements IndexSealer {
        @Override
        public KeyId keyId() {
            return KeyId.ofPublicKey(key);
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            if (recordCount < 1 || recordCount > RecordSet.MAX_RECORDS) {
                throw new IllegalArgumentException("a message has 1 to " + RecordSet.MAX_RECORDS + " records");
            }
            Set<Keyword> keywords = new LinkedHashSet<>();
            for (Posting posting : postings) {
                if (posting.records().last() >= recordCount) {
                    throw new IllegalArgumentException("a posting names a record beyond the record count");
                }
                keywords.add(posting.keyword());
            }
            List<Keyword> all = List.copyOf(keywords);
            List<IndexBlock> blocks = new ArrayList<>();
            for (int from = 0; from < all.size(); from += MAX_KEYWORDS) {
                List<Keyword> some = all.subList(from, Math.min(from + MAX_KEYWORDS, all.size()));
                ByteWriter out = new ByteWriter(256).uint8(some.size() - 1).uint8(recordCount - 1);
                byte[] binding = binding(block(domain, new byte[0]), context, recordCount);
                for (Keyword keyword : some) {
                    out.bytes(hmac(trapdoor(key, domain, keyword).bytes(), binding));
                }
                blocks.add(block(domain, out.toByteArray()));
            }
            return blocks;
        }

        private IndexBlock block(KeywordDomain domain, byte[] payload) {
            return new IndexBlock(ID, INSECURE_TOY, keyId(), domain.scope(), domain.epoch(), payload);
        }
    }

    @Override
    public IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException {
        sealer(publicKey, new SecureRandom());
        return IndexVerifier.ofForm(this, KeyId.ofPublicKey(publicKey));
    }

    @Override
    public StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        if (!block.scheme().equals(ID) || !block.parameters().equals(INSECURE_TOY)) {
            throw new MalformedEncodingException("index-block.scheme", "must be " + ID);
        }
        ByteReader in = new ByteReader(ID, block.payload());
        int count = in.uint8("count") + 1;
        int records = in.uint8("records") + 1;
        if (count > MAX_KEYWORDS) {
            throw new MalformedEncodingException("insecure-toy.count", "must be at most " + MAX_KEYWORDS);
        }
        byte[] macs = in.bytes("ciphertexts", MAC_BYTES * count);
        in.end();
        byte[] hot = new ByteWriter(64)
                .bytes(binding(block, context, records))
                .uint8(count - 1)
                .bytes(macs)
                .toByteArray();
        return new StoredBlock(hot, new byte[] {(byte) (records - 1)});
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        byte[] hot = stored.hot();
        if (hot.length < 33 || stored.cold().length != 1 || hot.length != 33 + MAC_BYTES * ((hot[32] & 0xff) + 1)) {
            throw new IllegalArgumentException("not a stored block of this scheme");
        }
        byte[] payload = new ByteWriter(64)
                .uint8(hot[32] & 0xff)
                .uint8(stored.cold()[0] & 0xff)
                .bytes(Arrays.copyOfRange(hot, 33, hot.length))
                .toByteArray();
        return new IndexBlock(
                withoutPayload.scheme(),
                withoutPayload.parameters(),
                withoutPayload.keyId(),
                withoutPayload.scope(),
                withoutPayload.epoch(),
                payload);
    }

    private record Prepared(ScopedTrapdoor trapdoor) implements PreparedTrapdoor {}

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        if (!trapdoor.scheme().equals(ID)
                || !trapdoor.parameters().equals(INSECURE_TOY)
                || trapdoor.bytes().length != MAC_BYTES) {
            throw new MalformedEncodingException("trapdoor", "must be one of this scheme");
        }
        return new Prepared(trapdoor);
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        int records = (block.cold()[0] & 0xff) + 1;
        RecordSet all = RecordSet.of(IntStream.range(0, records).toArray());
        return slots(prepared, block.hot(), 0)
                .mapToObj(slot -> new SlotMatch(slot, all))
                .toList();
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        return slots(prepared, hot, hotOffset).findAny().isPresent();
    }

    private static IntStream slots(PreparedTrapdoor prepared, byte[] hot, int at) {
        if (!(prepared instanceof Prepared p)) {
            throw new IllegalArgumentException("the trapdoor was prepared by another scheme");
        }
        byte[] mac = hmac(p.trapdoor().bytes(), Arrays.copyOfRange(hot, at, at + 32));
        int count = (hot[at + 32] & 0xff) + 1;
        return IntStream.range(0, count)
                .filter(i ->
                        Arrays.equals(mac, 0, MAC_BYTES, hot, at + 33 + MAC_BYTES * i, at + 33 + MAC_BYTES * (i + 1)));
    }

    private static byte[] binding(IndexBlock block, MessageContext context, int records) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(block.header());
            sha.update(context.encode());
            sha.update((byte) (records - 1));
            return sha.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, byte[] input) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
