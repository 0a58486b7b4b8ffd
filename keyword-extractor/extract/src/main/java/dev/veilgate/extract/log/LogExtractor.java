package dev.veilgate.extract.log;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.RecordKeywords;

/**
 * From a log record to its keywords: a pure function of the record, the profile and the source's format. Whatever the
 * bytes are, there is an answer: what is not of the
 * format is read as plain text, what is not UTF-8 is between words, and behind the profile's limits nothing is read.
 *
 * <p>Every maximal run of letters and digits of the record is a keyword ({@link dev.veilgate.extract.Tokenizer}),
 * also those of its header;
 * beside them the fields host, app, pid, level and time, and the named fields of JSON and key=value records and of
 * structured data, or of any record where the profile names them.
 *
 * <p>By rules 2 of the profile, records are read through what wraps them, too: lines of Docker and of Kubernetes, JSON
 * in a string or behind a header, escape sequences of terminals and zero bytes; and CEF, LEEF, access logs, PostgreSQL,
 * MySQL, Cisco, events of Windows, entries of Google's cloud and layouts of supercomputers and of Java's loggers are
 * read by their fields. The page {@code docs/log-formats.md} lists what is found.
 *
 * <p>Keeps buffers of the longest record so far (at most twice the profile's record bytes; more while a record is not
 * ASCII) and a bounded cache of
 * keywords. For one thread: one extractor a source or worker.
 */
public final class LogExtractor {
    private final RecordKeywords keywords;
    private final LogReader reader;

    private LogExtractor(ExtractorProfile profile, LogFormat format) {
        keywords = new RecordKeywords(profile);
        reader = LogReader.of(profile, format, keywords);
    }

    /** An extractor for the records of one source. */
    public static LogExtractor of(ExtractorProfile profile, LogFormat format) {
        return new LogExtractor(profile, format);
    }

    /**
     * How long a record may be that is put together of the lines into which a container's runtime cut one: all of it is
     * read.
     *
     * @return bytes; 0 where each line is read alone, by rules 1 and in a format that is named
     */
    public static int mostJoinedBytes(ExtractorProfile profile, LogFormat format) {
        boolean isReadAsOne = profile.rules() > ExtractorProfile.RULES && format == LogFormat.AUTO;
        return isReadAsOne ? profile.limits().recordBytes() : 0;
    }

    /** The keywords of a record, which may end with a line end. */
    public Extraction extract(byte[] record) {
        return extract(record, 0, record.length);
    }

    /** The keywords of the record in a part of an array, which may end with a line end. */
    public Extraction extract(byte[] buffer, int begin, int to) {
        keywords.begin();
        reader.read(buffer, begin, to);
        return new Extraction(
                keywords.finish(),
                reader.dated(),
                reader.yearless(),
                reader.messageFrom(),
                reader.messageTo(),
                reader.isCut() || keywords.limited());
    }
}
