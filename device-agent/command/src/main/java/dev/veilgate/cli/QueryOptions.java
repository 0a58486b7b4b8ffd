package dev.veilgate.cli;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.query.Filter;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a search looks, and who may run it. */
final class QueryOptions {
    /** Of the parameter. */
    static final String DESCRIPTION =
            "Terms with spaces between them, all of which must hold: overheat, level:error, 10.0.0.1, temperature:70..90; or with AND, OR, NOT and"
                    + " parentheses. What other languages write (-root, a or b, user=root, 10.0.0.*) is refused with what to write; in quotes it"
                    + " is text. With @FILE it is read from a file, with @- from standard input: arguments are seen by other users and kept by"
                    + " the shell.";

    private static final int MAX_QUERY_BYTES = 4 * KeywordQuery.MAX_CHARACTERS;

    @Option(names = "--scope", paramLabel = "SCOPE", description = "Where to search; VEILGATE_SCOPE.")
    private @Nullable String scope;

    @Option(
            names = "--epoch",
            paramLabel = "EPOCHS",
            description =
                    "Epochs to search: one, a list 2026-09,2026-11, a range 2026-09..2026-11; those in which what lies between --from and --to"
                            + " can have been sealed; else the present one.")
    private @Nullable String epochs;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description =
                    "Only records and mails of that time or later: 2026-11-21, 2026-11-21T12:23, with seconds, with Z or an offset (UTC without), or"
                            + " 90m, 12h, 7d ago. The time is the record's own, or when it was read if it names none that can be: none later, or more than 30 days"
                            + " earlier, than it was read.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only records and mails before that time.")
    private @Nullable String to;

    @Option(
            names = "--sender",
            paramLabel = "SENDER",
            description = "Only envelopes that name this sender; may be given several times.")
    private List<String> senders = new ArrayList<>();

    @Option(
            names = "--mail",
            description = "Read the query as one of mails: from:, to:, cc:, subject:, date: and other fields of mails.")
    private boolean mail;

    @Option(
            names = "--grant-to",
            paramLabel = "NAME",
            description = "Sign a grant for somebody to search with these trapdoors.")
    private @Nullable String grantTo;

    @Option(
            names = "--grant-days",
            paramLabel = "DAYS",
            description = "For how long the grant holds (${DEFAULT-VALUE}).",
            defaultValue = "30")
    private int grantDays;

    /**
     * The text of a query.
     *
     * @param isSecret whether it came by a file, and is not for standard error, which others may keep
     */
    record Typed(String text, boolean isSecret) {
        /** As it was given: itself, or by a file or standard input. */
        static Typed of(Terminal terminal, String given) throws Exception {
            if (!given.startsWith("@")) {
                return new Typed(given, false);
            }
            byte[] bytes = KeysChange.read(terminal, given.substring(1));
            if (bytes.length > MAX_QUERY_BYTES) {
                throw new CommandFailure(ExitCode.USAGE, "the query is too long");
            }
            return new Typed(new String(bytes, StandardCharsets.UTF_8).strip(), true);
        }

        @Override
        public String toString() {
            return "Typed[hidden]";
        }
    }

    /** The parsed query. */
    QueryReadings parse(Terminal terminal, KeyFolder folder, String query, Purpose purpose) throws Exception {
        return parse(terminal, folder, Typed.of(terminal, query), purpose);
    }

    /** The parsed query. */
    QueryReadings parse(Terminal terminal, KeyFolder folder, Typed query, Purpose purpose) throws Exception {
        scope(terminal);
        return parse(terminal, Reading.profiles(folder.keys()), folder.keys().epochs(), query, purpose);
    }

    /** As a searcher reads it. */
    QueryReadings parse(Terminal terminal, Searcher searcher, String query, Purpose purpose) throws Exception {
        scope(terminal);
        return parse(
                terminal, IndexProfiles.of(searcher.bundle()), searcher.epochs(), Typed.of(terminal, query), purpose);
    }

    private QueryReadings parse(
            Terminal terminal, IndexProfiles profiles, EpochPolicy policy, Typed query, Purpose purpose)
            throws Exception {
        Instant now = terminal.clock().instant();
        List<String> names = epochs(policy, filter(now, purpose), now, purpose);
        return parse(terminal, query, reader -> QueryReadings.read(profiles, names, reader));
    }

    /** Reads the text of a query. */
    @FunctionalInterface
    private interface Readings {
        QueryReadings by(QueryReadings.Reader reader) throws MalformedQueryException;
    }

    /** The query of a request that was issued, as the rules of its epochs read it. */
    QueryReadings parse(Terminal terminal, IndexProfiles profiles, Set<String> epochs, String query) throws Exception {
        return parse(terminal, Typed.of(terminal, query), reader -> QueryReadings.read(profiles, epochs, reader));
    }

    private QueryReadings parse(Terminal terminal, Typed query, Readings read) throws Exception {
        String typed = query.text();
        try {
            QueryReadings readings =
                    read.by(profile -> mail ? MailQuery.read(typed, profile) : KeywordQuery.read(typed, profile));
            for (ReadQuery.Warning warning : readings.shown().warnings()) {
                terminal.err().println("warning: " + warning.message() + hint(warning.instead(), query.isSecret()));
            }
            return readings;
        } catch (MalformedQueryException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage() + hint(e.suggestions(), query.isSecret()), e);
        }
    }

    /** What may have been meant. */
    private static String hint(List<String> suggestions, boolean isSecret) {
        return suggestions.isEmpty() || isSecret ? "" : "; write: " + String.join("   or: ", suggestions);
    }

    /** What these options are, by names of details of the issuing log, to be {@link #remembered}. */
    Map<String, String> toRemember(Terminal terminal, Purpose purpose) throws CommandFailure {
        Map<String, String> details = new LinkedHashMap<>();
        details.put(DetailName.SCOPE, scope(terminal));
        Filter filter = filter(terminal.clock().instant(), purpose);
        filter.from()
                .ifPresent(time ->
                        details.put("from", time.truncatedTo(ChronoUnit.SECONDS).toString()));
        filter.to()
                .ifPresent(time ->
                        details.put("to", time.truncatedTo(ChronoUnit.SECONDS).toString()));
        if (!senders.isEmpty()) {
            details.put("senders", String.join("\n", senders));
        }
        if (mail) {
            details.put("mail", "yes");
        }
        if (epochs != null) {
            details.put(DetailName.EPOCHS, epochs);
        }
        if (grantTo != null) {
            details.put("grant-to", grantTo);
            details.put("grant-days", Integer.toString(grantDays));
        }
        return details;
    }

    /** The options that {@link #toRemember} told of. */
    static QueryOptions remembered(Map<String, String> details) {
        QueryOptions options = new QueryOptions();
        options.scope = details.get(DetailName.SCOPE);
        options.from = details.get("from");
        options.to = details.get("to");
        options.senders = List.of(details.getOrDefault("senders", "").split("\n"));
        options.senders = options.senders.equals(List.of("")) ? List.of() : options.senders;
        options.mail = details.containsKey("mail");
        options.epochs = details.get(DetailName.EPOCHS);
        options.grantTo = details.get("grant-to");
        options.grantDays = Integer.parseInt(details.getOrDefault("grant-days", "30"));
        return options;
    }

    /** Without epochs that were named and are over: a route finds nothing in them any more. */
    QueryOptions withoutEndedEpochs(EpochPolicy policy, Instant now) throws CommandFailure {
        if (epochs != null) {
            List<String> left = policy.parse(epochs).stream()
                    .filter(name -> policy.named(name).to().isAfter(now))
                    .toList();
            if (left.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        "the epochs that the route was issued for are over; add it again for later ones");
            }
            epochs = String.join(",", left);
        }
        return this;
    }

    /** @throws CommandFailure if something was asked for that only who issues trapdoors can give */
    void checkIssued() throws CommandFailure {
        if (scope != null || epochs != null || from != null || to != null || !senders.isEmpty() || grantTo != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--request: scope, epochs, times, senders and grant are those of the request; veilgate trapdoor made it");
        }
    }

    /** What trapdoors are for. */
    enum Purpose {
        /** To look now: an epoch that has not begun has nothing. */
        SEARCH,
        /** To look at some time: epochs that are named may be later ones. */
        REQUEST,
        /** To be tested on what comes. */
        ROUTE
    }

    /** How many epochs after the present one a route is for, where none are named. */
    private static final int EPOCHS_AHEAD = 1;

    /** Its request: trapdoors issued and stored, the filter, and the grant if one was asked for. */
    SearchRequest issue(Terminal terminal, KeyFolder folder, KeywordQuery parsed, Purpose purpose) throws Exception {
        if (grantTo != null && grantDays < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--grant-days: must be 1 or more");
        }
        TenantKeys keys = folder.keys();
        Instant now = terminal.clock().instant();
        Filter filter = filter(now, purpose);
        List<String> names = epochs(keys.epochs(), filter, now, purpose);
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            SearchRequest request = keys.request(scope(terminal), names, parsed.terms(), parsed.expression(), store)
                    .with(filter);
            List<LogDraft> entries = new ArrayList<>(IssuedEntries.trapdoors(
                    CommandLog.actor(),
                    0,
                    parsed.terms(),
                    request,
                    (draft, name, value) -> CommandLog.sealed(folder, draft, name, value)));
            String holder = grantTo;
            if (holder == null) {
                CommandLog.append(terminal, folder, entries);
                return request;
            }
            Instant expires = now.truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(grantDays));
            entries.add(IssuedEntries.grant(CommandLog.actor(), 0, holder, request, expires));
            return keys.granted(request, holder, expires, CommandLog.append(terminal, folder, entries));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Its request as a searcher makes it: trapdoors and the filter. Only the authority signs grants. */
    SearchRequest issue(Terminal terminal, Searcher searcher, KeywordQuery parsed, Purpose purpose) throws Exception {
        if (grantTo != null) {
            throw new CommandFailure(ExitCode.USAGE, "--grant-to: only the authority signs grants, not a searcher");
        }
        Instant now = terminal.clock().instant();
        Filter filter = filter(now, purpose);
        List<String> names = epochs(searcher.epochs(), filter, now, purpose);
        try {
            return searcher.request(scope(terminal), names, parsed.terms(), parsed.expression())
                    .with(filter);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private String scope(Terminal terminal) throws CommandFailure {
        return terminal.given(scope, "--scope", "VEILGATE_SCOPE");
    }

    private List<String> epochs(EpochPolicy policy, Filter filter, Instant now, Purpose purpose) throws CommandFailure {
        String named = epochs;
        try {
            if (named == null) {
                return purpose == Purpose.ROUTE
                        ? policy.routed(filter, now, EPOCHS_AHEAD)
                        : policy.searched(filter, now);
            }
            List<String> names = policy.parse(named);
            Optional<String> later = names.stream()
                    .filter(name -> policy.named(name).from().isAfter(now))
                    .findFirst();
            if (purpose == Purpose.SEARCH && later.isPresent()) {
                throw new IllegalArgumentException(
                        later.get()
                                + " has not begun, and has nothing to be found; veilgate trapdoor makes requests for later epochs");
            }
            return names;
        } catch (IllegalArgumentException e) {
            String option = named == null ? "--from" : "--epoch";
            throw new CommandFailure(ExitCode.USAGE, option + ": " + e.getMessage(), e);
        }
    }

    /**
     * The filter that goes to the gateway: for a search it reaches beyond the time that was asked for, as far as a
     * record of that time can have been sealed.
     */
    private Filter filter(Instant now, Purpose purpose) throws CommandFailure {
        try {
            Filter range = new Filter(moment("--from", from, now), moment("--to", to, now), Set.copyOf(senders));
            return purpose == Purpose.ROUTE ? range : EventTime.widened(range);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** The time that an option names, if it was given. */
    static Optional<Instant> moment(String option, @Nullable String text, Instant now) throws CommandFailure {
        if (text == null) {
            return Optional.empty();
        }
        return Optional.of(Moment.parse(text, now)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        option
                                + ": a time is written like 2026-11-21, 2026-11-21T12:23, 2026-11-21T12:23:05Z, or 12h for"
                                + " twelve hours ago")));
    }
}
