package dev.veilgate.packages;

import java.util.ArrayList;
import java.util.List;

/**
 * Parts of a text in the help of a command: paragraphs, whose lines were broken for a terminal, and blocks that are
 * indented, such as commands to type.
 *
 * @param parts in their order
 */
record Prose(List<Part> parts) {
    /** Begins a comment behind a command. */
    private static final String REMARK = "  # ";

    /** Element of a text. */
    sealed interface Part {
        void writeTo(Roff roff);
    }

    /** Running text. */
    record Paragraph(String text) implements Part {
        @Override
        public void writeTo(Roff roff) {
            roff.paragraph(text);
        }
    }

    /** Lines that stay as they are. */
    record Block(List<String> lines) implements Part {
        Block {
            lines = List.copyOf(lines);
        }

        @Override
        public void writeTo(Roff roff) {
            roff.verbatim(lines);
        }
    }

    Prose {
        parts = List.copyOf(parts);
    }

    /**
     * Parts of lines that may have ends of lines in them.
     *
     * @param indent spaces before a line of running text; those with more are blocks
     */
    static Prose of(List<String> lines, int indent) {
        List<Part> parts = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        boolean inBlock = false;
        for (String line : lines.stream().flatMap(String::lines).toList()) {
            boolean ofBlock = line.length() - line.stripLeading().length() > indent;
            if (line.isBlank() || ofBlock != inBlock) {
                finish(parts, pending, inBlock);
            }
            if (!line.isBlank()) {
                inBlock = ofBlock;
                pending.add(line);
            }
        }
        finish(parts, pending, inBlock);
        return new Prose(parts);
    }

    /** The running text alone. */
    List<Part> paragraphs() {
        return parts.stream().filter(Paragraph.class::isInstance).toList();
    }

    /** The blocks alone. */
    List<Part> blocks() {
        return parts.stream().filter(Block.class::isInstance).toList();
    }

    void writeTo(Roff roff) {
        parts.forEach(part -> part.writeTo(roff));
    }

    private static void finish(List<Part> parts, List<String> pending, boolean inBlock) {
        if (!pending.isEmpty()) {
            parts.add(inBlock ? new Block(commands(pending)) : new Paragraph(joined(pending)));
            pending.clear();
        }
    }

    private static String joined(List<String> lines) {
        return String.join(" ", lines.stream().map(String::strip).toList());
    }

    /** Lines without their common indent. A remark behind a command goes before it, where it has room. */
    private static List<String> commands(List<String> lines) {
        String whole = String.join("\n", lines).stripIndent();
        List<String> commands = new ArrayList<>();
        for (String line : whole.lines().toList()) {
            int remark = line.indexOf(REMARK);
            String command = remark < 0 ? line : line.substring(0, remark).stripTrailing();
            if (remark >= 0 && !command.isEmpty()) {
                commands.add("# " + line.substring(remark + REMARK.length()));
                commands.add(command);
            } else {
                commands.add(line);
            }
        }
        return commands;
    }
}
