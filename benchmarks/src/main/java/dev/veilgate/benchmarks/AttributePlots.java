package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeFigures.Point;
import dev.veilgate.benchmarks.AttributeReport.Printed;
import dev.veilgate.benchmarks.AttributeWork.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The pictures of {@link AttributeFigures}, after the smartphone study's: time against attributes (its Figure 1) and memory (its Figure 2). */
final class AttributePlots {
    private static final int MOST_FOR_TIME = AttributeReport.COMPARED;
    private static final int LEAST_FOR_MEMORY = 10;

    private AttributePlots() {}

    static void draw(Path folder, List<Point> points) throws IOException {
        time("CP-ABE", List.of("cp-fabeo22", "cp-bsw07"), AttributeReport.CP_PRINTED, points)
                .save(folder.resolve("attributes-cp.png"));
        time("KP-ABE", List.of("kp-fabeo22", "kp-gpsw06"), AttributeReport.KP_PRINTED, points)
                .save(folder.resolve("attributes-kp.png"));
        memory(points).save(folder.resolve("attributes-memory.png"));
    }

    private static Plot time(String form, List<String> schemes, List<Printed> printed, List<Point> points) {
        Plot plot = new Plot(form + ", AND of all attributes, one thread", "attributes", "milliseconds");
        List<Operation> operations = List.of(Operation.KEY_GEN, Operation.ENCRYPT, Operation.DECRYPT);
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
