package dev.veilgate.console.indexes;

import dev.veilgate.authority.FindingBudget;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.Name;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.indexes.CheckedRecords.Counts;
import dev.veilgate.console.indexes.SenderIndexes.OfSender;
import dev.veilgate.console.indexes.SenderIndexes.ReasonCount;
import dev.veilgate.issuing.EntryKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows keepers what was found in senders' indexes. Nobody else sees it: a sender that hears of it learns words. */
@RestController
@RequestMapping("/api/senders/indexes")
class IndexController {
    private final Custody custody;
    private final CheckedRecords checked;
    private final IndexFindings findings;
    private final AuditLog log;

    IndexController(Custody custody, CheckedRecords checked, IndexFindings findings, AuditLog log) {
        this.custody = custody;
        this.checked = checked;
        this.findings = findings;
        this.log = log;
    }

    record Caller(@Nullable String name, boolean allowed) {}

    /** The budget as it stands. */
    private record Spent(
            boolean isDayUsedUp, Map<String, Integer> findings, Set<String> stopped, Set<String> senders) {}

    @GetMapping
    SenderIndexes list(User user) throws Exception {
        user.require(Role.KEEPER);
        Spent spent = custody.findings((keys, budget) -> {
            Set<String> senders = new TreeSet<>();
            keys.senders().forEach(key -> senders.add(key.sender()));
            return new Spent(budget.isDayUsedUp(), budget.findings(), budget.stopped(), senders);
        });
        SortedMap<String, Counts> counts = checked.counts();
        Set<String> callers = checked.callers();
        Set<String> names = new TreeSet<>(spent.senders());
        names.addAll(counts.keySet());
        names.addAll(spent.findings().keySet());
        names.addAll(callers);
        List<OfSender> senders = names.stream()
                .map(name -> ofSender(name, counts.get(name), spent, callers.contains(name)))
                .toList();
        return new SenderIndexes(spent.isDayUsedUp(), FindingBudget.MOST_OF_SENDER, FindingBudget.MOST_OF_DAY, senders);
    }

    private static OfSender ofSender(String name, @Nullable Counts counts, Spent spent, boolean isCaller) {
        List<ReasonCount> reasons = new ArrayList<>();
        if (counts != null) {
            counts.reasons().forEach((reason, count) -> reasons.add(new ReasonCount(reason, count)));
        }
        return new OfSender(
                name,
                counts == null ? 0 : counts.of(Outcome.COMPLETE) + counts.of(Outcome.LACKING),
                counts == null ? 0 : counts.of(Outcome.LACKING),
                counts == null ? 0 : counts.of(Outcome.EXCUSED),
                counts == null ? 0 : counts.of(Outcome.NOT_CHECKED),
                reasons,
                spent.findings().getOrDefault(name, 0),
                spent.stopped().contains(name),
                isCaller,
                counts == null ? null : counts.last(),
                counts == null ? null : counts.lastFinding());
    }

    /** Lets a sender be looked into again, whose findings a keeper has seen. */
    @PostMapping("/allow")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void allow(User user, @RequestBody Name wanted) throws Exception {
        user.require(Role.KEEPER);
        String name = wanted.required();
        custody.findings((_, budget) -> {
            if (!budget.findings().containsKey(name)) {
                throw ProblemException.notFound("a sender of that name with findings");
            }
            log.append(Entries.change(EntryKind.SENDER_CHANGE, user.id(), "index checked again", name));
            budget.allow(name);
            return name;
        });
        findings.forget();
    }

    /** Lets all others be looked into again, after a day with very many findings. */
    @PostMapping("/allow-day")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void allowDay(User user) throws Exception {
        user.require(Role.KEEPER);
        custody.findings((_, budget) -> {
            if (!budget.isDayUsedUp()) {
                throw ProblemException.conflict("indexes are looked into; there were not so many findings in a day");
            }
            log.append(Entries.change(EntryKind.SENDER_CHANGE, user.id(), "indexes checked again", "all senders"));
            budget.allowDay();
            return budget;
        });
        findings.forget();
    }

    /** Says whether a sender may give keywords itself, by no rules. */
    @PostMapping("/callers")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void setCaller(User user, @RequestBody Caller wanted) throws Exception {
        user.require(Role.KEEPER);
        String name = new Name(wanted.name()).required();
        custody.use(keys -> {
            if (wanted.allowed() && keys.sender(name).isEmpty()) {
                throw ProblemException.notFound("the sender");
            }
            log.append(Entries.change(
                    EntryKind.SENDER_CHANGE,
                    user.id(),
                    wanted.allowed() ? "keywords of its own allowed" : "keywords of its own not allowed",
                    name));
            checked.setCaller(name, wanted.allowed());
            return name;
        });
        findings.forget();
    }
}
