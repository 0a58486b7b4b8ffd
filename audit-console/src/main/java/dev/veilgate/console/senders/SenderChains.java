package dev.veilgate.console.senders;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.RegisteredSenders;
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
        return custody.use(keys -> {
            keys.senders().forEach(key -> senders.put(key.sender(), Sender.registered(key)));
            return senders;
        });
    }

    /**
     * All that the gateway knows, by name.
     *
     * @throws ProblemException 502 if it does not answer
     */
    public Map<String, Sender> seen() throws Exception {
        RegisteredSenders registered = custody.use(keys -> keys.senders().snapshot());
        return gateway.ask(client -> {
            Map<String, Sender> senders = new TreeMap<>();
            for (JsonObject one : client.senders()) {
                Sender sender = seen(one, registered);
                senders.put(sender.name(), sender);
            }
            return senders;
        });
    }

    private static Sender seen(JsonObject one, RegisteredSenders registered) throws IOException {
        Optional<SenderPublicKey> key =
                registered.keysOf(one.text("sender")).stream().findFirst();
        return Sender.seen(one, key.map(Sender::registered));
    }
}
