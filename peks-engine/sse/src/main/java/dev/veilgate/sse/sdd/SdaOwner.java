package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.Turn;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The owner's side of {@code sda}: fetches the full levels below the one that becomes full, and stores their merge. */
@Secret
final class SdaOwner extends LevelOwner {
    SdaOwner(Capabilities capabilities, LevelKeys keys, CellStore state, SecureRandom random) {
        super(SdaScheme.ID, capabilities, keys, state, random);
    }

    @Override
    List<Part> parts(int count) {
        return SdaLevels.parts(count);
    }

    @Override
    Exchange<Done> continued(OwnerState.Pending pending) {
        return new Merge(pending);
    }

    /** All updates of an operation in two turns: what is merged is read, what is made is written. */
    private final class Merge implements Exchange<Done> {
        private final OwnerState.Pending pending;
        private final byte[] mark;
        private boolean stored;

        Merge(OwnerState.Pending pending) {
            this.pending = pending;
            this.mark = Arrays.copyOf(pending.coins(), LevelMessages.MARK_BYTES);
        }

        @Override
        public Turn<Done> begin() {
            stored = false;
            return Turn.ask(Message.of(
                    LevelMessages.write(List.of(LevelMessages.FETCH, pending.first(), pending.end()), List.of())));
        }

        @Override
        public Turn<Done> next(List<Message> answers) throws SseException {
            LevelMessages.Answer answer = SingleTurn.readOne(answers, LevelMessages.Answer::read);
            if (isOurs(answer)) {
                state().acknowledge(pending, pending.end(), _ -> {});
                return Turn.end(Done.DONE);
            }
            LevelMessages.requireCount(answer.count(), pending.first());
            if (stored) {
                throw new SseException("the server did not store what it was sent");
            }
            stored = true;
            return Turn.ask(Message.of(store(entries(answer))));
        }

        /** Whether the server has these updates. */
        private boolean isOurs(LevelMessages.Answer answer) {
            return answer.count() == pending.end()
                    && !answer.parts().isEmpty()
                    && Arrays.equals(answer.parts().getFirst(), mark);
        }

        /** The entries of merged parts, and the new ones behind them. */
        private List<Entry> entries(LevelMessages.Answer answer) throws SseException {
            List<Part> merged = SdaLevels.merged(pending.first(), pending.end());
            List<Entry> entries = new ArrayList<>();
            try {
                answer.requireParts(1 + merged.size());
                for (int i = 0; i < merged.size(); i++) {
                    byte[] roll = keys().sealer()
                            .open(answer.parts().get(1 + i), merged.get(i).encode())
                            .orElseThrow(
                                    () -> new SseException("the server gives a level that this owner did not make"));
                    entries.addAll(OwnerState.entries(ByteBuffer.wrap(roll)));
                }
            } catch (MalformedEncodingException e) {
                throw new SseException("the server's answer is not one: " + e.getMessage(), e);
            }
            entries.addAll(pending.entries());
            return entries;
        }

        private byte[] store(List<Entry> entries) {
            List<byte[]> parts = new ArrayList<>();
            parts.add(mark);
            int at = 0;
            for (Part part : SdaLevels.made(pending.first(), pending.end())) {
                List<Entry> of = entries.subList(at, at + part.size());
                at += part.size();
                parts.add(pairs(part, of));
                ByteBuffer roll = ByteBuffer.allocate(part.size() * Entry.BYTES);
                of.forEach(entry -> entry.write(roll));
                parts.add(keys().sealer().seal(roll.array(), part.encode()));
            }
            return LevelMessages.write(List.of(LevelMessages.STORE, pending.first(), pending.end()), parts);
        }
    }

    /** Labels and values of a part, ascending: so nobody sees in which order they came. */
    private byte[] pairs(Part part, List<Entry> entries) {
        Map<Entry.Handle, Counter> counters = new HashMap<>();
        List<byte[]> pairs = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            Counter counter = counters.computeIfAbsent(entry.handle(), word -> new Counter(keys().token(part, word)));
            ByteBuffer pair = ByteBuffer.allocate(LevelKeys.PAIR_BYTES);
            keys().writePair(counter.token, counter.next++, entry, pair);
            pairs.add(pair.array());
        }
        pairs.sort(Arrays::compareUnsigned);
        ByteBuffer all = ByteBuffer.allocate(pairs.size() * LevelKeys.PAIR_BYTES);
        pairs.forEach(all::put);
        return all.array();
    }

    /** How many entries of a word a part has so far. */
    private static final class Counter {
        private final LevelKeys.Token token;
        private int next;

        Counter(LevelKeys.Token token) {
            this.token = token;
        }
    }
}
