package dev.veilgate.sse.vasst16;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.LeakageTest;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * At rest it shows which entries have the same word, and how often each document has it. Entries stand in the order of
 * their tags, which is random, so that tags are compared by all places where they occur.
 */
class Vasst16LeakageTest extends LeakageTest<Vasst16LeakageTest.Leak> {
    private static final int TAG_BYTES = 32;
    private static final int ENTRY_BYTES = TAG_BYTES + Integer.BYTES;

    /** The leakage of one operation; a word is a number, in all documents and questions. */
    sealed interface Leak {
        record Added(DocumentId id, SortedMap<Integer, Integer> words) implements Leak {}

        record Deleted(Document document) implements Leak {}

        record Searched(int word, SortedSet<DocumentId> found) implements Leak {}
    }

    @Override
    protected SseScheme scheme() {
        return new Vasst16Scheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of(Vasst16Scheme.SECOND_LEVEL, 0L));
    }

    @Override
    protected List<Leak> leakage(List<Operation> history) {
        List<Leak> leaks = new ArrayList<>();
        Map<Keyword, Integer> numbers = new HashMap<>();
        SortedMap<DocumentId, Document> live = new TreeMap<>();
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> {
                    live.put(add.document().id(), add.document());
                    SortedMap<Integer, Integer> words = new TreeMap<>();
                    add.document()
                            .words()
                            .forEach((word, times) ->
                                    words.put(numbers.computeIfAbsent(word, _ -> numbers.size()), times));
                    leaks.add(new Leak.Added(add.document().id(), words));
                }
                case Operation.Delete delete -> {
                    live.remove(delete.document().id());
                    leaks.add(new Leak.Deleted(Document.of(delete.document().id(), List.of())));
                }
                case Operation.Search search -> {
                    Keyword word = ((SseExpression.Word) search.question()).word();
                    SortedSet<DocumentId> found = new TreeSet<>();
                    live.values().stream()
                            .filter(document -> document.words().containsKey(word))
                            .forEach(document -> found.add(document.id()));
                    leaks.add(new Leak.Searched(numbers.computeIfAbsent(word, _ -> numbers.size()), found));
                }
            }
        }
        return leaks;
    }

    @Override
    protected List<byte[]> simulate(List<Leak> leakage, SplittableRandom random) {
        List<byte[]> messages = new ArrayList<>();
        Map<Integer, byte[]> tags = new HashMap<>();
        for (Leak leak : leakage) {
            switch (leak) {
                case Leak.Added added -> {
                    SortedMap<byte[], Integer> entries = new TreeMap<>(Arrays::compareUnsigned);
                    added.words()
                            .forEach((word, times) -> entries.put(tags.computeIfAbsent(word, _ -> tag(random)), times));
                    messages.add(RowMessages.add(List.of(new RowMessages.Row(added.id(), Vasst16Server.row(entries)))));
                    messages.add(Answers.done());
                }
                case Leak.Deleted deleted -> {
                    messages.add(RowMessages.delete(List.of(deleted.document())));
                    messages.add(Answers.done());
                }
                case Leak.Searched searched -> {
                    byte[] tag = tags.computeIfAbsent(searched.word(), _ -> tag(random));
                    messages.add(RowMessages.search(List.of(new byte[Integer.BYTES], tag)));
                    messages.add(Answers.ids(searched.found()));
                }
            }
        }
        return messages;
    }

    private static byte[] tag(SplittableRandom random) {
        byte[] tag = new byte[TAG_BYTES];
        random.nextBytes(tag);
        return tag;
    }

    /** The messages with each tag replaced by a digest of all its places, and rows in the order of these. */
    @Override
    protected List<byte[]> normal(List<byte[]> messages) throws MalformedEncodingException {
        Map<String, StringBuilder> places = new HashMap<>();
        for (int i = 0; i < messages.size(); i++) {
            for (byte[] entry : entries(messages.get(i))) {
                places.computeIfAbsent(name(entry), _ -> new StringBuilder())
                        .append(i)
                        .append(Arrays.toString(Arrays.copyOfRange(entry, TAG_BYTES, entry.length)));
            }
        }
        List<byte[]> normal = new ArrayList<>();
        for (byte[] message : messages) {
            byte[] same = message.clone();
            List<byte[]> entries = entries(message);
            List<byte[]> renamed = new ArrayList<>();
            for (byte[] entry : entries) {
                ByteBuffer named = ByteBuffer.allocate(entry.length);
                named.put(digest(places.get(name(entry)).toString())).put(entry, TAG_BYTES, entry.length - TAG_BYTES);
                renamed.add(named.array());
            }
            renamed.sort(Arrays::compareUnsigned);
            int at = same.length
                    - renamed.stream().mapToInt(entry -> entry.length).sum();
            for (byte[] entry : renamed) {
                System.arraycopy(entry, 0, same, at, entry.length);
                at += entry.length;
            }
            normal.add(same);
        }
        return normal;
    }

    /** The entries of a row, or the tag that is asked for; they stand at the end of their message. */
    private static List<byte[]> entries(byte[] message) throws MalformedEncodingException {
        List<byte[]> entries = new ArrayList<>();
        CborReader in = new CborReader("message", message);
        if (in.nextIsUnsigned() || in.remaining() < TAG_BYTES || message[0] != (byte) 0x82) {
            return entries;
        }
        in.array("message", 2);
        int kind = in.uint("kind", 2);
        if (kind == 0) {
            in.array("rows", 1);
            in.array("row", 2);
            in.fixedBytes("id", DocumentId.BYTES);
            byte[] row = in.bytes("row", Integer.MAX_VALUE);
            for (int at = 0; at < row.length; at += ENTRY_BYTES) {
                entries.add(Arrays.copyOfRange(row, at, at + ENTRY_BYTES));
            }
        } else if (kind == 2) {
            in.array("tokens", 2);
            in.fixedBytes("most", Integer.BYTES);
            entries.add(in.fixedBytes("tag", TAG_BYTES));
        }
        return entries;
    }

    private static String name(byte[] entry) {
        return HexFormat.of().formatHex(entry, 0, TAG_BYTES);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
