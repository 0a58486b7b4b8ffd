package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.util.List;

/**
 * An operation of one turn: a message and its answer. For those who write a scheme.
 *
 * @param <R> what the operation is for
 */
public final class SingleTurn<R> implements Exchange<R> {
    private final Question question;
    private final Reading<R> reading;

    private SingleTurn(Question question, Reading<R> reading) {
        this.question = question;
        this.reading = reading;
    }

    /** Makes the message; what it takes after a crash is saved by then. */
    @FunctionalInterface
    public interface Question {
        /** Makes it. */
        byte[] make() throws SseException;
    }

    /** Reads an answer, which may be anything. */
    @FunctionalInterface
    public interface Reading<R> {
        /** The result that it says. */
        R read(byte[] answer) throws MalformedEncodingException, SseException;
    }

    /** An operation that sends a message and reads the answer. */
    public static <R> Exchange<R> of(Question question, Reading<R> reading) {
        return new SingleTurn<>(question, reading);
    }

    @Override
    public Turn<R> begin() throws SseException {
        return Turn.ask(Message.of(question.make()));
    }

    @Override
    public Turn<R> next(List<Message> answers) throws SseException {
        return Turn.end(readOne(answers, reading));
    }

    /**
     * Reads the one answer that a turn got.
     *
     * @throws SseException if there is not one, or it is none that the server may give
     */
    public static <R> R readOne(List<Message> answers, Reading<R> reading) throws SseException {
        if (answers.size() != 1) {
            throw new SseException("the server gave " + answers.size() + " answers where one is expected");
        }
        try {
            return reading.read(answers.getFirst().toBytes());
        } catch (MalformedEncodingException e) {
            throw new SseException("the server's answer is not one: " + e.getMessage(), e);
        } catch (SseException e) {
            throw e;
        } catch (IOException e) {
            throw new SseException("the server's answer cannot be read", e);
        }
    }
}
