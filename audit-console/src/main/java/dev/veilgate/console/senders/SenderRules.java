package dev.veilgate.console.senders;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.senders.RulesInUse.Next;
import dev.veilgate.console.senders.RulesInUse.Seen;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.extract.ExtractorProfile;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Who still makes keywords by rules 1, as the gateway saw it in headers: what to know before these are given up. */
@Component
final class SenderRules {
    private final Custody custody;
    private final Gateway gateway;

    SenderRules(Custody custody, Gateway gateway) {
        this.custody = custody;
        this.gateway = gateway;
    }

    /**
     * All senders that are registered, and those that the gateway saw.
     *
     * @throws ProblemException 502 if the gateway does not answer, or is one of before, which does not know
     */
    RulesInUse inUse() throws Exception {
        Map<String, Seen> senders = new TreeMap<>();
        Optional<Next> next = custody.use(keys -> {
            keys.senders().forEach(key -> senders.put(key.sender(), new Seen(key.sender(), null, null)));
            return keys.profiles().next().map(SenderRules::next);
        });
        gateway.ask(client -> {
            for (JsonObject seen : client.rules()) {
                note(seen, senders);
            }
            return senders;
        });
        List<Seen> all = new ArrayList<>(senders.values());
        Seen unsigned = senders.get("");
        if (unsigned != null) {
            all.remove(unsigned);
            all.add(unsigned);
        }
        return new RulesInUse(next.orElse(null), all);
    }

    private static void note(JsonObject seen, Map<String, Seen> senders) throws IOException {
        String name = seen.text("sender");
        long rules = seen.number("rules");
        try {
            Instant sealed = Instant.parse(seen.text("lastSealed"));
            senders.merge(
                    name,
                    new Seen(name, null, null).with((int) rules, sealed),
                    (known, _) -> known.with((int) rules, sealed));
        } catch (DateTimeParseException e) {
            throw new IOException("the gateway's answer: lastSealed must be a time", e);
        }
    }

    private static Next next(NextProfile next) {
        PublicBundle.Epoch onlyFrom = next.onlyFrom();
        return new Next(rules(next), next.from().name(), onlyFrom == null ? null : onlyFrom.name());
    }

    private static @Nullable Integer rules(NextProfile next) {
        try {
            return ExtractorProfile.decode(next.encoded()).rules();
        } catch (MalformedEncodingException e) {
            return null; // of later software
        }
    }
}
