package dev.veilgate.console.rules;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.rules.Rule.InvalidRuleException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

@RestController
class RuleController {
    private static final int MAX_BYTES = 1 << 20;

    private final RuleStore store;
    private final AuditLog log;
    private final JsonMapper json;

    RuleController(RuleStore store, AuditLog log, JsonMapper json) {
        this.store = store;
        this.log = log;
        this.json = json.rebuild()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // a condition that is misspelt would be none
                .build();
    }

    @GetMapping("/api/rules")
    Rules rules(User user) {
        user.require(Role.values());
        return store.rules();
    }

    @PutMapping("/api/rules")
    Rules replace(User user, @RequestBody byte[] body) {
        user.require(Role.KEEPER);
        return store.replace(read(body), user.id(), next -> log.append(entry(user, next)));
    }

    private Rules read(byte[] body) {
        if (body.length > MAX_BYTES) {
            throw ProblemException.malformed("all rules together have at most " + MAX_BYTES + " bytes");
        }
        try {
            return json.readValue(body, Rules.class);
        } catch (JacksonException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof InvalidRuleException) {
                    throw ProblemException.malformed(String.valueOf(cause.getMessage()));
                }
            }
            throw ProblemException.malformed("rules: " + e.getOriginalMessage());
        }
    }

    private LogDraft entry(User user, Rules rules) {
        String names = rules.rules().stream().map(Rule::name).collect(Collectors.joining(", "));
        return Entries.change(EntryKind.RULE_CHANGE, user.id(), "replaced", "version " + rules.version())
                .with("rules", Entries.cut(names, 1000))
                .with(DetailName.DIGEST, sha256(json.writeValueAsString(rules.rules())));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
