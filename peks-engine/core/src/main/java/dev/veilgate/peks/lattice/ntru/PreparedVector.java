package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The short vector t_w of a trapdoor, in the forms that Test takes.
 *
 * <p>Test is in two steps (specification, section 5): {@link #mayMatch} reads the hot value and rejects nearly every
 * block; {@link #decodeSurvivors} computes all L rows, which all have to agree, and compares the tag of each slot that
 * is left.
 */
final class PreparedVector {
    private static final Map<NtruParameters, TestKernel> KERNELS = new ConcurrentHashMap<>();
    private static final Map<NtruParameters, KeptProduct> PRODUCTS = new ConcurrentHashMap<>();

    private static final RecordSet NONE = RecordSet.of();

    private final NtruParameters parameters;
    private final TestKernel kernel;
    private final KeptProduct product;
    private final int[] window;
    private volatile KeptProduct.@Nullable Transformed transformed;

    PreparedVector(NtruParameters parameters, int[] t) {
        this.parameters = parameters;
        this.kernel = KERNELS.computeIfAbsent(parameters, TestKernel::new);
        this.product = PRODUCTS.computeIfAbsent(parameters, KeptProduct::new);
        this.window = TestKernel.window(t);
    }

    /** Whether the block is of this vector's parameter set: any other matches nothing, whatever its header claims. */
    boolean fits(byte[] hot, int at) {
        return HotBlock.isHot(hot, at) && hot[at + 1] == parameters.code();
    }

    /** Whether the hot rows leave a slot, of a block that {@link #fits}. */
    boolean mayMatch(byte[] hot, int at) {
        return kernel.mayMatch(hot, at, window);
    }

    /**
     * Decodes a block: all L rows, then the tag of every slot that none of them contradicts. Section 4 bounds the slots
     * that agree in all rows, and not in the hot ones alone.
     */
    List<SlotMatch> decodeSurvivors(StoredBlock block) {
        byte[] hot = block.hot();
        byte[] cold = block.cold();
        int rows = parameters.kept();
        SlotTable table = StoredForm.table(hot, cold, parameters);
        int[] phases = product.phases(hot, 0, transformed());
        RowBits bits = new RowBits(kernel, phases);
        List<SlotMatch> matches = new ArrayList<>(1);
        BitSet slots = kernel.survivors(hot, phases);
        try (SlotHash hash = new SlotHash(StoredForm.binding(cold), rows / 8)) {
            for (int slot = slots.nextSetBit(0); slot >= 0; slot = slots.nextSetBit(slot + 1)) {
                byte[] column = table.column(slot);
                RecordSet found = bits.admit(column) ? table.open(slot, column, bits.slotKey(column), hash) : NONE;
                if (!found.isEmpty()) { // an honest sender names at least one record
                    matches.add(new SlotMatch(slot, found));
                }
            }
        }
        return List.copyOf(matches);
    }

    /** Made at the first hit: most trapdoors of a gateway's routes have none for long. */
    private KeptProduct.Transformed transformed() {
        KeptProduct.Transformed made = transformed;
        if (made == null) {
            int[] t = new int[parameters.n()];
            for (int i = 0; i < t.length; i++) {
                t[i] = window[t.length - 1 - i];
            }
            made = product.transform(t);
            Arrays.fill(t, 0);
            transformed = made;
        }
        return made;
    }

    @Override
    public String toString() {
        return "PreparedVector[hidden, " + parameters + "]";
    }
}
