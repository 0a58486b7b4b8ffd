package dev.veilgate.sse.sdd;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** An archive whose sides can be put back to an earlier state. */
final class LevelCases {
    static final Keyword OWL = Keyword.text("subject", "owl");
    private static final List<String> TABLES =
            List.of("state", "counters", "head", "pairs", "rolls", "slots", "buckets", "maps");

    private final SseScheme scheme;
    private final Parameters parameters;
    private final ReplayableRandom coins;
    private final ArchiveKey key;
    CellStore ownerCells = new MemoryCells();
    CellStore serverCells = new MemoryCells();
    long turns;

    LevelCases(SseScheme scheme, Parameters parameters, ReplayableRandom coins) {
        this.scheme = scheme;
        this.parameters = parameters;
        this.coins = coins;
        this.key = ArchiveKey.random(coins);
    }

    static CellStore copy(CellStore cells) {
        MemoryCells copy = new MemoryCells();
        for (String table : TABLES) {
            cells.transact(from -> copy.transact(to -> {
                from.scan(table, new byte[0], (cell, value) -> to.put(table, cell, value));
                return table;
            }));
        }
        return copy;
    }

    SseOwner owner() throws SseException {
        return scheme.owner(key, ownerCells, parameters, coins);
    }

    Channel channel() {
        Channel direct = Channel.to(scheme.server(serverCells, parameters));
        return messages -> {
            turns++;
            return direct.send(messages);
        };
    }

    void add(long id) throws IOException {
        channel().run(owner().add(List.of(Document.of(new DocumentId(id), List.of(OWL)))));
    }

    List<DocumentId> search() throws IOException {
        return channel().run(owner().search(new SseExpression.Word(OWL))).ids();
    }

    /** Adds by a server whose answers are altered now and then, until it is done; how often it was not. */
    int addInSpiteOfLies(long id, SplittableRandom random) throws IOException {
        Channel honest = channel();
        Channel lying = messages -> {
            List<Message> answers = new ArrayList<>();
            for (Message answer : honest.send(messages)) {
                byte[] bytes = answer.toBytes();
                switch (random.nextInt(24)) {
                    case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
                    default -> {}
                }
                answers.add(Message.of(bytes));
            }
            return answers;
        };
        int refused = 0;
        Exchange<?> exchange = owner().add(List.of(Document.of(new DocumentId(id), List.of(OWL))));
        while (true) {
            try {
                lying.run(exchange);
                return refused;
            } catch (SseException e) {
                refused++;
                exchange = owner().unfinished().getFirst();
            }
        }
    }

    long cells(String table) {
        return serverCells.transact(cells -> cells.count(table));
    }
}
