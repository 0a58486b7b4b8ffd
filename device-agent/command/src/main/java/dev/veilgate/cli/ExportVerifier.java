package dev.veilgate.cli;

import dev.veilgate.cli.ExportArchive.Member;
import dev.veilgate.cli.ExportManifest.Listed;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.InclusionProof;
import dev.veilgate.issuing.SignedStatement;
import dev.veilgate.terminal.CommandFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks an export with the authority's fingerprint alone: who signed its manifest, that the archive has exactly the files of the manifest, byte for byte, and nothing else, and that the export is
 * in the issuing log. Nothing of a manifest is believed, and nothing large unpacked, before its signature holds.
 */
final class ExportVerifier {
    /**
     * Something that is wrong.
     *
     * @param problem in a word
     * @param file    of the archive
     */
    record Finding(String problem, String file, String detail) {}

    private static final int MAX_MANIFEST = SignedStatement.MAX_CONTENT_BYTES;

    private final ExportArchive archive;
    private final String fingerprint;
    private final List<Finding> findings = new ArrayList<>();

    ExportVerifier(ExportArchive archive, String fingerprint) {
        this.archive = archive;
        this.fingerprint = fingerprint;
    }

    List<Finding> findings() {
        return findings;
    }

    private void find(String problem, String file, String detail) {
        findings.add(new Finding(problem, file, detail));
    }

    /** The manifest, if the authority signed it and so far nothing is wrong with the files' names; {@link #findings} says all that is. */
    Optional<ExportManifest> verify() throws IOException, CommandFailure, MalformedEncodingException {
        checkNames(archive.names());
        if (!findings.isEmpty()) {
            return Optional.empty();
        }
        Optional<SignedStatement> statement = statement();
        if (statement.isEmpty()) {
            return Optional.empty();
        }
        byte[] signed = statement.get().content();
        if (!Arrays.equals(signed, archive.read(ExportManifest.FILE, MAX_MANIFEST))) {
            find("altered", ExportManifest.FILE, "is not what was signed");
        }
        ExportManifest manifest = ExportManifest.parse(signed);
        if (!manifest.tenant().equals(statement.get().authority().sender())) {
            find("foreign", ExportManifest.FILE, "is of another tenant than the authority's");
        }
        for (String contradiction : manifest.contradictions()) {
            find("contradiction", ExportManifest.FILE, contradiction);
        }
        checkFiles(manifest);
        if (findings.isEmpty()) {
            checkProof(manifest);
        }
        return Optional.of(manifest);
    }

    private void checkNames(List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!isPlain(name)) {
                find("bad-name", name, "would be unpacked elsewhere");
            }
            if (!seen.add(name)) {
                find("duplicate", name, "is in the archive more than once");
            }
        }
        for (String needed : List.of(ExportManifest.FILE, ExportManifest.SIGNED)) {
            if (!seen.contains(needed)) {
                find("missing", needed, "without it nothing is proven");
            }
        }
    }

    /** A file's name on every system, and nothing that leads out of a folder. */
    static boolean isPlain(String name) {
        return name.length() <= 100 && name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") && !name.contains("..");
    }

    private Optional<SignedStatement> statement() throws IOException, CommandFailure {
        try {
            SignedStatement statement =
                    SignedStatement.decode(archive.read(ExportManifest.SIGNED, SignedStatement.MAX_BYTES));
            if (!statement.authority().fingerprint().equals(fingerprint)) {
                find(
                        "foreign",
                        ExportManifest.SIGNED,
                        "is of the authority " + statement.authority().fingerprint());
            } else if (!statement.isSignedBy(fingerprint)) {
                find("bad-signature", ExportManifest.SIGNED, "was not signed by its authority");
            } else if (!statement.kind().equals(ExportManifest.KIND)) {
                find("bad-signature", ExportManifest.SIGNED, "is no manifest but something else that was signed");
            } else {
                return Optional.of(statement);
            }
        } catch (MalformedEncodingException e) {
            find("bad-signature", ExportManifest.SIGNED, String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }

    private void checkFiles(ExportManifest manifest) throws IOException, CommandFailure {
        ExportArchive.Limit limit = name -> {
            Listed listed = manifest.files().get(name);
            return listed != null ? listed.bytes() : isOwn(name) ? SignedStatement.MAX_BYTES : 0;
        };
        List<Member> members = archive.byDirectory(limit);
        for (Member member : members) {
            Listed listed = manifest.files().get(member.name());
            if (listed == null && !isOwn(member.name())) {
                find("extra", member.name(), "is not in the manifest");
            } else if (listed != null && member.bytes() > listed.bytes()) {
                find("altered", member.name(), "has more than " + listed.bytes() + " bytes");
            } else if (listed != null && member.bytes() < listed.bytes()) {
                find("altered", member.name(), "has " + member.bytes() + " bytes, not " + listed.bytes());
            } else if (listed != null && !listed.sha256().equals(member.sha256())) {
                find("altered", member.name(), "has another digest than was signed");
            }
        }
        for (String name : manifest.files().keySet()) {
            if (members.stream().noneMatch(member -> member.name().equals(name))) {
                find("missing", name, "is in the manifest only");
            }
        }
        checkLayout(manifest);
        if (findings.isEmpty() && !members.equals(archive.inOrder(limit))) {
            find("ambiguous", "-", "programs that unpack it in another way get other files");
        }
    }

    /** The files stand as the manifest lists them, then it and its signature, and nothing stands between. */
    private void checkLayout(ExportManifest manifest) throws IOException, CommandFailure {
        archive.difference().ifPresent(difference -> find("layout", difference.file(), difference.detail()));
        List<String> order = new ArrayList<>(manifest.files().keySet());
        order.addAll(List.of(ExportManifest.FILE, ExportManifest.SIGNED));
        if (findings.isEmpty() && !archive.names().equals(order)) {
            find("layout", "-", "the files stand in another order than " + String.join(", ", order));
        }
    }

    private static boolean isOwn(String name) {
        return name.equals(ExportManifest.FILE) || name.equals(ExportManifest.SIGNED);
    }

    /** The entry that says so is in a signed log, and speaks of the file with the hits. */
    private void checkProof(ExportManifest manifest) throws IOException, CommandFailure {
        if (!manifest.files().containsKey(ExportManifest.PROOF)) {
            find("missing", ExportManifest.PROOF, "nothing shows that the export is in the issuing log");
            return;
        }
        try {
            InclusionProof proof = InclusionProof.decode(archive.read(ExportManifest.PROOF, InclusionProof.MAX_BYTES));
            String digest = manifest.files().values().iterator().next().sha256();
            if (!proof.holds(fingerprint)
                    || proof.entry().kind() != EntryKind.EXPORT
                    || !digest.equals(proof.entry().details().get(DetailName.DIGEST))
                    || proof.entry().number() != manifest.log().entry()
                    || proof.head().head().size() != manifest.log().size()
                    || !HexFormat.of()
                            .formatHex(proof.head().head().root())
                            .equals(manifest.log().root())) {
                find("not-proven", ExportManifest.PROOF, "does not show that this export is in the issuing log");
            }
        } catch (MalformedEncodingException e) {
            find("not-proven", ExportManifest.PROOF, String.valueOf(e.getMessage()));
        }
    }
}
