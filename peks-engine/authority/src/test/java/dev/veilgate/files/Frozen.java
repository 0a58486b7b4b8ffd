package dev.veilgate.files;

import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keys, bundles, envelopes and mail that earlier versions wrote. */
public final class Frozen {
    /** The set that the version 906ce34 wrote, whose authority has two lasting signatures. */
    public static final FrozenSet FIRST = new FrozenSet("906ce34", "2026-11-26T12:00:00Z");

    /** The set that the version 009bb538 wrote, whose authority has three. */
    public static final FrozenSet SECOND = new FrozenSet("009bb538", "2026-11-30T12:00:00Z");

    /** Sets of a tenant with keys, readers, envelopes and mail of every kind that their version had. */
    public static final List<FrozenSet> SETS = List.of(FIRST, SECOND);

    /** Sets of a tenant whose content keys are wrapped with FrodoKEM. */
    public static final List<FrozenSet> WRAPS = List.of(
            new FrozenSet("62fe3285", "2026-11-30T12:00:00Z"), new FrozenSet("009bb538/wraps", "2026-11-30T12:00:00Z"));

    /** The key folder of {@link #FIRST} as the version 009bb538 went on with it. */
    public static final FrozenSet CONTINUED = new FrozenSet("009bb538/former", "2026-11-30T12:00:00Z");

    /** Opens its key folder. */
    public static final String PASSPHRASE = "frozen sample passphrase";

    /** Opens its readers' files. */
    public static final String READER_PASSPHRASE = "frozen reader passphrase";

    private Frozen() {}

    /** Fingerprint of the authority whose set it is. */
    public static String authority(FrozenSet set) throws IOException {
        return set.text("authority").strip();
    }

    /** The epoch in which a set was made, and the one after. */
    public static List<String> epochs(FrozenSet set) {
        YearMonth month = YearMonth.from(set.now().atOffset(ZoneOffset.UTC));
        return List.of(month.toString(), month.plusMonths(1).toString());
    }

    /** The envelopes of a file of a set: that of its lines, and that of the templates which the sender had found. */
    public static List<byte[]> envelopes(FrozenSet set, String name) {
        List<byte[]> envelopes = new ArrayList<>();
        try (InputStream in = Files.newInputStream(set.path("envelopes/" + name + ".vge"))) {
            CborSequence items = new CborSequence("envelopes", in, 1 << 20);
            for (Optional<byte[]> next = items.next(); next.isPresent(); next = items.next()) {
                envelopes.add(next.get());
            }
        } catch (IOException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
        return envelopes;
    }

    /** The lines that an envelope of a set was made of. */
    public static List<String> lines(String envelope) {
        return List.of(
                "level=info unit=pump msg=\"started " + envelope + "\"",
                "level=error unit=pump msg=\"overheated " + envelope + "\"",
                "level=info unit=pump msg=\"stopped " + envelope + "\"");
    }
}
