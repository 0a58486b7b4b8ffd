package dev.veilgate.console.senders;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.Name;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/senders")
class SenderController {
    private static final Logger LOG = LoggerFactory.getLogger(SenderController.class);

    private static final int MAX_NAME = 128;

    private final Custody custody;
    private final SenderChains chains;
    private final SenderRules rules;
    private final SenderCredentials credentials;
    private final AuditLog log;

    SenderController(
            Custody custody, SenderChains chains, SenderRules rules, SenderCredentials credentials, AuditLog log) {
        this.custody = custody;
        this.chains = chains;
        this.rules = rules;
        this.credentials = credentials;
        this.log = log;
    }

    record NewSender(@Nullable String publicKey, boolean replace) {}

    record CredentialName(@Nullable String name, @Nullable String kind) {}

    /** Never printed, for the secret. */
    record Credential(String name, CredentialKind kind, String secret) {
        @Override
        public String toString() {
            return "Credential[hidden]";
        }
    }

    /**
     * Some of the senders that are registered or that the gateway knows, with how many there are of each state. If the
     * gateway does not answer, what it knows is unknown, and that is said.
     *
     * @param text  part of a name or of a fingerprint, in upper or lower case
     * @param state of those that are wanted; empty for all
     * @param order name, or heard for those first that were not heard of for longest
     */
    @GetMapping
    SenderPage list(
            User user,
            @RequestParam(defaultValue = "") String text,
            @RequestParam(defaultValue = "") String state,
            @RequestParam(defaultValue = "name") String order,
            @RequestParam(defaultValue = "0") int from,
            @RequestParam(defaultValue = "50") int count)
            throws Exception {
        user.require(Role.KEEPER, Role.OPERATOR);
        SenderPage.Wanted wanted = new SenderPage.Wanted(text, state, order, from, count);
        Map<String, Sender> senders = chains.registered();
        try {
            senders.putAll(chains.seen());
        } catch (ProblemException e) {
            LOG.warn("the senders' chains are not shown: {}", e.getMessage());
            return SenderPage.of(senders.values(), wanted, false);
        }
        try {
            Map<String, Set<CredentialKind>> held = credentials.held();
            senders.replaceAll((name, sender) -> sender.with(List.copyOf(held.getOrDefault(name, Set.of()))));
        } catch (ProblemException e) {
            LOG.warn("by what the senders may send is not shown: {}", e.getMessage());
        }
        return SenderPage.of(senders.values(), wanted, true);
    }

    /** By which rules each makes keywords, and when it last did. */
    @GetMapping("/rules")
    RulesInUse rules(User user) throws Exception {
        user.require(Role.KEEPER, Role.OPERATOR);
        return rules.inUse();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Sender register(User user, @RequestBody NewSender wanted) throws Exception {
        user.require(Role.KEEPER);
        SenderPublicKey key = read(wanted);
        custody.change(keys -> {
            Optional<SenderPublicKey> old = keys.sender(key.sender());
            if (!wanted.replace() && old.filter(other -> !other.equals(key)).isPresent()) {
                throw ProblemException.conflict(
                        "a sender of that name is registered with another key; if it has a new identity, replace it");
            }
            log.append(Entries.change(
                            EntryKind.SENDER_CHANGE,
                            user.id(),
                            old.isPresent() ? "replaced" : "registered",
                            key.sender())
                    .with(DetailName.KEY, key.fingerprint()));
            keys.putSender(key);
            return key;
        });
        return Sender.registered(key);
    }

    private static SenderPublicKey read(NewSender wanted) {
        if (wanted.publicKey() == null) {
            throw ProblemException.malformed("publicKey is needed: what veilgate identity show prints");
        }
        try {
            return SenderKeyText.read(wanted.publicKey());
        } catch (MalformedEncodingException e) {
            throw ProblemException.malformed("publicKey: " + e.getMessage());
        }
    }

    @PostMapping("/remove")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(User user, @RequestBody Name wanted) throws Exception {
        user.require(Role.KEEPER);
        String name = wanted.required();
        custody.change(keys -> {
            if (keys.sender(name).isEmpty()) {
                throw ProblemException.notFound("the sender");
            }
            log.append(Entries.change(EntryKind.SENDER_CHANGE, user.id(), "removed", name));
            return keys.removeSender(name);
        });
    }

    /** The secret is in this answer and nowhere else. */
    @PostMapping("/credential")
    Credential give(User user, @RequestBody CredentialName wanted) {
        user.require(Role.KEEPER);
        CredentialKind kind = CredentialKind.of(wanted.kind());
        String name = sender(wanted);
        return new Credential(name, kind, credentials.give(user, name, kind));
    }

    @PostMapping("/credential/remove")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void takeAway(User user, @RequestBody CredentialName wanted) {
        user.require(Role.KEEPER);
        CredentialKind kind = CredentialKind.of(wanted.kind());
        credentials.takeAway(user, sender(wanted), kind);
    }

    private static String sender(CredentialName wanted) {
        String name = new Name(wanted.name()).required();
        if (name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.malformed(
                    "name has at most " + MAX_NAME + " characters, none of them a control character");
        }
        return name;
    }
}
