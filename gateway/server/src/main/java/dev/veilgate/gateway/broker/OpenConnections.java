package dev.veilgate.gateway.broker;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/**
 * Connections that are open: how many somebody has logged in on, and those that are unfinished, on which nobody has yet. Who opens them by the thousand must not keep others out, so the limits
 * do not refuse the newest unfinished connection, they close the oldest: one that logs in at once gets through.
 */
final class OpenConnections {
    private final int most;
    private final int mostOfOneClient;
    private final SequencedSet<Channel> unfinished = new LinkedHashSet<>();
    private final Map<String, SequencedSet<Channel>> ofClients = new HashMap<>();
    private final Set<Channel> loggedIn = new HashSet<>();

    /**
     * Makes it.
     *
     * @param most            unfinished ones
     * @param mostOfOneClient unfinished ones that come from one address
     */
    OpenConnections(int most, int mostOfOneClient) {
        this.most = most;
        this.mostOfOneClient = mostOfOneClient;
    }

    /**
     * Adds a connection.
     *
     * @param client where it comes from
     * @return the one to be closed for it, or the connection itself if there is none
     */
    synchronized Channel add(String client, Channel channel) {
        unfinished.add(channel);
        SequencedSet<Channel> own = ofClients.computeIfAbsent(client, key -> new LinkedHashSet<>());
        own.add(channel);
        if (own.size() > mostOfOneClient) {
            Channel oldest = own.removeFirst();
            unfinished.remove(oldest);
            return oldest;
        }
        return unfinished.size() > most ? unfinished.removeFirst() : channel;
    }

    /** Somebody has logged in on a connection. */
    synchronized void logIn(String client, Channel channel) {
        removeUnfinished(client, channel);
        loggedIn.add(channel);
    }

    /** A connection has ended. */
    synchronized void remove(String client, Channel channel) {
        removeUnfinished(client, channel);
        loggedIn.remove(channel);
    }

    private void removeUnfinished(String client, Channel channel) {
        ofClients.computeIfPresent(client, (same, own) -> {
            own.remove(channel);
            return own.isEmpty() ? null : own;
        });
        unfinished.remove(channel);
    }

    /** How many nobody has logged in on yet. */
    synchronized int unfinished() {
        return unfinished.size();
    }

    /** How many somebody has logged in on. */
    synchronized int loggedIn() {
        return loggedIn.size();
    }
}
