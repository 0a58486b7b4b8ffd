package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.TenantSigners;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.BlockOpening;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Check of whether the index of a record is complete. A keyword is there if, in the blocks of the record's scope and
 * of the epoch in which it was sealed, the slot that Test would answer with names this record. Decided with the secret
 * index keys; no trapdoor is made ({@code docs/spec/ntru-peks.md}, section 8). Where one was issued before, Test by it
 * has to agree.
 *
 * <p>The caller has opened the record, and asks for the keywords that it has by the rules; for others this would be a
 * search that no log tells of. What is found goes to keepers and to who opened the record: to no sender, gateway,
 * route or metric.
 *
 * <p>Looked into are only blocks of schemes whose secret key opens them ({@code ntru-peks}), in envelopes that a
 * registered sender signed or that a mail signature of the tenant is over, as long as the {@link FindingBudget}
 * allows. Everything else is not checked, and the answer says why.
 *
 * <p>For one thread.
 */
@Secret
public final class IndexCheck {
    /** Begins the names of who answers for mail. */
    public static final String OF_MAIL = "mail/";

    /** The epoch before counts, too, for what was begun in it and has an id of the next. */
    private static final Duration SEALING = Duration.ofHours(1);

    /** Reasons for which something was not checked. */
    public enum NotChecked {
        /** No registered sender and no mail signature is good for the envelope, or it is another tenant's. */
        NOT_SIGNED,
        /** A block is of a scheme whose blocks cannot be looked into. */
        OTHER_SCHEME,
        /** A block is of a key that these are not: no search asks for it, and it counts as none. */
        UNKNOWN_KEY,
        /** There were as many findings as may be, of the sender or of a day. */
        TOO_MANY_FINDINGS,
        /** A block is not well formed, so that nothing is said of keywords. */
        MALFORMED_BLOCK
    }

    /**
     * Findings of one record.
     *
     * @param missing      keywords that are not there
     * @param contradicted keywords of which the secret key and a trapdoor that was issued say different things
     * @param malformed    how many blocks are not made as the scheme says
     * @param unchecked    of how many keywords nothing is said
     * @param notChecked   why something was not checked
     */
    public record Answer(
            List<Keyword> missing,
            List<Keyword> contradicted,
            int malformed,
            int unchecked,
            Set<NotChecked> notChecked) {
        /** Copies. */
        public Answer {
            missing = List.copyOf(missing);
            contradicted = List.copyOf(contradicted);
            notChecked = Set.copyOf(notChecked);
        }

        /** Whether all was checked, and each keyword is there. */
        public boolean isComplete() {
            return !isFinding() && unchecked == 0 && notChecked.isEmpty();
        }

        /** Whether something is not as it should be. */
        public boolean isFinding() {
            return malformed > 0 || !missing.isEmpty() || !contradicted.isEmpty();
        }
    }

    private final TenantKeys keys;
    private final TrapdoorStore store;
    private final FindingBudget budget;
    private final IndexSchemes schemes = IndexSchemes.load();

    IndexCheck(TenantKeys keys, TrapdoorStore store, FindingBudget budget) {
        this.keys = keys;
        this.store = store;
        this.budget = budget;
    }

    /**
     * Looks for the keywords of an opened record. A sender has 16 findings, whatever their kind; the check stops in
     * the middle when they are used up.
     *
     * @param scope    the record's
     * @param record   its ordinal in the envelope
     * @param keywords that it has by the rules
     * @throws IOException                if a finding cannot be counted, or the registry or the store cannot be read:
     *     then nothing is told
     * @throws MalformedEncodingException if a secret key cannot be read
     * @throws IllegalArgumentException   if the envelope has no such record
     */
    @Exercises(Power.CHECK_INDEX)
    public Answer check(Envelope envelope, String scope, int record, Collection<Keyword> keywords)
            throws IOException, MalformedEncodingException {
        if (record < 0 || record >= envelope.recordCount()) {
            throw new IllegalArgumentException("there is no such record");
        }
        Set<Keyword> asked = new LinkedHashSet<>(keywords);
        Optional<String> sender = senderOf(keys, envelope);
        if (sender.isEmpty()) {
            return unchecked(asked, NotChecked.NOT_SIGNED);
        }
        if (!budget.allows(sender.get())) {
            return unchecked(asked, NotChecked.TOO_MANY_FINDINGS);
        }
        try (Opened opened = new Opened(envelope, sender.get(), scope)) {
            opened.open();
            if (opened.malformed > 0) {
                opened.notChecked.add(NotChecked.MALFORMED_BLOCK);
            } else if (!opened.blocks.isEmpty() || !opened.isHidden()) {
                opened.ask(asked, record);
                return opened.answer(0);
            }
            return opened.answer(asked.size());
        }
    }

    private static Answer unchecked(Set<Keyword> asked, NotChecked why) {
        return new Answer(List.of(), List.of(), 0, asked.size(), Set.of(why));
    }

    /**
     * The sender whose findings those of an envelope are: the registered one that signed it; for a mail that is signed
     * for the tenant {@value #OF_MAIL} and the fingerprint of the certificate in the bundle that answers for it. Who
     * has the key of an authority for senders can sign in as many names as it likes, and is one sender here. Empty if
     * nobody answers for the envelope.
     *
     * @throws IOException if the registry cannot be read
     */
    public static Optional<String> senderOf(TenantKeys keys, Envelope envelope) throws IOException {
        if (!envelope.tenant().equals(keys.tenant())) {
            return Optional.empty();
        }
        if (envelope.sender().isEmpty()) {
            return new TenantSigners(keys.mailSigners())
                    .answering(envelope)
                    .map(certificate -> OF_MAIL + MailSigner.fingerprint(certificate));
        }
        return keys.sender(envelope.sender()).filter(envelope::signedBy).map(SenderPublicKey::sender);
    }

