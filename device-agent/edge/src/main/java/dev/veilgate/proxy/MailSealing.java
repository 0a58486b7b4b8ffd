package dev.veilgate.proxy;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.AttachmentReading;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.MailBinding;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.AddressList;
import dev.veilgate.envelope.smime.AddressList.Mailbox;
import dev.veilgate.envelope.smime.AuthorSignature;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.LegacyDisplay;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailKey;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OpaqueMessage;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.envelope.smime.SealedMailWriter;
import dev.veilgate.envelope.smime.SignedAs;
import dev.veilgate.envelope.smime.WrittenMail;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.mail.DomainName;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.extract.mail.MailSummary;
import dev.veilgate.peks.Posting;
import dev.veilgate.settings.MailReaders;
import dev.veilgate.transport.smtp.SmtpConnection;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Seals messages under one public bundle: one copy for all recipients that the header names, or for each hundred of
 * them, and one for each that it does
 * not, since the names of recipients are readable in a copy (RFC 5322, section 3.6.3: nobody learns of a blind carbon
 * copy). For several threads.
 */
final class MailSealing implements AutoCloseable {
    private static final String MEDIA_TYPE = "application/pkcs7-mime";
    private static final Set<String> DESTINATIONS = Set.of("to", "cc", "resent-to", "resent-cc");
    private static final MailKeywords NO_KEYWORDS = new MailKeywords(List.of(), "", List.of(), 0, 0, 0);

    /** Recipients of a copy: as many as one SMTP transaction has. */
    static final int MAX_RECIPIENTS = SmtpConnection.MAX_RECIPIENTS;

    /** Times the processor time that a mail's attachments have when they are tried again. */
    private static final int PATIENT_TIMES = 5;

    /** Index blocks of a copy: as many as a gateway takes unless its settings say otherwise. */
    private static final int MAX_BLOCKS = 256;

    private static final int KEYWORDS_OF_A_BLOCK = 256;

    private final PublicBundle bundle;
    private final MailReaders readers;
    private final MailForm form;
    private final Clock clock;
    private final SealedMailWriter writer;
    private final @Nullable EnvelopeSealer sealer;
    private final @Nullable MailIndexers indexers;

    /**
     * @param index   whether mails carry an index
     * @param readers who may read besides the recipients
     * @param form    in which form mail is sealed
     * @throws MalformedEncodingException if the bundle's extractor profile is not one
     */
    MailSealing(
            PublicBundle bundle, boolean index, MailReaders readers, MailForm form, Clock clock, SecureRandom random)
            throws MalformedEncodingException {
        this(bundle, index, readers, form, MailLimits.DEFAULT, clock, random);
    }

    /** @param limits of what is read of a mail for its index */
    MailSealing(
            PublicBundle bundle,
            boolean index,
            MailReaders readers,
            MailForm form,
            MailLimits limits,
            Clock clock,
            SecureRandom random)
            throws MalformedEncodingException {
        this.bundle = bundle;
        this.readers = readers;
        this.form = form;
        this.clock = clock;
        this.writer = new SealedMailWriter(random);
        MailLimits patiently = limits.with(limits.attachments().times(PATIENT_TIMES));
        this.indexers = index ? new MailIndexers(IndexProfiles.of(bundle), limits, patiently) : null;
        this.sealer = index ? new EnvelopeSealer(bundle, null, clock, random) : null;
    }

    /** What is wrong with the key that mail is signed with; empty if nothing is. */
    String signerProblem() {
        return form.problem(bundle, clock.instant());
    }

    /** Whose keys are used. */
    PublicBundle bundle() {
        return bundle;
    }

