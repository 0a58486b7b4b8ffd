package dev.veilgate.application.connection;

import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/** Stands before what answers requests, and says to the connection of each that its header is whole. */
final class ServedRequests implements Adapter {
    /** Connection that the thread reads from; none for the streams of HTTP/2. */
    static final ScopedValue<OpenConnection> CONNECTION = ScopedValue.newInstance();

    private final Adapter next;

    ServedRequests(Adapter next) {
        this.next = next;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        if (CONNECTION.isBound()) {
            CONNECTION.get().serve();
        }
        next.service(request, response);
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return next.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        return next.asyncDispatch(request, response, event);
    }

    @Override
    public void log(Request request, Response response, long nanos) {
        next.log(request, response, nanos);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        next.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return next.getDomain();
    }
}
