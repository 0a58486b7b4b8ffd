package dev.veilgate.gateway.deliver;

/**
 * Where a mail goes next.
 *
 * @param key   the same for the same next hop; in logs, so without user
 * @param relay how it is spoken to; its host is the domain if the mail servers of DNS are used
 * @param mx    whether the mail servers that DNS names for the domain are meant
 */
record Hop(String key, DeliverSettings.Relay relay, boolean mx) {

    /** Which next hop a domain has. */
    static final class Table {
        private final DeliverSettings settings;
        private final int mxPort;

        /** @param mxPort 25, but for tests */
        Table(DeliverSettings settings, int mxPort) {
            this.settings = settings;
            this.mxPort = mxPort;
        }

        Hop of(String domain) {
            DeliverSettings.Relay relay = settings.relays().getOrDefault(domain, settings.smartHost());
            if (relay != null) {
                return new Hop(relay.host() + ":" + relay.port(), relay, false);
            }
            var servers = new DeliverSettings.Relay(domain, mxPort, settings.mxTls(), "", "", null);
            return new Hop("mx of " + domain, servers, true);
        }
    }
}
