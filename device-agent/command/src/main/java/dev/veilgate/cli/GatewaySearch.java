package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.RunningSearch;
import dev.veilgate.client.SearchEvent;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.Optional;

/** A search on a gateway: what it finds is opened here. Ctrl-C ends it there too. */
final class GatewaySearch implements RunningSearch.Visitor {
    private final Terminal terminal;
    private final GatewayClient gateway;
    private final SearchRequest request;
    private final HitOpener opener;
    private final FoundPrinter printer;
    private final Progress progress;
    private final Explanation explanation;
    private final HitsAhead ahead;
    private long refused;

    GatewaySearch(
            Terminal terminal,
            GatewayClient gateway,
            SearchRequest request,
            HitOpener opener,
            FoundPrinter printer,
            Progress progress,
            Explanation explanation) {
        this.terminal = terminal;
        this.gateway = gateway;
        this.request = request;
        this.opener = opener;
        this.printer = printer;
        this.progress = progress;
        this.explanation = explanation;
        this.ahead = new HitsAhead(opener.isHelped());
    }

    /** Runs it; how many envelopes were refused. */
    long run() throws Exception {
        try (RunningSearch search = RunningSearch.start(gateway, request)) {
            Thread interrupted = new Thread(search::close);
            Runtime.getRuntime().addShutdownHook(interrupted); // Ctrl-C
            try {
                Optional<SearchEvent.End> end = runAndOpen(search);
                if (end.isPresent() && ahead.isEmpty()) {
                    explanation.ended(end.get());
                    requireComplete(end.get());
                } else {
                    terminal.err().println("note: stopped at the limit; there may be more");
                }
            } finally {
                progress.end(terminal);
                unhook(interrupted);
            }
        }
        return refused;
    }

    private Optional<SearchEvent.End> runAndOpen(RunningSearch search) throws Exception {
        try {
            return search.run(this);
        } finally {
            openRest(); // what came before a failure too
        }
    }

    private static void unhook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is running
        }
    }

    @Override
    public boolean wantsMore() throws CommandFailure {
        while (canPrint()) {
            Optional<RunningSearch.Found> due = ahead.due();
            if (due.isEmpty()) {
                return true;
            }
            open(due.get());
        }
        return false;
    }

    private boolean canPrint() throws CommandFailure {
        if (terminal.out().checkError()) { // flushes; who read it has seen enough
            throw new CommandFailure(ExitCode.IO, "");
        }
        return !printer.isFull();
    }

    @Override
    public void fetched(byte[] envelope) {
        opener.ahead(envelope);
    }

    @Override
    public void found(RunningSearch.Found found) {
        explanation.hit(found.hit());
        ahead.add(found);
    }

    private void openRest() throws CommandFailure {
        while (canPrint()) {
            Optional<RunningSearch.Found> next = ahead.next();
            if (next.isPresent()) {
                open(next.get());
            } else if (!opener.goOn()) {
                return;
            }
        }
    }

    private void open(RunningSearch.Found found) {
        SearchEvent.Hit hit = found.hit();
        try {
            if (found.content() != null) {
                opener.mail(found.envelope(), found.content());
            } else {
                opener.records(hit.envelope().toString(), found.envelope(), hit.records());
            }
        } catch (UnopenableEnvelopeException e) {
            sayRefused(hit, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void refused(SearchEvent.Hit hit, String why) {
        explanation.hit(hit);
        sayRefused(hit, why);
    }

    @Override
    public void progress(SearchEvent.Progress done) {
        progress.at(terminal, "of " + done.envelopes() + " envelopes", done.envelopesDone());
    }

    private void sayRefused(SearchEvent.Hit hit, String why) {
        refused++;
        terminal.err().println(hit.envelope() + ": refused: " + Printable.of(why));
    }

    private static void requireComplete(SearchEvent.End end) throws CommandFailure {
        if (!end.outcome().equals("complete")) {
            throw new CommandFailure(
                    ExitCode.IO,
                    end.outcome().equals("cancelled")
                            ? "the search was cancelled at the gateway; what is printed is not all"
                            : "the search failed at the gateway; what is printed is not all");
        }
    }
}
