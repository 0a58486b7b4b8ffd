package dev.veilgate.sse.januspp;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.OpenMessage;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.UsedIds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The owner's side. Her cells have the state of each word, the ids of all documents, and the message that is open. */
@Secret
final class JanusppOwner implements SseOwner {
    private static final int ENTRIES_AT_A_TIME = 1 << 8;

    private final Puncturable scheme;
    private final int tagBits;
    private final Prf words;
    private final CellStore state;
    private final Capabilities capabilities;
    private final SecureRandom random;
    private final AesBlocks aes = new AesBlocks();

    JanusppOwner(
            Puncturable scheme,
            int tagBits,
            Prf words,
            CellStore state,
            Capabilities capabilities,
            SecureRandom random) {
        this.scheme = scheme;
        this.tagBits = tagBits;
        this.words = words;
        this.state = state;
        this.capabilities = capabilities;
        this.random = random;
    }

    @Override
    public Exchange<Done> add(List<Document> documents) {
        return OpenMessage.sending(
                state,
                () -> state.transact(cells -> {
                    OpenMessage.requireNone(cells);
                    List<Entry> entries = new ArrayList<>();
                    boolean fresh = false;
                    for (Document document : documents) {
                        if (UsedIds.add(cells, document.id())) {
                            fresh = true;
                            document.words().keySet().forEach(word -> entries.add(place(cells, word, document.id())));
                        }
                    }
                    return fresh ? Optional.of(saved(cells, JanusppMessages.ADD, encrypt(entries))) : Optional.empty();
                }));
    }

    /** An entry that has its place. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Entry(byte[] label, byte[] secret, long tag, DocumentId id) {}

    private Entry place(Cells cells, Keyword word, DocumentId id) {
        WordKeys keys = keys(word);
        WordState before = WordState.of(cells, keys.name());
        before.plusEntry(keys.weight(id)).save(cells, keys.name());
        byte[] label = aes.encryptWith(keys.entries(before.generation()), 0).of(before.added(), 0);
        return new Entry(label, keys.secret(before.generation()), keys.tag(id, tagBits), id);
    }

    private byte[] encrypt(List<Entry> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(entries.size() * JanusEntry.BYTES);
        for (int from = 0; from < entries.size(); from += ENTRIES_AT_A_TIME) {
            encrypt(entries.subList(from, Math.min(entries.size(), from + ENTRIES_AT_A_TIME)), out);
        }
        return out.toByteArray();
    }

    private void encrypt(List<Entry> entries, ByteArrayOutputStream out) {
        byte[][] secrets = new byte[entries.size()][];
        long[] tags = new long[secrets.length];
        ByteBuffer tweaks = ByteBuffer.allocate(tags.length * AesBlocks.BYTES);
        byte[] salts = new byte[tags.length * JanusEntry.SALT_BYTES];
        random.nextBytes(salts);
        for (int i = 0; i < tags.length; i++) {
            Entry entry = entries.get(i);
            secrets[i] = entry.secret();
            tags[i] = entry.tag();
            tweaks.put(JanusEntry.tweak(entry.label(), salts, i * JanusEntry.SALT_BYTES));
        }
        long[] masks = scheme.masks(secrets, tags, tweaks.array());
        for (int i = 0; i < tags.length; i++) {
            Entry entry = entries.get(i);
            byte[] salt = new byte[JanusEntry.SALT_BYTES];
            System.arraycopy(salts, i * salt.length, salt, 0, salt.length);
            out.writeBytes(JanusEntry.entry(
                    entry.label(), salt, entry.tag(), entry.id().value() ^ masks[i]));
        }
    }

    private byte[] saved(Cells cells, int kind, byte[] updates) throws SseException {
        byte[] message = JanusppMessages.update(kind, MessageOrder.next(cells), updates);
        OpenMessage.of(message).save(cells);
        return message;
    }

    @Override
    public Exchange<Done> delete(List<Document> documents) {
        return new JanusppDeletion(this, documents);
    }

    CellStore state() {
        return state;
    }

    int mostDeletions() {
        return scheme.trees();
    }

    WordKeys keys(Keyword word) {
        return new WordKeys(words.apply(word), aes);
    }

    /** Deletes documents whose words have room for it; their message is saved. */
    Optional<byte[]> delete(Cells cells, List<Document> documents) throws SseException {
        ByteArrayOutputStream deletions = new ByteArrayOutputStream();
        boolean any = false;
        for (Document document : documents) {
            if (UsedIds.delete(cells, document.id())) {
                any = true;
                document.words().keySet().forEach(word -> deletions.writeBytes(puncture(cells, word, document.id())));
            }
        }
        return any ? Optional.of(saved(cells, JanusppMessages.DELETE, deletions.toByteArray())) : Optional.empty();
    }

    private byte[] puncture(Cells cells, Keyword word, DocumentId id) {
        WordKeys keys = keys(word);
        WordState before = WordState.of(cells, keys.name());
        before.plusDeletion(keys.weight(id)).save(cells, keys.name());
        byte[] salt = new byte[JanusEntry.SALT_BYTES];
        random.nextBytes(salt);
        byte[] puncture = scheme.puncture(keys.secret(before.generation()), before.deleted(), keys.tag(id, tagBits));
        return JanusEntry.deletion(keys.deletions(before.generation()), before.deleted(), salt, puncture, aes);
    }

    @Override
    public Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, JanusppScheme.ID);
        return search(keys(((SseExpression.Word) question).word()));
    }

    JanusppSearch search(WordKeys keys) {
        return new JanusppSearch(scheme, state, keys);
    }

    @Override
    public List<Exchange<?>> unfinished() {
        return state.transact(OpenMessage::read).stream()
                .<Exchange<?>>map(this::resumed)
                .toList();
    }

    private Exchange<?> resumed(OpenMessage open) {
        return open.search().length > 0
                ? search(new WordKeys(open.search(), aes))
                : OpenMessage.sending(state, () -> Optional.of(open.message()));
    }

    @Override
    public void close() {}
}
