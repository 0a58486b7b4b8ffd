package dev.veilgate.index;

import dev.veilgate.peks.StoredBlock;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The values of one block at a time, of ascending documents; a hot value is loaded once for all trapdoors that ask for it. */
final class BlockValues {
    private final LeafReader segment;
    private final BinaryDocValues hotValues;
    /** Few blocks have a match. */
    private @Nullable BinaryDocValues coldValues;

    private BytesRef hot = new BytesRef();
    private int document = -1;

    BlockValues(LeafReader segment) throws IOException {
        this.segment = segment;
        this.hotValues = DocValues.getBinary(segment, BlockFields.HOT);
    }

    /** The hot value, to be read in place before the next call. */
    BytesRef hot(int of) throws IOException {
        if (document != of) {
            hot = value(hotValues, of);
            document = of;
        }
        return hot;
    }

    /** Both values, for a block that may match. */
    StoredBlock stored(int of) throws IOException {
        BinaryDocValues cold = coldValues;
        if (cold == null) {
            cold = DocValues.getBinary(segment, BlockFields.COLD);
            coldValues = cold;
        }
        return new StoredBlock(copy(hot(of)), copy(value(cold, of)));
    }

    private static byte[] copy(BytesRef value) {
        return Arrays.copyOfRange(value.bytes, value.offset, value.offset + value.length);
    }

    private static BytesRef value(BinaryDocValues values, int of) throws IOException {
        if (!values.advanceExact(of)) {
            throw new IOException("document " + of + " is indexed as a block and has no value");
        }
        return values.binaryValue();
    }
}
