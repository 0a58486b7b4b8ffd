package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * NTRU-PEKS index blocks behind the contract of {@link IndexScheme}: what the gateway runs. It needs no secret and no
 * public key.
 */
public final class NtruIndexScheme implements IndexScheme {
    /** The scheme's id. */
    public static final String ID = "ntru-peks";

    private static final int BINDING_BYTES = 32;
    /** Of a cold value: the binding, and the number of cells in sixteens. The table follows. */
    private static final int COLD_HEADER_BYTES = BINDING_BYTES + 1;

    private static final Map<NtruParameters, TestKernel> KERNELS = new ConcurrentHashMap<>();
    private static final Map<NtruParameters, KeptProduct> PRODUCTS = new ConcurrentHashMap<>();

    private final Set<NtruParameters> accepted;

    /** Accepts the default parameter set only; what the service loader makes. */
    public NtruIndexScheme() {
        this(Set.of(NtruParameters.N2048_Q29));
    }

    private NtruIndexScheme(Set<NtruParameters> accepted) {
        this.accepted = accepted;
    }

    /** Accepts the sets that a configuration or a benchmark names; see {@link NtruParameters#use}. */
    public static NtruIndexScheme accepting(Collection<NtruParameters> sets) {
        return new NtruIndexScheme(Set.copyOf(sets));
    }