    /**
     * Names of the epochs whose blocks count: that of the sealing, and within an hour of its beginning the one before.
     */
    private Set<String> epochsOf(Envelope envelope) {
        Instant sealed = envelope.sealed();
        return Set.copyOf(new LinkedHashSet<>(List.of(
                keys.epochs().at(sealed).name(),
                keys.epochs().at(sealed.minus(SEALING)).name())));
    }

    /** A block with its opening, and Test of it by what was issued. */
    private record Block(IndexKeyEntry key, IndexBlock block, StoredBlock stored, BlockOpening opening) {}

    /** The blocks of one envelope that count. */
    private final class Opened implements AutoCloseable {
        private final Envelope envelope;
        private final String sender;
        private final String scope;
        private final MessageContext context;
        private final List<Block> blocks = new ArrayList<>();
        private final Set<NotChecked> notChecked = EnumSet.noneOf(NotChecked.class);
        private final List<Keyword> missing = new ArrayList<>();
        private final List<Keyword> contradicted = new ArrayList<>();
        private int malformed;
        private int unasked;

        Opened(Envelope envelope, String sender, String scope) {
            this.envelope = envelope;
            this.sender = sender;
            this.scope = scope;
            this.context = envelope.context();
        }

        void open() throws IOException, MalformedEncodingException {
            Set<String> epochs = epochsOf(envelope);
            for (IndexBlock block : envelope.index()) {
                if (!block.scope().equals(scope) || !epochs.contains(block.epoch())) {
                    continue;
                }
                Optional<IndexKeyEntry> key = keys.rings.index.stream()
                        .filter(entry -> entry.id().equals(block.keyId())
                                && entry.publicKey().scheme().equals(block.scheme()))
                        .findFirst();
                if (key.isEmpty()) {
                    notChecked.add(NotChecked.UNKNOWN_KEY);
                    continue;
                }
                Optional<TrapdoorIssuer.Blocks> scheme = key.get().issuer().blocks();
                if (scheme.isEmpty()) {
                    notChecked.add(NotChecked.OTHER_SCHEME);
                } else if (budget.allows(sender)) {
                    open(key.get(), scheme.get(), block);
                } else {
                    notChecked.add(NotChecked.TOO_MANY_FINDINGS);
                }
            }
        }

        private void open(IndexKeyEntry key, TrapdoorIssuer.Blocks scheme, IndexBlock block) throws IOException {
            try {
                StoredBlock stored = schemes.byId(block.scheme()).storedForm(block, context);
                Block opened = new Block(key, block, stored, scheme.open(keys.tenant(), block, context));
                blocks.add(opened);
                if (!opened.opening.isWellFormed()) {
                    budget.count(sender);
                    malformed++;
                }
            } catch (MalformedEncodingException e) {
                malformed++; // as anybody sees: no gateway takes such a block
            }
        }

        /** Whether keywords can be in blocks that searches ask for and that are not looked into. */
        boolean isHidden() {
            return notChecked.stream().anyMatch(why -> why != NotChecked.UNKNOWN_KEY);
        }

        void ask(Set<Keyword> asked, int record) throws IOException, MalformedEncodingException {
            for (Keyword keyword : asked) {
                if (!blocks.isEmpty() && !budget.allows(sender)) {
                    notChecked.add(NotChecked.TOO_MANY_FINDINGS);
                    unasked++;
                    continue;
                }
                boolean isThere = false;
                boolean isContradicted = false;
                for (Block block : blocks) {
                    boolean has = block.opening.has(keyword, record);
                    Optional<Boolean> tested = tested(block, keyword, record);
                    isContradicted |= tested.isPresent() && tested.get() != has;
                    isThere |= has;
                }
                if (isThere && !isContradicted) {
                    continue;
                }
                if (!blocks.isEmpty()) {
                    budget.count(sender);
                }
                (isContradicted ? contradicted : missing).add(keyword);
            }
        }

        /** Answer of Test by the keyword's trapdoor; empty if none was issued. */
        private Optional<Boolean> tested(Block block, Keyword keyword, int record)
                throws IOException, MalformedEncodingException {
            TrapdoorIssuer.Kept kept = block.key.issuer().kept().orElseThrow();
            KeywordDomain domain = new KeywordDomain(keys.tenant(), scope, block.block.epoch());
            Optional<ScopedTrapdoor> trapdoor = kept.find(domain, keyword, store);
            if (trapdoor.isEmpty()) {
                return Optional.empty();
            }
            IndexScheme scheme = schemes.byId(block.block.scheme());
            for (SlotMatch match : scheme.match(scheme.prepare(trapdoor.get()), block.stored)) {
                if (match.records().contains(record)) {
                    return Optional.of(true);
                }
            }
            return Optional.of(false);
        }

        Answer answer(int unchecked) {
            return new Answer(missing, contradicted, malformed, unchecked + unasked, notChecked);
        }

        @Override
        public void close() {
            blocks.forEach(block -> block.opening.close());
        }
    }
}
