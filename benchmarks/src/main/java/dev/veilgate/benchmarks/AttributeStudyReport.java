package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeWork.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** The tables of {@link AttributeStudy} in Markdown, beside what the smartphone study prints. */
final class AttributeStudyReport {
    /** Least and most memory that the study prints for 1 to {@value AttributeReport#COMPARED} attributes, in MB. */
    static final List<Double> PRINTED_MEGABYTES = List.of(13.5, 14.5);

    private AttributeStudyReport() {}

    static List<String> lines(AttributeStudy study) {
        List<String> out = new ArrayList<>();
        out.add("");
        out.add("## The smartphone study's other figures");
        out.add("");
        out.add("The study is \"On the Feasibility of Attribute-Based Encryption on Smartphone Devices\" (ANDRABEN,"
                + " 2015). What it measures and is not to be had here: phones, their energy in joules, ARM"
                + " processors and Android's heap.");
        out.add("");
        resident(study.memory(), out);
        processor(study.processor(), out);
        plain(study.plain(), out);
        return out;
    }

    private static void resident(ResidentMemory.Figures memory, List<String> out) {
        List<Operation> operations = memory.points().stream()
                .map(ResidentMemory.Point::operation)
                .distinct()
                .toList();
        out.add("| resident memory, MB (of it above the baseline) | n | "
                + String.join(" | ", operations.stream().map(Operation::label).toList()) + " |");
        out.add("|---|---|" + "---|".repeat(operations.size()));
        for (String scheme : schemes(memory)) {
            for (int n : attributes(memory)) {
                List<String> cells = memory.points().stream()
                        .filter(point -> point.scheme().equals(scheme) && point.attributes() == n)
                        .sorted(Comparator.comparing(ResidentMemory.Point::operation))
                        .map(point -> String.format(
                                Locale.ROOT, "%.1f (%.1f)", memory.megabytes(point), memory.aboveBaseline(point)))
                        .toList();
                out.add("| " + scheme + " | " + n + " | " + String.join(" | ", cells) + " |");
            }
        }
        out.add("| ANDRABEN (paper, phone) | 1 to " + AttributeReport.COMPARED + " | "
                + String.join(
                        " | ", operations.stream().map(any -> printedRange()).toList()) + " |");
        out.add("");
        DoubleSummaryStatistics before = memory.points().stream()
                .mapToDouble(point -> point.reading().beforeBytes() / 1e6)
                .summaryStatistics();
        out.add(String.format(
                Locale.ROOT,
                "The most that a process has had resident (VmHWM), each point in a fresh JVM (`%s`) that loads all"
                        + " schemes and repeats one operation, as often as `attribute-memory.csv` says; decryption"
                        + " makes its key and ciphertext before. The baseline is a JVM that only loads them:"
                        + " %.1f MB; the others had %.1f to %.1f MB at that moment, so smaller differences say"
                        + " nothing. What is above it is not the elements alone: it has garbage that is not collected"
                        + " yet, and the compiler with what it compiled. The study's is a native process, without a"
                        + " JVM.",
                String.join(" ", ResidentMemory.HEAP),
                memory.baseline().bytes() / 1e6,
                before.getMin(),
                before.getMax()));
        out.add("");
    }

    private static String printedRange() {
        return PRINTED_MEGABYTES.getFirst() + " to " + PRINTED_MEGABYTES.getLast();
    }

    static List<String> schemes(ResidentMemory.Figures memory) {
        return memory.points().stream()
                .map(ResidentMemory.Point::scheme)
                .distinct()
                .toList();
    }

    private static List<Integer> attributes(ResidentMemory.Figures memory) {
        return memory.points().stream()
                .map(ResidentMemory.Point::attributes)
                .distinct()
                .toList();
    }

    private static void processor(List<ProcessorUse> processor, List<String> out) {
        out.add("| cores fully used, n = " + AttributeReport.COMPARED + " | keygen | encrypt | decrypt |");
        out.add("|---|---|---|---|");
        for (String scheme :
                processor.stream().map(ProcessorUse::scheme).distinct().toList()) {
            List<String> cells = processor.stream()
                    .filter(use -> use.scheme().equals(scheme))
                    .map(use -> String.format(Locale.ROOT, "%.2f", use.cores()))
                    .toList();
            out.add("| " + scheme + " | " + String.join(" | ", cells) + " |");
        }
        out.add("| ANDRABEN (paper, phone of two cores) | 1 | 1 | 1 |");
        out.add("");
        out.add("Processor time of the process over the time that passes, while one operation is repeated on one"
                + " thread: above 1 with the JVM's compiler and collector, below where other programs wanted the"
                + " same core. The study says that less than half of the phone is used, one of its two cores in"
                + " full.");
        out.add("");
    }

    private static void plain(List<NativeAgainstPlain.Point> points, List<String> out) {
        out.add("| BSW07, ms | n | native | plain Java | plain Java / native |");
        out.add("|---|---|---|---|---|");
        for (Operation operation : Operation.OF_PAPERS) {
            for (NativeAgainstPlain.Point point : points) {
                if (point.operation() == operation) {
                    out.add(String.format(
                            Locale.ROOT,
                            "| %s | %d | %.2f | %.2f | %.1f |",
                            operation.label(),
                            point.attributes(),
                            point.ofNative().millis(),
                            point.ofPlain().millis(),
                            point.ratio()));
                }
            }
        }
        for (NativeAgainstPlain.Printed printed : NativeAgainstPlain.PRINTED) {
            out.add(String.format(
                    Locale.ROOT,
                    "| ANDRABEN (paper, phone), %s | %d | about %,.0f | about %,.0f | %.1f |",
                    printed.operation().label(),
                    NativeAgainstPlain.PRINTED_ATTRIBUTES,
                    printed.nativeSeconds() * 1e3,
                    printed.plainSeconds() * 1e3,
                    printed.ratio()));
        }
        out.add("");
        out.add("Ours is `cp-bsw07` over blst, called from Java; plain Java is the same scheme with as many group"
                + " operations over Milagro's AMCL, on the same curve and in the same run. AMCL hashes to the curve by"
                + " trying, and shares the squarings of two Miller loops where blst shares those of eight. The study's"
                + " native code is C, on a pairing of type A that it calls 128 bits, on a Galaxy Nexus.");
    }
}
