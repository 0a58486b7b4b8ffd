package dev.veilgate.peks.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Where everything lies in a payload, and in the two values that a store keeps of it:
 *
 * <pre>
 *   payload   version = 1 | slots - 1 | records - 1 | points | locators | tag and field, slot by slot
 *   hot       version = 1 | slots - 1 | records - 1 | binding (32) | points, wide | locators
 *   cold      tag and field, slot by slot
 * </pre>
 *
 * <p>Points are the scheme's group elements, compressed in a payload, in a form that is read quickly in a hot value.
 * Locators ascend, as unsigned numbers: one trapdoor matches one slot of a block at most. Immutable.
 */
public final class BlockLayout {
    /** The one parameter set of the schemes over this curve. */
    public static final String PARAMETERS = "BLS12-381";

    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 1 + SlotForm.BYTES;
    private static final int BINDING_BYTES = 32;
    private static final int HOT_POINTS_AT = HEADER_BYTES + BINDING_BYTES;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final String scheme;
    private final int maxSlots;
    private final IntUnaryOperator pointBytes;
    private final IntUnaryOperator widePointBytes;

    /**
     * @param scheme         its id
     * @param maxSlots       most slots of a block, at most 256
     * @param pointBytes     bytes of the points of so many slots in a payload
     * @param widePointBytes the same in a hot value
     */
    public BlockLayout(String scheme, int maxSlots, IntUnaryOperator pointBytes, IntUnaryOperator widePointBytes) {
        this.scheme = scheme;
        this.maxSlots = maxSlots;
        this.pointBytes = pointBytes;
        this.widePointBytes = widePointBytes;
    }

    /** A block of the scheme. */
    public IndexBlock block(KeyId keyId, KeywordDomain domain, byte[] payload) {
        return new IndexBlock(scheme, PARAMETERS, keyId, domain.scope(), domain.epoch(), payload);
    }

    /** {@link #binding} of a block that has no payload yet. */
    public byte[] binding(KeyId keyId, KeywordDomain domain, MessageContext context, SlotForm form, byte[] points) {
        return binding(block(keyId, domain, new byte[0]), context, form, points);
    }

    /**
     * A payload, taken apart; nothing but sizes and the order of locators has been checked.
     *
     * @param form   slots and records
     * @param points the scheme's, still encoded
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Parts(SlotForm form, byte[] points, byte[] locators, byte[] cells) {}

    /** The payload of points and of slots that are sorted. */
    public byte[] payload(SlotForm form, byte[] points, List<Slot> slots) {
        ByteWriter locators = new ByteWriter(form.locatorBytes());
        ByteWriter cells = new ByteWriter(form.cellBytes());
        for (Slot slot : slots) {
            locators.int64(slot.locator());
            cells.bytes(slot.tag()).bytes(slot.field());
        }
        return payload(new Parts(form, points, locators.toByteArray(), cells.toByteArray()));
    }

    private byte[] payload(Parts parts) {
        SlotForm form = parts.form;
        return header(form, parts.points.length + form.locatorBytes() + form.cellBytes())
                .bytes(parts.points)
                .bytes(parts.locators)
                .bytes(parts.cells)
                .toByteArray();
    }

    private static ByteWriter header(SlotForm form, int more) {
        return new ByteWriter(HEADER_BYTES + more)
                .uint8(VERSION)
                .uint8(form.slots() - 1)
                .uint8(form.records() - 1);
    }

    /**
     * A block that arrives, taken apart.
     *
     * @throws MalformedEncodingException if it is another scheme's; for other sizes than these, and locators that do
     * not ascend
     */
    public Parts decode(IndexBlock block) throws MalformedEncodingException {
        if (!block.scheme().equals(scheme)) {
            throw new MalformedEncodingException("index-block.scheme", "must be " + scheme);
        }
        if (!block.parameters().equals(PARAMETERS)) {
            throw new MalformedEncodingException("index-block.parameters", "must be " + PARAMETERS);
        }
        ByteReader in = new ByteReader(scheme, block.payload());
        in.expect("version", VERSION);
        SlotForm form = SlotForm.read(in, scheme, maxSlots);
        int size = pointBytes.applyAsInt(form.slots()) + form.locatorBytes() + form.cellBytes();
        if (in.remaining() != size) {
            throw new MalformedEncodingException(scheme, "must have " + (HEADER_BYTES + size) + " bytes");
        }
        Parts parts = new Parts(
                form,
                in.bytes("points", pointBytes.applyAsInt(form.slots())),
                in.bytes("locators", form.locatorBytes()),
                in.bytes("cells", form.cellBytes()));
        for (int slot = 1; slot < form.slots(); slot++) {
            if (Long.compareUnsigned(locator(parts.locators, 0, slot - 1), locator(parts.locators, 0, slot)) >= 0) {
                throw new MalformedEncodingException(scheme + ".locators", "must ascend");
            }
        }
        return parts;
    }

    /**
     * What binds every slot to its place: SHA-256 of "veilgate/", scheme, "/block/1", block header, context, slots - 1,
     * records - 1 and the points that belong to the block as a whole.
     */
    public byte[] binding(IndexBlock block, MessageContext context, SlotForm form, byte[] points) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(("veilgate/" + scheme + "/block/1").getBytes(StandardCharsets.US_ASCII));
            sha.update(block.header());
            sha.update(context.encode());
            sha.update(header(form, 0).toByteArray());
            return sha.digest(points);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** The two values that a store keeps. */
    public StoredBlock stored(Parts parts, byte[] binding, byte[] widePoints) {
        byte[] hot = header(parts.form, BINDING_BYTES + widePoints.length + parts.locators.length)
                .bytes(binding)
                .bytes(widePoints)
                .bytes(parts.locators)
                .toByteArray();
        return new StoredBlock(hot, parts.cells);
    }

