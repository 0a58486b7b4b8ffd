package dev.veilgate.reading;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.mail.AttachmentBudget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Checks the mails that a search found, in an order in which no sender makes those of others wait.
 *
 * <p>Header and texts are read first, those of mails that no key of the tenant's senders signed within a budget of
 * their own, as large as that of attachments: what it does not reach stays undecided. Mails that only their
 * attachments decide are kept, and these are read in turns by who signed: next is the signer whose mails took the
 * least processor time so far, with the smallest of their mails. All mails that no key of the tenant's senders signed
 * take turns as one signer, since anybody can send a thousand of them. Attachments have a budget of processor time for
 * the whole search; the mails that it does not reach stay undecided, and come last. Until all mails of the search are
 * known no signer takes more of it than is left. For one thread.
 *
 * @param <X> thrown by who takes the mails
 */
public final class MailChecks<X extends Exception> implements AutoCloseable {
    /** Processor time for the attachments of a search, and for each mail that needs it. */
    private static final Duration BUDGET = Duration.ofSeconds(60);

    private static final Duration BUDGET_OF_MAIL = Duration.ofMillis(20);

    /** Bytes and number of the mails that are kept; with more, one is checked for each that comes. */
    private static final long MOST_BYTES = 32L << 20;

    private static final int MOST_MAILS = 256;

    /** Undecided mails that are kept to come last; more are given out as they come. */
    private static final int MOST_UNDECIDED = 1_000;

    /**
     * Takes mails that were checked.
     *
     * @param <X> that it throws
     */
    @FunctionalInterface
    public interface Sink<X extends Exception> {
        /**
         * The next one.
         *
         * @return whether more are wanted
         */
        boolean take(Envelope index, OpenedMail mail, HitCheck.CheckedMail checked) throws X;
    }

    private record Kept(Envelope index, OpenedMail mail, HitCheck.CheckedMail byText, long number) {
        int bytes() {
            return mail.message().length;
        }
    }

    /** Mails of one signer that are kept. */
    private static final class Turn {
        private final PriorityQueue<Kept> mails =
                new PriorityQueue<>(Comparator.comparingInt(Kept::bytes).thenComparingLong(Kept::number));
        private final boolean isOfAll;
        private Duration spent = Duration.ZERO;

        /** @param signer empty for all whom the tenant does not name, who come after those whom it does */
        Turn(String signer) {
            this.isOfAll = signer.isEmpty();
        }
    }

    private record Undecided(Envelope index, OpenedMail mail, HitCheck.CheckedMail checked) {}

    private final HitCheck check;
    private final Sink<X> sink;
    private final Duration ofMail;
    private final AttachmentBudget budget;
    private final AttachmentBudget textsOfAll;
    private final Map<String, Turn> turns = new HashMap<>();
    private final Deque<Undecided> undecided = new ArrayDeque<>();
    private long bytes;
    private int kept;
    private long number;

    /**
     * The checks of one search.
     *
     * @param check closed with this
     * @param times of the budget that a search has
     */
    public MailChecks(HitCheck check, int times, Sink<X> sink) {
        this(check, BUDGET.multipliedBy(times), BUDGET_OF_MAIL.multipliedBy(times), sink);
    }

    /**
     * The checks of a search that has another budget.
     *
     * @param ofMail more for each mail that needs it
     */
    MailChecks(HitCheck check, Duration budget, Duration ofMail, Sink<X> sink) {
        this.check = check;
        this.sink = sink;
        this.ofMail = ofMail;
        this.budget = new AttachmentBudget(budget);
        this.textsOfAll = new AttachmentBudget(budget);
    }

    /**
     * The next mail that was found: given out at once if its header and texts decide, else later.
     *
     * @param index its envelope
     * @return whether more are wanted
     */
    public boolean add(Envelope index, OpenedMail mail) throws X {
        boolean isOfAll = signer(mail.author()).isEmpty();
        if (isOfAll) {
            textsOfAll.grow(ofMail);
            if (textsOfAll.left().isNegative()) {
                return leave(index, mail, check.leaveUnread(index, mail));
            }
        }
        HitCheck.CheckedMail checked =
                check.checkText(index, mail, isOfAll ? textsOfAll : new AttachmentBudget(Duration.ZERO));
        if (checked.verdict() != HitCheck.Verdict.UNDECIDED) {
            return sink.take(index, mail, checked);
        }
        budget.grow(ofMail);
        Kept one = new Kept(index, mail, checked, number++);
        turns.computeIfAbsent(signer(mail.author()), Turn::new).mails.add(one);
        bytes += one.bytes();
        kept++;
        boolean wantsMore = true;
        while (wantsMore && (bytes > MOST_BYTES || kept > MOST_MAILS)) {
            wantsMore = checkOne(false);
        }
        return wantsMore;
    }

    /** Where a mail waits: at the one whom the tenant's certificate names, else together with all others. */
    private static String signer(MailAuthor author) {
        return author.kind() == MailAuthor.Kind.SENDER || author.kind() == MailAuthor.Kind.ANOTHER
                ? author.address()
                : "";
    }

    /**
     * Checks the mail whose turn it is.
     *
     * @param isAll whether all mails of the search are known; else a signer may use as much time as is left for others
     * @return whether more are wanted
     */
    private boolean checkOne(boolean isAll) throws X {
        Turn turn = turns.values().stream()
                .filter(each -> !each.mails.isEmpty())
                .min(Comparator.comparing((Turn each) -> each.spent).thenComparing(each -> each.isOfAll))
                .orElseThrow();
        Kept next = turn.mails.remove();
        bytes -= next.bytes();
        kept--;
        Duration before = budget.spent();
        Duration own = isAll ? Duration.ZERO : turn.spent;
        HitCheck.CheckedMail checked =
                budget.left().compareTo(own) > 0 ? check.checkAttachments(next.index, next.mail, budget) : next.byText;
        turn.spent = turn.spent.plus(budget.spent().minus(before));
        return leave(next.index, next.mail, checked);
    }

    /** Gives out a mail that was checked, or keeps it to come last if it is undecided. */
    private boolean leave(Envelope index, OpenedMail mail, HitCheck.CheckedMail checked) throws X {
        if (checked.verdict() == HitCheck.Verdict.UNDECIDED && undecided.size() < MOST_UNDECIDED) {
            undecided.add(new Undecided(index, mail.withoutMessage(), checked));
            return true;
        }
        return sink.take(index, mail, checked);
    }

    /**
     * Checks one of the mails that are kept; behind them gives out one that stays undecided.
     *
     * @return false if none is left, or no more are wanted
     */
    public boolean goOn() throws X {
        if (kept > 0) {
            return checkOne(true);
        }
        if (undecided.isEmpty()) {
            return false;
        }
        Undecided next = undecided.removeFirst();
        return sink.take(next.index, next.mail, next.checked);
    }

    /** Processor time that attachments took. */
    public Duration spent() {
        return budget.spent();
    }

    @Override
    public void close() {
        check.close();
    }
}
