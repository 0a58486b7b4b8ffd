package dev.veilgate.extract.mail;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found in an attachment, and its form on the pipe between the processes.
 *
 * @param type     the type that its bytes have, "" if not known
 * @param text     its text
 * @param names    names of the files inside it
 * @param refusals what was not read; parts are counted within the attachment, "" is itself
 */
record AttachmentText(String type, String text, List<String> names, List<Refusal> refusals) {
    private static final int MAX_NAME_BYTES = 1024;

    static AttachmentText refused(Refusal.Reason reason) {
        return new AttachmentText("", "", List.of(), List.of(new Refusal("", reason)));
    }

    void write(DataOutputStream out) throws IOException {
        writeString(out, type);
        out.writeInt(names.size());
        for (String name : names) {
            writeString(out, name);
        }
        out.writeInt(refusals.size());
        for (Refusal refusal : refusals) {
            writeString(out, refusal.part());
            out.writeByte(refusal.reason().ordinal());
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
        out.flush();
    }

    /** Reads what a process wrote that may have been taken over by what it read: nothing is believed. */
    static AttachmentText read(DataInputStream in, MailLimits limits) throws IOException {
        String type = readString(in);
        int count = length(in, limits.attachments().maxEmbedded());
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(readString(in));
        }
        count = length(in, 4 * limits.attachments().maxEmbedded());
        List<Refusal> refusals = new ArrayList<>();
        Refusal.Reason[] reasons = Refusal.Reason.values();
        for (int i = 0; i < count; i++) {
            String part = readString(in);
            refusals.add(new Refusal(
                    part.matches("[0-9/]*") ? part : "", reasons[Math.min(in.readUnsignedByte(), reasons.length - 1)]));
        }
        byte[] utf8 = new byte[length(in, 4 * limits.maxTextChars())];
        in.readFully(utf8);
        return new AttachmentText(type, new String(utf8, StandardCharsets.UTF_8), names, refusals);
    }

    private static void writeString(DataOutputStream out, String text) throws IOException {
        String shortened = text.substring(0, Math.min(text.length(), MAX_NAME_BYTES / 4));
        byte[] utf8 = shortened.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String readString(DataInputStream in) throws IOException {
        byte[] utf8 = new byte[length(in, MAX_NAME_BYTES)];
        in.readFully(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static int length(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("the reader of attachments answered out of bounds");
        }
        return length;
    }
}