    /**
     * The inverse of {@link #stored}.
     *
     * @param narrow brings the points back to the form of payloads; gets the hot value, which begins at 0
     * @throws IllegalArgumentException unless both values are of one block of this scheme
     */
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored, NarrowPoints narrow) {
        byte[] hot = stored.hot();
        if (hot.length < HOT_POINTS_AT || hot[0] != VERSION) {
            throw new IllegalArgumentException("the hot value is not one of this scheme");
        }
        SlotForm form = form(hot, 0);
        int locatorsAt = locatorsAt(form, 0);
        if (hot.length != locatorsAt + form.locatorBytes()) {
            throw new IllegalArgumentException("the hot value is not one of this scheme");
        }
        requireCells(form, stored.cold());
        byte[] locators = Arrays.copyOfRange(hot, locatorsAt, hot.length);
        byte[] payload = payload(new Parts(form, narrow.points(hot, form), locators, stored.cold()));
        return new IndexBlock(
                withoutPayload.scheme(),
                withoutPayload.parameters(),
                withoutPayload.keyId(),
                withoutPayload.scope(),
                withoutPayload.epoch(),
                payload);
    }

    /** Points as payloads have them. */
    @FunctionalInterface
    public interface NarrowPoints {
        /** @param hot with wide points at {@link BlockLayout#pointsAt} */
        byte[] points(byte[] hot, SlotForm form);
    }

    private static void requireCells(SlotForm form, byte[] cold) {
        if (cold.length != form.cellBytes()) {
            throw new IllegalArgumentException("the cold value is not of this block");
        }
    }

    /** Whether a hot value is of this version. */
    public boolean isHot(byte[] hot, int at) {
        return hot[at] == VERSION;
    }

    /** Slots and records of a hot value that begins at a place. */
    public SlotForm form(byte[] hot, int at) {
        return new SlotForm((hot[at + 1] & 0xff) + 1, (hot[at + 2] & 0xff) + 1);
    }

    /** The binding of a hot value. */
    public byte[] binding(byte[] hot, int at) {
        return Arrays.copyOfRange(hot, at + HEADER_BYTES, at + HOT_POINTS_AT);
    }

    /** Where the points of a hot value begin. */
    public int pointsAt(int at) {
        return at + HOT_POINTS_AT;
    }

    private int locatorsAt(SlotForm form, int at) {
        return at + HOT_POINTS_AT + widePointBytes.applyAsInt(form.slots());
    }

    /** The locator of a slot. */
    private long locator(byte[] hot, int at, SlotForm form, int slot) {
        return locator(hot, locatorsAt(form, at), slot);
    }

    private static long locator(byte[] locators, int from, int slot) {
        return (long) LONG.get(locators, from + slot * SlotForm.LOCATOR_BYTES);
    }

    /** The slot that has a locator; negative if there is none. */
    public int find(byte[] hot, int at, SlotForm form, long locator) {
        int from = locatorsAt(form, at);
        int low = 0;
        int high = form.slots() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(locator(hot, from, middle), locator);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** The keys that a trapdoor finds for the slots of one block, each as if the slot were the trapdoor's. */
    @FunctionalInterface
    public interface SlotKeys {
        /** That of a slot; the caller closes it. */
        SlotKey of(int slot);
    }

    /** Whether a slot has the locator that its key says; slot by slot, for schemes whose slots share nothing. */
    public boolean mayMatch(byte[] hot, int at, SlotKeys keys) {
        SlotForm form = form(hot, at);
        for (int slot = 0; slot < form.slots(); slot++) {
            try (SlotKey key = keys.of(slot)) {
                if (key.locator() == locator(hot, at, form, slot)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The one slot whose key says its locator and opens it; slot by slot, for schemes whose slots share nothing. */
    public List<SlotMatch> match(StoredBlock block, SlotKeys keys) {
        SlotForm form = form(block.hot(), 0);
        for (int slot = 0; slot < form.slots(); slot++) {
            try (SlotKey key = keys.of(slot)) {
                RecordSet found = key.locator() == locator(block.hot(), 0, form, slot)
                        ? open(key, form, slot, block.cold())
                        : RecordSet.of();
                if (!found.isEmpty()) {
                    return List.of(new SlotMatch(slot, found));
                }
            }
        }
        return List.of();
    }

    /** The records of a slot; empty if it is not this key's. */
    public RecordSet open(SlotKey key, SlotForm form, int slot, byte[] cold) {
        requireCells(form, cold);
        int fieldAt = form.tagAt(slot) + SlotForm.TAG_BYTES;
        byte[] tag = Arrays.copyOfRange(cold, form.tagAt(slot), fieldAt);
        return key.open(tag, Arrays.copyOfRange(cold, fieldAt, form.tagAt(slot + 1)), form.records());
    }

    /** @throws MalformedEncodingException for a trapdoor of another scheme or parameter set */
    public void requireOwn(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        if (!trapdoor.scheme().equals(scheme)) {
            throw new MalformedEncodingException("trapdoor.scheme", "must be " + scheme);
        }
        if (!trapdoor.parameters().equals(PARAMETERS)) {
            throw new MalformedEncodingException("trapdoor.parameters", "must be " + PARAMETERS);
        }
    }
}
