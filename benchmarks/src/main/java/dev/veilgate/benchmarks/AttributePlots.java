package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeFigures.Point;
import dev.veilgate.benchmarks.AttributeReport.Printed;
import dev.veilgate.benchmarks.AttributeWork.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * The pictures of {@link AttributeFigures}, after the smartphone study's: time against attributes (its Figure 1),
 * memory (its Figure 2), native code against plain Java (its Figure 4).
 */
final class AttributePlots {
    private static final int MOST_FOR_TIME = AttributeReport.COMPARED;
    private static final int LEAST_FOR_MEMORY = 10;

    private AttributePlots() {}

    static void draw(Path folder, AttributeFigures.Figures figures) throws IOException {
        List<Point> points = figures.points();
        time("CP-ABE", List.of("cp-fabeo22", "cp-bsw07"), AttributeReport.CP_PRINTED, points)
                .save(folder.resolve("attributes-cp.png"));
        time("KP-ABE", List.of("kp-fabeo22", "kp-gpsw06"), AttributeReport.KP_PRINTED, points)
                .save(folder.resolve("attributes-kp.png"));
        memory(points).save(folder.resolve("attributes-memory.png"));
        resident(figures.study().memory()).save(folder.resolve("attributes-resident.png"));
        plain(figures.study().plain()).save(folder.resolve("attributes-native.png"));
    }

    private static Plot time(String form, List<String> schemes, List<Printed> printed, List<Point> points) {
        Plot plot = new Plot(form + ", AND of all attributes, one thread", "attributes", "milliseconds");
        List<Operation> operations = Operation.OF_PAPERS;
        List<Point> shown = points.stream()
                .filter(point -> point.attributes() <= MOST_FOR_TIME)
                .toList();
        for (int i = 0; i < operations.size(); i++) {
            add(
                    plot,
                    schemes.getFirst(),
                    operations.get(i),
                    i,
                    true,
                    shown,
                    point -> point.sample().millis());
            add(
                    plot,
                    schemes.getLast(),
                    operations.get(i),
                    i,
                    false,
                    shown,
                    point -> point.sample().millis());
        }
        for (int mark = 0; mark < printed.size(); mark++) {
            Printed row = printed.get(mark);
            for (int i = 0; i < operations.size(); i++) {
                plot.printedPoint(
                        row.name() + " " + operations.get(i).label(),
                        i,
                        mark,
                        MOST_FOR_TIME,
                        row.millis().get(i));
            }
        }
        return plot;
    }

    private static Plot memory(List<Point> points) {
        Plot plot = new Plot("Heap allocated by one operation", "attributes (logarithmic)", "kilobytes").logarithmicX();
        List<Point> shown = points.stream()
                .filter(point -> point.attributes() >= LEAST_FOR_MEMORY)
                .toList();
        List<String> schemes = shown.stream().map(Point::scheme).distinct().toList();
        for (int i = 0; i < schemes.size(); i++) {
            ToDoubleFunction<Point> kilobytes = point -> point.sample().allocatedBytes() / 1e3;
            add(plot, schemes.get(i), Operation.ENCRYPT, i, true, shown, kilobytes);
            add(plot, schemes.get(i), Operation.DECRYPT, i, false, shown, kilobytes);
        }
        return plot;
    }

    /** For each scheme the operation that needs most: its whole process, and what is above the baseline. */
    private static Plot resident(ResidentMemory.Figures memory) {
        Plot plot =
                new Plot("Resident memory of one operation", "attributes (logarithmic)", "megabytes").logarithmicX();
        List<String> schemes = AttributeStudyReport.schemes(memory);
        for (int i = 0; i < schemes.size(); i++) {
            String scheme = schemes.get(i);
            SortedMap<Integer, ResidentMemory.Point> most = new TreeMap<>();
            for (ResidentMemory.Point point : memory.points()) {
                if (point.scheme().equals(scheme)) {
                    most.merge(
                            point.attributes(),
                            point,
                            BinaryOperator.maxBy(Comparator.comparingDouble(memory::megabytes)));
                }
            }
            plot.line(scheme + ", process", i, x(most.values()), y(most.values(), memory::megabytes));
            List<ResidentMemory.Point> above = most.values().stream()
                    .filter(point -> memory.aboveBaseline(point) > 0) // for the logarithm
                    .toList();
            plot.dashedLine(scheme + ", above baseline", i, x(above), y(above, memory::aboveBaseline));
        }
        double[] range = {1, AttributeReport.COMPARED};
        for (double megabytes : AttributeStudyReport.PRINTED_MEGABYTES) {
            plot.printedLine(
                    "ANDRABEN (paper), " + megabytes, schemes.size(), range, new double[] {megabytes, megabytes});
        }
        return plot;
    }

    private static double[] x(Collection<ResidentMemory.Point> points) {
        return points.stream().mapToDouble(ResidentMemory.Point::attributes).toArray();
    }

    private static double[] y(Collection<ResidentMemory.Point> points, ToDoubleFunction<ResidentMemory.Point> value) {
        return points.stream().mapToDouble(value).toArray();
    }

    private static Plot plain(List<NativeAgainstPlain.Point> points) {
        Plot plot = new Plot("BSW07 over native code and over plain Java, one thread", "attributes", "milliseconds");
        for (int i = 0; i < NativeAgainstPlain.PRINTED.size(); i++) {
            NativeAgainstPlain.Printed printed = NativeAgainstPlain.PRINTED.get(i);
            Operation operation = printed.operation();
            List<NativeAgainstPlain.Point> of = points.stream()
                    .filter(point -> point.operation() == operation)
                    .toList();
            double[] x = of.stream()
                    .mapToDouble(NativeAgainstPlain.Point::attributes)
                    .toArray();
            plot.line(
                    operation.label() + ", native",
                    i,
                    x,
                    of.stream().mapToDouble(point -> point.ofNative().millis()).toArray());
            plot.dashedLine(
                    operation.label() + ", plain Java",
                    i,
                    x,
                    of.stream().mapToDouble(point -> point.ofPlain().millis()).toArray());
            double at = NativeAgainstPlain.PRINTED_ATTRIBUTES;
            plot.printedPoint("ANDRABEN (paper) " + operation.label() + ", C", i, 0, at, printed.nativeSeconds() * 1e3);
            plot.printedPoint("its Java " + operation.label(), i, 1, at, printed.plainSeconds() * 1e3);
        }
        return plot;
    }

    private static void add(
            Plot plot,
            String scheme,
            Operation operation,
            int colour,
            boolean solid,
            List<Point> points,
            ToDoubleFunction<Point> value) {
        List<Point> of = points.stream()
                .filter(point ->
                        point.scheme().equals(scheme) && point.operation().equals(operation.label()))
                .toList();
        double[] x = of.stream().mapToDouble(Point::attributes).toArray();
        double[] y = of.stream().mapToDouble(value).toArray();
        String name = scheme + " " + operation.label();
        if (solid) {
            plot.line(name, colour, x, y);
        } else {
            plot.dashedLine(name, colour, x, y);
        }
    }
}