    private void requireAccepted(NtruParameters parameters, String field) throws MalformedEncodingException {
        if (!accepted.contains(parameters)) {
            throw new MalformedEncodingException(field, "must be one of " + accepted);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        PublicKey key = PublicKey.decode(publicKey);
        requireAccepted(key.parameters(), "public-key.parameters");
        return new NtruIndexSealer(key, random);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The scheme's own check refuses an A that is not generic (specification, section 4). What passes can still lie about its
     * keywords: whoever opens a hit extracts them again.
     */
    @Override
    public StoredBlock admit(IndexBlock block, MessageContext context, Predicate<KeyId> knownKey)
            throws MalformedEncodingException {
        if (!block.scheme().equals(ID)) {
            throw new MalformedEncodingException("index-block.scheme", "must be " + ID);
        }
        if (!knownKey.test(block.keyId())) {
            throw new MalformedEncodingException("index-block.key-id", "must be a key that is served here");
        }
        BlockPayload payload = BlockPayload.decode(block.payload());
        requireAccepted(payload.parameters(), "index-block.parameters");
        if (!payload.parameters().id().equals(block.parameters())) {
            throw new MalformedEncodingException("index-block.parameters", "must be those of the payload");
        }
        if (!MaskCheck.of(payload.parameters()).isGeneric(payload.a())) {
            throw new MalformedEncodingException("ntru-peks.a", MaskCheck.REFUSAL);
        }
        int tableAt = BlockPayload.publicPart(payload.parameters());
        byte[] cold = new byte[COLD_HEADER_BYTES + payload.bytes().length - tableAt];
        byte[] binding = SlotHash.binding(block, context, payload.bytes(), tableAt);
        System.arraycopy(binding, 0, cold, 0, BINDING_BYTES);
        cold[BINDING_BYTES] = (byte) (payload.table().cells() / PostingForm.CELL_MULTIPLE);
        System.arraycopy(payload.bytes(), tableAt, cold, COLD_HEADER_BYTES, cold.length - COLD_HEADER_BYTES);
        return new StoredBlock(HotBlock.of(payload), cold);
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        byte[] hot = stored.hot();
        NtruParameters p = storedParameters(hot);
        SlotTable table = table(hot, stored.cold(), p);
        BlockPayload payload = BlockPayload.create(p, table.form(), table.cells(), HotBlock.a(hot, p));
        byte[] bytes = payload.bytes();
        int tableAt = BlockPayload.publicPart(p);
        System.arraycopy(stored.cold(), COLD_HEADER_BYTES, bytes, tableAt, bytes.length - tableAt);
        return new IndexBlock(
                withoutPayload.scheme(),
                withoutPayload.parameters(),
                withoutPayload.keyId(),
                withoutPayload.scope(),
                withoutPayload.epoch(),
                bytes);
    }

    private static NtruParameters storedParameters(byte[] hot) {
        try {
            if (hot.length > HotBlock.PHASES_AT && hot[0] == HotBlock.VERSION) {
                NtruParameters p = NtruParameters.byCode(hot[1] & 0xff);
                if (hot.length == HotBlock.size(p, HotBlock.slots(hot, 0))) {
                    return p;
                }
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException("the hot value is of no known parameter set", e);
        }
        throw new IllegalArgumentException("the hot value is not one of this scheme");
    }

    /** The slots of a stored block. */
    private static SlotTable table(byte[] hot, byte[] cold, NtruParameters p) {
        PostingForm form = new PostingForm(HotBlock.slots(hot, 0), HotBlock.records(hot, 0));
        int cells = cold.length < COLD_HEADER_BYTES ? 0 : (cold[BINDING_BYTES] & 0xff) * PostingForm.CELL_MULTIPLE;
        if (cold.length != COLD_HEADER_BYTES + SlotTable.size(p.kept(), form, cells)) {
            throw new IllegalArgumentException("the cold value is not of this block");
        }
        return new SlotTable(cold, COLD_HEADER_BYTES, p.kept(), form, cells);
    }

    /** A trapdoor in the forms that Test takes. */
    private static final class Prepared implements PreparedTrapdoor {
        private final ScopedTrapdoor trapdoor;
        private final NtruParameters parameters;
        private final TestKernel kernel;
        private final int[] window;
        private volatile KeptProduct.@Nullable Transformed transformed;

        Prepared(ScopedTrapdoor trapdoor, Trapdoor t) {
            this.trapdoor = trapdoor;
            this.parameters = t.parameters();
            this.kernel = kernel(t.parameters());
            this.window = TestKernel.window(t.t());
        }

        @Override
        public ScopedTrapdoor trapdoor() {
            return trapdoor;
        }

        /** Whether the block is of the trapdoor's parameter set: any other matches nothing, whatever its header claims. */
        boolean fits(byte[] hot, int at) {
            return hot[at] == HotBlock.VERSION && hot[at + 1] == parameters.code();
        }

        /** Made at the first hit: most trapdoors of a gateway's routes have none for long. */
        KeptProduct.Transformed transformed() {
            KeptProduct.Transformed made = transformed;
            if (made == null) {
                int[] t = new int[parameters.n()];
                for (int i = 0; i < t.length; i++) {
                    t[i] = window[t.length - 1 - i];
                }
                made = product(parameters).transform(t);
                transformed = made;
            }
            return made;
        }

        @Override
        public String toString() {
            return "Prepared[" + trapdoor + "]";
        }
    }

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        if (!trapdoor.scheme().equals(ID)) {
            throw new MalformedEncodingException("trapdoor.scheme", "must be " + ID);
        }
        Trapdoor t = Trapdoor.decode(trapdoor.bytes());
        requireAccepted(t.parameters(), "trapdoor.parameters");
        if (!t.parameters().id().equals(trapdoor.parameters())) {
            throw new MalformedEncodingException("trapdoor.parameters", "must be those of its bytes");
        }
        return new Prepared(trapdoor, t);
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        Prepared p = own(prepared);
        return p.fits(hot, hotOffset) && p.kernel.mayMatch(hot, hotOffset, p.window);
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        if (!mayMatch(prepared, block.hot(), 0)) {
            return List.of();
        }
        return decodeSurvivors((Prepared) prepared, block);
    }

    @Override
    public List<SlotMatch> matchSurvivor(PreparedTrapdoor prepared, StoredBlock block) {
        Prepared p = own(prepared);
        return p.fits(block.hot(), 0) ? decodeSurvivors(p, block) : List.of();
    }

    @Override
    public List<List<SlotMatch>> matchBlocks(PreparedTrapdoor prepared, List<StoredBlock> blocks) {
        Prepared p = own(prepared);
        TestKernel kernel = p.kernel;
        List<List<SlotMatch>> matches = new ArrayList<>(blocks.size());
        int[] phases = new int[4];
        for (int i = 0; i < blocks.size(); i += 4) {
            int end = Math.min(i + 4, blocks.size());
            boolean four = end - i == 4;
            for (int j = i; j < end; j++) {
                four &= p.fits(blocks.get(j).hot(), 0);
            }
            if (four) {
                kernel.firstPhases(
                        blocks.get(i).hot(),
                        blocks.get(i + 1).hot(),
                        blocks.get(i + 2).hot(),
                        blocks.get(i + 3).hot(),
                        p.window,
                        phases);
            }
            for (int j = i; j < end; j++) {
                StoredBlock block = blocks.get(j);
                boolean may =
                        four ? kernel.mayMatch(block.hot(), 0, p.window, phases[j - i]) : mayMatch(p, block.hot(), 0);
                matches.add(may ? decodeSurvivors(p, block) : List.of());
            }
        }
        return matches;
    }

    /** All L rows, then the tag of every slot that no hot row contradicts. */
    private static List<SlotMatch> decodeSurvivors(Prepared p, StoredBlock block) {
        byte[] hot = block.hot();
        byte[] cold = block.cold();
        int rows = p.parameters.kept();
        SlotTable table = table(hot, cold, p.parameters);
        int[] phases = product(p.parameters).phases(hot, 0, p.transformed());
        List<SlotMatch> matches = new ArrayList<>();
        try (SlotHash hash = new SlotHash(Arrays.copyOf(cold, BINDING_BYTES), rows / 8)) {
            p.kernel.survivors(hot, 0, phases).stream().forEach(slot -> {
                byte[] slotKey = new byte[rows / 8];
                for (int row = 0; row < rows; row++) {
                    slotKey[row >> 3] |= (byte) (TestKernel.keyBit(phases[row], table.bit(row, slot)) << (row & 7));
                }
                RecordSet found = open(table, slot, slotKey, hash);
                if (!found.isEmpty()) { // an honest sender names at least one record
                    matches.add(new SlotMatch(slot, found));
                }
            });
        }
        return List.copyOf(matches);
    }

    /** The records of a slot; empty if its tag is not that of this key. */
    private static RecordSet open(SlotTable table, int slot, byte[] slotKey, SlotHash hash) {
        byte[] field = table.field(slot);
        byte[] opened = field.clone();
        hash.cryptField(slotKey, opened);
        byte[] content = table.cells(table.form().references(opened, table.cells()));
        if (!MessageDigest.isEqual(table.tag(slot), hash.tag(slotKey, table.column(slot), field, content))) {
            return RecordSet.of();
        }
        hash.cryptCells(slotKey, content);
        return table.form().recordsOf(opened, content);
    }

    private static Prepared own(PreparedTrapdoor prepared) {
        if (!(prepared instanceof Prepared p)) {
            throw new IllegalArgumentException("the trapdoor was prepared by another scheme");
        }
        return p;
    }

    private static TestKernel kernel(NtruParameters parameters) {
        return KERNELS.computeIfAbsent(parameters, TestKernel::new);
    }

    private static KeptProduct product(NtruParameters parameters) {
        return PRODUCTS.computeIfAbsent(parameters, KeptProduct::new);
    }

    @Override
    public long testNanosHint() {
        return 1500;
    }
}
