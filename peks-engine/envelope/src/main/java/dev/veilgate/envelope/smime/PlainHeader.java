package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Header fields with which a mail is delivered that nobody sealed: as they came, but for senders that programs could
 * read in several ways.
 *
 * <p>Programs read From by rules of their own: encoded words in a hundred charsets, cut off, joined or within an
 * address, brackets that do not match, bytes in the charset of the body. Which addresses some program finds there
 * cannot be told by reading it in many ways. So From, Sender and Reply-To stay only in the form of {@link
 * SenderField}, which all read alike; otherwise they become bare addresses. Fields that are not {@linkplain
 * Field#isWellFormed well formed} go, as some program could find another From in them.
 *
 * <p>Gives: the From delivered is one address, and is of the form of {@link SenderField}. Does not give: that the
 * address is anybody's who wrote the mail, nor anything of Subject and the other fields. Linear in the header.
 */
public final class PlainHeader {
    private static final Map<String, String> SENDERS =
            Map.of("from", "From", "sender", "Sender", "reply-to", "Reply-To");

    private final MailHeader came;
    private final String sender;
    private final StringBuilder lines = new StringBuilder();
    private boolean isFromBare;

    private PlainHeader(MailHeader came, String sender) {
        this.came = came;
        this.sender = sender;
    }

    /**
     * The fields to deliver.
     *
     * @param came   the header as it came
     * @param sender of the SMTP envelope, for a From that is not one address; empty for none
     */
    public static PlainHeader of(MailHeader came, String sender) {
        PlainHeader header = new PlainHeader(came, sender);
        if (came.all("from").isEmpty()) {
            header.bare("from");
        }
        Set<String> written = new HashSet<>();
        for (Field field : came.fields()) {
            if (!SENDERS.containsKey(field.name())) {
                header.lines.append(field.isWellFormed() ? field.raw() : "");
            } else if (written.add(field.name())) {
                header.sender(field);
            }
        }
        return header;
    }

    private void sender(Field field) {
        if (field.isWellFormed() && SenderField.address(came, field.name()).isPresent()) {
            lines.append(field.raw());
        } else {
            bare(field.name());
        }
    }

    private void bare(String name) {
        List<String> addresses = switch (name) {
            case "from" -> List.of(OuterHeader.bareFrom(came, sender));
            case "sender" -> OuterHeader.bareAddress(came, name).stream().toList();
            default -> OuterHeader.addresses(came.all(name));
        };
        isFromBare |= name.equals("from");
        if (!addresses.isEmpty()) {
            lines.append(SENDERS.get(name))
                    .append(": ")
                    .append(String.join(",\r\n ", addresses))
                    .append("\r\n");
        }
    }

    /** Tells if From is not as it came. */
    public boolean isFromBare() {
        return isFromBare;
    }

    /**
     * The addresses in From and Sender of a header that is delivered; empty if one of these fields could be read in
     * several ways, which is so in no header of this class.
     */
    public static Optional<Set<String>> senders(MailHeader delivered) {
        Set<String> all = new HashSet<>();
        for (String name : List.of("from", "sender")) {
            Optional<String> address = SenderField.address(delivered, name);
            if (address.isEmpty()
                    && (name.equals("from") || !delivered.all(name).isEmpty())) {
                return Optional.empty();
            }
            address.ifPresent(all::add);
        }
        return Optional.of(all);
    }

    /** The lines, each with its CR LF, without the empty one. */
    public String text() {
        return lines.toString();
    }
}
