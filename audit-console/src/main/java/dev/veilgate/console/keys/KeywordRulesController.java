package dev.veilgate.console.keys;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.keys.KeywordRulesView.Profile;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.profiles.ProfileParts;
import dev.veilgate.profiles.RulesPlan;
import dev.veilgate.profiles.RulesRequest;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** By which rules senders make keywords, epoch by epoch: shown, previewed and changed. */
@RestController
@RequestMapping("/api/keys/rules")
class KeywordRulesController {
    private final Custody custody;
    private final AuditLog log;
    private final Clock clock;

    KeywordRulesController(Custody custody, AuditLog log, Clock clock) {
        this.custody = custody;
        this.log = log;
        this.clock = clock;
    }

    /** A change of the later rules; see {@link RulesRequest}. */
    record Change(
            @Nullable Integer rules,
            @Nullable String from,
            @Nullable String aloneFrom,
            boolean withdraw,
            @Nullable Profile profile) {
        RulesRequest asked() {
            return new RulesRequest(
                    rules, from, aloneFrom, withdraw, profile == null ? ProfileParts.NONE : parts(profile));
        }

        private static ProfileParts parts(Profile profile) {
            Stream.of(profile.ipPrefixes(), profile.fields(), profile.numeric(), profile.stems())
                    .filter(Objects::nonNull)
                    .forEach(list -> {
                        if (list.stream().anyMatch(Objects::isNull)) {
                            throw ProblemException.malformed("a part of the profile is a list of texts");
                        }
                    });
            return new ProfileParts(
                    profile.ipPrefixes(),
                    profile.fields(),
                    profile.numeric(),
                    profile.wordPrefixes(),
                    profile.templates(),
                    profile.stems());
        }
    }

    /**
     * The effect of a change that is not made yet.
     *
     * @param change    whether anything would be other than now
     * @param situation what would become of each epoch, a sentence each
     * @param notes     what has to be done or known
     */
    record Preview(boolean change, List<String> situation, List<String> notes) {}

    @GetMapping
    KeywordRulesView show(User user) throws Exception {
        user.require(Role.KEEPER);
        return custody.use(keys -> KeywordRulesView.of(keys, clock.instant()));
    }

    @PostMapping("/preview")
    Preview preview(User user, @RequestBody Change wanted) throws Exception {
        user.require(Role.KEEPER);
        RulesPlan plan = custody.use(keys -> plan(keys, wanted));
        return new Preview(plan.isChange(), plan.situation(), plan.notes());
    }

    @PostMapping
    KeywordRulesView change(User user, @RequestBody Change wanted) throws Exception {
        user.require(Role.KEEPER);
        long serial = custody.change(keys -> {
            RulesPlan plan = plan(keys, wanted);
            if (!plan.isChange()) {
                throw ProblemException.conflict("nothing would change: it is so already");
            }
            log.append(Entries.change(EntryKind.SENDER_CHANGE, user.id(), "changed", plan.done()));
            keys.setProfiles(plan.profiles());
            return keys.serial() + 1;
        });
        log.append(Entries.change(EntryKind.BUNDLE, user.id(), "signed", "serial " + serial));
        return show(user);
    }

    private RulesPlan plan(TenantKeys keys, Change wanted) throws MalformedEncodingException {
        RulesRequest asked = wanted.asked();
        if (asked.isEmpty()) {
            throw ProblemException.malformed("say what is to change");
        }
        try {
            return LaterRules.of(keys, clock.instant()).plan(asked);
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw ProblemException.conflict(String.valueOf(e.getMessage()));
        }
    }
}
