package dev.veilgate.peks.pairing;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;

/**
 * How many slots a block has and how many records its message, and what follows from these: all sizes.
 *
 * <pre>
 *   locator   8 bytes                  says in a Test whether the slot is the trapdoor's
 *   tag      16 bytes                  proves it, and the field
 *   field    ceil(records/8) bytes     where the keyword occurs: a bitmap, encrypted
 * </pre>
 *
 * A bitmap has one size whatever it says, so that sizes tell the number of records and no more.
 *
 * @param slots   1 or a multiple of {@link #MULTIPLE}
 * @param records of the message, 1 to 256
 */
public record SlotForm(int slots, int records) {
    /** What the number of slots is padded to. */
    public static final int MULTIPLE = 16;

    /** Bytes of a form in an encoding: slots - 1, records - 1. */
    static final int BYTES = 2;

    static final int LOCATOR_BYTES = 8;
    static final int TAG_BYTES = 16;

    /** Slots of so many keywords. */
    public static int padded(int keywords) {
        return (keywords + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
    }

    static SlotForm read(ByteReader in, String what, int maxSlots) throws MalformedEncodingException {
        SlotForm form = new SlotForm(in.uint8("slots") + 1, in.uint8("records") + 1);
        if (!form.isPadded() || form.slots > maxSlots) {
            throw new MalformedEncodingException(
                    what + ".slots", "must be 1 or a multiple of " + MULTIPLE + ", at most " + maxSlots);
        }
        return form;
    }

    private boolean isPadded() {
        return slots == 1 || slots % MULTIPLE == 0;
    }

    /** Bytes of a field. */
    int fieldBytes() {
        return (records + 7) / 8;
    }

    /** Bytes of all locators. */
    int locatorBytes() {
        return slots * LOCATOR_BYTES;
    }

    /** Where a slot's tag begins among tags and fields; the field follows it. */
    int tagAt(int slot) {
        return slot * (TAG_BYTES + fieldBytes());
    }

    /** Bytes of all tags and fields. */
    int cellBytes() {
        return tagAt(slots);
    }
}
