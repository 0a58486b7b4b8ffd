package dev.veilgate.application.connection;

import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;

/** HTTP of Tomcat with a limit of connections for one address. Tomcat makes it by its name. */
public final class LimitedProtocol extends Http11NioProtocol {
    private final LimitedEndpoint connections;

    /** Makes it, without a limit yet. */
    public LimitedProtocol() {
        this(new LimitedEndpoint());
    }

    private LimitedProtocol(LimitedEndpoint connections) {
        super(connections);
        this.connections = connections;
    }

    /** Sets the connections of this port, before it is opened. */
    void limit(PortConnections port) {
        connections.limit(port);
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new ServedRequests(adapter));
    }
}
