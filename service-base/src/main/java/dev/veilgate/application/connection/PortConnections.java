package dev.veilgate.application.connection;

import dev.veilgate.application.connection.OpenConnection.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to one HTTP port. Who opens them by the hundred must not keep others behind the same address out, so the
 * limit closes the oldest without a whole request for a new one, then the one that is idle for longest, and refuses the
 * new one only where all others are in a request.
 */
final class PortConnections {
    private static final Logger LOG = LoggerFactory.getLogger(PortConnections.class);
    private static final String NOBODY = "";

    /** Why a connection was closed. */
    enum Ending {
        /** An address has its connections, and this was the oldest without a request, or idle for longest. */
        DISPLACED,
        /** An address has its connections, and all others are in a request. */
        REFUSED,
        /** The header of a request was not whole in time. */
        TIMEOUT
    }

    private final ConnectionRules rules;
    private final Map<SocketChannel, OpenConnection> open = new ConcurrentHashMap<>();
    private final Map<String, Set<OpenConnection>> ofClients = new HashMap<>();
    private final Map<Ending, LongAdder> endings = new EnumMap<>(Ending.class);
    private final MinuteLog log;

    PortConnections(ConnectionRules rules) {
        this.rules = rules;
        for (Ending ending : Ending.values()) {
            endings.put(ending, new LongAdder());
        }
        log = new MinuteLog((times, latest) -> LOG.warn(
                "HTTP: connections of an address that has more than {} (veilgate.http.connections-per-address):"
                        + " {} were closed; the latest: {}",
                rules.perAddress(),
                times,
                latest));
    }

    /**
     * Adds a connection that was just accepted.
     *
     * @param from  where it comes from
     * @param nanos now
     * @return which to close for it: an older one, or itself; empty: none
     */
    Optional<SocketChannel> add(SocketChannel channel, @Nullable SocketAddress from, long nanos) {
        OpenConnection connection = new OpenConnection(channel, client(from), nanos);
        if (connection.client().isEmpty()) {
            open.put(channel, connection);
            return Optional.empty();
        }
        Optional<OpenConnection> displaced = Optional.empty();
        synchronized (ofClients) {
            Set<OpenConnection> own = ofClients.computeIfAbsent(connection.client(), key -> new LinkedHashSet<>());
            if (own.size() >= rules.perAddress()) {
                displaced = displaced(own);
                if (displaced.isEmpty()) {
                    count(Ending.REFUSED);
                    return Optional.of(channel);
                }
                displaced.ifPresent(own::remove);
            }
            own.add(connection);
        }
        open.put(channel, connection);
        displaced.ifPresent(oldest -> count(Ending.DISPLACED));
        return displaced.map(OpenConnection::channel);
    }

    private String client(@Nullable SocketAddress from) {
        InetAddress address = from instanceof InetSocketAddress internet ? internet.getAddress() : null;
        return address == null || rules.unlimited().test(address) ? NOBODY : ClientAddress.client(address);
    }

    private static Optional<OpenConnection> displaced(Collection<OpenConnection> own) {
        return ended(own, Phase.UNFINISHED).or(() -> ended(own, Phase.IDLE));
    }

    /** Ends the connection that is in a phase for longest. One that comes on meanwhile is passed over. */
    private static Optional<OpenConnection> ended(Collection<OpenConnection> own, Phase in) {
        record Candidate(OpenConnection connection, long since) {}
        return own.stream()
                .filter(each -> each.isIn(in))
                .map(each -> new Candidate(each, each.since()))
                .sorted(Comparator.comparingLong(Candidate::since))
                .filter(each -> each.connection().end(in, each.since()))
                .map(Candidate::connection)
                .findFirst();
    }

    /** Removes a connection that is closed; it may have been removed before. */
    void remove(SocketChannel channel) {
        OpenConnection connection = open.remove(channel);
        if (connection != null && !connection.client().isEmpty()) {
            synchronized (ofClients) {
                ofClients.computeIfPresent(connection.client(), (same, own) -> {
                    own.remove(connection);
                    return own.isEmpty() ? null : own;
                });
            }
        }
    }

    /** Gives a connection that is open; null if it is none of this port, or no more. */
    @Nullable
    OpenConnection get(@Nullable SocketChannel channel) {
        return channel == null ? null : open.get(channel);
    }

    /** Ends all whose header was not whole in time, and gives them to be closed. */
    List<SocketChannel> endOverdue(long nanos) {
        log.flush();
        long begun = nanos - rules.headerTimeout().toNanos();
        return open.values().stream()
                .filter(each -> each.end(Phase.UNFINISHED, begun))
                .map(each -> {
                    count(Ending.TIMEOUT);
                    return each.channel();
                })
                .toList();
    }

    private void count(Ending how) {
        endings.getOrDefault(how, new LongAdder()).increment();
        if (how != Ending.TIMEOUT) {
            log.note(how == Ending.REFUSED ? "a new one" : "an older one without a request");
        }
    }

    ConnectionRules rules() {
        return rules;
    }

    /** How many are open. */
    int size() {
        return open.size();
    }

    /** How many have not sent the whole header of a request. */
    long unfinished() {
        return open.values().stream()
                .filter(each -> each.isIn(Phase.UNFINISHED))
                .count();
    }

    /** How many addresses are counted. */
    int clients() {
        synchronized (ofClients) {
            return ofClients.size();
        }
    }

    /** How many were closed so far for a reason. */
    long ended(Ending how) {
        return endings.getOrDefault(how, new LongAdder()).sum();
    }
}
