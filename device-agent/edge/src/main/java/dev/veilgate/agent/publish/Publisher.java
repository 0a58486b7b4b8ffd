package dev.veilgate.agent.publish;

import dev.veilgate.agent.spool.Spool;
import dev.veilgate.transport.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Publishes what is in the spool, oldest first, and removes what the broker has. After a lost connection or a refusal it begins again at the
 * oldest that is left, so an envelope may arrive twice; the receiver knows it by its id.
 */
public final class Publisher implements AutoCloseable {
    private static final long IN_FLIGHT_BYTES = 8 << 20;
    private static final long IDLE_MILLIS = 500;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private final Spool spool;
    private final MqttOptions options;
    private final String topic;
    private final Consumer<String> log;
    private final Backoff backoff;
    private final Thread thread;
    private final LinkedBlockingQueue<MqttLink.Event> events = new LinkedBlockingQueue<>();
    /** Acknowledged, but the disk did not let them go: not sent again. */
    private final Set<Long> acknowledged = new HashSet<>();

    private final Refusals refusals;
    /** Given up, and not set aside yet: not sent again. */
    private final Map<Long, RefusedEnvelope> givenUp = new ConcurrentSkipListMap<>();

    /** Failed connections, and offers that were not acknowledged, since the last acknowledgement. */
    private int failures;

    private volatile PublisherStatus status = PublisherStatus.INITIAL;
    private volatile boolean closed;

    /**
     * @param refusedAfter how long an envelope is tried again that is refused for good
     * @param log          takes lines for the log
     */
    public Publisher(Spool spool, MqttOptions options, String topic, Duration refusedAfter, Consumer<String> log) {
        this.refusals = new Refusals(refusedAfter);
        this.spool = spool;
        this.options = options;
        this.topic = topic;
        this.backoff = Backoff.doubling(FIRST_PAUSE, options.backoffMax(), Backoff.Spread.HALF);
        this.log = log;
        this.thread = Thread.ofPlatform().daemon().name("publisher").unstarted(this::run);
    }

    /** Begins to connect and publish. */
    public void start() {
        thread.start();
    }

    /** What it does now. */
    public PublisherStatus status() {
        return status;
    }

    /** Envelopes that are refused for good and still in the spool, oldest first. They are not sent again; it is for the caller to set them aside. From any thread. */
    public List<RefusedEnvelope> refusedForGood() {
        return List.copyOf(givenUp.values());
    }

    /** Waits until the spool is empty. Whether it is. */
    public boolean awaitEmpty(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (spool.size() > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            spool.awaitChange(Math.min(left, 100));
        }
        return true;
    }

    /** Connects and goes away again: says what the broker allows. */
    public static String probe(MqttOptions options, String topic) throws IOException {
        try (MqttLink link = MqttLink.connect(options, topic, event -> {})) {
            long bytes = link.maximumEnvelopeBytes();
            return "receive maximum " + link.receiveMaximum() + ", largest envelope "
                    + (bytes == Long.MAX_VALUE ? "not limited" : bytes + " bytes");
        }
    }