    /**
     * The certificate to seal for.
     *
     * @throws NoKeyException saying why there is none; does not repeat the address
     */
    RecipientCertificate certificate(String address) throws NoKeyException {
        PublicBundle.Recipient recipient =
                bundle.recipient(address).orElseThrow(() -> new NoKeyException("not in the public bundle"));
        try {
            return RecipientCertificate.check(recipient.certificate(), recipient.address(), clock.instant());
        } catch (RefusedCertificateException e) {
            throw new NoKeyException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A message that was sealed.
     *
     * @param cutShort whether its index lacks what could not be read in time
     */
    record Sealed(String messageId, List<SealedCopy> copies, boolean cutShort) {}

    /**
     * Seals a message into files of a folder, each of which is on disk when this returns.
     *
     * @param sender     of the SMTP envelope; empty for none
     * @param recipients of the SMTP envelope; at least one
     * @param owned      tells if an address is the user's, so that the message may be signed as of it
     * @param again      asked if attachments alone could not be read in time: tells, perhaps after others went first,
     *     if they may be tried again, for up to {@value #PATIENT_TIMES} times as long
     * @throws NoKeyException         if one has no key
     * @throws MalformedMailException if the message cannot be sealed
     */
    Sealed seal(
            PlainMail mail,
            String sender,
            List<String> recipients,
            Predicate<String> owned,
            BooleanSupplier again,
            Path folder)
            throws IOException, NoKeyException, MalformedMailException {
        Message message = message(mail, sender, recipients, owned);
        Set<String> visible = visible(message.header.header());
        MailIndexers.Indexer indexer = indexers == null ? null : indexers.of(presentEpoch());
        MailKeywords found = NO_KEYWORDS;
        if (indexer != null) {
            found = keywords(mail, message, indexer.atOnce());
            if (found.isCutShortByAttachments() && again.getAsBoolean()) {
                found = keywords(mail, message, indexer.patient());
            }
        }
        Index index = new Index(
                found.keywords().stream().map(keyword -> Posting.of(keyword, 0)).toList(),
                indexer == null ? IndexRules.OF_CALLER : indexer.used().rules(),
                found.isCutShort() ? AttachmentReading.CUT_SHORT : AttachmentReading.WHOLE);
        var copies = new ArrayList<SealedCopy>();
        for (List<String> group : groups(recipients, visible, scopes(index.postings.size()))) {
            Path file = folder.resolve("copy-" + copies.size() + ".eml");
            write(mail, message, group, index, file);
            copies.add(new SealedCopy(group, file));
        }
        String messageId = message.header.protect(false, LegacyDisplay.NONE).messageId();
        return new Sealed(messageId, copies, found.isCutShort());
    }

    /**
     * What a message is found by.
     *
     * @param rules       by which it was made
     * @param attachments whether they were read to their end
     */
    private record Index(List<Posting> postings, IndexRules rules, AttachmentReading attachments) {}

    /** Empty if the bundle has none: nothing is sealed then. */
    private String presentEpoch() {
        return bundle.epochAt(clock.instant()).map(PublicBundle.Epoch::name).orElse("");
    }

    /**
     * A message that was looked at.
     *
     * @param opaque     what its author signed around all of it, if so
     * @param display    lines for its text
     * @param as         signatures of it; empty without a key
     * @param isBySender whether the user owns the address in From, and that in Sender, if any
     */
    private record Message(
            HeaderProtection header,
            Optional<OpaqueMessage> opaque,
            LegacyDisplay display,
            Optional<MailForm.Signatures> as,
            boolean isBySender) {
        /** The body that is sealed, without the lines. */
        InputStream body(InputStream in) throws IOException, MalformedMailException {
            InputStream written = bodyOf(MailHeader.read(in), in);
            return opaque.map(each -> each.body(written)).orElse(written);
        }

        /** The form for recipients of one: an author who signed all of it has signed it alone. */
        Encryption encryption(Encryption ofRecipients) {
            boolean isByAuthor = ofRecipients == Encryption.SIGNED && opaque.isPresent();
            return isByAuthor ? Encryption.SIGNED_BY_AUTHOR : ofRecipients;
        }

        /**
         * Tells if names and the Subject may stand outside, beside the mark of a signature inside. No author's is over
         * them, so that another user could put a name, a Reply-To and a Subject above what the author once signed;
         * ours around all of it is.
         */
        boolean hasTrueHeader(Encryption encryption) {
            return encryption == Encryption.SIGNED || isBySender || !AuthorSignature.isPossible(header.header());
        }
    }

    private Message message(PlainMail mail, String sender, List<String> recipients, Predicate<String> owned)
            throws IOException, MalformedMailException {
        Optional<OpaqueMessage> opaque;
        try (InputStream in = buffered(mail)) {
            MailHeader.Split read = MailHeader.read(in);
            opaque = OpaqueMessage.of(read.header(), bodyOf(read, in));
        }
        try (InputStream in = buffered(mail)) {
            MailHeader.Split read = MailHeader.read(in);
            MailHeader sealed = opaque.map(OpaqueMessage::header).orElse(read.header());
            HeaderProtection header = HeaderProtection.of(sealed, sender, clock.instant());
            LegacyDisplay display = form.subjects().isInText(recipients) && opaque.isEmpty()
                    ? display(header, bodyOf(read, in))
                    : LegacyDisplay.NONE;
            return new Message(
                    header,
                    opaque,
                    display,
                    form.signatures(read.header(), owned, clock.instant()),
                    MailForm.isBySender(read.header(), owned));
        }
    }

    private static InputStream bodyOf(MailHeader.Split read, InputStream rest) {
        return new SequenceInputStream(new ByteArrayInputStream(read.start()), rest);
    }

    private static LegacyDisplay display(HeaderProtection header, InputStream body) throws IOException {
        return LegacyDisplay.of(
                header.header(),
                field -> MailSummary.text((field.raw() + "\r\n").getBytes(StandardCharsets.ISO_8859_1)),
                body);
    }

    private void write(PlainMail mail, Message message, List<String> group, Index made, Path file)
            throws IOException, NoKeyException, MalformedMailException {
        LegacyDisplay display = form.subjects().isInText(group) ? message.display : LegacyDisplay.NONE;
        var certificates = new ArrayList<RecipientCertificate>();
        var scopes = new LinkedHashSet<String>();
        for (String address : group) {
            certificates.add(certificate(address));
            bundle.recipient(address).ifPresent(r -> scopes.add(r.scope()));
        }
        Encryption encryption = message.encryption(form.of(certificates));
        HeaderProtection.Protected both = message.hasTrueHeader(encryption)
                ? message.header.protect(form.subjects().isOutside(group), display)
                : message.header.protectBare(display);
        MailBinding binding =
                message.as.map(each -> binding(both, each.binding())).orElse(null);
        SealedMailWriter.IndexMaker index = sealer == null
                ? null
                : (key, digest) -> index(sealer, group, List.copyOf(scopes), made, key, digest, binding);
        try (InputStream in = buffered(mail);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            InputStream body = display.into(message.body(in));
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 64 << 10);
            SignedAs signature = message.as.map(MailForm.Signatures::as).orElse(null);
            writer.write(both, body, certificates, encryption, signature, index, out);
            out.flush();
            channel.force(true);
        }
    }

    /** Null for a header that has no room in an envelope: a gateway then delivers the mail with bare addresses. */
    private static @Nullable MailBinding binding(HeaderProtection.Protected header, MailSigner signer) {
        List<String> outer = OuterHeader.unfolded(header.outer());
        return MailBinding.isShort(outer) ? new MailBinding(outer, signer) : null;
    }

    private byte[] index(
            EnvelopeSealer index,
            List<String> recipients,
            List<String> scopes,
            Index made,
            MailKey key,
            byte[] digest,
            @Nullable MailBinding binding)
            throws IOException {
        Instant now = clock.instant();
        String epoch = bundle.epochAt(now).orElseThrow(MailSealing::noEpoch).name();
        List<Label> labels = new ArrayList<>();
        readers.of(recipients).forEach(policy -> labels.add(new Label.OfPolicy(policy)));
        var draft = new EnvelopeDraft(
                        scopes.getFirst(), epoch, now, now, MEDIA_TYPE, List.of(), List.of(), List.of(), 0)
                .forReaders(labels)
                .indexedBy(made.rules)
                .withAttachments(made.attachments);
        byte[] bytes = key.toBytes();
        try {
            return index.sealDetached(draft, scopes, made.postings, digest, bytes, ChainPosition.first(), binding)
                    .bytes();
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * That mail can be indexed now.
     *
     * @throws BundleUnusableException if the bundle has no epoch for now
     */
    void requireEpoch() throws BundleUnusableException {
        for (Policy policy : readers.byDomain().values()) {
            try {
                if (sealer != null) {
                    bundle.requireSealable(new Label.OfPolicy(policy));
                }
            } catch (IllegalArgumentException e) {
                throw new BundleUnusableException("mail.readers: " + e.getMessage(), null);
            }
        }
        if (sealer != null && bundle.epochAt(clock.instant()).isEmpty()) {
            throw noEpoch();
        }
    }

    private static BundleUnusableException noEpoch() {
        return new BundleUnusableException(
                "the bundle has no epoch for now; fetch a new one from your authority (veilgate keys bundle makes it)",
                null);
    }

    /**
     * The keywords of what is sealed, as who opens it is given it: a hit is dropped as a lie if they are not in there.
     */
    private static MailKeywords keywords(PlainMail mail, Message message, MailExtractor extractor)
            throws IOException, MalformedMailException {
        InputStream header = new ByteArrayInputStream(WrittenMail.header(message.header));
        try (InputStream in = buffered(mail)) {
            return extractor.extract(new SequenceInputStream(header, message.body(in)));
        }
    }

    /** How many scopes an index of so many keywords can have: each has blocks of its own. */
    private int scopes(int keywords) {
        int blocks =
                Math.ceilDiv(keywords, KEYWORDS_OF_A_BLOCK) * bundle.indexKeys().size();
        return MAX_BLOCKS / Math.clamp(blocks, 1, MAX_BLOCKS);
    }

    /** The visible recipients together, as many as one copy may have; each other one alone. */
    private List<List<String>> groups(List<String> recipients, Set<String> visible, int maxScopes) {
        var together = new ArrayList<List<String>>();
        var alone = new ArrayList<List<String>>();
        List<String> group = new ArrayList<>();
        var scopes = new LinkedHashSet<String>();
        for (String recipient : new LinkedHashSet<>(recipients)) {
            if (!visible.contains(recipient.toLowerCase(Locale.ROOT))) {
                alone.add(List.of(recipient));
                continue;
            }
            String scope = bundle.recipient(recipient)
                    .map(PublicBundle.Recipient::scope)
                    .orElse("");
            boolean full = group.size() == MAX_RECIPIENTS || !scopes.contains(scope) && scopes.size() == maxScopes;
            if (group.isEmpty() || full) {
                group = new ArrayList<>();
                together.add(group);
                scopes.clear();
            }
            group.add(recipient);
            scopes.add(scope);
        }
        together.addAll(alone);
        return together;
    }

    /** Addresses that everybody who opens the message may read as its destination. */
    static Set<String> visible(MailHeader header) {
        return addresses(header, DESTINATIONS, Mailbox::addresses);
    }

    /**
     * Addresses in the fields of some names, in lower case, with the domains in ASCII as in the envelope and in
     * certificates.
     */
    static Set<String> addresses(MailHeader header, Set<String> names) {
        return addresses(header, names, box -> box.addresses().stream().limit(1).toList());
    }

    private static Set<String> addresses(
            MailHeader header, Set<String> names, Function<Mailbox, List<String>> readings) {
        var found = new LinkedHashSet<String>();
        for (MailHeader.Field field : header.fields()) {
            if (names.contains(field.name())) {
                String text = new String(field.value().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
                AddressList.read(
                        text,
                        box -> readings.apply(box)
                                .forEach(address ->
                                        found.add(DomainName.asciiOf(address).toLowerCase(Locale.ROOT))));
            }
        }
        return found;
    }

    private static InputStream buffered(PlainMail mail) throws IOException {
        return new BufferedInputStream(mail.open(), 64 << 10);
    }

    @Override
    public void close() {
        if (sealer != null) {
            sealer.close();
        }
        if (indexers != null) {
            indexers.close();
        }
    }
}
