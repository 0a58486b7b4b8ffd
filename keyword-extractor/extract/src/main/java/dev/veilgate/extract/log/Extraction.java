package dev.veilgate.extract.log;

import dev.veilgate.peks.Keyword;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was found in one record.
 *
 * @param keywords    each once, in the order of their first occurrence
 * @param dated       when the record was written; empty if it does not say, or says no year; a time without a zone is taken as UTC
 * @param yearless    the same of a record that says no year
 * @param messageFrom first byte of the free text behind time, host, program and level, in the array that was given
 * @param messageTo   behind its last byte, without the line's end
 * @param limited     whether the record was longer or had more keywords than the profile allows, so that its end cannot be searched
 */
public record Extraction(
        List<Keyword> keywords,
        Optional<Instant> dated,
        Optional<YearlessTime> yearless,
        int messageFrom,
        int messageTo,
        boolean limited) {

    /**
     * When the record was written, as it says itself; empty if it does not say. Without a year it is the one that puts it nearest to when it was read.
     *
     * @param read when the record was read
     */
    public Optional<Instant> time(Instant read) {
        return dated.or(() -> yearless.map(time -> time.nearest(read)));
    }

    /** Says how much, never what. */
    @Override
    public String toString() {
        return "Extraction[" + keywords.size() + " keywords hidden]";
    }
}
