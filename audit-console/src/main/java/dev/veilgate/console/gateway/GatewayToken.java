package dev.veilgate.console.gateway;

import dev.veilgate.client.GatewayClient;

/** What the console shows the gateway: its own, whoever is logged in. */
interface GatewayToken extends GatewayClient.Token {
    /** The gateway did not take what this gave last: it is not to be given again, if there may be another. */
    @Override
    void refused();
}
