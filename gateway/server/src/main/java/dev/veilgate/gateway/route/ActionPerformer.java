package dev.veilgate.gateway.route;

import java.io.IOException;

/** Does what routes of one kind ask for. */
interface ActionPerformer {
    RouteAction.Kind kind();

    /** What must be reached for it, such as a host and port: what waits for that alone goes together when it answers. Empty if nothing must. */
    String needs(Route route);

    /** Whether the settings name what must be reached. Then it is looked for every few seconds while something waits for it; a stranger's host is not. */
    default boolean isOurs() {
        return false;
    }

    /** What must be reached does not answer; nothing is known of the action itself. */
    final class UnreachableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnreachableException(Throwable cause) {
            // messages of others may say what was sent
            super(
                    cause instanceof IOException
                            ? cause.getMessage()
                            : cause.getClass().getSimpleName(),
                    cause);
        }
    }

    /** What must be reached has answered, and does not take it now. */
    final class AnsweredException extends IOException {
        private static final long serialVersionUID = 1L;

        AnsweredException(String message) {
            super(message);
        }
    }

    /**
     * Does it and marks it as done. What can be done in the database is one transaction with the mark; else it may happen twice if this process ends in
     * between.
     *
     * @throws UnreachableException if it failed for that alone
     * @throws AnsweredException    if it was refused for now
     * @throws Exception            saying why not, without what was sent; it is tried again
     */
    void perform(Route route, ActionQueue.Taken taken) throws Exception;
}
