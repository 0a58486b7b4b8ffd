package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SealedNote;
import dev.veilgate.envelope.SenderPublicKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One entry of the log.
 *
 * <pre>{@code
 * entry = [ 1, number: uint, previous: bstr 32, time: uint (ms), kind: uint, actor: tstr, details: { * tstr => tstr }, sealed: bstr ]
 * }</pre>
 *
 * @param number   from 1, without gaps; its leaf in the tree has the index {@code number - 1}
 * @param previous {@link #digest} of the entry before; of the first one, a digest that names the authority
 * @param time     when it was written, whole milliseconds; never before that of the entry before
 * @param actor    who did it
 * @param details  in clear
 * @param sealed   what is not ({@link #unseal}); empty if there is nothing
 */
public record LogEntry(
        long number,
        byte[] previous,
        Instant time,
        EntryKind kind,
        String actor,
        SortedMap<String, String> details,
        byte[] sealed) {
    /** Most bytes of an encoded entry. */
    public static final int MAX_BYTES = LogFormat.MAX_ENTRY_BYTES;

    private static final int ITEMS = 8;

    /** @throws IllegalArgumentException naming what is wrong */
    public LogEntry {
        check(number >= 1, "number: must be 1 or more");
        check(previous.length == Merkle.BYTES, "previous: must have " + Merkle.BYTES + " bytes");
        long millis = time.toEpochMilli();
        check(
                millis >= 0 && millis <= LogFormat.MAX_MILLIS && time.equals(Instant.ofEpochMilli(millis)),
                "time: must be whole milliseconds from 1970 to 9999");
        LogDraft.checkActor(actor);
        check(details.size() <= LogFormat.MAX_DETAILS, "details: must be at most " + LogFormat.MAX_DETAILS);
        details.forEach(LogDraft::checkDetail);
        check(
                sealed.length <= LogFormat.MAX_SEALED_BYTES,
                "sealed: must have at most " + LogFormat.MAX_SEALED_BYTES + " bytes");
        SortedMap<String, String> ordered = new TreeMap<>(LogDraft.KEY_ORDER);
        ordered.putAll(details);
        details = Collections.unmodifiableSortedMap(ordered);
        previous = previous.clone();
        sealed = sealed.clone();
    }

    /** The entry of a draft; draws 64 bytes if something is to be sealed. */
    static LogEntry of(
            SenderPublicKey authority,
            LogDraft draft,
            long number,
            byte[] previous,
            Instant time,
            SecureRandom random) {
        byte[] sealed = draft.secret()
                .map(secret ->
                        seal(secret.recipient(), authority, number, SealedDetails.encode(secret.details()), random))
                .orElse(new byte[0]);
        return new LogEntry(number, previous, time, draft.kind(), draft.actor(), draft.details(), sealed);
    }

    static byte[] seal(
            KemPublicKey recipient, SenderPublicKey authority, long number, byte[] plaintext, SecureRandom random) {
        return SealedNote.seal(recipient, LogFormat.SEALED_LABEL, sealedContext(authority, number), plaintext, random);
    }

    private static byte[] sealedContext(SenderPublicKey authority, long number) {
        return new CborWriter(64)
                .array(2)
                .bytes(LogFormat.origin(authority))
                .integer(number)
                .toByteArray();
    }

    /**
     * Opens the details that are sealed.
     *
     * @param authority whose log this is an entry of
     * @return empty if nothing is sealed, or not for this key, or not in this place of this log, or nothing that this version reads
     */
    public Optional<SortedMap<String, String>> unseal(SenderPublicKey authority, KemSecretKey key) {
        if (sealed.length == 0) {
            return Optional.empty();
        }
        try {
            Optional<byte[]> opened =
                    SealedNote.open(key, LogFormat.SEALED_LABEL, sealedContext(authority, number), sealed);
            return opened.isEmpty() ? Optional.empty() : Optional.of(SealedDetails.decode(opened.get()));
        } catch (MalformedEncodingException e) {
            return Optional.empty(); // whoever wrote it sealed no details
        }
    }

    /** The digest of this entry: its leaf hash in the tree, and what the next entry names. */
    public byte[] digest() {
        return Merkle.leaf(encode());
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        CborWriter out = new CborWriter(256 + sealed.length)
                .array(ITEMS)
                .integer(LogFormat.VERSION)
                .integer(number)
                .bytes(previous)
                .integer(time.toEpochMilli())
                .integer(kind.code())
                .text(actor)
                .map(details.size());
        details.forEach((name, value) -> out.text(name).text(value));
        byte[] encoded = out.bytes(sealed).toByteArray();
        check(encoded.length <= MAX_BYTES, "an entry has at most " + MAX_BYTES + " bytes");
        return encoded;
    }

    /** The inverse of {@link #encode}. */
    public static LogEntry decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("issuing-log-entry", bytes);
        if (bytes.length > MAX_BYTES) {
            throw in.malformed("entry", "must have at most " + MAX_BYTES + " bytes");
        }
        int items = in.array("entry", Integer.MAX_VALUE);
        if (in.uint("version", Integer.MAX_VALUE) != LogFormat.VERSION) {
            throw in.malformed("version", "must be 1; update the software to read a later one");
        }
        if (items != ITEMS) {
            throw in.malformed("entry", "must have " + ITEMS + " items");
        }
        long number = in.unsigned("number", Long.MAX_VALUE);
        byte[] previous = in.fixedBytes("previous", Merkle.BYTES);
        Instant time = Instant.ofEpochMilli(in.unsigned("time", LogFormat.MAX_MILLIS));
        Optional<EntryKind> kind = EntryKind.of(in.uint("kind", Integer.MAX_VALUE));
        if (kind.isEmpty()) {
            throw in.malformed("kind", "must be one of this version; update the software to read a later one");
        }
        String actor = in.text("actor", LogFormat.MAX_ACTOR_BYTES);
        SortedMap<String, String> details = SealedDetails.read(in, "details", LogFormat.MAX_VALUE_BYTES);
        byte[] sealed = in.bytes("sealed", LogFormat.MAX_SEALED_BYTES);
        in.end();
        try {
            return new LogEntry(number, previous, time, kind.get(), actor, details, sealed);
        } catch (IllegalArgumentException e) {
            throw in.malformed("entry", String.valueOf(e.getMessage()));
        }
    }

    /** A copy of the digest. */
    @Override
    public byte[] previous() {
        return previous.clone();
    }

    /** A copy of the sealed bytes. */
    @Override
    public byte[] sealed() {
        return sealed.clone();
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogEntry that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number) * 31 + Arrays.hashCode(previous);
    }

    @Override
    public String toString() {
        return "LogEntry[" + number + ", " + kind + ", " + HexFormat.of().formatHex(digest()) + "]";
    }
}
