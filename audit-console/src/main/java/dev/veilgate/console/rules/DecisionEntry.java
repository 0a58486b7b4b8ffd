package dev.veilgate.console.rules;

import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.Keyword;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the issuing log says of a decision: everything that was asked, and who or what decided. The query is sealed where a rule says so. */
record DecisionEntry(AuditLog log, User user, Intent intent, Asked asked, Decision decision, String reason) {
    private static final int MAX_LIST_BYTES = 1000;

    LogDraft of(EntryKind kind) {
        LogDraft draft = LogDraft.of(kind, user.id())
                .with("purpose", asked.purpose())
                .with(DetailName.SCOPE, Entries.cut(asked.scope(), MAX_LIST_BYTES))
                .with(DetailName.EPOCHS, IssuedEntries.epochs(asked.epochs()))
                .with(DetailName.FIELDS, fields())
                .with("decision", decision.reason());
        if (asked.from() != null) {
            draft = draft.with("from", asked.from().toString());
        }
        if (asked.to() != null) {
            draft = draft.with("to", asked.to().toString());
        }
        if (!asked.senders().isEmpty()) {
            draft = draft.with("senders", Entries.cut(String.join(" ", asked.senders()), MAX_LIST_BYTES));
        }
        if (!asked.about().isEmpty()) {
            draft = draft.with("about", Entries.cut(asked.about(), MAX_LIST_BYTES));
        }
        if (!reason.isBlank()) {
            draft = draft.with(DetailName.REASON, reason);
        }
        if (decision.rule().isPresent()) {
            draft = draft.with(DetailName.RULE, decision.rule().get());
        }
        if (decision.approval().isPresent()) {
            draft = draft.with(Entries.APPROVAL, decision.approval().get().toString());
        }
        return understood(log.with(draft, "query", asked.query(), decision.hideKeywords()));
    }

    /** How the query is searched, in the words in which whoever asked was told so. */
    private LogDraft understood(LogDraft draft) {
        ReadQuery read = intent.readings().shown();
        LogDraft with = log.with(draft, "understood", read.reading(), decision.hideKeywords());
        String warnings =
                read.warnings().stream().map(ReadQuery.Warning::message).collect(Collectors.joining("; "));
        return warnings.isEmpty() ? with : log.with(with, "warnings", warnings, decision.hideKeywords());
    }

    private String fields() {
        return Entries.cut(
                intent.query().keywords().stream()
                        .map(Keyword::field)
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .collect(Collectors.joining(" ")),
                MAX_LIST_BYTES);
    }
}
