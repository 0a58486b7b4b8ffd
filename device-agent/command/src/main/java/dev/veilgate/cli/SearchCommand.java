package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.query.Filter;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Trapdoor, test and open in one: on envelopes that are here, or on a gateway. */
@Command(
        name = "search",
        header = "Search sealed envelopes and print what matches",
        description = {
            "  Issues the trapdoors, has them tested, opens what matches and extracts its keywords again. A record that",
            "  does not contain what it was found by (its sender lies) is named on standard error and not printed. Anybody can seal in",
            "  any name: one that no registered sender signed for is not shown, and there is a warning.",
            "  With --from and --to it prints what happened then. A record's time is its own, or when it was read if it names none, a later one, or one",
            "  more than 30 days earlier; a mail's is its Date, or when it was sealed. How many of what was found are of other times is said on standard error.",
            "  With --gateway the test runs there: the gateway gets trapdoors, never words, and sends what it found still sealed. Of mails",
            "  date, from, to and the true subject are printed, and who signed: the one in From, somebody else of the tenant, the tenant for a sender that",
            "  its edge did not know, a stranger's key, or nobody. Ctrl-C ends the search there too. --explain says what the gateway learned.",
            "  A reader whose file has searcher's keys (keys issue --search) searches with --reader-key and the public bundle alone.",
        },
        footer = {
            "  veilgate search --scope plant-7 overheat day.vge",
            "  veilgate search --scope plant-7 --with-name 'source:/var/log/auth.log failed' spool/",
            "  veilgate search --scope plant-7 --epoch 2026-10..2026-11 'level:error 10.0.0.1' spool/",
            "  veilgate search --gateway https://gateway.example.org --token-file token --scope plant-7 --from 7d \\",
            "      'level:error AND (unit:sshd OR ip:10.0.0.7) AND NOT user:root'",
            "  veilgate search --gateway https://gateway.example.org --token-file token --reader-key ada.vgr --request overheat.search overheat",
            "  veilgate search --gateway https://gateway.example.org --token-file token --reader-key ada.vgr --scope plant-7 overheat",
            "  veilgate search --gateway https://gateway.example.org --token-file token --scope mailbox-ada --mail 'subject:urgent'",
        })
final class SearchCommand extends AuthorityCommand {
    private static final int MOST_ATTACHMENT_TIME = 100;
    private static final IndexSchemes SCHEMES = IndexSchemes.load();

    @Mixin
    private QueryOptions options = new QueryOptions();

    @Parameters(index = "0", paramLabel = "QUERY", description = QueryOptions.DESCRIPTION)
    private String query = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ENVELOPES", description = EnvelopeSource.DESCRIPTION)
    private List<String> envelopes = new ArrayList<>();

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    @Option(
            names = "--request",
            paramLabel = "FILE",
            description =
                    "As a reader: search with the trapdoors that the authority issued (veilgate trapdoor) for QUERY, open with --reader-key; of the"
                            + " tenant only the public bundle is needed.")
    private @Nullable Path requestFile;

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    @Mixin
    private SenderOptions senders = new SenderOptions();

    @Mixin
    private ReaderKeyOptions reader = new ReaderKeyOptions();

    @Mixin
    private TransformOptions transform = new TransformOptions();

    @Option(
            names = "--with-name",
            description =
                    "Print sender, origin (- if not known), sequence number and record before each line; of a mail its envelope.")
    private boolean withName;

    @Option(names = "--json", description = "Print a JSON object a line for each record or mail.")
    private boolean json;

    @Option(
            names = "--signed",
            split = ",",
            paramLabel = "WHO",
            description =
                    "Of mails, only those signed so: sender, another, tenant, stranger, nobody; several by commas.")
    private List<String> signed = new ArrayList<>();

    @Option(
            names = "--attachment-time",
            paramLabel = "N",
            description =
                    "Of mails whose attachments decide: read these for up to N times as long as usual (0.3 s and 2 s a"
                            + " megabyte of a mail's, at most 10 s, and 60 s of a search; of processor time); 1 to 100.")
    private int attachmentTime = 1;

    @Option(names = "--limit", paramLabel = "N", description = "Stop after so many records or mails.")
    private long limit = Long.MAX_VALUE;

    @Option(
            names = "--explain",
            description =
                    "With a gateway: say on standard error how the query is understood, unless it came by @FILE, what was scanned and"
                            + " what the gateway learned.")
    private boolean explain;

    @Mixin
    private Progress progress = new Progress();

    private long tested;

    SearchCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (gateway.isGiven() && !envelopes.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "either --gateway or envelopes, not both");
        }
        if (requestFile != null) {
            options.checkIssued();
            if (!reader.isGiven()) {
                throw new CommandFailure(ExitCode.USAGE, "--request goes with --reader-key");
            }
        }
        transform.check(terminal, reader, isRemote());
        if (limit < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--limit: must be 1 or more");
        }
        if (attachmentTime < 1 || attachmentTime > MOST_ATTACHMENT_TIME) {
            throw new CommandFailure(ExitCode.USAGE, "--attachment-time: must be 1 to " + MOST_ATTACHMENT_TIME);
        }
        signedBy();
        if (explain && !isRemote()) {
            throw new CommandFailure(ExitCode.USAGE, "--explain is for a search on a gateway");
        }
    }

    private Set<MailAuthor.Kind> signedBy() throws CommandFailure {
        Set<MailAuthor.Kind> kinds = EnumSet.noneOf(MailAuthor.Kind.class);
        for (String each : signed) {
            kinds.add(MailAuthor.Kind.of(each)
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.USAGE,
                            "--signed: must be sender, another, tenant, stranger or nobody, not "
                                    + Printable.of(each))));
        }
        return kinds;
    }

    private boolean isRemote() {
        return envelopes.isEmpty() && gateway.isNamed(terminal);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        QueryReadings parsed = options.parse(terminal, folder, query, QueryOptions.Purpose.SEARCH);
        SearchRequest request = options.issue(terminal, folder, parsed.asked(), QueryOptions.Purpose.SEARCH);
        try (Reading reading = reader.open(terminal, folder.keys())) {
            return search(parsed, request, reading, folder.keys().indexKeys());
        }
    }

    @Override
    boolean needsKeyFolder() throws Exception {
        return requestFile == null && !Searcher.isEnough(terminal, reader, bundle, folderPath());
    }

    @Override
    int runAsReader() throws Exception {
        if (requestFile == null) {
            try (Searcher searcher = Searcher.of(terminal, reader, bundle);
                    Reading reading = searcher.reading(senders(searcher.bundle()))) {
                QueryReadings parsed = options.parse(terminal, searcher, query, QueryOptions.Purpose.SEARCH);
                return search(
                        parsed,
                        options.issue(terminal, searcher, parsed.asked(), QueryOptions.Purpose.SEARCH),
                        reading,
                        searcher.bundle().indexKeys());
            }
        }
        SearchRequest request = RequestFile.read(Objects.requireNonNull(requestFile));
        PublicBundle tenant = bundle.read(terminal, 0);
        if (!request.tenant().equals(tenant.tenant())) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    requestFile + ": is of the tenant " + Printable.of(request.tenant()) + ", and the bundle of "
                            + Printable.of(tenant.tenant()));
        }
        try (Reading reading = reader.open(terminal, tenant, senders(tenant))) {
            QueryReadings parsed = options.parse(terminal, reading.profiles(), RequestFile.epochs(request), query);
            if (RequestFile.isOfFormerRules(request, parsed)) {
                terminal.err()
                        .println("warning: the request was issued by former rules of keywords alone, and misses what"
                                + " senders seal by later ones; have it issued again");
            }
            return search(parsed, request, reading, tenant.indexKeys());
        }
    }

    private Optional<RegisteredSenders> senders(PublicBundle tenant) throws IOException, CommandFailure {
        Optional<RegisteredSenders> registered = senders.read(terminal, bundle, tenant);
        if (registered.isEmpty()) {
            terminal.err().println("warning: no signature is checked: " + senders.unknown(terminal, bundle));
        }
        return registered;
    }

    private int search(
            QueryReadings parsed, SearchRequest request, Reading reading, List<PublicBundle.IndexKey> indexKeys)
            throws Exception {
        Filter range = EventTime.narrowed(request.filter());
        HitCheck check =
                new HitCheck(parsed, range, signedBy(), MailLimits.ofSearch(attachmentTime), new CostlyAttachments());
        FoundPrinter printer = new FoundPrinter(terminal, json, withName, limit, reading.knowsSenders());
        if (explain && !query.startsWith("@")) {
            ReadQuery read = parsed.shown();
            terminal.err().println("understood as " + Printable.of(read.reading()));
            read.notes().forEach(note -> terminal.err().println("note: " + Printable.of(note)));
        }
        long refused = isRemote()
                ? remote(request, reading, check, printer)
                : local(request, IndexAdmission.of(indexKeys, SCHEMES), reading, check, printer);
        printer.end();
        return refused > 0 ? ExitCode.REFUSED : printer.found() > 0 ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private long remote(SearchRequest request, Reading reading, HitCheck check, FoundPrinter printer) throws Exception {
        try (GatewayClient client = gateway.connect(terminal, request.tenant());
                TransformHelp help = transform.help(terminal, reading, client);
                HitOpener opener = new HitOpener(terminal, help, check, attachmentTime, printer)) {
            long refused = remote(request, client, opener, printer);
            help.report(terminal);
            return refused;
        }
    }

    private long remote(SearchRequest request, GatewayClient client, HitOpener opener, FoundPrinter printer)
            throws Exception {
        Explanation explanation = new Explanation(request);
        try {
            return new GatewaySearch(terminal, client, request, opener, printer, progress, explanation).run();
        } finally {
            if (explain) {
                terminal.out().flush();
                explanation.print(terminal.err(), opener.marked());
            }
        }
    }

    private long local(
            SearchRequest request, IndexAdmission admission, Reading reading, HitCheck check, FoundPrinter printer)
            throws Exception {
        PreparedSearch prepared = PreparedSearch.of(request, SCHEMES);
        try (HitOpener opener = new HitOpener(terminal, TransformHelp.none(reading), check, attachmentTime, printer)) {
            return EnvelopeSource.forEach(terminal, envelopes, (source, bytes) -> {
                if (!printer.isFull()) {
                    search(prepared, admission, opener, printer, source, bytes);
                }
                progress.at(terminal, "envelopes", ++tested);
            });
        } finally {
            progress.end(terminal);
        }
    }

    private void search(
            PreparedSearch prepared,
            IndexAdmission admission,
            HitOpener opener,
            FoundPrinter printer,
            String source,
            byte[] bytes)
            throws MalformedEncodingException, UnopenableEnvelopeException {
        Envelope envelope = Envelope.decode(bytes);
        RecordSet records = prepared.match(envelope, IndexAdmission.trust(envelope, SCHEMES));
        if (records.isEmpty()) {
            return;
        }
        if (envelope.detachedDigest().isPresent()) { // named without being opened
            admission.verify(envelope);
            OutdatedIndex.say(terminal, SCHEMES, source, envelope);
            printer.mail(envelope.id());
        } else { // whoever lied is found out when the record is opened
            opener.records(source, envelope, records);
        }
    }
}
