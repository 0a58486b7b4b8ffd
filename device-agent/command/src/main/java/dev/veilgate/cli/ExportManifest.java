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
    /**
     * From 2 on a search may leave mails out by who signed them; from 3 on it says how it was understood; from 4 on why
     * it is not complete, and which index keys were asked.
     */
    private static final int VERSION = 4;

    private static final int VERSION_OF_ASKED = 3;
    private static final int VERSION_OF_REASONS = 4;

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
            if (files.isEmpty()) {
                throw new MalformedEncodingException("manifest.files", "must have the file with the hits");
            }
            JsonObject log = fields.object("log");
            ExportManifest manifest = new ExportManifest(
                    fields.text("tenant"),
                    files,
                    new Place(log.number("entry"), log.number("size"), log.text("root")),
                    fields);
            manifest.described(); // whatever it is printed as, all that it must say is there
            return manifest;
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
                lines.addAll(ExportAsked.reading(asked.get()));
            }
            String beginning = asked.isPresent() ? ExportAsked.beginning(asked.get()) : "the beginning";
            lines.add("scope " + search.text("scope") + ", " + (search.bool("mail") ? "mail" : "records") + ", from "
                    + search.optionalText("from").orElse(beginning) + " to "
                    + search.optionalText("to").orElse("the end") + ", run at " + search.text("started"));
            if (asked.isPresent()) {
                lines.add(ExportAsked.epochs(asked.get()));
            }
            lines.addAll(completeness(search));
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

    /** What it says against itself, a line each; earlier versions give no reasons, and cannot. */
    List<String> contradictions() throws MalformedEncodingException {
        try {
            return fields.number("version") < VERSION_OF_REASONS ? List.of() : ExportContradictions.of(fields);
        } catch (IOException _) {
            throw new MalformedEncodingException("manifest", "must say how the search ended and what was asked");
        }
    }

    /** Whether it is all that was asked for, and why not. */
    private List<String> completeness(JsonObject search) throws IOException {
        String end = ": the search is " + search.text("state") + ", " + search.number("envelopesDone") + " of "
                + search.number("envelopes") + " envelopes seen";
        if (fields.number("version") < VERSION_OF_REASONS) {
            String whole = fields.number("version") < VERSION_OF_ASKED ? "complete" : "complete, of what was asked";
            return List.of((fields.bool("complete") ? whole : "partial") + end);
        }
        JsonObject asked = fields.object("asked");
        List<String> lines = new ArrayList<>(ExportAsked.places(asked));
        List<ExportReason> reasons = ExportReason.of(fields.list("incomplete"));
        lines.add(ExportReason.headline(reasons, asked.texts("epochs")) + end);
        reasons.forEach(reason -> lines.add("  " + reason.described()));
        if (fields.fields().containsKey("recheck")) {
            lines.addAll(ExportRecheck.of(fields.object("recheck")));
        }
        return lines;
    }
}
