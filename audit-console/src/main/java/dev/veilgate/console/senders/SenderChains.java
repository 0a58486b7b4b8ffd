package dev.veilgate.console.senders;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.SenderPublicKey;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** What the gateway knows of senders' chains, beside who is registered. */
@Component
public class SenderChains {
    private final Custody custody;
    private final Gateway gateway;

    SenderChains(Custody custody, Gateway gateway) {
        this.custody = custody;
        this.gateway = gateway;
    }

    /** The registered senders by name, without their chains. */
    Map<String, Sender> registered() throws Exception {
        Map<String, Sender> senders = new TreeMap<>();
        for (SenderPublicKey key : custody.use(keys -> keys.senders())) {
            senders.put(key.sender(), Sender.registered(key));
        }
        return senders;
    }

    /**
     * All that the gateway knows, by name.
     *
     * @throws ProblemException 502 if it does not answer
     */
    public Map<String, Sender> seen() throws Exception {
        Map<String, Sender> registered = registered();
        return gateway.ask(client -> {
            Map<String, Sender> senders = new TreeMap<>();
            for (JsonObject one : client.senders()) {
                Sender sender = seen(one, registered);
                senders.put(sender.name(), sender);
            }
            return senders;
        });
    }

    private static Sender seen(JsonObject one, Map<String, Sender> registered) throws IOException {
        return Sender.seen(one, Optional.ofNullable(registered.get(one.text("sender"))));
    }
}
