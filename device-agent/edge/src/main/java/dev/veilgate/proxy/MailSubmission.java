package dev.veilgate.proxy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.MailReaders;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages: sealed and on disk when {@link #accept} returns. For several threads; as many seal at once as there
 * are processors, each login its share of them ({@link LoginTurns}).
 */
final class MailSubmission implements AutoCloseable {
    /** How long a message whose attachments take too long lets all others go first, before it is sealed as it is. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final BundleSource bundles;
    private final OutboundSpool spool;
    private final RepetitionKey repetition;
    private final Deliverer deliverer;
    private final boolean index;
    private final MailReaders readers;
    private final MailForm form;
    private final long maxBytes;
    private final NextServer next;
    private final Clock clock;
    private final SecureRandom random;
    private final ProxyMetrics metrics;
    private final LineLog log;
    private final LoginTurns turns = new LoginTurns(Runtime.getRuntime().availableProcessors());
    /** Keys of messages that are being taken. */
    private final Set<String> underWay = new HashSet<>();

    private @Nullable MailSealing current;
    private @Nullable MailSealing retired;
    private String problem = "";

    /**
     * @param repetition tells what was submitted before
     * @param maxBytes most bytes of a message, whatever the next server takes
     * @param next     what the next server said of itself
     */
    MailSubmission(
            BundleSource bundles,
            OutboundSpool spool,
            RepetitionKey repetition,
            Deliverer deliverer,
            boolean index,
            MailReaders readers,
            MailForm form,
            long maxBytes,
            NextServer next,
            Clock clock,
            SecureRandom random,
            ProxyMetrics metrics,
            LineLog log) {
        this.bundles = bundles;
        this.spool = spool;
        this.repetition = repetition;
        this.deliverer = deliverer;
        this.index = index;
        this.readers = readers;
        this.form = form;
        this.maxBytes = maxBytes;
        this.next = next;
        this.clock = clock;
        this.random = random;
        this.metrics = metrics;
        this.log = log;
    }

    /** What counts. */
    ProxyMetrics metrics() {
        return metrics;
    }

    /** Most bytes of a message now: what the settings allow, and what the next server could take when it is sealed. */
    long maxBytes() {
        return Math.min(maxBytes, next.maxPlainBytes());
    }

    /** Whether mail can be sealed for anybody in a domain. */
    boolean namesRecipientsOf(String domain) throws IOException {
        String end = "@" + domain;
        return sealing().bundle().recipients().stream()
                .anyMatch(recipient -> recipient.address().endsWith(end));
    }

    /** Reads the bundle and prepares for the first message. */
    void warmUp() throws IOException {
        sealing();
    }

    /**
     * What is wrong with the bundle: there is none to seal under, or the file holds another one that is refused; empty
     * if all is well.
     */
    String bundleProblem() {
        try {
            sealing();
            return bundles.problem();
        } catch (IOException e) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }

    /**
     * What is wrong with the key that mail is signed with, which is used all the same; empty if all is well, or there
     * is no bundle.
     */
    String signerProblem() {
        try {
            return sealing().signerProblem();
        } catch (IOException e) {
            return "";
        }
    }

    /** A message to be written, then given to {@link #accept}. */
    PlainMail begin() {
        return new PlainMail(spool.temporary(), random);
    }

    /**
     * Checks that a recipient can be sealed for.
     *
     * @throws NoKeyException         if not, saying why
     * @throws IOException            if there is no usable bundle
     */
    void check(String recipient) throws NoKeyException, IOException {
        sealing().certificate(recipient);
    }

    /**
     * Seals a message and puts it into the spool. Of several submissions of one message at the same time the others
     * wait for the first.
     *
     * @param login who submits it; null for nobody who logged in
     * @return the spool's id of it; that of the first, if it was submitted before
     * @throws TooLargeSealedException if the next server would not take it
     */
    String accept(PlainMail mail, String sender, List<String> recipients, @Nullable String login)
            throws IOException, NoKeyException, MalformedMailException, TooLargeSealedException {
        String key = repetition.of(mail, sender, recipients, login);
        if (key.isEmpty()) { // cannot be told from others
            return acceptOnce(key, mail, sender, recipients, login);
        }
        begin(key);
        try {
            return acceptOnce(key, mail, sender, recipients, login);
        } finally {
            end(key);
        }
    }

    private void begin(String key) throws IOException {
        synchronized (underWay) {
            try {
                while (!underWay.add(key)) {
                    underWay.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the same message was being taken");
            }
        }
    }

    private void end(String key) {
        synchronized (underWay) {
            underWay.remove(key);
            underWay.notifyAll();
        }
    }

    private String acceptOnce(
            String key, PlainMail mail, String sender, List<String> recipients, @Nullable String login)
            throws IOException, NoKeyException, MalformedMailException, TooLargeSealedException {
        String before = spool.acceptedAs(key);
        if (!before.isEmpty()) {
            metrics.repeated.increment();
            log.info("mail " + before + ": submitted again, not sent again");
            return before;
        }
        Path folder = spool.begin();
        boolean committed = false;
        try (LoginTurns.Turn turn = turns.take(login == null ? "" : login)) {
            MailSealing.Sealed sealed = sealing()
                    .seal(
                            mail,
                            sender,
                            recipients,
                            address -> form.owned().isOwned(login, address),
                            () -> mayTryAgain(turn),
                            folder);
            requireFitting(sealed.copies());
            OutboundMail queued = spool.commit(folder, key, sender, sealed.copies());
            committed = true;
            metrics.accepted.increment();
            if (sealed.cutShort()) {
                metrics.cutShort.increment();
            }
            metrics.diskFailed = false;
            log.info("mail " + queued.id() + ": " + mail.size() + " bytes, " + recipients.size() + " recipients, "
                    + sealed.copies().size() + " copies sealed");
            deliverer.offer(queued);
            return queued.id();
        } finally {
            if (!committed) {
                spool.discard(folder);
            }
        }
    }

    private boolean mayTryAgain(LoginTurns.Turn turn) {
        boolean isRoom = turn.letOthersGoFirst(PATIENCE);
        if (isRoom) {
            metrics.triedAgain.increment();
        }
        return isRoom;
    }

    private void requireFitting(List<SealedCopy> copies) throws IOException, TooLargeSealedException {
        long max = next.maxBytes();
        for (SealedCopy copy : copies) {
            long bytes = Files.size(copy.file());
            if (bytes > max) {
                throw new TooLargeSealedException(bytes, max);
            }
        }
    }

    private synchronized MailSealing sealing() throws IOException {
        try {
            PublicBundle bundle = bundles.current();
            MailSealing used = current;
            if (used == null || used.bundle() != bundle) {
                // The one before is left to those who still seal with it.
                if (retired != null) {
                    retired.close();
                }
                retired = used;
                used = new MailSealing(bundle, index, readers, form, clock, random);
                current = used;
            }
            used.requireEpoch();
            return used;
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new BundleUnusableException(String.valueOf(e.getMessage()), e);
        } finally {
            String now = bundles.problem();
            if (!now.equals(problem) && !now.isEmpty()) {
                log.warn("the public bundle: " + now);
            }
            problem = now;
        }
    }

    @Override
    public synchronized void close() {
        for (MailSealing each : new MailSealing[] {current, retired}) {
            if (each != null) {
                each.close();
            }
        }
        current = null;
        retired = null;
    }
}
