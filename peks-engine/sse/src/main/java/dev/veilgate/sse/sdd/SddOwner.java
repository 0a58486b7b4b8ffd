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
import java.security.SecureRandom;
import java.util.List;

/** The owner's side of {@code sdd}: updates one after the other, each in the turns that its maps take. */
@Secret
final class SddOwner extends LevelOwner {
    private final SddLevels levels;

    SddOwner(SddLevels levels, Capabilities capabilities, LevelKeys keys, CellStore state, SecureRandom random) {
        super(SddScheme.ID, capabilities, keys, state, random);
        this.levels = levels;
    }

    @Override
    List<Part> parts(int count) {
        return levels.parts(count);
    }

    @Override
    Exchange<Done> continued(OwnerState.Pending pending) {
        return new Sequence(pending);
    }

    /** The updates of an operation, one after the other. */
    private final class Sequence implements Exchange<Done> {
        private final OwnerState.Pending pending;
        private SddUpdate update;
        private Step step = Step.FETCH;

        Sequence(OwnerState.Pending pending) {
            this.pending = pending;
            this.update = update(state().count());
        }

        private SddUpdate update(int number) {
            return new SddUpdate(levels, keys(), state(), random(), pending, number);
        }

        @Override
        public Turn<Done> begin() {
            int number = state().count();
            if (number == pending.end()) {
                return Turn.end(Done.DONE);
            }
            update = update(number);
            step = Step.FETCH;
            return Turn.ask(Message.of(update.fetch()));
        }

        @Override
        public Turn<Done> next(List<Message> answers) throws SseException {
            return SingleTurn.readOne(answers, bytes -> next(LevelMessages.Answer.read(bytes)));
        }

        private Turn<Done> next(LevelMessages.Answer answer) throws SseException, MalformedEncodingException {
            switch (step) {
                case FETCH -> {
                    if (update.isStored(answer)) {
                        return acknowledged();
                    }
                }
                case READ -> update.wereRead(answer);
                case STORE -> {
                    update.requireStored(answer);
                    return acknowledged();
                }
            }
            step = update.isReading() ? Step.READ : Step.STORE;
            return Turn.ask(Message.of(step == Step.READ ? update.read() : update.store()));
        }

        private Turn<Done> acknowledged() {
            update.acknowledge();
            return begin();
        }
    }

    /** Kinds of the message that was sent last. */
    private enum Step {
        FETCH,
        READ,
        STORE
    }
}
