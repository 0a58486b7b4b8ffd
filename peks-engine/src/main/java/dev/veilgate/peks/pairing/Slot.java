package dev.veilgate.peks.pairing;

import java.util.Comparator;
import java.util.List;

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

    /** What is public of this slot alone; the array itself. */
    public byte[] share() {
        return share;
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
