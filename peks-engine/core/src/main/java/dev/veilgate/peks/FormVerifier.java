package dev.veilgate.peks;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;

/** Checks the form of blocks and the name of their key. */
record FormVerifier(IndexScheme scheme, KeyId keyId) implements IndexVerifier {
    @Override
    public List<StoredBlock> verify(List<IndexBlock> blocks, MessageContext context) throws MalformedEncodingException {
        List<StoredBlock> stored = new ArrayList<>(blocks.size());
        for (IndexBlock block : blocks) {
            if (!block.keyId().equals(keyId)) {
                throw new MalformedEncodingException("index-block.key-id", "must be " + keyId);
            }
            stored.add(scheme.storedForm(block, context));
        }
        return stored;
    }
}