    private void run() {
        while (!closed) {
            try {
                events.clear();
                try (MqttLink link = MqttLink.connect(options, topic, events::add)) {
                    status = status.connected(link.maximumEnvelopeBytes());
                    log.accept("connected to " + options.url());
                    new Session(link).runToItsEnd();
                }
            } catch (IOException e) {
                problem(String.valueOf(e.getMessage()));
            } catch (RuntimeException e) {
                problem("a bug: " + e); // tried again: without this thread nothing would ever leave the spool
            } catch (InterruptedException e) {
                return;
            } finally {
                spool.releaseAll();
            }
            try {
                Thread.sleep(backoff.pause(++failures));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void problem(String why) {
        if (!closed && !status.problem().equals(why)) { // once, not every few seconds
            log.accept("not connected to " + options.url() + ": " + why);
        }
        status = status.disconnected(why);
    }

    /** What is done with one connection. */
    private final class Session {
        private final MqttLink link;
        private final int window;
        private final TreeMap<Long, Integer> inFlight = new TreeMap<>();
        private long inFlightBytes;
        private long last;
        private long waitingSince = System.nanoTime();
        private boolean refused;
        private String refusal = "";
        /** The newest is sent before the others, once. */
        private boolean probe;

        Session(MqttLink link) {
            this.link = link;
            this.window = Math.min(options.inFlight(), link.receiveMaximum());
        }

        /** A broker may answer with a refusal and then close: the refusal is what matters. */
        void runToItsEnd() throws IOException, InterruptedException {
            try {
                run();
            } catch (IOException e) {
                for (MqttLink.Event event = events.poll(); event != null; event = events.poll()) {
                    if (event instanceof MqttLink.Event.Answered answer) {
                        answered(answer);
                    }
                }
                giveUpLasting();
                throw refused ? new IOException(refusal, e) : e;
            } finally {
                removeAcknowledged();
            }
        }

        private void run() throws IOException, InterruptedException {
            while (!closed) {
                removeAcknowledged();
                if (refused && inFlight.isEmpty()) {
                    again();
                }
                boolean sent = !refused && send();
                MqttLink.Event event = sent ? events.poll() : await();
                if (event instanceof MqttLink.Event.Answered answer) {
                    answered(answer);
                } else if (event instanceof MqttLink.Event.Lost lost) {
                    throw new IOException(lost.reason());
                }
                long silent = System.nanoTime() - waitingSince;
                if (!inFlight.isEmpty() && silent > options.ackTimeout().toNanos()) {
                    throw new IOException("the broker acknowledged nothing for "
                            + options.ackTimeout().toSeconds() + " s");
                }
            }
        }

        /** Whoever refused one may have taken those behind it; from the oldest again, after a while. */
        private void again() throws IOException, InterruptedException {
            refused = false;
            last = 0;
            giveUpLasting();
            probe = refusals.wantsProbe(System.nanoTime());
            spool.releaseAll(); // nothing is on its way: whoever needs room may drop it
            long end = System.nanoTime() + backoff.pause(++failures).toNanos();
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                if (events.poll(left, TimeUnit.NANOSECONDS) instanceof MqttLink.Event.Lost lost) {
                    throw new IOException(lost.reason());
                }
            }
        }

        private MqttLink.@org.jspecify.annotations.Nullable Event await() throws InterruptedException {
            if (!inFlight.isEmpty()) {
                // new envelopes are looked for in between, while the window has room
                return events.poll(inFlight.size() < window ? 20 : IDLE_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (events.isEmpty()) {
                spool.after(last, IDLE_MILLIS);
            }
            return events.poll();
        }

        private boolean send() throws IOException {
            if (inFlight.size() >= window || inFlightBytes >= IN_FLIGHT_BYTES) {
                return false;
            }
            OptionalLong found;
            try {
                found = probe ? spool.newest() : spool.after(last, 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (found.isEmpty()) {
                return false;
            }
            long next = found.getAsLong();
            long passed = probe ? last : next;
            boolean done = acknowledged.contains(next) || givenUp.containsKey(next) || inFlight.containsKey(next);
            byte[] envelope = done ? null : spool.claim(next);
            if (envelope == null) {
                last = passed;
                probe = false;
                return true;
            }
            if (envelope.length > link.maximumEnvelopeBytes()) {
                String why = "envelope " + next + " has " + envelope.length + " bytes and the broker takes "
                        + link.maximumEnvelopeBytes() + ": raise its maximum packet size";
                throw new IOException(why);
            }
            if (inFlight.isEmpty()) {
                waitingSince = System.nanoTime();
            }
            if (!link.publish(next, envelope)) {
                return false;
            }
            inFlight.put(next, envelope.length);
            inFlightBytes += envelope.length;
            last = passed;
            probe = false;
            return true;
        }

        private void giveUpLasting() {
            for (RefusedEnvelope one : refusals.lasting(System.nanoTime())) {
                givenUp.put(one.sequence(), one);
            }
        }

        private void answered(MqttLink.Event.Answered answer) {
            long sequence = answer.sequence();
            int reasonCode = answer.reasonCode();
            Integer bytes = inFlight.remove(sequence);
            if (bytes == null) {
                return;
            }
            inFlightBytes -= bytes;
            waitingSince = System.nanoTime();
            if (reasonCode >= 0x80 || reasonCode == Reasons.NO_MATCHING_SUBSCRIBERS) {
                refused = true;
                String why = Reasons.name(reasonCode, answer.said());
                refusals.refused(sequence, reasonCode, why, System.nanoTime());
                refusal = why;
                if (!status.problem().equals(why)) {
                    log.accept(why + " (envelope " + sequence + " stays in the spool)");
                }
                status = status.refused(why);
                return;
            }
            status = status.acknowledged(!refused);
            failures = 0;
            refusals.taken(sequence, System.nanoTime());
            acknowledged.add(sequence);
        }
    }

    private void removeAcknowledged() {
        givenUp.keySet().removeIf(sequence -> !spool.holds(sequence)); // set aside by now
        for (Long sequence : Set.copyOf(acknowledged)) {
            try {
                spool.remove(sequence);
                acknowledged.remove(sequence);
            } catch (IOException e) {
                status = status.stuck("the spool cannot let go of what was acknowledged: " + e.getMessage());
            }
        }
    }

    /** Ends the connection; what is not acknowledged stays in the spool. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        removeAcknowledged();
    }
}
