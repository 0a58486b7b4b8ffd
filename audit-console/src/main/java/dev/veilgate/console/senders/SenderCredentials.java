package dev.veilgate.console.senders;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.JsonObject;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.issuing.EntryKind;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * By what senders come through the gateway's doors. The gateway makes the secrets and keeps digests; the console hands them on and keeps nothing. The issuing
 * log says who was let in or shut out before it happens, never with what.
 */
@Component
class SenderCredentials {
    private static final String KIND = "kind";
    private static final String INGEST = "ingest";

    private final Gateway gateway;
    private final AuditLog log;

    SenderCredentials(Gateway gateway, AuditLog log) {
        this.gateway = gateway;
        this.log = log;
    }

    /**
     * What each name may send by.
     *
     * @throws ProblemException 502 if the gateway does not answer, or the console's token lacks the right access
     */
    Map<String, Set<CredentialKind>> held() {
        return gateway.ask(SenderCredentials::held);
    }

    private static Map<String, Set<CredentialKind>> held(GatewayClient client)
            throws IOException, GatewayException, InterruptedException {
        Map<String, Set<CredentialKind>> held = new TreeMap<>();
        for (JsonObject one : client.access()) {
            String name = one.text("name");
            if (one.texts("rights").contains(INGEST)) {
                CredentialKind.ofGateway(one.text("kind"))
                        .ifPresent(kind -> held.computeIfAbsent(name, _ -> EnumSet.noneOf(CredentialKind.class))
                                .add(kind));
            }
        }
        return held;
    }

    /**
     * A new secret of a sender; the one that it had is good no more.
     *
     * @throws ProblemException 502 if the gateway does not answer or refuses
     */
    String give(User user, String name, CredentialKind kind) {
        held(); // whoever cannot even look leaves no entry of what did not happen
        write(user, "access given", name, kind);
        return gateway.ask(client -> client.grantAccess(kind.gatewayKind(), name));
    }

    /**
     * Ends a sender's access.
     *
     * @throws ProblemException 404 if it has none, 502 if the gateway does not answer or refuses
     */
    void takeAway(User user, String name, CredentialKind kind) {
        if (!held().getOrDefault(name, Collections.emptySet()).contains(kind)) {
            throw ProblemException.notFound("access of this kind and name");
        }
        write(user, "access taken away", name, kind);
        gateway.ask(client -> {
            try {
                client.revokeAccess(kind.gatewayKind(), name);
            } catch (GatewayException e) {
                if (e.status() != HttpStatus.NOT_FOUND.value()) { // somebody else was faster
                    throw e;
                }
            }
            return name;
        });
    }

    private void write(User user, String action, String name, CredentialKind kind) {
        log.append(
                Entries.change(EntryKind.SENDER_CHANGE, user.id(), action, name).with(KIND, kind.label()));
    }
}
