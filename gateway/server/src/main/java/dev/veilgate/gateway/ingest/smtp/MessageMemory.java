package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.application.connection.ClientAddress;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What all messages in progress may take of the heap together, and of that one client and one network, so that nobody takes it all. Safe for use by several threads. */
final class MessageMemory {
    private final long limit;
    private final long clientLimit;
    private final long networkLimit;
    private final Map<String, Long> byClient = new HashMap<>();
    private final Map<String, Long> byNetwork = new HashMap<>();
    private long taken;

    MessageMemory(long limit, long clientLimit, long networkLimit) {
        this.limit = limit;
        this.clientLimit = clientLimit;
        this.networkLimit = networkLimit;
    }

    /** What the messages from one address take. */
    Share of(InetAddress address) {
        return new Share(ClientAddress.client(address), ClientAddress.network(address));
    }

    /** The memory of one client. */
    final class Share {
        private final String client;
        private final String network;

        private Share(String client, String network) {
            this.client = client;
            this.network = network;
        }

        /** Takes so many bytes, if they are left to all, to the client's network and to the client. */
        boolean take(long bytes) {
            synchronized (MessageMemory.this) {
                boolean left = has(bytes);
                if (left) {
                    add(bytes);
                }
                return left;
            }
        }

        /** Tells if a message of a size would find room now; takes none. */
        boolean has(long bytes) {
            synchronized (MessageMemory.this) {
                return taken + bytes <= limit
                        && byClient.getOrDefault(client, 0L) + bytes <= clientLimit
                        && byNetwork.getOrDefault(network, 0L) + bytes <= networkLimit;
            }
        }

        void giveBack(long bytes) {
            synchronized (MessageMemory.this) {
                add(-bytes);
            }
        }

        private void add(long bytes) {
            taken += bytes;
            byClient.merge(client, bytes, MessageMemory::sum);
            byNetwork.merge(network, bytes, MessageMemory::sum);
        }
    }

    /** Null where nothing is left, so that names do not gather. */
    private static @Nullable Long sum(long before, long more) {
        return before + more == 0 ? null : Long.valueOf(before + more);
    }

    synchronized long taken() {
        return taken;
    }
}
