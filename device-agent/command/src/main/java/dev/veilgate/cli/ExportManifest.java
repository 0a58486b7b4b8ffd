package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the manifest of an export says; docs/console.md has its fields.
 *
 * @param files  by name, in the order of the archive
 * @param fields all of it, for printing
 */
record ExportManifest(String tenant, Map<String, Listed> files, Place log, JsonObject fields) {
    static final String FILE = "manifest.json";
    static final String SIGNED = "manifest.signed";
    static final String PROOF = "entry.vgp";
    /** The kind of its statement. */
    static final String KIND = "export-manifest";

    private static final String FORMAT = "veilgate-export";
    /** From 2 on a search may leave mails out by who signed them; from 3 on it says how it was understood. */
    private static final int VERSION = 3;

    private static final int VERSION_OF_ASKED = 3;

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    /** What a file must be. */
    record Listed(long bytes, String sha256) {}

    /** Where the export is in the issuing log. */
    record Place(long entry, long size, String root) {}

    static ExportManifest parse(byte[] json) throws MalformedEncodingException {
        try {
            JsonObject fields = JsonObject.parse(json);
            if (!fields.text("format").equals(FORMAT)
                    || fields.number("version") < 1
                    || fields.number("version") > VERSION) {
                throw new MalformedEncodingException(
                        "manifest",
                        "must be of format " + FORMAT + ", version 1 to " + VERSION
                                + "; update the software to read a later one");
            }
            Map<String, Listed> files = new LinkedHashMap<>();
            for (JsonObject file : fields.list("files")) {
                String digest = file.text("sha256");
                if (!DIGEST.matcher(digest).matches() || file.number("bytes") < 0) {
                    throw new MalformedEncodingException("manifest.files", "must have sizes and digests");
                }
                if (files.put(file.text("name"), new Listed(file.number("bytes"), digest)) != null) {
                    throw new MalformedEncodingException("manifest.files", "must have each name once");
                }
            }
            JsonObject log = fields.object("log");
            return new ExportManifest(
                    fields.text("tenant"),
                    files,
                    new Place(log.number("entry"), log.number("size"), log.text("root")),
                    fields);
        } catch (IOException _) {
            throw new MalformedEncodingException("manifest", "must be the JSON of an export's manifest");
        }
    }

    /** Who exported what, and when. */
    List<String> described() throws MalformedEncodingException {
        try {
            JsonObject search = fields.object("search");
            List<String> lines = new ArrayList<>();
            lines.add("export of " + tenant + " by " + fields.text("user") + " at " + fields.text("time"));
            lines.add("search " + search.text("query"));
            Optional<JsonObject> asked = fields.number("version") < VERSION_OF_ASKED
                    ? Optional.empty()
                    : Optional.of(fields.object("asked"));
            if (asked.isPresent()) {
                lines.add("understood as " + asked.get().text("reading"));
                asked.get().texts("notes").forEach(note -> lines.add("  " + note));
                asked.get().texts("warnings").forEach(warning -> lines.add("  perhaps a mistake: " + warning));
            }
            lines.add("scope " + search.text("scope") + ", " + (search.bool("mail") ? "mail" : "records") + ", from "
                    + search.optionalText("from").orElse(beginning(asked)) + " to "
                    + search.optionalText("to").orElse("the end") + ", run at " + search.text("started"));
            if (asked.isPresent()) {
                lines.add(epochs(asked.get()));
            }
            String whole = asked.isPresent() ? "complete, of what was asked" : "complete";
            lines.add((fields.bool("complete") ? whole : "partial") + ": the search is " + search.text("state") + ", "
                    + search.number("envelopesDone") + " of " + search.number("envelopes") + " envelopes seen");
            lines.add(fields.number("rows") + " rows, " + fields.number("exported") + " of them in "
                    + files.keySet().iterator().next() + ", " + search.number("unreadable")
                    + " that could not be read; " + search.number("dropped") + " false hits not shown");
            if (search.fields().containsKey("others")) {
                JsonObject others = search.object("others");
                lines.add(others.number("count") + " more were found of other times, " + others.text("earliest")
                        + " to " + others.text("latest") + ", and are not shown");
            }
            if (search.fields().containsKey("signed")) {
                lines.add("only mails signed as: " + String.join(", ", search.texts("signed")));
            }
            if (search.fields().containsKey("otherwiseSigned")) {
                lines.add(search.number("otherwiseSigned")
                        + " more were found that are signed otherwise, and are not shown");
            }
            if (search.fields().containsKey("unchecked")) {
                lines.add(search.number("unchecked")
                        + " mails were not checked, since reading attachments takes too long, and are not shown");
            }
            lines.add("entry " + log.entry + " of the issuing log, signed with " + log.size + " entries, root "
                    + log.root);
            return lines;
        } catch (IOException _) {
            throw new MalformedEncodingException("manifest", "must say who exported what and when");
        }
    }

    /** Names the beginning of a search without a time: nothing before the epochs that were asked was looked at. */
    private static String beginning(Optional<JsonObject> asked) throws IOException {
        return asked.isPresent()
                ? "the beginning of " + asked.get().texts("epochs").getFirst()
                : "the beginning";
    }

    private static String epochs(JsonObject asked) throws IOException {
        long earlier = asked.number("earlierEpochs");
        String others = earlier == 0 ? "there were none before" : "earlier ones were not asked: " + earlier;
        return "asked of " + String.join(", ", asked.texts("epochs")) + "; " + others;
    }
}
