package dev.veilgate.peks.pairing;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.RecordSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A sealed slot on its way into a block. */
public final class Slot {
    private final byte[] share;
    private final long locator;
    private final byte[] tag;
    private final byte[] field;

    /** @param share what is public of this slot alone */
    Slot(byte[] share, long locator, byte[] tag, byte[] field) {
        this.share = share;
        this.locator = locator;
        this.tag = tag;
        this.field = field;
    }

    long locator() {
        return locator;
    }

    /** The array itself. */
    byte[] tag() {
        return tag;
    }

    /** The array itself. */
    byte[] field() {
        return field;
    }

    /** A slot for each keyword, and dummies in the others. */
    public static List<Slot> filled(
            SlotForm form,
            List<Map.Entry<Keyword, RecordSet>> keywords,
            BiFunction<Keyword, RecordSet, Slot> slot,
            Supplier<Slot> dummy) {
        List<Slot> slots = new ArrayList<>(form.slots());
        keywords.forEach(keyword -> slots.add(slot.apply(keyword.getKey(), keyword.getValue())));
        while (slots.size() < form.slots()) {
            slots.add(dummy.get());
        }
        return slots;
    }

    /** What is public of each, in the order of the slots. */
    public static byte[] shares(List<Slot> slots) {
        ByteWriter shares = new ByteWriter(slots.size() * slots.getFirst().share.length);
        slots.forEach(slot -> shares.bytes(slot.share));
        return shares.toByteArray();
    }

    /**
     * Sorts by locator, unsigned: a random order, since locators are pseudorandom, and a canonical one.
     *
     * @return whether all differ: for a whole block of 256 they do but for 2^-49
     */
    public static boolean sort(List<Slot> slots) {
        slots.sort(Comparator.comparing(Slot::locator, Long::compareUnsigned));
        for (int i = 1; i < slots.size(); i++) {
            if (slots.get(i - 1).locator == slots.get(i).locator) {
                return false;
            }
        }
        return true;
    }
}
