package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.HeaderProtection.Spelling;
import dev.veilgate.envelope.smime.MailHeader.Field;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Header fields with which a sealed mail is delivered: those that its sealer bound to it, or as little as a mail can
 * have.
 *
 * <p>A signature inside a sealed mail says nothing of the header outside, and mail programs show a name and a Subject
 * from there beside "good signature". So whoever delivers writes
 * the fields itself: from the envelope ({@link BoundHeader#outerFields}), if a certificate that may speak for the
 * address in From signed it; otherwise {@link #bare}, without any text
 * that a person could take for a name.
 *
 * <p>Gives: no name, Subject or Reply-To is shown that an edge of the tenant did not write outside, and no From that
 * it did not take from who may use it. As hard to forge as ECDSA
 * or RSASSA-PKCS1-v1_5. Does not say that the fields inside are the same; openers compare those.
 */
public final class OuterHeader {
    private static final Set<String> SHOWN_ONCE = Set.copyOf(shownOnce());
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z-]{0,40}");
    private static final String MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final Pattern DATE = Pattern.compile("(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),[ ]{1,2})?\\d{1,2} " + MONTH
            + " \\d{4} \\d{2}:\\d{2}(?::\\d{2})? (?:[+-]\\d{4}|GMT|UTC?)");
    /** As in {@code +0100 (CET)}, which many servers write. */
    private static final Pattern NAME_OF_ZONE =
            Pattern.compile("(?<=[ +-][0-9]{4}|GMT|UTC?)[ \\t]{1,9}\\([A-Za-z0-9 +:-]{1,40}\\)\\z");

    private static final String ID = "<[!#-'*+/-;=?A-Z^-~.-]{1,250}@[!#-'*+/-;=?A-Z^-~.\\[\\]:-]{1,250}>";
    private static final Pattern ONE_ID = Pattern.compile(ID);
    private static final Pattern IDS = Pattern.compile(ID + "(?:[ \\t]+" + ID + ")*+");
    private static final int MAX_IDS = 16 << 10;
    private static final int MAX_DESTINATIONS = 1000;
    private static final int MAX_TRACE = 2000;
    /** An address that is nobody's. */
    static final String NOBODY = "unreadable@veilgate.invalid";

    private final List<String> fields;
    private final String from;
    private final Set<String> named;

    private OuterHeader(List<String> fields, String from, Set<String> named) {
        this.fields = List.copyOf(fields);
        this.from = from;
        this.named = named;
    }

    private static Set<String> shownOnce() {
        Set<String> names = new HashSet<>(HeaderProtection.OUTER);
        names.add("subject");
        return names;
    }

    /**
     * The fields outside, as an envelope binds them.
     *
     * @param outer {@link HeaderProtection.Protected#outer}
     * @return each {@code Name: value}, unfolded
     */
    public static List<String> unfolded(String outer) {
        List<String> fields = new ArrayList<>();
        for (String line : outer.split("\r\n(?![ \t])")) {
            if (!line.isEmpty()) {
                fields.add(line.replace("\r\n", "").stripTrailing());
            }
        }
        return fields;
    }

    /**
     * The fields that an envelope binds, if they count:
     *
     * <ul>
     *   <li>The envelope's {@linkplain BoundHeader#mailCertificate certificate} signed it, and is a certificate of
     *       the tenant's, or one that an authority of the tenant's issued and whose
     *       names permit the address in From.
     *   <li>It names that address, or nobody. In the latter case From and Sender lose their names where the
     *       tenant has an authority for the senders of that domain: who speaks for nobody
     *       there could put a name beside the content of somebody else.
     *   <li>All fields are ones that an edge leaves outside, each once; From, and Sender if it is there, are of
     *       the form of {@link SenderField}.
     * </ul>
     *
     * @param signers chains of certificates in the tenant's public bundle
     */
    public static Optional<OuterHeader> bound(BoundHeader envelope, List<List<X509Certificate>> signers) {
        Optional<MailHeader> header = header(envelope.outerFields());
        Optional<String> from = header.flatMap(each -> SenderField.address(each, "from"));
        boolean isSenderRead = header.filter(each -> each.all("sender").isEmpty()
                        || SenderField.address(each, "sender").isPresent())
                .isPresent();
        if (from.isEmpty() || !isSenderRead) {
            return Optional.empty();
        }
        TenantSigners tenant = new TenantSigners(signers);
        return envelope.mailCertificate()
                .flatMap(OuterHeader::decoded)
                .flatMap(certificate -> fields(header.get(), from.get(), certificate, tenant)
                        .filter(_ -> envelope.isBoundBy(certificate))); // last: by no key of a stranger's choice
    }

    private static Optional<OuterHeader> fields(
            MailHeader header, String from, X509Certificate certificate, TenantSigners signers) {
        boolean isOwn = signers.isOwn(certificate);
        List<String> named = TenantSigners.names(certificate);
        boolean isNamed = !isOwn && named.stream().anyMatch(from::equalsIgnoreCase);
        boolean isTaken = isOwn || signers.isFor(certificate, from) && (named.isEmpty() || isNamed);
        if (!isTaken) {
            return Optional.empty();
        }
        Set<String> proven = lowerCase(named.stream().filter(each -> isOwn || signers.isFor(certificate, each)));
        return Optional.of(new OuterHeader(raw(header, !isNamed && signers.hasAuthorityFor(from)), from, proven));
    }

    private static Set<String> lowerCase(Stream<String> names) {
        return names.map(each -> each.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Domains that the tenant has authorities for whose certificates are restricted to them, in lower case: hosts,
     * {@code .host} for all below one, and single addresses. An authority that is not restricted adds none.
     *
     * @param signers chains of certificates in the tenant's public bundle
     */
    public static Set<String> domains(List<List<X509Certificate>> signers) {
        return lowerCase(signers.stream().flatMap(chain -> MailSigner.domainsOf(chain).stream()));
    }

    /** A certificate that an envelope brings. */
    static Optional<X509Certificate> decoded(byte[] der) {
        try {
            return Optional.of(MailSigner.decodeChain(List.of(der)).getFirst());
        } catch (RefusedSignerException e) {
            return Optional.empty();
        }
    }

    /** The fields as a header; empty if they are not those that an edge leaves outside, each once. */
    private static Optional<MailHeader> header(List<String> outer) {
        List<Field> fields = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String each : outer) {
            int colon = each.indexOf(':');
            String spelled = colon < 0 ? "" : each.substring(0, colon);
            String name = spelled.toLowerCase(Locale.ROOT);
            Field field = new Field(name, each + "\r\n");
            if (!NAME.matcher(spelled).matches()
                    || !SHOWN_ONCE.contains(name)
                    || !seen.add(name)
                    || field.value().isEmpty()
                    || HeaderProtection.ascii(field).isEmpty()) {
                return Optional.empty();
            }
            fields.add(field);
        }
        return Optional.of(new MailHeader(fields));
    }

    private static List<String> raw(MailHeader header, boolean isBare) {
        List<String> lines = new ArrayList<>();
        for (Field field : header.fields()) {
            boolean isSender = field.name().equals("from") || field.name().equals("sender");
            lines.add(
                    isBare && isSender
                            ? field.spelledName() + ": "
                                    + SenderField.address(header, field.name()).orElse(NOBODY) + "\r\n"
                            : HeaderProtection.ascii(field).orElseThrow());
        }
        return lines;
    }

    /**
     * As little as a mail can have, of a header that nobody vouches for: addresses in From, To and Cc, Date,
     * Message-ID, In-Reply-To and References where they are well formed, and
     * {@code Subject: [...]}.
     *
     * @param came   the header
     * @param sender of the SMTP envelope, for a From that is not one address; empty for none
     */
    public static OuterHeader bare(MailHeader came, String sender) {
        List<String> fields = new ArrayList<>();
        String from = bareFrom(came, sender);
        fields.add("From: " + from + "\r\n");
        destinations(came, "To", fields);
        destinations(came, "Cc", fields);
        one(came, "Date", DATE, 100, fields);
        one(came, "Message-ID", ONE_ID, MAX_IDS, fields);
        one(came, "In-Reply-To", IDS, MAX_IDS, fields);
        one(came, "References", IDS, MAX_IDS, fields);
        fields.add("Subject: " + HeaderProtection.NEUTRAL_SUBJECT + "\r\n");
        return new OuterHeader(fields, from, Set.of());
    }

    /**
     * The lines that an edge leaves outside above what somebody else signed: as in {@link #bare} nothing that a person
     * could take for a name or would answer to. Of each field counts the first that says anything.
     *
     * @param written the header inside
     * @param sender  of the SMTP envelope, for a From that is not one address; empty for none
     */
    static List<String> withoutNames(MailHeader written, String sender) {
        MailHeader left = leftOutside(written);
        List<String> lines = new ArrayList<>();
        for (Field field : left.fields()) {
            switch (field.name()) {
                case "from" -> lines.add("From: " + bareFrom(left, sender) + "\r\n");
                case "sender" ->
                    SenderField.address(left, "sender").ifPresent(address -> lines.add("Sender: " + address + "\r\n"));
                case "to" -> destinations(left, "To", lines);
                case "cc" -> destinations(left, "Cc", lines);
                case "date", "message-id", "in-reply-to", "references", "auto-submitted" ->
                    HeaderProtection.ascii(field).ifPresent(lines::add);
                default -> {}
            }
        }
        lines.add("Subject: " + HeaderProtection.NEUTRAL_SUBJECT + "\r\n");
        return lines;
    }

    /**
     * The one address in From, else the sender's, else one that is nobody's.
     *
     * @param sender of the SMTP envelope; empty for none
     */
    public static String bareFrom(MailHeader came, String sender) {
        return bareAddress(came, "from").orElseGet(() -> isBare(sender) ? sender : NOBODY);
    }

    /** The one address in the fields of a name in lower case; empty if there are several or none. */
    static Optional<String> bareAddress(MailHeader came, String name) {
        List<String> found = addresses(came.all(name));
        return SenderField.address(came, name)
                .or(() -> found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty());
    }

    private static void destinations(MailHeader came, String name, List<String> to) {
        List<String> found = addresses(came.all(name.toLowerCase(Locale.ROOT)));
        if (!found.isEmpty()) {
            to.add(name + ": " + String.join(",\r\n ", found) + "\r\n");
        }
    }

    /** Addresses of the form that is delivered to, each once; of a mailbox that can be read in several ways none. */
    static List<String> addresses(List<Field> fields) {
        Set<String> seen = new HashSet<>();
        List<String> found = new ArrayList<>();
        for (Field field : fields) {
            AddressList.read(text(field), box -> {
                String address = box.address();
                if (isBare(address) && found.size() < MAX_DESTINATIONS && seen.add(address)) {
                    found.add(address);
                }
            });
        }
        return found;
    }

    /** Tells if it is an address that no program decodes to a text. */
    private static boolean isBare(String address) {
        return AddressForm.isTaken(address) && !address.contains("=?");
    }

    private static String text(Field field) {
        return new String(field.value().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static void one(MailHeader came, String name, Pattern form, int maxChars, List<String> to) {
        List<Field> all = came.all(name.toLowerCase(Locale.ROOT));
        if (all.size() != 1) {
            return;
        }
        String value = NAME_OF_ZONE.matcher(all.getFirst().value()).replaceFirst("");
        if (value.length() <= maxChars && form.matcher(value).matches()) {
            HeaderProtection.ascii(new Field("", name + ": " + value + "\r\n")).ifPresent(to::add);
        }
    }

    /** The address in From; in lower case if the header is {@linkplain #bound bound}. */
    public String from() {
        return from;
    }

    /**
     * Tells if the certificate that bound the header names an address, and may. One that names nobody does not: by
     * such a certificate an edge signs for any From.
     *
     * @param address in lower case
     */
    public boolean isSignedBy(String address) {
        return named.contains(address);
    }

    /** The lines, each with its CR LF, without the empty one. */
    public String text() {
        return String.join("", fields);
    }

    /**
     * Names of the fields outside that say something else than the message inside: somebody altered them on the way, or
     * sealed somebody else's message under another header. No field counts that says less than the one inside: a bare
     * address, {@code Subject: [...]}, or the address of who gave a mail to the gateway, where From inside is not one
     * address.
     *
     * @param inside  header of the message as it was sealed
     * @param outside of the mail as it was stored
     * @return as they are spelled, each once; for a field that is there several times too
     */
    public static List<String> differing(MailHeader inside, MailHeader outside) {
        Set<String> found = new LinkedHashSet<>();
        MailHeader left = leftOutside(inside);
        boolean isFromOne = !bareFrom(left, "").equals(NOBODY);
        Set<String> taken = new HashSet<>();
        bare(left, "").fields.forEach(line -> taken.add(normal(new Field(name(line), line))));
        SenderField.address(left, "sender").ifPresent(address -> taken.add("sender:" + address));
        for (Field field : inside.fields()) {
            for (Spelling spelling : List.of(Spelling.ENCODED, Spelling.FORMER)) {
                HeaderProtection.ascii(field, spelling)
                        .ifPresent(line -> taken.add(normal(new Field(field.name(), line))));
            }
        }
        Set<String> seen = new HashSet<>();
        for (Field field : outside.fields()) {
            if (SHOWN_ONCE.contains(field.name())
                    && !field.value().isEmpty()
                    && (!seen.add(field.name()) || !taken.contains(normal(field)) && !isNobodys(field, isFromOne))) {
                found.add(field.spelledName());
            }
        }
        return List.copyOf(found);
    }

    private static boolean isNobodys(Field field, boolean isFromOne) {
        return field.name().equals("from") && !isFromOne && isBare(field.value());
    }

    /** The fields that an edge leaves outside: the first of each name that says anything. */
    private static MailHeader leftOutside(MailHeader inside) {
        List<Field> left = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Field field : inside.fields()) {
            if (SHOWN_ONCE.contains(field.name()) && !field.value().isEmpty() && seen.add(field.name())) {
                left.add(field);
            }
        }
        return new MailHeader(left);
    }

    /** Tells if a header has the same fields outside: another one was altered on its way. */
    public boolean isOf(MailHeader came) {
        List<String> there = came.fields().stream()
                .filter(field -> SHOWN_ONCE.contains(field.name()))
                .map(OuterHeader::normal)
                .toList();
        return there.equals(
                fields.stream().map(line -> normal(new Field(name(line), line))).toList());
    }

    private static String name(String line) {
        return line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static String normal(Field field) {
        return field.name() + ":" + field.value().replaceAll("[ \\t]+", " ");
    }

    /**
     * The lines of a field that says nothing to a person, such as Received; empty if some program could read another
     * field or text out of them.
     */
    public static Optional<String> trace(Field field) {
        boolean isText = field.raw().chars().allMatch(c -> c == '\t' || c == '\r' || c == '\n' || c >= ' ' && c <= '~');
        boolean isTaken = field.raw().length() <= MAX_TRACE && isText && ClearHeader.isWellFormed(field);
        return isTaken ? Optional.of(field.raw()) : Optional.empty();
    }
}
