package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.NtruIndexScheme;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that changes what it stores. It has public data only and may re-encode, so every attack here is
 * well-formed: first on envelopes without a signature, where the authenticated encryption alone must notice; then on
 * signed ones.
 */
class EnvelopeAttackTest {
    /** Value of the field that binds more to the header, as a later version may write it. */
    private static final byte[] BOUND =
            new CborWriter(8).map(1).integer(63).integer(1).toByteArray();

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] ANONYMOUS = seal(null, Samples.draft(5));
    private static final byte[] OTHER = seal(null, Samples.draft(5));
    private static final byte[] SIGNED = seal(Samples.SENDER, Samples.draft(5));

    private static byte[] seal(SigningKey identity, EnvelopeDraft draft) {
        return Samples.sealer(identity, RANDOM)
                .seal(draft, ChainPosition.first())
                .bytes();
    }

    private static void assertUnopenable(byte[] bytes) throws MalformedEncodingException {
        Envelope envelope = Envelope.decode(bytes);
        assertThatThrownBy(() -> Samples.OPENER.open(envelope)).isInstanceOf(UnopenableEnvelopeException.class);
    }

    @Test
    void surgeryWithoutAChangeOpens() throws Exception {
        byte[] same = Surgery.on(ANONYMOUS).close();
        assertThat(same).isEqualTo(ANONYMOUS);
        assertThat(Samples.OPENER.open(Envelope.decode(same))).hasSize(5);
    }

    @Test
    void everyFieldOfTheHeaderIsBoundToTheRecords() throws Exception {
        byte[] otherId = Surgery.on(OTHER).get(EnvelopeFormat.KEY_ID);
        Map<Integer, byte[]> changes = Map.of(
                EnvelopeFormat.KEY_ID, otherId,
                EnvelopeFormat.KEY_TENANT, Surgery.text("acma"),
                EnvelopeFormat.KEY_FIRST, Surgery.integer(0),
                EnvelopeFormat.KEY_LAST, Surgery.integer(EnvelopeFormat.MAX_MILLIS),
                EnvelopeFormat.KEY_MEDIA_TYPE, Surgery.text("text/html"),
                EnvelopeFormat.KEY_HEARTBEAT, Surgery.integer(601));
        for (Map.Entry<Integer, byte[]> change : changes.entrySet()) {
            assertUnopenable(Surgery.on(ANONYMOUS)
                    .put(change.getKey(), change.getValue())
                    .close());
        }
        assertUnopenable(
                Surgery.on(ANONYMOUS).remove(EnvelopeFormat.KEY_HEARTBEAT).close());
        assertUnopenable(Surgery.on(SIGNED)
                .put(EnvelopeFormat.KEY_SENDER, Surgery.text("press-5"))
                .close());
        // unknown fields of the header, too
        assertUnopenable(
                Surgery.on(ANONYMOUS).put(EnvelopeFormat.KEY_BOUND, BOUND).close());
    }

    @Test
    void recordsCannotBeMovedRepeatedDroppedOrReplaced() throws Exception {
        List<byte[]> records = Surgery.on(ANONYMOUS).items(EnvelopeFormat.KEY_RECORDS);
        List<byte[]> swapped = new ArrayList<>(records);
        Collections.swap(swapped, 1, 3);
        List<byte[]> repeated = new ArrayList<>(records);
        repeated.set(2, records.get(1));
        List<byte[]> foreign = new ArrayList<>(records);
        foreign.set(0, Surgery.on(OTHER).items(EnvelopeFormat.KEY_RECORDS).getFirst());
        for (List<byte[]> forged : List.of(swapped, repeated, foreign)) {
            assertUnopenable(Surgery.on(ANONYMOUS)
                    .putItems(EnvelopeFormat.KEY_RECORDS, forged)
                    .close());
        }
        byte[] shorter = Surgery.on(ANONYMOUS)
                .putItems(EnvelopeFormat.KEY_RECORDS, records.subList(0, 4))
                .close();
        assertThatThrownBy(() -> Envelope.decode(shorter)).hasMessageContaining("records");
        assertUnopenable(Surgery.on(shorter)
                .put(EnvelopeFormat.KEY_COUNT, Surgery.integer(4))
                .close());
    }

    @Test
    void oneRecordOpenedAloneIsBoundToItsPlace() throws Exception {
        List<byte[]> records = Surgery.on(ANONYMOUS).items(EnvelopeFormat.KEY_RECORDS);
        Collections.swap(records, 1, 3);
        Envelope forged = Envelope.decode(Surgery.on(ANONYMOUS)
                .putItems(EnvelopeFormat.KEY_RECORDS, records)
                .close());
        assertThat(Samples.OPENER.openRecord(forged, 0))
                .isEqualTo(Samples.lines(1).getFirst());
        assertThatThrownBy(() -> Samples.OPENER.openRecord(forged, 1))
                .isInstanceOf(UnopenableEnvelopeException.class)
                .hasMessageContaining("record 1");
    }

    @Test
    void wrapsAndCommitmentsCannotBeSwappedBetweenEnvelopes() throws Exception {
        Surgery other = Surgery.on(OTHER);
        byte[] wraps = other.get(EnvelopeFormat.KEY_WRAPS);
        byte[] commitment = other.get(EnvelopeFormat.KEY_COMMITMENT);
        byte[] records = other.get(EnvelopeFormat.KEY_RECORDS);
        assertUnopenable(
                Surgery.on(ANONYMOUS).put(EnvelopeFormat.KEY_WRAPS, wraps).close());
        assertUnopenable(Surgery.on(ANONYMOUS)
                .put(EnvelopeFormat.KEY_COMMITMENT, commitment)
                .close());
        assertUnopenable(Surgery.on(ANONYMOUS)
                .put(EnvelopeFormat.KEY_WRAPS, wraps)
                .put(EnvelopeFormat.KEY_COMMITMENT, commitment)
                .put(EnvelopeFormat.KEY_RECORDS, records)
                .close());
    }

    @Test
    void everyBitOfAWrapCounts() throws Exception {
        Surgery surgery = Surgery.on(ANONYMOUS);
        byte[] wrap = surgery.items(EnvelopeFormat.KEY_WRAPS).getFirst();
        CborReader in = new CborReader("wrap", wrap);
        in.array("wrap", 4);
        in.rawItem("algorithm");
        in.rawItem("key-id");
        for (int at = in.position() + 3; at < wrap.length; at += 41) {
            if (at == in.position() + 3 + XWing.CIPHERTEXT_BYTES || at == in.position() + 4 + XWing.CIPHERTEXT_BYTES) {
                continue; // the head of the last part
            }
            byte[] altered = wrap.clone();
            altered[at] ^= 4;
            assertUnopenable(
                    surgery.putItems(EnvelopeFormat.KEY_WRAPS, List.of(altered)).close());
        }
    }

    /** A sender that wraps two content keys, to show two recipients different things, is found out by one of them. */
    @Test
    void twoContentKeysInOneEnvelopeDoNotBothOpen() throws Exception {
        Surgery surgery = Surgery.on(ANONYMOUS);
        KemSecretKey auditor = KemSecretKey.generate(RANDOM);
        byte[] headerDigest = Envelope.decode(ANONYMOUS).headerDigest();
        WrappedKey wrap = WrappedKey.forRecipient(auditor.publicKey(), headerDigest, new byte[32], RANDOM);
        byte[] second = new CborWriter(1300)
                .array(4)
                .text(wrap.algorithm())
                .bytes(wrap.keyId().toBytes())
                .bytes(wrap.encapsulation())
                .bytes(wrap.wrapped())
                .toByteArray();
        List<byte[]> wraps = surgery.items(EnvelopeFormat.KEY_WRAPS);
        wraps.add(second);
        Envelope both = Envelope.decode(
                surgery.putItems(EnvelopeFormat.KEY_WRAPS, wraps).close());
        assertThat(Samples.OPENER.open(both)).hasSize(5);
        assertThatThrownBy(() -> new EnvelopeOpener(List.of(auditor)).open(both))
                .hasMessageContaining("commits to");
    }

    /** Anybody can wrap some other key for the tenant's public key; put before the real wrap, it must not hide it. */
    @Test
    void aWrapOfAnotherContentKeyDoesNotHideTheRealOne() throws Exception {
        Surgery surgery = Surgery.on(ANONYMOUS);
        byte[] headerDigest = Envelope.decode(ANONYMOUS).headerDigest();
        WrappedKey wrap = WrappedKey.forRecipient(Samples.TENANT.publicKey(), headerDigest, new byte[32], RANDOM);
        byte[] decoy = new CborWriter(1300)
                .array(4)
                .text(wrap.algorithm())
                .bytes(wrap.keyId().toBytes())
                .bytes(wrap.encapsulation())
                .bytes(wrap.wrapped())
                .toByteArray();
        List<byte[]> wraps = surgery.items(EnvelopeFormat.KEY_WRAPS);
        wraps.addFirst(decoy);
        assertThat(Samples.OPENER.open(Envelope.decode(
                        surgery.putItems(EnvelopeFormat.KEY_WRAPS, wraps).close())))
                .hasSize(5);
    }

    /**
     * FrodoKEM takes 14 ms by Java, an envelope holds 256 wraps, and anybody can seal: without a bound, seconds each.
     */
    @Test
    void manyWrapsOfFrodoKemDoNotOccupyWhoeverOpens() throws Exception {
        Surgery surgery = Surgery.on(ANONYMOUS);
        KemSecretKey tenant = KemSecretKey.generate(WrapAlgorithm.X25519_FRODOKEM_976, RANDOM);
        byte[] headerDigest = Envelope.decode(ANONYMOUS).headerDigest();
        WrappedKey wrap = WrappedKey.forRecipient(tenant.publicKey(), headerDigest, new byte[32], RANDOM);
        List<byte[]> decoys = new ArrayList<>();
        for (int i = 0; i < EnvelopeFormat.MAX_WRAPS; i++) {
            decoys.add(new CborWriter(16_384)
                    .array(4)
                    .text(wrap.algorithm())
                    .bytes(wrap.keyId().toBytes())
                    .bytes(wrap.encapsulation())
                    .bytes(wrap.wrapped())
                    .toByteArray());
        }
        Envelope many = Envelope.decode(
                surgery.putItems(EnvelopeFormat.KEY_WRAPS, decoys).close());
        assertThatThrownBy(() -> new EnvelopeOpener(List.of(tenant)).open(many))
                .isInstanceOf(UnopenableEnvelopeException.class)
                .hasMessageContaining("work");
    }

    @Test
    void wrapsOfUnknownAlgorithmsAreKeptAndIgnored() throws Exception {
        Surgery surgery = Surgery.on(ANONYMOUS);
        byte[] unknown = new CborWriter(64)
                .array(4)
                .text("cp-abe")
                .bytes(Samples.TENANT.publicKey().id().toBytes())
                .bytes(new byte[] {1, 2, 3})
                .bytes(new byte[0])
                .toByteArray();
        List<byte[]> wraps = surgery.items(EnvelopeFormat.KEY_WRAPS);
        wraps.addFirst(unknown);
        byte[] bytes = surgery.putItems(EnvelopeFormat.KEY_WRAPS, wraps).close();
        Envelope envelope = Envelope.decode(bytes);
        assertThat(envelope.bytes()).isEqualTo(bytes);
        assertThat(Samples.OPENER.open(envelope)).hasSize(5);
    }

    @Test
    void indexBlocksDoNotMatchInAnotherEnvelopeOrUnderAnotherHeader(@TempDir Path folder) throws Exception {
        IndexScheme scheme = NtruIndexScheme.accepting(List.of(NtruParameters.N512_Q24));
        PreparedTrapdoor press;
        try (var store = FileTrapdoorStore.open(folder)) {
            press = scheme.prepare(new NtruPeks(NtruParameters.N512_Q24, RANDOM)
                    .trapdoor(
                            Samples.INDEX.secretKey(),
                            new KeywordDomain("acme", "plant-7", "2026-11"),
                            Keyword.text("word", "press"),
                            store));
        }
        Surgery other = Surgery.on(OTHER);
        byte[] block = other.get(EnvelopeFormat.KEY_INDEX);
        List<byte[]> swappedRecords = other.items(EnvelopeFormat.KEY_RECORDS);
        Collections.swap(swappedRecords, 0, 4);
        assertThat(matches(scheme, press, OTHER)).isEqualTo(1);
        assertThat(matches(
                        scheme,
                        press,
                        Surgery.on(ANONYMOUS)
                                .put(EnvelopeFormat.KEY_INDEX, block)
                                .close()))
                .isZero();
        assertThat(matches(
                        scheme,
                        press,
                        Surgery.on(OTHER)
                                .put(EnvelopeFormat.KEY_LAST, Surgery.integer(EnvelopeFormat.MAX_MILLIS))
                                .close()))
                .isZero();
        assertThat(matches(
                        scheme,
                        press,
                        Surgery.on(OTHER)
                                .putItems(EnvelopeFormat.KEY_RECORDS, swappedRecords)
                                .close()))
                .isZero();
    }

    private static long matches(IndexScheme scheme, PreparedTrapdoor trapdoor, byte[] bytes) throws Exception {
        Envelope envelope = Envelope.decode(bytes);
        List<StoredBlock> arrived;
        try {
            arrived = scheme.verifier(Samples.INDEX.publicKey().encode()).verify(envelope.index(), envelope.context());
        } catch (MalformedEncodingException e) {
            assertThat(e).hasMessageStartingWith("ntru-peks.binding");
            return 0;
        }
        return arrived.stream()
                .mapToLong(stored -> scheme.match(trapdoor, stored).size())
                .sum();
    }

    @Test
    void everyFieldOfASignedEnvelopeIsSigned() throws Exception {
        SenderPublicKey key = Samples.SENDER.publicKey();
        assertThat(Envelope.decode(SIGNED).signedBy(key)).isTrue();
        Surgery anonymous = Surgery.on(ANONYMOUS);
        for (int field : new int[] {2, 5, 6, 16, 17, 18, 19}) {
            Surgery forged = Surgery.on(SIGNED);
            if (field == EnvelopeFormat.KEY_FIRST || field == EnvelopeFormat.KEY_LAST) {
                forged.put(field, Surgery.integer(Samples.NOW.toEpochMilli() - 60_001 + field * 10_000L));
            } else {
                forged.put(field, anonymous.get(field));
            }
            assertThat(Envelope.decode(forged.close()).signedBy(key))
                    .as("field %d", field)
                    .isFalse();
        }
        byte[] digest = new byte[32];
        digest[0] = 1;
        for (byte[] forged : List.of(
                Surgery.on(SIGNED)
                        .put(EnvelopeFormat.KEY_TENANT, Surgery.text("acma"))
                        .close(),
                Surgery.on(SIGNED)
                        .put(EnvelopeFormat.KEY_MEDIA_TYPE, Surgery.text("a/b"))
                        .close(),
                Surgery.on(SIGNED)
                        .put(EnvelopeFormat.KEY_SEQUENCE, Surgery.integer(2))
                        .close(),
                Surgery.on(SIGNED)
                        .put(EnvelopeFormat.KEY_SEQUENCE, Surgery.integer(2))
                        .put(EnvelopeFormat.KEY_PREVIOUS, Surgery.bytes(digest))
                        .close(),
                Surgery.on(SIGNED)
                        .put(EnvelopeFormat.KEY_HEARTBEAT, Surgery.integer(1))
                        .close(),
                Surgery.on(SIGNED).remove(EnvelopeFormat.KEY_HEARTBEAT).close(),
                Surgery.on(SIGNED).remove(EnvelopeFormat.KEY_INDEX).close(),
                Surgery.on(SIGNED).put(EnvelopeFormat.KEY_BOUND, BOUND).close(),
                Surgery.on(SIGNED).put(30, Surgery.integer(1)).close(),
                Surgery.on(SIGNED).put(32, Surgery.integer(1)).close(),
                Surgery.on(SIGNED).put("x", Surgery.integer(1)).close())) {
            assertThat(Envelope.decode(forged).signedBy(key)).isFalse();
        }
    }

    /** Fields of later versions, before and behind the signature, are signed like all others. */
    @Test
    void extensionsAreSigned() throws Exception {
        SenderPublicKey key = Samples.SENDER.publicKey();
        Surgery parts = Surgery.on(SIGNED)
                .remove(EnvelopeFormat.KEY_SIGNATURE)
                .put(30, Surgery.integer(1))
                .put(32, Surgery.integer(1))
                .put("x", Surgery.integer(1));
        byte[] signature = Samples.SENDER.sign("envelope", parts.close());
        parts.put(EnvelopeFormat.KEY_SIGNATURE, Surgery.bytes(signature));
        assertThat(Envelope.decode(parts.close()).signedBy(key)).isTrue();
        for (int field : new int[] {30, 32}) {
            byte[] forged =
                    Surgery.on(parts.close()).put(field, Surgery.integer(2)).close();
            assertThat(Envelope.decode(forged).signedBy(key))
                    .as("field %d", field)
                    .isFalse();
        }
        byte[] forged = Surgery.on(parts.close()).put("x", Surgery.integer(2)).close();
        assertThat(Envelope.decode(forged).signedBy(key)).isFalse();
    }

    @Test
    void aStrippedSignatureLeavesAnEnvelopeThatNobodySignedAndNobodyOpens() throws Exception {
        Surgery surgery = Surgery.on(SIGNED).remove(EnvelopeFormat.KEY_SIGNATURE);
        assertThatThrownBy(() -> Envelope.decode(surgery.close())).hasMessageContaining("signature");
        surgery.remove(EnvelopeFormat.KEY_SEQUENCE, EnvelopeFormat.KEY_PREVIOUS);
        assertThatThrownBy(() -> Envelope.decode(surgery.close())).hasMessageContaining("sender");
        byte[] stripped =
                surgery.put(EnvelopeFormat.KEY_SENDER, Surgery.text("")).close();
        assertThat(Envelope.decode(stripped).signedBy(Samples.SENDER.publicKey()))
                .isFalse();
        assertUnopenable(stripped); // sender, sequence and previous digest are in the header
    }

    @Test
    void neitherSignatureAloneIsEnough() throws Exception {
        SenderPublicKey key = Samples.SENDER.publicKey();
        byte[] message = {1, 2, 3};
        byte[] good = Samples.SENDER.sign("envelope", message);
        byte[] other = Samples.SENDER.sign("envelope", new byte[] {1, 2, 4});
        assertThat(key.verify("envelope", message, good)).isTrue();
        byte[] firstOnly = other.clone();
        System.arraycopy(good, 0, firstOnly, 0, 64);
        byte[] secondOnly = good.clone();
        System.arraycopy(other, 0, secondOnly, 0, 64);
        assertThat(key.verify("envelope", message, firstOnly)).isFalse();
        assertThat(key.verify("envelope", message, secondOnly)).isFalse();
        assertThat(key.verify("envelope", message, java.util.Arrays.copyOf(good, 64)))
                .isFalse();
        assertThat(key.verify("envelope", message, new byte[0])).isFalse();
        assertThat(key.verify("bundle", message, good)).isFalse();
    }

    /**
     * Of two honest keys with one half in common, neither's signature holds for the other: a signature names its pair.
     */
    @Test
    void halvesOfTwoKeysDoNotMakeAThird() throws Exception {
        SigningKey other = SigningKey.generate("press-4", RANDOM);
        SenderPublicKey mixed = new SenderPublicKey(
                "press-4",
                Samples.SENDER.publicKey().ed25519(),
                other.publicKey().mlDsa65());
        byte[] message = {1, 2, 3};
        byte[] signature = other.sign("envelope", message);
        System.arraycopy(Samples.SENDER.sign("envelope", message), 0, signature, 0, 64);
        assertThat(mixed.verify("envelope", message, signature)).isFalse();
    }

    @Test
    void aSenderKeyThatIsNoPointVerifiesNothing() {
        byte[] notAPoint = new byte[32];
        SenderPublicKey key =
                new SenderPublicKey("x", notAPoint, Samples.SENDER.publicKey().mlDsa65());
        assertThatCode(() -> assertThat(key.verify("envelope", new byte[1], new byte[SenderPublicKey.SIGNATURE_BYTES]))
                        .isFalse())
                .doesNotThrowAnyException();
    }
}
