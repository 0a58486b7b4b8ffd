package dev.veilgate.index;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.query.BlockTarget;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.BytesRef;

/**
 * Fields of index blocks. An envelope is one run of documents, which is added as one: a document for each of its blocks and, last, its own, which says
 * how many blocks are before it. What else is in them is up to the store.
 *
 * <pre>
 *   block      veilgate.target   indexed      tenant and {@link BlockTarget}: which trapdoors can match
 *              veilgate.hot      doc value    {@link StoredBlock#hot}
 *              veilgate.cold     doc value    {@link StoredBlock#cold}
 *   envelope   veilgate.blocks   doc value    documents of blocks before this one
 *              veilgate.records  doc value    records of the envelope
 * </pre>
 */
public final class BlockFields {
    static final String TARGET = "veilgate.target";
    /** Name of the field. */
    public static final String HOT = "veilgate.hot";
    /** Name of the field. */
    public static final String COLD = "veilgate.cold";
    /** Name of the field. */
    public static final String BLOCKS = "veilgate.blocks";
    /** Name of the field. */
    public static final String RECORDS = "veilgate.records";

    private BlockFields() {}

    /** Adds the fields of a block to its document. */
    public static void addBlock(Document document, String tenant, BlockTarget target, StoredBlock block) {
        document.add(new StringField(TARGET, term(tenant, target), Field.Store.NO));
        document.add(new BinaryDocValuesField(HOT, new BytesRef(block.hot())));
        document.add(new BinaryDocValuesField(COLD, new BytesRef(block.cold())));
    }

    /** Adds to an envelope's document what the search needs. */
    public static void addEnvelope(Document document, int blocks, int records) {
        document.add(new NumericDocValuesField(BLOCKS, blocks));
        document.add(new NumericDocValuesField(RECORDS, records));
    }

    /** The tenant is in it, so that no trapdoor is ever tried on a block of another tenant, whatever either claims. */
    static BytesRef term(String tenant, BlockTarget target) {
        return new BytesRef(
                new ByteWriter(256).shortString(tenant).bytes(target.encode()).toByteArray());
    }
}
