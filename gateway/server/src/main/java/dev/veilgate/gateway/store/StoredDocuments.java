package dev.veilgate.gateway.store;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.index.BlockFields;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.StoredBlock;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one stored envelope.
 *
 * @param own the last of them
 */
record StoredDocuments(LeafReader segment, int own) {
    /** By name. */
    static Optional<StoredDocuments> find(IndexSearcher searcher, String tenant, EnvelopeName name) throws IOException {
        for (BytesRef key : EnvelopeKey.of(tenant, name)) {
            Optional<StoredDocuments> found = find(searcher, key);
            if (found.isPresent()) {
                return found;
            }
        }
        return before(searcher, tenant, name);
    }

    /** By name, if an earlier version stored it. */
    static Optional<StoredDocuments> before(IndexSearcher searcher, String tenant, EnvelopeName name)
            throws IOException {
        Optional<StoredDocuments> found = find(searcher, EnvelopeKey.before(tenant, name.id()));
        return found.isPresent() && found.get().name().equals(name) ? found : Optional.empty();
    }

    /** By key; newest segment first. */
    static Optional<StoredDocuments> find(IndexSearcher searcher, BytesRef key) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves().reversed()) {
            Terms terms = leaf.reader().terms(EnvelopeDocuments.KEY);
            TermsEnum at = terms == null ? null : terms.iterator();
            if (at != null && at.seekExact(key)) {
                Optional<StoredDocuments> live = live(leaf.reader(), at.postings(null, PostingsEnum.NONE));
                if (live.isPresent()) {
                    return live;
                }
            }
        }
        return Optional.empty();
    }

    /** Deleted ones, and one that is stored again, can be in the same segment until it is merged. */
    private static Optional<StoredDocuments> live(LeafReader segment, PostingsEnum documents) throws IOException {
        Bits live = segment.getLiveDocs();
        int last = -1;
        for (int at = documents.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = documents.nextDoc()) {
            if (live == null || live.get(at)) {
                last = at;
            }
        }
        return last < 0 ? Optional.empty() : Optional.of(new StoredDocuments(segment, last));
    }

    private byte[] digest() throws IOException {
        return value(DocValues.getBinary(segment, EnvelopeDocuments.DIGEST), own)
                .orElseThrow();
    }

    EnvelopeName name() throws IOException {
        byte[] id =
                value(DocValues.getBinary(segment, EnvelopeDocuments.ID), own).orElseThrow();
        return EnvelopeName.of(EnvelopeKey.id(new BytesRef(id)), digest());
    }

    /** Whom it names, or empty. */
    String sender() throws IOException {
        SortedDocValues senders = DocValues.getSorted(segment, EnvelopeDocuments.SENDER);
        return senders.advanceExact(own) ? senders.lookupOrd(senders.ordValue()).utf8ToString() : "";
    }

    /** Something that reads a document of this envelope later, when this may be merged into another segment. */
    interface Later {
        /** A piece of the content. */
        byte[] piece(int number) throws IOException;
    }

    /** Number of bytes of content that is stored in pieces. */
    private OptionalLong contentBytes() throws IOException {
        NumericDocValues bytes = DocValues.getNumeric(segment, EnvelopeDocuments.CONTENT_BYTES);
        return bytes.advanceExact(own) ? OptionalLong.of(bytes.longValue()) : OptionalLong.empty();
    }

    private static int pieces(long bytes) {
        return Math.toIntExact((bytes + StoredContent.PIECE_BYTES - 1) / StoredContent.PIECE_BYTES);
    }

    /** The first document of its blocks; its own if it has none. */
    private int firstBlock() throws IOException {
        NumericDocValues blocks = DocValues.getNumeric(segment, BlockFields.BLOCKS);
        if (!blocks.advanceExact(own)) {
            throw new IOException("document " + own + " is no envelope");
        }
        return own - Math.toIntExact(blocks.longValue());
    }

    /** A piece of the content. */
    byte[] piece(int number) throws IOException {
        int pieces = pieces(contentBytes().orElse(0));
        BytesRef piece = number < pieces
                ? segment.storedFields()
                        .document(firstBlock() - pieces + number, Set.of(EnvelopeDocuments.PIECE))
                        .getBinaryValue(EnvelopeDocuments.PIECE)
                : null;
        if (piece == null) {
            throw new IOException("a piece of a stored content is missing");
        }
        return piece.offset == 0 && piece.length == piece.bytes.length
                ? piece.bytes
                : Arrays.copyOfRange(piece.bytes, piece.offset, piece.offset + piece.length);
    }

    private @Nullable StoredContent content(Later later) throws IOException {
        OptionalLong bytes = contentBytes();
        if (bytes.isPresent()) {
            return StoredContent.of(bytes.getAsLong(), later::piece);
        }
        return value(DocValues.getBinary(segment, EnvelopeDocuments.CONTENT), own)
                .map(StoredContent::of)
                .orElse(null);
    }

    /**
     * The envelope, byte for byte, and its content.
     *
     * @param later reads pieces of this envelope
     */
    StoredEnvelope read(IndexSchemes schemes, Later later) throws IOException {
        SortedNumericDocValues arrived = DocValues.getSortedNumeric(segment, EnvelopeDocuments.ARRIVED);
        arrived.advanceExact(own);
        return new StoredEnvelope(envelope(schemes), content(later), Instant.ofEpochMilli(arrived.nextValue()));
    }

    /** The envelope, byte for byte. */
    Envelope envelope(IndexSchemes schemes) throws IOException {
        BinaryDocValues hot = DocValues.getBinary(segment, BlockFields.HOT);
        BinaryDocValues cold = DocValues.getBinary(segment, BlockFields.COLD);
        List<StoredBlock> blocks = new ArrayList<>();
        for (int at = firstBlock(); at < own; at++) {
            blocks.add(new StoredBlock(
                    value(hot, at).orElseThrow(), value(cold, at).orElseThrow()));
        }
        byte[] cut = value(DocValues.getBinary(segment, EnvelopeDocuments.BYTES), own)
                .orElseThrow();
        try {
            Envelope envelope = Envelope.decode(CutEnvelope.join(cut, blocks, schemes));
            if (!Arrays.equals(envelope.digest(), digest())) {
                throw new IOException("the stored envelope " + envelope.id() + " is damaged");
            }
            return envelope;
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            throw new IOException("a stored envelope is damaged: " + e.getMessage(), e);
        }
    }

    private static Optional<byte[]> value(BinaryDocValues values, int document) throws IOException {
        if (!values.advanceExact(document)) {
            return Optional.empty();
        }
        BytesRef value = values.binaryValue();
        return Optional.of(Arrays.copyOfRange(value.bytes, value.offset, value.offset + value.length));
    }
}
