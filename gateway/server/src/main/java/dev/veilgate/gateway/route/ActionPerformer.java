package dev.veilgate.gateway.route;

/** Does what routes of one kind ask for. */
interface ActionPerformer {
    RouteAction.Kind kind();

    /**
     * Does it and marks it as done. What can be done in the database is one transaction with the mark; else it may happen twice if this process ends in
     * between.
     *
     * @throws Exception saying why not, without what was sent; it is tried again
     */
    void perform(Route route, ActionQueue.Taken taken) throws Exception;
}
