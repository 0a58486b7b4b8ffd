package dev.veilgate.console.readers;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.IssuedKeys;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Who was issued keys for attributes. The keys themselves say who and what; the database when, and for which epochs. Safe for use by several threads. */
@Component
final class Readers {
    private static final int MAX_EPOCHS = 128;

    private final Custody custody;
    private final AuditLog log;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    Readers(Custody custody, AuditLog log, JdbcClient jdbc, TransactionTemplate transactions, Clock clock) {
        this.custody = custody;
        this.log = log;
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clock = clock;
    }

    /** A reader, as the interface has it. */
    record Reader(
            String name,
            String attributes,
            boolean searches,
            @Nullable Instant issued,
            @Nullable List<String> epochs) {}

    /** What was issued last. */
    private record Issue(String name, Instant at, List<String> epochs) {}

    List<Reader> list() throws Exception {
        List<Issue> issues = jdbc.sql("SELECT name, issued, epochs FROM reader_issue")
                .query((row, n) -> new Issue(
                        row.getString(1),
                        row.getObject(2, OffsetDateTime.class).toInstant(),
                        List.of(row.getString(3).split(" "))))
                .list();
        List<Reader> readers = new ArrayList<>();
        Set<String> searchers = custody.use(Readers::searchers);
        for (Map.Entry<String, Label> each : custody.use(TenantKeys::readers).entrySet()) {
            Optional<Issue> issue = issues.stream()
                    .filter(one -> one.name().equals(each.getKey()))
                    .findFirst();
            readers.add(new Reader(
                    each.getKey(),
                    each.getValue().toString(),
                    searchers.contains(each.getKey()),
                    issue.map(Issue::at).orElse(null),
                    issue.map(Issue::epochs).orElse(null)));
        }
        return readers;
    }

    /** Who was issued searcher's keys the last time. */
    private static Set<String> searchers(TenantKeys keys) {
        return keys.readers().keySet().stream()
                .filter(name -> searches(keys, name))
                .collect(Collectors.toSet());
    }

    private static boolean searches(TenantKeys keys, String name) {
        return keys.issuedTo(name).filter(IssuedKeys::searches).isPresent();
    }

    /**
     * Issues. It is in the log before the keys leave.
     *
     * @param attributes or, where keys have policies, a policy
     * @param search     whether searcher's keys are in the file, too; null: if they were the last time
     * @param passphrase of the file
     * @return the reader's file
     * @throws ProblemException 400 for such attributes or epochs as cannot be
     */
    byte[] issue(User by, String name, String attributes, String epochs, @Nullable Boolean search, byte[] passphrase)
            throws Exception {
        return custody.folder(folder -> {
            List<String> epochNames = epochs(folder.keys(), epochs);
            byte[] file = folder.keys()
                    .allOrNothing(() -> kept(folder, by, name, attributes, epochNames, search, passphrase));
            remember(name, epochNames);
            return file;
        });
    }

    private byte[] kept(
            KeyFolder folder,
            User by,
            String name,
            String attributes,
            List<String> epochNames,
            @Nullable Boolean search,
            byte[] passphrase)
            throws Exception {
        boolean searches = search == null ? searches(folder.keys(), name) : search;
        List<ReaderKey> issued = issue(folder.keys(), name, labels(attributes), epochNames);
        List<SearcherKey> searching = List.of();
        try {
            searching = searches ? searching(folder.keys(), name, epochNames, search != null) : searching;
            if (issued.size() > ReaderKeyFile.MAX_KEYS) {
                throw ProblemException.malformed("these are more keys than a file holds: take fewer epochs");
            }
            byte[] file = ReaderKeyFile.seal(issued, searching, passphrase, PassphraseCost.DEFAULT, random);
            log.append(Entries.attributeKey(
                    by.id(),
                    name,
                    Objects.requireNonNull(folder.keys().readers().get(name)).toString(), // it has one by now
                    epochNames,
                    searching.stream().map(key -> key.index().id()).toList()));
            folder.save();
            return file;
        } finally {
            issued.forEach(ReaderKey::close);
            searching.forEach(SearcherKey::close);
        }
    }

    /** @param required whether none is worth an answer of its own: somebody asked for them */
    private List<SearcherKey> searching(TenantKeys keys, String name, List<String> epochNames, boolean required)
            throws MalformedEncodingException {
        if (!(keys.readers().get(name) instanceof Label.OfAttributes of)) {
            throw ProblemException.malformed("search: it is attributes that search, and this is a policy");
        }
        try {
            List<SearcherKey> issued = keys.issueSearcherKeys(name, of.attributes(), epochNames, random);
            if (issued.isEmpty() && required) {
                String first = keys.reach(Optional.of(of.attributes()), epochNames)
                        .texts()
                        .getFirst();
                throw ProblemException.malformed("search: the attributes satisfy no index policy: " + first);
            }
            return issued;
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed("search: " + e.getMessage());
        }
    }

    private static List<String> epochs(TenantKeys keys, String text) {
        try {
            List<String> names = keys.epochs().parse(text);
            if (names.size() <= MAX_EPOCHS) {
                return names;
            }
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed("epochs: " + e.getMessage());
        }
        throw ProblemException.malformed("epochs: at most " + MAX_EPOCHS + " at once");
    }

    /** What the text may be: a single attribute is a policy too. */
    private static List<Label> labels(String text) {
        List<Label> labels = new ArrayList<>();
        String wrong = "";
        try {
            labels.add(new Label.OfAttributes(AttributeSet.parse(text)));
        } catch (PolicySyntaxException | IllegalArgumentException e) {
            wrong = String.valueOf(e.getMessage());
        }
        try {
            labels.add(new Label.OfPolicy(Policy.parse(text)));
        } catch (PolicySyntaxException | IllegalArgumentException e) {
            if (labels.isEmpty()) {
                throw ProblemException.malformed("attributes: " + wrong);
            }
        }
        return labels;
    }

    private List<ReaderKey> issue(TenantKeys keys, String name, List<Label> labels, List<String> epochNames)
            throws MalformedEncodingException {
        String wrong = "";
        for (Label label : labels) {
            try {
                return keys.issueReaderKeys(name, label, epochNames, random);
            } catch (IllegalArgumentException e) {
                wrong = String.valueOf(e.getMessage());
            }
        }
        throw ProblemException.malformed("attributes: " + wrong);
    }

    private void remember(String name, List<String> epochNames) {
        transactions.executeWithoutResult(status -> {
            forget(name);
            jdbc.sql("INSERT INTO reader_issue (name, issued, epochs) VALUES (?, ?, ?)")
                    .params(
                            name,
                            OffsetDateTime.ofInstant(clock.instant().truncatedTo(ChronoUnit.MILLIS), ZoneOffset.UTC),
                            String.join(" ", epochNames))
                    .update();
        });
    }

    private void forget(String name) {
        jdbc.sql("DELETE FROM reader_issue WHERE name = ?").param(name).update();
    }

    /**
     * No key for the next epochs; what was issued stays good for its own.
     *
     * @throws ProblemException 404 if nobody of that name was issued one
     */
    void revoke(User by, String name) throws Exception {
        custody.folder(folder -> {
            if (!folder.keys().readers().containsKey(name)) {
                throw ProblemException.notFound("the reader");
            }
            log.append(LogDraft.of(EntryKind.ATTRIBUTE_KEY_REVOKED, by.id()).with(DetailName.READER, name));
            folder.keys().allOrNothing(() -> {
                folder.keys().removeReader(name);
                folder.save();
                return true;
            });
            forget(name);
            return true;
        });
    }
}
