package dev.veilgate.gateway.broker;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * How many connections and sessions each device has, and how many more it may have. A session lasts as long as the client asked for, also while nobody is connected, so it is the broker that
 * knows which of them are still there: it is asked when a device is at a limit.
 */
final class DeviceQuota {
    /** Which limit keeps a login out. */
    enum Limit {
        /** The device has as many connections as it may. */
        CONNECTIONS,
        /** The device has as many sessions as it may. */
        SESSIONS,
        /** The broker has as many connections as it may. */
        BROKER
    }

    /** A session as the broker has it. */
    enum Session {
        CONNECTED,
        AWAY,
        GONE
    }

    /** One that was let in so lately may not have its session yet. */
    private static final long SETTLED = Duration.ofMinutes(1).toNanos();

    /** How long a device that is at a limit does not have the broker asked again if nothing had changed; the less, the more had. */
    private static final long ASK_AGAIN = Duration.ofMillis(200).toNanos();

    /**
     * A session of a device.
     *
     * @param logins that were let in to it and have not ended; several while one takes over from another, which may still fail
     * @param since  when that was found, by the clock
     */
    private record Held(Set<String> logins, long since) {
        boolean isConnected() {
            return !logins.isEmpty();
        }
    }

    private static final class Device {
        private final Map<String, Held> sessions = new HashMap<>();
        /** When the broker may be asked, by the clock. */
        private long askNext;

        Device(long askNext) {
            this.askNext = askNext;
        }

        long connections() {
            return sessions.values().stream().filter(Held::isConnected).count();
        }
    }

    private final MqttSettings.Limits limits;
    private final BooleanSupplier full;
    private final Function<String, Session> broker;
    private final LongSupplier nanos;
    private final Map<String, Device> devices = new HashMap<>();

    /**
     * Makes it.
     *
     * @param full   whether the broker has as many connections as it may
     * @param broker what has become of a session, by the client's id
     */
    DeviceQuota(
            MqttSettings.Limits limits, BooleanSupplier full, Function<String, Session> broker, LongSupplier nanos) {
        this.limits = limits;
        this.full = full;
        this.broker = broker;
        this.nanos = nanos;
    }

    /** Whose session it is: clients' ids begin with the device's name. */
    static String deviceOf(String client) {
        int end = client.indexOf('/');
        return end < 0 ? client : client.substring(0, end);
    }

    /** Counts a session that was there before the broker started. */
    synchronized void restore(String client) {
        device(client).sessions.putIfAbsent(client, new Held(Set.of(), nanos.getAsLong()));
    }

    /**
     * Lets a login in, unless a limit is reached. Whoever takes over a session of its own adds none.
     *
     * @param login tells it from others of the same client
     * @return the limit that keeps it out
     */
    synchronized Optional<Limit> enter(String client, String login) {
        Device device = device(client);
        Optional<Limit> limit = limit(device, client);
        if (limit.isPresent() && nanos.getAsLong() - device.askNext >= 0) {
            askAbout(device);
            limit = limit(device, client);
        }
        if (limit.isEmpty()) {
            Held before = device.sessions.get(client);
            Set<String> logins = new HashSet<>(before == null ? Set.of() : before.logins);
            logins.add(login);
            device.sessions.put(client, new Held(Set.copyOf(logins), nanos.getAsLong()));
        }
        return limit;
    }

    /** A login has ended; its session may last. */
    synchronized void leave(String client, String login) {
        Device device = device(client);
        Held held = device.sessions.get(client);
        if (held != null && held.logins.contains(login)) {
            Set<String> left = new HashSet<>(held.logins);
            left.remove(login);
            if (left.isEmpty() && broker.apply(client) == Session.GONE) {
                device.sessions.remove(client);
            } else {
                device.sessions.put(client, new Held(Set.copyOf(left), nanos.getAsLong()));
            }
        }
        if (device.sessions.isEmpty()) {
            devices.remove(deviceOf(client));
        }
    }

    private Device device(String client) {
        return devices.computeIfAbsent(deviceOf(client), name -> new Device(nanos.getAsLong()));
    }

    private Optional<Limit> limit(Device device, String client) {
        Held own = device.sessions.get(client);
        if (own != null && own.isConnected()) {
            return Optional.empty(); // takes it over
        }
        if (own == null && device.sessions.size() >= limits.sessionsPerDevice()) {
            return Optional.of(Limit.SESSIONS);
        }
        if (device.connections() >= limits.connectionsPerDevice()) {
            return Optional.of(Limit.CONNECTIONS);
        }
        return full.getAsBoolean() ? Optional.of(Limit.BROKER) : Optional.empty();
    }

    private void askAbout(Device device) {
        long now = nanos.getAsLong();
        int all = 0;
        int kept = 0;
        for (Iterator<Map.Entry<String, Held>> each = device.sessions.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Held> next = each.next();
            Session found = isSettled(next.getValue(), now) ? broker.apply(next.getKey()) : Session.CONNECTED;
            all++;
            if (found == Session.GONE) {
                each.remove();
            } else if (found == Session.AWAY && next.getValue().isConnected()) {
                next.setValue(new Held(Set.of(), now));
            } else {
                kept++;
            }
        }
        device.askNext = now + ASK_AGAIN * kept / Math.max(1, all);
    }

    private static boolean isSettled(Held held, long now) {
        return !held.isConnected() || now - held.since >= SETTLED;
    }
}
